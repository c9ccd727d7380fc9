#!/bin/sh
# The map in ARCHITECTURE.md lists exactly the folders with sources; CONTRIBUTING.md names only existing files.
. "$(dirname "$0")/lib.sh"
cd "$top" || exit 1

# The folders with files: the top folders except tests' data, and the folders of tools at any depth.
find tools scripts share man examples tests -type f ! -path '*/.*' | sed 's,/[^/]*$,,' |
	sed -E 's,^(scripts|share|man|examples|tests)/.*,\1,' | sort -u >"$tmp/there"
sed -n 's/^| `\([^`]*\)` |.*/\1/p' ARCHITECTURE.md | sort >"$tmp/named"
same "every folder is on the map, once" "$(cat "$tmp/there")" "$(cat "$tmp/named")"

for page in ARCHITECTURE.md CONTRIBUTING.md README.md; do
	grep -oE '`(tools|tests|lib|man|share|scripts)/[A-Za-z0-9_./-]+`' "$page" | tr -d '`' | grep -v NAME |
		while read -r path; do
			[ -e "$path" ] || [ -e "tools/$path" ] || echo "$path"
		done >"$tmp/missing"
	same "what $page names is there" "" "$(cat "$tmp/missing")"
done

# The planner's parts in the drawing are files of the folder that the drawing gives.
for part in model/problem model/evaluator heuristic/start heuristic/tempering bound/relaxation pattern/patterns \
	exact/branch exact/master planner/planner planner/answer question/verify question/question; do
	[ -e "tools/sapp-lp/$part.c" ] || echo "$part"
done >"$tmp/missing"
same "the drawing of the planner shows its files" "" "$(cat "$tmp/missing")"
done_testing
