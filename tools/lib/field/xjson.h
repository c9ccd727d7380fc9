/* jansson, checked: what cannot be had or written ends the program with a message. */
#ifndef XJSON_H
#define XJSON_H

#include <jansson.h>
#include <stdio.h>

/*
 * jansson's own calls return an error that is easily dropped, and then a record lacks members. Over these it takes its
 * memory from alloc.h, and a VALUE that is NULL (a string that is not UTF-8) is an error. The reference to VALUE is
 * taken over.
 */
void xjson_set(json_t *object, const char *name, json_t *value);
void xjson_append(json_t *list, json_t *value);
void xjson_update(json_t *object, json_t *other);
void xjson_write(FILE *, json_t *, size_t flags);	/* what the disk refuses is found when the file is closed */
char *xjson_text(json_t *, size_t flags);		/* to be freed */
/* No object may have a member twice. NULL with *ERROR when the text is none. */
json_t *xjson_parse(const char *text, size_t length, json_error_t *error);

#endif
