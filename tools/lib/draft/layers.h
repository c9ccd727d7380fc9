/* Layers of a network by tables of formulas: which parts each has, and so which classes there are. */
#ifndef LAYERS_H
#define LAYERS_H

#include "draft.h"
#include "formulas.h"

/* The network's own members, as far as keys say them. */
void layers_members(struct draft *, struct scope *);
/* Its classes, and the pattern of all layers; nothing where dense_layers and moe_every say it, or all are alike. */
void layers_classes(struct draft *, struct scope *);
/* Those by the options of a framework, whose family it is. FORMULAS may be NULL: the installed ones. */
void layers_of_options(struct draft *, struct bag *, const struct formulas *, const char *family);

#endif
