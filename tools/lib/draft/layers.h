/* Derivation of a network's layers, their parts and their classes from tables of formulas. */
#ifndef LAYERS_H
#define LAYERS_H

#include "draft.h"
#include "formulas.h"

/* Set the members that belong to the network as a whole, from keys. */
void layers_members(struct draft *, struct scope *);
/*
 * Set the network's members from the keys or options of a framework by the formulas of FAMILY. Set the draft's list of
 * usual names. The formulas must outlive the draft.
 */
void layers_of_keys(struct draft *, struct bag *, const struct formulas *, const char *family);
/*
 * Set the network's classes and the class of each layer. Set nothing if all layers are equal, or if dense_layers and
 * moe_every describe them.
 */
void layers_classes(struct draft *, struct scope *);
/* Set the classes, and the class of each layer, from the options of a framework by the formulas of FAMILY. */
void layers_of_options(struct draft *, struct bag *, const struct formulas *, const char *family);

#endif
