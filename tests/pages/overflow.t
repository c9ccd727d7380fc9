#!/bin/sh
# Pages in a browser, on a screen of 1280 x 720 and on a telephone of 390 x 844: nothing is wider than the screen, and a
# step's blocks and memory are there without scrolling.
. "$(dirname "$0")/../lib.sh"

. "$top/tests/sapp-search/job.sh"
browser=
for b in chromium chromium-browser google-chrome; do [ -n "$browser" ] || browser=$(command -v $b); done
[ -n "$browser" ] || { skip 'Chromium is not installed'; done_testing; exit; }
command -v mandoc >/dev/null || { skip 'mandoc is not installed'; done_testing; exit; }

example=$top/examples/llama-175b
mkdir "$tmp/pages"
sapp-sim -e "$example/plans.jsonl" | sapp-plot -o "$tmp/pages/steps.html"
jq -nc '{kind: "chunks", name: "sixty four stages and a name that is as long as names of experiments become",
	schedule: "1f1b", micro_batches: 256, forward: [range(64) | 100], activation: 50, parameter: 5000}' |
	sapp-sim -e -mem 8000 | sapp-plot -o "$tmp/pages/wide.html"
sapp-plot -sweep -o "$tmp/pages/sweep.html" "$example/plans.jsonl"
sapp-model "$top/examples/moe-64/config.json" 2>/dev/null | sapp-enum -n 64 -gb 512 -cluster h100 2>/dev/null |
	sapp-est -cluster h100 2>/dev/null | sapp-top -k 40 -j | sapp-plot -sweep -o "$tmp/pages/configurations.html"
# It ends with the proof, before its time, with all its rows.
sapp-search -t 60 -k 3 -any -o "$tmp/search" "$top/examples/moe-64/job.yaml" >/dev/null 2>&1
mv "$tmp/search/search.html" "$tmp/pages"
# One stage has one number where several have a list.
(cd "$tmp" && small_job && sed -i 's/pp: .*/pp: 1/' job.yaml && sapp-search -t 2 -k 4 -o one job.yaml >out 2>&1 &&
	mv one/search.html pages/one.html)
make -s -C "$top" html HTML="$tmp/pages/html" >/dev/null
mv "$tmp"/pages/html/* "$tmp/pages"
pages=$(cd "$tmp/pages" && ls -- *.html)
check 'pages to look at' test "$(echo "$pages" | wc -l)" -gt 20

# Load each page in a frame of the size of the screen, and print its overflows as text.
{
	echo '<!DOCTYPE html><html><body><pre id="seen"></pre><script>"use strict";'
	echo "const pages = [$(echo "$pages" | sed 's/.*/"&",/' | tr -d '\n')], sizes = [[1280, 720], [390, 844]],
	more = [[1440, 900], [1024, 768], [500, 800]];"
	cat <<'JS'
const seen = [];
const look = (page, [width, height]) => new Promise(done => {
	const frame = document.createElement("iframe");
	frame.style.border = 0;
	frame.width = width;
	frame.height = height;
	frame.onload = () => {
		const d = frame.contentDocument, memory = d.getElementById("memory"), name = `${page} ${width}`;
		const wide = d.documentElement.scrollWidth;
		seen.push(`${name} wide ${wide <= width ? "fits" : wide}`);
		if (d.getElementById("why"))
			seen.push(`${name} cut ${[...d.querySelectorAll("table")].filter(t => t.scrollWidth > width &&
				!t.closest(".wide")).length}`);
		if (d.getElementById("why"))
			seen.push(`${name} drawn ${d.querySelectorAll("#plans tr").length > 3 &&
				d.querySelectorAll("#left-plan svg, #pareto circle").length > 10 &&
				d.querySelectorAll("#why li").length > 3}`);
		if (d.getElementById("why"))
			seen.push(`${name} filled ${d.querySelectorAll("#plans tr").length > 1 &&
				d.querySelectorAll("#left-plan svg").length > 0 &&
				d.querySelectorAll("#why li").length > 0}`);
		if (memory)
			seen.push(`${name} memory ${memory.getBoundingClientRect().bottom <= height ? "there"
				: memory.getBoundingClientRect().bottom}`);
		frame.remove();
		done();
	};
	frame.src = page;
	document.body.append(frame);
});
(async () => {
	for (const page of pages)
		for (const size of page === "search.html" ? sizes.concat(more) : sizes)
			await look(page, size);
	document.getElementById("seen").textContent = "\nSEEN\n" + seen.join("\n") + "\nDONE\n";
	document.body.dataset.done = "";
})();
JS
	echo '</script></body></html>'
} >"$tmp/pages/driver"
mv "$tmp/pages/driver" "$tmp/pages/driver.html"
for _ in 1 2 3; do
	grep -q '^DONE' "$tmp/seen" 2>/dev/null ||
		timeout -s KILL 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/profile" \
		--allow-file-access-from-files --window-size=1400,1000 --virtual-time-budget=60000 --dump-dom \
		"file://$tmp/pages/driver.html" >"$tmp/seen" 2>/dev/null
done
check 'all of them were seen' grep -q '^DONE' "$tmp/seen"
for page in $pages; do
	for width in 1280 390; do
		same "$page on $width pixels" "$page $width wide fits" "$(grep "^$page $width wide" "$tmp/seen")"
	done
done
for width in 1440 1024 500; do
	same "a search's page on $width pixels" "search.html $width wide fits" \
		"$(grep "^search.html $width wide" "$tmp/seen")"
	same "its tables scroll" "search.html $width cut 0" "$(grep "^search.html $width cut" "$tmp/seen")"
done
for page in steps.html wide.html; do
	same "$page: memory without scrolling" "$page 1280 memory there" "$(grep "^$page 1280 memory" "$tmp/seen")"
done
same "a search's page is drawn to its end" 'search.html 1280 drawn true' "$(grep '^search.html 1280 drawn' "$tmp/seen")"
same 'and of plans of one stage' 'one.html 1280 filled true' "$(grep '^one.html 1280 filled' "$tmp/seen")"
same 'on the telephone, too' "steps.html 390 memory there" "$(grep "^steps.html 390 memory" "$tmp/seen")"
done_testing
