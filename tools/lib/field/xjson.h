/* jansson with checks: a failure ends the program with a message. */
#ifndef XJSON_H
#define XJSON_H

#include <jansson.h>
#include <stdio.h>

/*
 * jansson's own functions return an error that is easily ignored, and a member would be lost. These functions exit if
 * memory runs out, or if VALUE is NULL because a string is not UTF-8. They take ownership of VALUE.
 */
void xjson_set(json_t *object, const char *name, json_t *value);
void xjson_append(json_t *list, json_t *value);
void xjson_update(json_t *object, json_t *other);
void xjson_write(FILE *, json_t *, size_t flags);	/* errors of the disk appear when the file is closed */
char *xjson_text(json_t *, size_t flags);		/* caller frees */
/* Parse TEXT, and reject duplicate members. If the JSON is invalid, return NULL and set *ERROR. */
json_t *xjson_parse(const char *text, size_t length, json_error_t *error);

#endif
