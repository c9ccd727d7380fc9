/* Rows of CSV files: blanks, quotes and line ends in all forms; files that are not tables. */
#include <stdlib.h>
#include <string.h>

#include "sapp-trace/read/csv.h"
#include "tap.h"

/* Check the first N fields of all rows, printed within < and >, with | between rows, against WANT. */
static void
rows(const char *text, int n, const char *want)
{
	struct csv c;
	struct text field[8];
	char got[4096] = "";

	csv_memory(&c, text, strlen(text));
	while (csv_next(&c, field, n)) {
		for (int i = 0; i < n; i++)
			sprintf(got + strlen(got), "<%.*s>", (int)field[i].n, field[i].at);
		strcat(got, "|");
	}
	csv_close(&c);
	if (!ok(strcmp(got, want) == 0, want))
		printf("# got %s\n", got);
}

static void
columns(const char *text, int want, const char *title)
{
	static const char *const names[] = { "time", "duration(us)", NULL };
	struct csv c;

	csv_memory(&c, text, strlen(text));
	same(want, csv_column(&c, names), title);
	if (want >= 0)
		ok(strcasecmp(csv_name(&c, want), "time") == 0 || strcasecmp(csv_name(&c, want), "duration(us)") == 0,
		    csv_name(&c, want));
	csv_close(&c);
}

static void
read_all(const char *text, size_t length, int n)
{
	struct csv c;
	struct text field[8];

	csv_memory(&c, text, length);
	while (csv_next(&c, field, n))
		;
	csv_close(&c);
}

static void
open_file(const char *path)
{
	struct csv c;

	csv_open(&c, path);
}

/* A file larger than the read buffer, compressed or not. */
static void
large(const char *path, const char *mode)
{
	gzFile f = gzopen(path, mode);
	struct csv c;
	struct text field[2];
	static char blanks[300001];
	long rows = 0, sum = 0;

	gzputs(f, "a,b\n");
	for (int i = 0; i < 20000; i++)
		gzprintf(f, "%d,\"%0100d\"\n", i, i);
	gzputs(f, "7,7");
	memset(blanks, ' ', sizeof blanks - 1);
	gzputs(f, blanks);
	gzclose(f);
	csv_open(&c, path);
	for (; csv_next(&c, field, 2); rows++)
		sum += atol(field[1].at);
	csv_close(&c);
	ok(rows == 20001 && sum == 20000L * 19999 / 2 + 7, mode);
	unlink(path);
}

int
main(void)
{
	static char many[5 << 20];
	char path[] = "/tmp/sapp-csv.XXXXXX";
	FILE *f;

	rows("a,b\n1,2\n3,4\n", 2, "<1><2>|<3><4>|");
	rows("a,b\r\n1,2\r\n", 2, "<1><2>|");
	rows("\xef\xbb\xbf" "a,b\n1,2", 2, "<1><2>|");
	rows("a,b\n\n1,2\n\r\n\n3,4\n\n", 2, "<1><2>|<3><4>|");
	rows("a,b\n \t1\t , \t2 \t\n", 2, "<1><2>|");
	rows("a,b\n \"1\" ,\t\"2,3\"\t\n", 2, "<1><2,3>|");
	rows("a,b\n\"x \t\",\"\"\n", 2, "<x><>|");
	rows("a,b\n\"say \"\"x\"\"\",2\n", 2, "<say \"\"x\"\"><2>|");
	rows("a,b\n,\n", 2, "<><>|");
	rows("a,b\n1,2,3,4\n", 2, "<1><2>|");
	columns("Name,Time\n", 1, "letters of either case");
	columns("Name, \"Duration(us)\" \n", 1, "the second name of a column, with quotes and blanks");
	columns("Name,Times\n", -1, "neither");
	DIES("empty, not a table", read_all("", 0, 1), "nothing");
	DIES("a NUL byte", read_all("a\0,b\n", 5, 1), "a NUL in the header");
	DIES("a NUL byte", read_all("a,b\n1,\0002\n", 9, 2), "or in a row");
	DIES("2: ", read_all("a,b\n1\n", 6, 2), "fewer fields than columns");
	DIES("2: a quote is not closed '\"1,2", read_all("a,b\n\"1,2\n", 9, 2), "a quote that is not closed");
	close(mkstemp(path));
	large(path, "wb");
	large(path, "wT");
	f = fopen(path, "wb");
	memset(many, 'x', sizeof many);
	fwrite(many, 1, sizeof many, f);
	fclose(f);
	DIES("a row longer than 4 MB", open_file(path), "a row of 5 MB");
	f = fopen(path, "wb");
	fwrite("\x1f\x8b\x08\0\0\0\0\0\0\3\xff\xff\xff\xff\xff\xff\xff\xff", 1, 18, f);
	fclose(f);
	DIES("compressed data is damaged", open_file(path), "a file that gzip did not write");
	unlink(path);
	DIES("cannot be", open_file(path), "no such file");
	DIES("cannot be", open_file("/"), "a directory");
	return tap_done();
}
