/* Derive the layers of a network, their parts and classes, from tables of formulas. */
#ifndef LAYERS_H
#define LAYERS_H

#include "draft.h"
#include "formulas.h"

/* Set the network's own members that keys determine. */
void layers_members(struct draft *, struct scope *);
/*
 * Do the same for keys or options of a framework by the formulas of FAMILY, with the usual places of members. These
 * outlive the draft if the formulas do.
 */
void layers_of_keys(struct draft *, struct bag *, const struct formulas *, const char *family);
/*
 * Set its classes and the pattern of all layers; nothing if dense_layers and moe_every suffice, or all layers are
 * alike.
 */
void layers_classes(struct draft *, struct scope *);
/* Set the layers from the options of a framework, with its family. */
void layers_of_options(struct draft *, struct bag *, const struct formulas *, const char *family);

#endif
