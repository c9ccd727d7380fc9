/* Values that jansson refuses end the program with a message. */
#include "lib/field/xjson.h"
#include "tap.h"

static void
text(json_t *value, const char *want, const char *name)
{
	char *got = xjson_text(value, JSON_ENCODE_ANY | JSON_COMPACT);

	if (!ok(strcmp(got, want) == 0, name))
		printf("# got %s\n", got);
	free(got);
}

int
main(void)
{
	json_t *object = json_object(), *list = json_array(), *other = json_object();
	json_error_t error;

	xjson_set(object, "name", json_string("value"));
	xjson_append(list, json_integer(1));
	xjson_set(object, "list", list);
	xjson_set(other, "name", json_string("newer"));
	xjson_update(object, other);
	text(object, "{\"name\":\"newer\",\"list\":[1]}", "set, appended, updated");
	DIES("member 'name' cannot be written: it is not UTF-8", xjson_set(object, "name", json_string("\xff")),
	    "a member that is not UTF-8");
	DIES("an element of a list cannot be written", xjson_append(list, json_string("\xff")), "an element");
	DIES("members of two records cannot be merged", xjson_update(object, list), "members of a list");
	/* Without JSON_ENCODE_ANY, jansson writes only objects and lists. */
	DIES("a record cannot be written", xjson_write(stderr, json_integer(1), 0), "a number is no record");
	DIES("a record cannot be written", xjson_text(json_integer(1), 0), "nor is it a text");
	json_decref(object);
	json_decref(other);
	ok(xjson_parse("{\"a\":1,\"a\":2}", 13, &error) == NULL && strstr(error.text, "duplicate") != NULL,
	    "a member twice");
	return tap_done();
}
