#!/bin/sh
# Manual pages: a page for every tool, without errors of mandoc, and with the options of the tool's usage.
. "$(dirname "$0")/../lib.sh"

cd "$top" || exit 1
for tool in "$BUILD"/bin/sapp-* scripts/sapp-*; do
	name=$(basename "$tool")
	if [ ! -e "man/$name.1" ]; then
		not_ok "$name has a page"
		continue
	fi
	ok "$name has a page"
	# Options of the usage, such as -mem. A page has them as Fl mem, and long options as Fl -init.
	"$tool" -h | grep -oE '(^|[][ (|])--?[A-Za-z]+(-[a-z]+)*' |
		grep -oE -- '--?[A-Za-z]+(-[a-z]+)*' | sort -u |
		grep -vxE -- '-h?V?v?j?H?e?[hVvjHe]+' >"$tmp/options"
	missing=
	while read -r option; do
		grep -qE -- "(Fl|Op Fl|\|) -?${option#-}( |$)|Fl .*[ |] ${option#-}( |$)" "man/$name.1" ||
			missing="$missing $option"
	done <"$tmp/options"
	same "$name: every option is in the page" '' "$missing"
	for section in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
		grep -qx ".Sh $section" "man/$name.1" || { not_ok "$name: no section $section"; continue 2; }
	done
	ok "$name: all sections"
done
if command -v mandoc >/dev/null; then
	for page in man/*.[157]; do
		# Referenced pages, here or of other packages, need not be installed.
		mandoc -Tlint "$page" 2>&1 | grep -v 'referenced manual not found\|outdated mandoc.db' >"$tmp/lint"
		same "$(basename "$page"): mandoc finds no fault" '' "$(cat "$tmp/lint")"
	done
else
	skip 'mandoc is not installed'
fi
for page in man/*.[157]; do
	wrong=
	for x in $(sed -n 's/^\.Xr \(sapp[a-z-]*\) \([0-9]\).*/\1.\2/p' "$page" | sort -u); do
		[ -e "man/$x" ] || wrong="$wrong $x"
	done
	same "$(basename "$page"): the pages it refers to are there" '' "$wrong"
done
for schedule in $(sapp-lp -S '?' /dev/null 2>&1 | sed -n 's/.*known: //p'); do
	check "sapp.7 has the schedule $schedule" grep -qE "^\.It Cm (.* )?$schedule( |$)" man/sapp.7
done
done_testing
