/* Copy the extended attributes and access control lists of a file. */
#ifndef ATTRIBUTE_H
#define ATTRIBUTE_H

/*
 * Copy the attributes of the file FROM to the open file TO, and remove from TO the access control list inherited from
 * its directory. Return the name of an attribute that cannot be copied (caller frees), or NULL.
 */
char *attributes_copy(const char *from, int to);

#endif
