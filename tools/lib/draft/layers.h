/* Derive the layers of a network, their parts and classes, from tables of formulas. */
#ifndef LAYERS_H
#define LAYERS_H

#include "draft.h"
#include "formulas.h"

/* Set the network's own members that keys determine. */
void layers_members(struct draft *, struct scope *);
/*
 * Set the network's members from the keys or options of a framework, by the formulas of FAMILY, and the draft's usual
 * places of members. The formulas must outlive the draft.
 */
void layers_of_keys(struct draft *, struct bag *, const struct formulas *, const char *family);
/*
 * Set the network's classes and the pattern of all layers. Set nothing if dense_layers and moe_every suffice, or if
 * all layers are alike.
 */
void layers_classes(struct draft *, struct scope *);
/* Do the same from the options of a framework, by the formulas of FAMILY. */
void layers_of_options(struct draft *, struct bag *, const struct formulas *, const char *family);

#endif
