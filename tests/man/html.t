#!/bin/sh
# The manual in HTML: a page for every page, on a first page with its picture, and no link that leads nowhere.
. "$(dirname "$0")/../lib.sh"
command -v mandoc >/dev/null || { skip 'mandoc is not installed'; done_testing; exit; }
check 'make html' make -C "$top" -s html HTML="$tmp/html" B="${BUILD#"$top/"}"
cd "$tmp/html" || exit 1
for page in "$top"/man/*.[157]; do
	page=$(basename "$page")
	check "$page" test -s "$page.html"
	check "$page is on the first page" grep -q "href=\"$page.html\"" index.html
done
same 'no link within it leads nowhere' '' "$(grep -oh 'href="sapp[^"#]*"' ./*.html | sort -u | sed 's/href="//; s/"//' |
	while read -r link; do [ -e "$link" ] || echo "$link"; done)"
check 'the picture' test -s steps.svg
same 'pages know the width of a screen' 0 "$(grep -L 'name="viewport"' ./*.html | wc -l)"
done_testing
