/* Attributes: what a file has besides its content, owner and permissions: access control lists, extended attributes. */
#ifndef ATTRIBUTE_H
#define ATTRIBUTE_H

/*
 * Give the open file TO what the file FROM has, and take from it the access control list that its directory gave it.
 * The name of one that cannot be kept, to be freed; NULL: all are.
 */
char *attributes_copy(const char *from, int to);

#endif
