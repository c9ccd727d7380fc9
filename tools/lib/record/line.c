#include "line.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clipped.h"
#include "lib/field/xjson.h"

enum { LIST_LONGEST = 1 << 20 };
#define LARGEST 1e18		/* maximum magnitude of a number, as in lib/field */

static const double power[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
    1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

/* Skip blanks, then the character C. Return NULL if another character follows. */
static const char *
expect(const char *s, char c)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return *s == c ? s + 1 : NULL;
}

static const char *
skip(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

/* Scan a JSON number that a double represents exactly. Set *WHOLE if it has neither point nor exponent. */
static const char *
scan_number(const char *s, double *x, bool *whole)
{
	bool minus = *s == '-';
	uint64_t digits = 0;
	int n = 0, scale = 0, exponent = 0;

	s += minus;
	if (*s < '0' || *s > '9' || (*s == '0' && s[1] >= '0' && s[1] <= '9'))
		return NULL;
	for (; *s >= '0' && *s <= '9'; s++, n++)
		digits = digits * 10 + (uint64_t)(*s - '0');
	*whole = true;
	if (*s == '.') {
		*whole = false;
		if (*++s < '0' || *s > '9')
			return NULL;
		for (; *s >= '0' && *s <= '9'; s++, n++, scale--)
			digits = digits * 10 + (uint64_t)(*s - '0');
	}
	if (*s == 'e' || *s == 'E') {
		bool below;

		*whole = false;
		s++;
		below = *s == '-';
		s += *s == '-' || *s == '+';
		if (*s < '0' || *s > '9')
			return NULL;
		for (; *s >= '0' && *s <= '9' && exponent < 1000; s++)
			exponent = exponent * 10 + (*s - '0');
		scale += below ? -exponent : exponent;
	}
	if (n > 18 || digits >> 53 || scale > 22 || scale < -22)
		return NULL;
	*x = scale < 0 ? (double)digits / power[-scale] : (double)digits * power[scale];
	if (minus)
		*x = -*x;
	return s;
}

static bool
allowed(const struct field *f, double x)
{
	return fabs(x) <= LARGEST && !(f->sign == NONNEGATIVE && x < 0) && !(f->sign == POSITIVE && x <= 0);
}

/* Scan a string of plain characters from after its opening quote. Return its end, or NULL. */
static const char *
plain_string(const char *s)
{
	while (*s != '"' && *s != '\\' && (unsigned char)*s >= ' ' && (unsigned char)*s < 0x7f)
		s++;
	return *s == '"' ? s : NULL;
}

static const char *
scan_list(const char *s, const struct field *f, struct list *l)
{
	double at[64], *x = at;
	const char *end = NULL;
	int n = 0, room = 64;
	bool whole;

	if ((s = expect(s, '[')) == NULL)
		return NULL;
	for (;; s = skip(s + 1)) {
		s = scan_number(skip(s), &x[n], &whole);
		if (s == NULL || !allowed(f, x[n]))
			break;
		s = skip(s);
		if (++n > LIST_LONGEST || (*s != ',' && *s != ']'))
			break;
		if (*s == ']') {
			end = s + 1;
			break;
		}
		if (n == room) {
			double *more = xreallocarray(NULL, (size_t)room * 2, sizeof *more);

			memcpy(more, x, (size_t)n * sizeof *x);
			if (x != at)
				free(x);
			x = more;
			room *= 2;
		}
	}
	if (end != NULL) {
		*l = list_new(n);
		memcpy(l->at, x, (size_t)n * sizeof *x);
	}
	if (x != at)
		free(x);
	return end;
}

static const char *scan_members(const char *s, const struct fields *t, void *rec, bool first);

static const char *
scan_object(const char *s, const struct fields *t, void *rec)
{
	return (s = expect(s, '{')) == NULL ? NULL : scan_members(s, t, rec, true);
}

static const char *
scan_value(const char *s, const struct field *f, void *to)
{
	const char *end;
	bool whole;
	double x;

	s = skip(s);
	switch (f->type) {
	case FIELD_STRING:
		if (*s != '"' || (end = plain_string(s + 1)) == NULL)
			return NULL;
		*(char **)to = xstrndup(s + 1, (size_t)(end - s - 1));
		return end + 1;
	case FIELD_INT:
		s = scan_number(s, &x, &whole);
		if (s == NULL || !whole || fabs(x) > INT_MAX || !allowed(f, x))
			return NULL;
		*(int *)to = (int)x;
		return s;
	case FIELD_REAL:
		s = scan_number(s, to, &whole);
		return s != NULL && allowed(f, *(double *)to) ? s : NULL;
	case FIELD_BOOL:
		*(bool *)to = *s == 't';
		return strncmp(s, "true", 4) == 0 ? s + 4 : strncmp(s, "false", 5) == 0 ? s + 5 : NULL;
	case FIELD_ENUM:
		if (*s != '"' || (end = plain_string(s + 1)) == NULL)
			return NULL;
		for (int i = 0; f->names[i] != NULL; i++)
			if (strncmp(f->names[i], s + 1, (size_t)(end - s - 1)) == 0 &&
			    f->names[i][end - s - 1] == '\0') {
				*(int *)to = i;
				return end + 1;
			}
		return NULL;
	case FIELD_LIST:
		return scan_list(s, f, to);
	case FIELD_OBJECT:
		return scan_object(s, f->sub, to);
	case FIELD_TABLE:
	case FIELD_GRID:
	case FIELD_ARRAY:
	case FIELD_MAP:
	case FIELD_AMOUNTS:
	case FIELD_TEXTS:
	case FIELD_ASSIGNMENTS:
	case FIELD_SHAPES:
	case FIELD_SET:
		break;
	}
	return NULL;
}

/* Return the number of the member. Members mostly come in the order of the table: start after the last one found. */
static int
find_member(const struct fields *t, const char *name, size_t length, int from)
{
	for (int k = 0; k < t->n; k++) {
		int i = (from + k) % t->n;

		if (strncmp(t->field[i].name, name, length) == 0 && t->field[i].name[length] == '\0')
			return i;
	}
	return -1;
}

static const char *
scan_members(const char *s, const struct fields *t, void *rec, bool first)
{
	uint64_t *given = rec;

	for (int next = 0;; first = false) {
		const char *end;
		int i;

		s = skip(s);
		if (*s == '}')
			break;
		if (!first && *s++ != ',')
			return NULL;
		if ((s = expect(s, '"')) == NULL || (end = plain_string(s)) == NULL)
			return NULL;
		i = find_member(t, s, (size_t)(end - s), next);
		if (i < 0 || *given >> i & 1 || (s = expect(end + 1, ':')) == NULL)
			return NULL;
		/* Set the bit before the value is read, so that a partially read member is freed. */
		*given |= (uint64_t)1 << i;
		if ((s = scan_value(s, &t->field[i], (char *)rec + t->field[i].offset)) == NULL)
			return NULL;
		next = i + 1;
	}
	for (int i = 0; i < t->n; i++)
		if (!t->field[i].optional && !(*given >> i & 1))
			return NULL;
	return s + 1;
}

bool
line_scan(const char *text, const char *kind, const struct fields *t, void *rec)
{
	const char *s = expect(text, '{');
	size_t length = strlen(kind);

	if (s == NULL || (s = expect(s, '"')) == NULL || strncmp(s, "kind\"", 5) != 0 ||
	    (s = expect(s + 5, ':')) == NULL ||
	    (s = expect(s, '"')) == NULL || strncmp(s, kind, length) != 0 || s[length] != '"')
		return false;
	s = scan_members(s + length + 1, t, rec, false);
	if (s != NULL && s[strspn(s, " \t\r")] == '\0')
		return true;
	fields_free(t, rec);
	return false;
}

static char *
reserve(struct line *l, size_t more)
{
	if (l->length + more > l->capacity) {
		l->capacity = 2 * (l->length + more);
		l->at = xreallocarray(l->at, l->capacity, 1);
	}
	return l->at + l->length;
}

static void
print_text(struct line *l, const char *s, size_t n)
{
	memcpy(reserve(l, n), s, n);
	l->length += n;
}

static void
print_whole(struct line *l, uint64_t x, bool minus)
{
	char text[24], *end = text + sizeof text, *s = end;

	do
		*--s = (char)('0' + x % 10);
	while ((x /= 10) > 0);
	if (minus)
		*--s = '-';
	print_text(l, s, (size_t)(end - s));
}

/* Print X with the fewest digits, at most 17, that read back the same. */
static void
print_exact(struct line *l, double x)
{
	char text[32];
	struct clipped t;
	int digits = 15;

	do {
		t = CLIPPED(text);
		clipped_print(&t, "%.*g", digits, x);
	} while (strtod(text, NULL) != x && ++digits <= DBL_DECIMAL_DIG);
	print_text(l, text, t.n);
}

/* Print X with 15 significant digits. In rare cases the last digit differs from printf's %.15g. */
static void
print_real(struct line *l, double x)
{
	double magnitude = fabs(x);
	uint64_t digits, whole;
	char text[24];
	struct clipped small;
	int scale;

	if (!isfinite(x) || (l->exact && magnitude > LARGEST))
		place_die((struct place){ 0 }, "a result is not a finite number: figures of the input differ by too "
		    "many orders of magnitude");
	if (magnitude == floor(magnitude) && magnitude < 1e15) {
		print_whole(l, (uint64_t)magnitude, x < 0);
		return;
	}
	if (l->exact) {
		print_exact(l, x);
		return;
	}
	if (magnitude < 1e-6 || magnitude >= 1e15) {
		small = CLIPPED(text);
		clipped_print(&small, "%.15g", x);
		print_text(l, text, small.n);
		return;
	}
	/* Choose the number of decimals that makes 15 digits in total. */
	for (scale = 14; scale > 0 && magnitude >= power[15 - scale]; scale--)
		;
	while (scale < 20 && magnitude * power[scale + 1] < 1e15)
		scale++;
	digits = (uint64_t)(magnitude * power[scale] + 0.5);
	while (scale > 0 && digits % 10 == 0) {
		digits /= 10;
		scale--;
	}
	whole = scale >= 19 ? 0 : digits / (uint64_t)power[scale];
	print_whole(l, whole, x < 0);
	digits -= scale >= 19 ? 0 : whole * (uint64_t)power[scale];
	if (scale == 0)
		return;
	text[0] = '.';
	for (int n = scale; n > 0; n--, digits /= 10)
		text[n] = (char)('0' + digits % 10);
	print_text(l, text, (size_t)scale + 1);
}

/* Print plain characters directly. Escape all further characters as jansson does. */
static void
print_string(struct line *l, const char *s)
{
	const char *end;
	json_t *v;
	char *text;

	for (end = s; *end != '\0' && *end != '"' && *end != '\\' && (unsigned char)*end >= ' ' &&
	    (unsigned char)*end < 0x7f; end++)
		;
	if (*end == '\0') {
		print_text(l, "\"", 1);
		print_text(l, s, (size_t)(end - s));
		print_text(l, "\"", 1);
		return;
	}
	v = json_string(s);
	text = xjson_text(v, JSON_ENCODE_ANY);
	print_text(l, text, strlen(text));
	free(text);
	json_decref(v);
}

static void print_members(struct line *, const struct fields *, const void *, bool first);

static void
print_json(struct line *l, json_t *v)
{
	const char *name, *separator = "";
	size_t i;
	json_t *item;
	char *text;

	if (json_is_real(v))
		print_real(l, json_real_value(v));
	else if (json_is_array(v)) {
		print_text(l, "[", 1);
		json_array_foreach(v, i, item) {
			print_text(l, separator, strlen(separator));
			print_json(l, item);
			separator = ",";
		}
		print_text(l, "]", 1);
	} else if (json_is_object(v)) {
		print_text(l, "{", 1);
		json_object_foreach(v, name, item) {
			print_text(l, separator, strlen(separator));
			print_string(l, name);
			print_text(l, ":", 1);
			print_json(l, item);
			separator = ",";
		}
		print_text(l, "}", 1);
	} else {
		text = xjson_text(v, JSON_ENCODE_ANY);
		print_text(l, text, strlen(text));
		free(text);
	}
}

/* Print a member of a rare type through jansson. */
static void
print_seldom(struct line *l, const struct field *f, const void *from)
{
	json_t *v = field_value(f, from);

	print_json(l, v);
	json_decref(v);
}

static void
print_value(struct line *l, const struct field *f, const void *from)
{
	const struct list *list = from;

	switch (f->type) {
	case FIELD_STRING:
		field_check_text(f, *(char *const *)from);
		print_string(l, *(char *const *)from);
		return;
	case FIELD_INT:
		print_whole(l, (uint64_t)llabs(*(const int *)from), *(const int *)from < 0);
		return;
	case FIELD_REAL:
		print_real(l, *(const double *)from);
		return;
	case FIELD_BOOL:
		print_text(l, *(const bool *)from ? "true" : "false", *(const bool *)from ? 4 : 5);
		return;
	case FIELD_ENUM:
		if (*(const int *)from & FIELD_IS_SET)
			print_seldom(l, f, from);
		else
			print_string(l, f->names[*(const int *)from]);
		return;
	case FIELD_LIST:
		if (list->n == 1 && !f->flat) {
			print_real(l, list->at[0]);
			return;
		}
		print_text(l, "[", 1);
		for (int i = 0; i < list->n; i++) {
			if (i > 0)
				print_text(l, ",", 1);
			print_real(l, list->at[i]);
		}
		print_text(l, "]", 1);
		return;
	case FIELD_OBJECT:
		print_text(l, "{", 1);
		print_members(l, f->sub, from, true);
		print_text(l, "}", 1);
		return;
	case FIELD_TABLE:
	case FIELD_GRID:
	case FIELD_ARRAY:
	case FIELD_MAP:
	case FIELD_AMOUNTS:
	case FIELD_TEXTS:
	case FIELD_ASSIGNMENTS:
	case FIELD_SHAPES:
	case FIELD_SET:
		print_seldom(l, f, from);
		return;
	}
}

static void
print_members(struct line *l, const struct fields *t, const void *rec, bool first)
{
	const uint64_t *given = rec;

	for (int i = 0; i < t->n; i++) {
		const struct field *f = &t->field[i];

		if (f->optional && !(*given >> i & 1))
			continue;
		print_text(l, &",\""[first], 2 - (size_t)first);
		print_text(l, f->name, strlen(f->name));
		print_text(l, "\":", 2);
		print_value(l, f, (const char *)rec + f->offset);
		first = false;
	}
}

void
line_print(struct line *l, const char *kind, const struct fields *t, const void *rec)
{
	l->exact = t->exact;
	print_text(l, "{\"kind\":\"", 9);
	print_text(l, kind, strlen(kind));
	print_text(l, "\"", 1);
	print_members(l, t, rec, false);
	print_text(l, "}\n", 2);
}

void
line_text(struct line *l, const char *text)
{
	print_text(l, text, strlen(text));
	print_text(l, "\n", 1);
}

void
line_flush(struct line *l, FILE *out)
{
	if (l->length > 0)
		fwrite(l->at, 1, l->length, out);
	l->length = 0;
}

void
line_free(struct line *l)
{
	free(l->at);
	*l = (struct line){ 0 };
}
