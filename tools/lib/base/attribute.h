/* Copying of a file's extended attributes and access control lists. */
#ifndef ATTRIBUTE_H
#define ATTRIBUTE_H

/*
 * Copy the attributes of the file FROM to the open file TO. Remove the access control list that TO inherited from its
 * directory. Return the name of an attribute that cannot be copied (caller frees), or NULL.
 */
char *attributes_copy(const char *from, int to);

#endif
