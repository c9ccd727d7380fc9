#!/bin/sh
# Patterns forbidden in all files: calls whose failure is easily ignored, and text that a shell would parse.
. "$(dirname "$0")/lib.sh"

# absent NAME PATTERN FILES...: no line of code matches PATTERN; comments may.
absent() {
	name=$1 pattern=$2; shift 2
	found=$(grep -nE -- "$pattern" "$@" /dev/null | grep -vE '^[^:]*:[0-9]+:[[:space:]]*(#|\*|/\*)')
	if [ -z "$found" ]; then ok "$name"; else not_ok "$name"; echo "$found" | diag; fi
}
sources=$(cd "$top" && find tools examples -name '*.[ch]')
cd "$top" || exit 1
# shellcheck disable=SC2086 # names without blanks
set -- $sources
others() {	# FILE...: print all sources except these
	all=
	for f in $sources; do
		case " $* " in *" $f "*) ;; *) all="$all $f" ;; esac
	done
	echo "$all"
}
# shellcheck disable=SC2046 # as above
absent "memory comes from alloc.h" \
	'(^|[^a-z_])(malloc|calloc|realloc|reallocarray|strdup|strndup|asprintf|vasprintf)\(' \
	$(others tools/lib/base/alloc.c tools/lib/base/malloc.c)
absent "text in memory is written through memstream.h" 'open_memstream|fmemopen' "$@"
# shellcheck disable=SC2046 # several words
absent "jansson writes through xjson.h" \
	'json_(object_set|object_update|array_append|array_insert|dump|pack)'\
'(_new|f|b|s|fd|_file|_callback|_existing|_missing|_recursive)?\(' \
	$(others tools/lib/field/xjson.c tools/lib/field/get.c tools/lib/field/put.c)
# Files written by examples are exempt.
# shellcheck disable=SC2046 # several words
absent "text goes into a buffer of fixed size through clipped.h" \
	'(^|[^a-z_])(v?sprintf|st[rp]n?cpy|strn?cat|v?snprintf|gets|sscanf)\(($|[^N])' \
	$(others tools/lib/base/clipped.c $(find examples -name '*.c'))
# shellcheck disable=SC2046 # several words
same "and no array of letters is copied into otherwise" "" "$(awk '
	FNR == 1 || /^}$/ { split("", array) }
	/^[ \t]*(static )?char [^(]*\[/ {
		line = $0
		while (match(line, /[ *][a-z_]+\[/)) {
			array[substr(line, RSTART + 1, RLENGTH - 2)]
			line = substr(line, RSTART + RLENGTH)
		}
	}
	match($0, /(memcpy|memmove|stpcpy)\([a-z_]+/) {
		to = substr($0, RSTART, RLENGTH)
		sub(/.*\(/, "", to)
		if (to in array)
			print FILENAME ":" FNR ": " $0
	}' $(others tools/lib/base/clipped.c))"
# shellcheck disable=SC2046 # several words
absent "numbers have a range: whole.h, option.h, yaml_value.h" '(^|[^a-z_])ato(i|l|ll)\(|\(int\)strto' \
	$(find tools -name '*.[ch]')
absent "no command line is made for a shell" '(^|[^a-z_])(system|popen|wordexp)\(|"/bin/(ba)?sh"' "$@"
# Each script prints "usage" if it is called wrongly.
same "a function of the scripts has one name, and a definition of jq" "" "$({
	grep -hoE '^[a-z_]+\(\)' scripts/sapp* scripts/lib/*.sh | grep -v '^usage()'
	grep -hoE '^def [a-z_0-9]+' scripts/lib/*.jq; } | sort | uniq -d)"
same "shellcheck has no exception in the scripts" "" "$(grep -n 'shellcheck disable' scripts/sapp* scripts/lib/*)"
# make coverage starts these files as programs, so a file that is not executable would count nothing.
same "every test is a program" "" "$(find tests -name '*.t' ! -perm -u+x)"
# A name means one thing in the whole tree, and folders do not include each other in a cycle.
# shellcheck disable=SC2046,SC2086 # names without blanks
same "no struct is defined twice" "" "$(sed -n 's/^struct \([a-z0-9_]*\) {.*/\1/p' $(echo "$sources" | grep '^tools/') |
	sort | uniq -d)"
# shellcheck disable=SC2046,SC2086 # several words
same "no function is defined twice outside its file" "" "$(awk '
	/^[a-z_][a-z0-9_]*\(/ && before !~ /^static|;$|^$|^[{}\t #\/]/ {
		sub(/\(.*/, "")
		if ($0 != "main" && !seen[$0, FILENAME]++)
			print
	}
	{ before = $0 }' $(echo "$sources" | grep '^tools/.*\.c$') | sort | uniq -d)"
# shellcheck disable=SC2046,SC2086 # several words
awk '
FNR == 1 { folder = FILENAME; sub(/\/[^\/]*$/, "", folder) }
/^#include "[^"]*\/[^"]*"/ {
	split($0, part, "\"")
	to = "tools/" part[2]
	sub(/\/[^\/]*$/, "", to)
	if (to != folder && !seen[folder, to]++)
		print folder, to
}' $(echo "$sources" | grep '^tools/') >"$tmp/edges"
same "folders include one another in no circle" "" "$(tsort "$tmp/edges" 2>&1 >/dev/null | sed 's/^tsort: //' | xargs)"
check "texts of the named mistakes are in the sources" "$top/tests/mutants/named" -texts
done_testing
