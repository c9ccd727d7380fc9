#!/bin/sh
# The HTML manual: every page, a first page with its picture, and no broken link.
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
same 'every picture that a page shows is there' '' "$(grep -oh '<img src="[^"]*"' ./*.html | sort -u |
	sed 's/.*="//; s/"//' | while read -r picture; do [ -s "$picture" ] || echo "$picture"; done)"
for page in sapp.7 sapp-tutorial.7 sapp-plot.1 sapp-sim.1 sapp-balance.1; do
	check "$page has one" grep -q '<figure><img' "$page.html"
done
check 'a page to look into' grep -q 'const DATA = {' steps.html
fails 'a picture for a section that is not there' 1 'figures: sapp.7: no section FROM_A_PROFILE_TO_A_CHANGED_YAML' \
	sh -c 'echo nothing | "$1/share/figures" sapp.7' sh "$top"
same 'pages know the width of a screen' 0 "$(grep -L 'name="viewport"' ./*.html | wc -l)"
done_testing
