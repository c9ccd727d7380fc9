#!/bin/sh
# sapp-plot -html: one page that needs no network; in a browser, clicks, wheel, keys and pointing work.
. "$(dirname "$0")/../lib.sh"

for v in 1 2; do
	jq -nc --argjson v $v '{kind: "chunks", name: "v\($v) </script> & \"quotes\"",
		schedule: (if $v > 1 then "vpp" else "1f1b" end), micro_batches: 8,
		forward: [range($v) | [range(4) | 100 / $v]], activation: (1000 / $v), parameter: 5000}' |
		sapp-sim -e -mem 8500
done >"$tmp/steps"
jq -nc '{kind: "chunks", name: "wide", schedule: "1f1b", micro_batches: 8, forward: [range(64) | 10], activation: 10,
	parameter: 50}' | sapp-sim -e >>"$tmp/steps"
sapp-sim -e "$top/examples/llama-175b/plans.jsonl" >"$tmp/planned"
check 'a page' sapp-plot -o "$tmp/page.html" "$tmp/steps"
same 'nothing from elsewhere' 0 "$(grep -ciE '(src|href)=|https?:|@import|url\(' "$tmp/page.html")"
same 'its script ends where it should' 1 "$(grep -c '</script>' "$tmp/page.html")"
sed -n 's/^const DATA = \(\/\*\)\{0,1\}//p' "$tmp/page.html" >"$tmp/head"
perl -0777 -ne 'print $1 if /const DATA = (\{.*?\n?\});\n/s' "$tmp/page.html" >"$tmp/data.json"
check 'its data are JSON' jq -e . "$tmp/data.json"
same 'every block is in it' "$(grep -c '"kind":"block"' "$tmp/steps")" \
	"$(jq '[.runs[].bars | length / 9] | add' "$tmp/data.json")"
same 'names are what they were' "$(jq -r 'select(.kind=="sim").name' "$tmp/steps")" \
	"$(jq -r '.runs[].name' "$tmp/data.json")"
check 'to standard output' sh -c 'sapp-plot -html "$1/steps" | cmp - "$1/page.html"' sh "$tmp"
check 'to a file of any name' sh -c 'sapp-plot -html -o "$1/page" "$1/steps" && cmp "$1/page" "$1/page.html"' sh "$tmp"
fails 'a name behind -html is no input' 2 "-html: give the page's name with -o 'steps.html'" \
	sapp-plot -html steps.html "$tmp/steps"
fails 'a page of one picture' 2 '-compare and -stages: not with a page' sapp-plot -compare -o "$tmp/x.html" "$tmp/steps"
check 'chosen by name' sh -c \
	'sapp-plot -o "$1/one.html" -plan "$2" "$1/steps" && ! grep -q "\"name\":\"v1" "$1/one.html"' sh "$tmp" \
	'v2 </script> & "quotes"'
sapp-plot -o "$tmp/planned.html" "$tmp/planned"
perl -0777 -ne 'print $1 if /const DATA = (\{.*?\n?\});\n/s' "$tmp/planned.html" >"$tmp/planned.json"
same 'what pieces hold, and how it is recomputed' \
	'1 LLamaDecodeLayer: 1 both 1 LLamaDecodeLayer: 1 select' \
	"$(jq -r '.runs[] | select(.name == "planned-vpp-i3").holds | "\(.[0][0]) \(.[0][1])"' "$tmp/planned.json")"
printf '%s\n' '{"kind":"settings","name":"wide","format":"my runs","lines":["offset: [[0, 1]] # </script>","x: 1"]}' \
	'{"kind":"settings","name":"wide","format":"others","why":"they cannot"}' >"$tmp/settings.jsonl"
check 'settings to copy' sapp-plot -o "$tmp/copy.html" "$tmp/steps" "$tmp/settings.jsonl"
perl -0777 -ne 'print $1 if /const DATA = (\{.*?\n?\});\n/s' "$tmp/copy.html" >"$tmp/copy.json"
same 'are those of their plan, as they are, or the reason why there are none' \
	'[["wide","my runs","offset: [[0, 1]] # </script>\nx: 1\n",null],["wide","others",null,"they cannot"]]' \
	"$(jq -c '[.runs[] | .name as $n | .settings[] | [$n, .name, .text, .why]]' "$tmp/copy.json")"
fails 'a template that includes nothing' 1 'none.js' sh -c 'mkdir "$1/i" &&
	echo "/*DATA*/null/*END*/ /*INCLUDE none.js*/" >"$1/i/timeline.html" &&
	SAPP_SHARE="$1/i" sapp-plot -html "$1/steps"' sh "$tmp"
fails 'a template without a place for data' 1 'no markers for the data' \
	sh -c 'mkdir "$1/t" && echo hello >"$1/t/timeline.html" && SAPP_SHARE="$1/t" sapp-plot -o "$1/x.html" '\
'"$1/steps"' sh "$tmp"
fails 'no directory' 1 'cannot be written' sapp-plot -o "$tmp/none/x.html" "$tmp/steps"
ln -s /dev/full "$tmp/full.html"
fails 'a full disk' 1 'cannot be written' sapp-plot -o "$tmp/full.html" "$tmp/steps"
# A page that a browser takes long to draw, here because of its settings.
perl -e 'print "{\"kind\":\"settings\",\"name\":\"wide\",\"format\":\"large\",\"lines\":[\"",
	"0" x (17 << 20), "\"]}\n"' \
	>"$tmp/large.jsonl"
check 'a large page is written' run 0 sapp-plot -o "$tmp/large.html" "$tmp/steps" "$tmp/large.jsonl"
check 'and warned of' tells 'large.html: the page has 17 MB'

browser=
for b in chromium chromium-browser google-chrome; do [ -n "$browser" ] || browser=$(command -v $b); done
if [ -z "$browser" ]; then
	skip 'Chromium is not installed'
	done_testing
	exit
fi
# The same page with a script that clicks and points, and records the results.
sed '/<\/body>/,$d' "$tmp/page.html" >"$tmp/visit.html"
cat >>"$tmp/visit.html" <<'EOF'
<script>
"use strict";
const said = [];
const body = document.body.dataset;
said.push("first " + body.run + " beside " + beside().name + ", " + $("longer").textContent);
said.push("rows " + [...$("table").tBodies[0].rows].map(r => r.dataset.run + r.className));
$("other").value = -1;
$("other").dispatchEvent(new Event("change"));
said.push("alone " + $("beside").hidden);
said.push("shades " + [2, 0].map(i => {
	show(i);
	return /memory, 0 … /.test($("legend").textContent) + "/" + /dashed/.test($("legend").textContent);
}).join(" ") + " " + shade(0) + " " + shade(1));
show(2);
const shades_first = /memory, 0 … /.test($("legend").textContent);
const height = Object.getOwnPropertyDescriptor(window, "innerHeight");
Object.defineProperty(window, "innerHeight", { value: 50000, configurable: true });
window.dispatchEvent(new Event("resize"));
said.push("higher " + shades_first + " " + (band_height(shown()) < LOW) + " " +
	/memory, 0 … /.test($("legend").textContent));
Object.defineProperty(window, "innerHeight", height);
show(0);
const box = $("blocks").getBoundingClientRect();
const at = (time, stage) => ({ bubbles: true, cancelable: true, pointerId: 1,
	clientX: box.left + LEFT + (time - state.from) / (state.to - state.from) * (box.width - LEFT - RIGHT),
	clientY: box.top + (stage + .5) * row_height(DATA.runs[state.run]) });
$("blocks").dispatchEvent(new PointerEvent("pointermove", at(150, 1)));
said.push("tip " + $("tip").textContent.replace(/\n/g, " | "));
said.push("shown " + $("tip").style.display);
$("blocks").dispatchEvent(new PointerEvent("pointermove", at(350, 0.4)));
$("blocks").dispatchEvent(new PointerEvent("pointermove", at(50, 3)));
said.push("idle " + $("tip").style.display);
const buttons = () => [0, 1, 2].map(i => document.querySelector(`tr[data-run="${i}"] button`));
buttons()[1].click();
said.push("second " + body.run);
said.push("pressed " + buttons().map(b => b.getAttribute("aria-pressed")));
const before = state.to - state.from;
$("blocks").dispatchEvent(new WheelEvent("wheel", Object.assign(at(500, 1), { deltaY: -500 })));
said.push("zoomed " + (before / (state.to - state.from)).toFixed(3) + " around " +
	Math.round((500 - state.from) / (state.to - state.from) * before / 5) * 5);
const from = state.from;
window.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
said.push("moved " + ((state.from - from) / (state.to - state.from)).toFixed(3));
window.dispatchEvent(new KeyboardEvent("keydown", { key: "1", ctrlKey: true }));
said.push("kept " + body.run);
window.dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
said.push("fits " + state.from + " " + (state.to == DATA.length));
window.dispatchEvent(new KeyboardEvent("keydown", { key: "1" }));
said.push("third " + body.run);
const pixel = (id, time, stage) => [...$(id).getContext("2d")
	.getImageData((at(time, stage).clientX - box.left) * devicePixelRatio,
	(stage + .2) * row_height(DATA.runs[state.run]) * devicePixelRatio, 1, 1).data].slice(0, 3).join();
said.push("forward " + pixel("blocks", 50, 0));
said.push("idle " + pixel("blocks", 50, 3));
window.dispatchEvent(new KeyboardEvent("keydown", { key: "3" }));
/* What reaches into the first row of pixels is cut. */
const edge = $("blocks").getContext("2d").getImageData(0, 0, (LEFT - 4) * devicePixelRatio, 1).data;
said.push("labels " + (edge.some(x => x > 0) ? "cut" : "whole"));
window.dispatchEvent(new KeyboardEvent("keydown", { key: "1" }));
document.body.style.paddingTop = innerHeight - $("blocks").getBoundingClientRect().top - 20 + "px";
const low = $("blocks").getBoundingClientRect();
$("blocks").dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX: low.left + LEFT + 3,
	clientY: low.top + 5 }));
said.push("below " + $("tip").style.display + " " + ($("tip").getBoundingClientRect().bottom < innerHeight));
document.body.style.paddingTop = "0";
/* A strategy that goes takes its figures along; the address says what is shown, and leads back to it. */
window.dispatchEvent(new KeyboardEvent("keydown", { key: "1" }));
$("blocks").dispatchEvent(new PointerEvent("pointermove", at(150, 1)));
show(1);
said.push("gone " + $("tip").style.display);
zoom(.5, 400);
const there = location.hash, view = state.from + " " + state.to;
said.push("address " + decodeURIComponent(there.split("&from")[0].slice(1)));
said.push("link " + ($("link").hash == there));
show(0);
location.hash = there;
follow();
said.push("back " + DATA.runs[state.run].name + " " + (view == state.from + " " + state.to));
location.hash = "#no such strategy&from=x";
follow();
said.push("astray " + state.run + " " + state.from);
show(0);
/* By keys from block to block. */
$("blocks").focus();
const press = key => window.dispatchEvent(new KeyboardEvent("keydown", { key }));
press(".");
press(".");
press("ArrowDown");
said.push("keys " + $("tip").textContent.replace(/\n/g, " | "));
/* Of 1f1b on four stages: the step is the sum of what the path through it takes. */
$("critical").click();
said.push("path " + [...critical(DATA.runs[0])].reduce((a, b) => a + b.end - b.start, 0) + " of " +
	DATA.runs[0].step);
const wait = DATA.runs[0].rows[0].find(b => b.phase != DATA.runs[0].rows[0][0].phase);
said.push("waits " + needs(DATA.runs[0], wait).map(b => b.stage + "/" + b.micro));
$("critical").click();
press("Escape");
said.push("escaped " + $("tip").style.display);
/* Two fingers twice as far apart: twice as large. */
fit();
const finger = (kind, pointerId, time) => $("blocks").dispatchEvent(new PointerEvent(kind,
	{ ...at(time, 1), pointerId, pointerType: "touch" }));
const spots = [300, 500].map(t => at(t, 1).clientX), wide = state.to - state.from;
finger("pointerdown", 11, 300);
said.push("touched " + $("tip").style.display);
finger("pointerdown", 12, 500);
$("blocks").dispatchEvent(new PointerEvent("pointermove", { ...at(500, 1), pointerId: 12, pointerType: "touch",
	clientX: spots[1] + (spots[1] - spots[0]) }));
said.push("pinched " + (wide / (state.to - state.from)).toFixed(3));
finger("pointerup", 11, 300);
finger("pointerup", 12, 500);
fit();
said.push("verdict " + $("verdict").textContent);
show(2);
said.push("title " + $("title").textContent);
const room_for = i => number_size(DATA.runs[i], $("blocks").clientWidth - LEFT - RIGHT, row_height(DATA.runs[i])) > 0;
said.push("numbers " + [0, 1, 2].map(room_for));
const names = () => [...$("table").tBodies[0].rows].map(r => r.cells[1].textContent.replace(" ", "")).join(" ");
$("table").querySelectorAll("th button")[1].click();
const up = names();
$("table").querySelectorAll("th button")[1].click();
said.push("sorted " + (up != names()) + " " + (up.split(" ").reverse().join(" ") == names()));
/* Sliders change the times; what it was stays below. */
show(0);
const slide = (key, value) => {
	const input = document.querySelector(`#changes input[data-key=${key}]`);
	input.value = value;
	input.dispatchEvent(new Event("input"));
};
slide("backward", .5);
said.push("faster " + $("answer").textContent);
said.push("below " + beside().name + " " + shown().step + " " + $("with").hidden);
slide("micros", 16);
said.push("more " + $("answer").textContent);
slide("backward", 1);
slide("micros", 8);
said.push("neutral " + (state.changed === null) + " " + $("answer").textContent + ".");
slide("limit", .5);
said.push("less " + $("answer").textContent);
$("unchanged").click();
said.push("unchanged " + (state.changed === null));
said.push("settings " + $("settings").hidden);
DATA.runs[2].settings = [{ name: "my runs", text: "x: 1\n" }];
settings();
show(2);
said.push("of the plan " + $("settings").hidden + " " + $("copy").disabled + " " + $("text").textContent.trim());
show(0);
said.push("none of another " + $("copy").disabled + " " + $("text").textContent.endsWith(" no settings"));
said.push("called " + [["planned-vpp-i3", 3], ["planned-zb-h1", 1], ["by_hand", 1], ["planned_2", 2]].map(x =>
	called({ name: x[0], chunks: x[1] })).join("; "));
const pre = document.createElement("pre");
pre.id = "said";
pre.textContent = "\nSAID\n" + said.join("\n") + "\nDONE\n";
document.body.append(pre);
</script>
</body>
</html>
EOF
chrome() { timeout -s KILL 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/profile" \
	--window-size=1200,900 "$@" 2>/dev/null; }
# Restart a browser that does not start on a busy machine.
for _ in 1 2 3; do
	[ -s "$tmp/said" ] || chrome --dump-dom "file://$tmp/visit.html" | sed -n '/^SAID/,/^DONE/p' |
		sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' >"$tmp/said"
done
said() { same "$1" "$2" "$(grep -m 1 "^${2%% *} ${3-}" "$tmp/said")"; }
said 'the shortest that fits, and another on the same axis' \
	'first wide beside v1 </script> & "quotes", 3300 ms, 54.93 % longer than wide'
said 'the table begins with it' 'rows 2shown,1over,0over'
said 'another is drawn as long as it is wanted' 'alone true'
said 'low rows of memory are shades, which the legend says' 'shades true/false false/true #f0f0f0 #7b4a6d'
said 'a window that is made higher: the legend goes with the rows' 'higher true false false'
said 'pointing at a block' \
	'tip forward of micro-batch 0, on stage 1 | 100 ms to 200 ms: 100 ms | '\
'6000 MB afterwards, limit 8500 MB | waits for forward of micro-batch 0, on stage 0'
said 'shows its figures' 'shown block'
said 'pointing at nothing hides them' 'idle none'
said 'a click switches' 'second v2 </script> & "quotes"'
said 'and its button is pressed' 'pressed false,true,false'
said 'the wheel zooms where it is' 'zoomed 2.718 around 500'
said 'a key moves' 'moved 0.250'
said 'keys of the browser are left to it' 'kept v2 </script> & "quotes"'
said 'a key fits all' 'fits 0 true'
said 'a key switches' 'third v1 </script> & "quotes"'
said 'forward is drawn in its colour' 'forward 0,114,178'
same 'idle in its own' 'idle 240,240,240' "$(grep '^idle 2' "$tmp/said")"
said 'labels of many stages' 'labels whole'
said 'figures stay on the page' 'below block true'
said 'figures go with their strategy' 'gone none'
said 'the address says what is shown' 'address v2 </script> & "quotes"'
said 'so does a link' 'link true'
said 'it leads back' 'back v2 </script> & "quotes" true'
said 'an address that is none shows the best' 'astray 2 0'
said 'keys go from block to block' \
	'keys forward of micro-batch 0, on stage 1 | 100 ms to 200 ms: 100 ms | '\
'6000 MB afterwards, limit 8500 MB | waits for forward of micro-batch 0, on stage 0'
said 'the critical path is as long as the step' "path $(jq -rs 'map(select(.kind == "sim"))[0].step_time |
	"\(.) of \(.)"' "$tmp/steps")"
said 'a backward waits for its stage and for that of the next' 'waits 0/3,1/0'
said 'and hide it' 'escaped none'
said 'a finger shows figures' 'touched block'
said 'two zoom' 'pinched 2.000'
said 'the verdict is beside the title' 'verdict 3300 ms: DOES NOT FIT, 500 MB too much on stage 0'
said 'which says what is shown' 'title wide: 64 stages × 1 chunk × 8 micro-batches, 1f1b'
said 'numbers on all blocks of a strategy or on none' 'numbers true,true,false'
said 'columns of the table sort both ways' 'sorted true true'
said 'a slider changes the step' 'faster 2200 ms, 33.33 % shorter than 3300 ms: DOES NOT FIT. Below it, as it was.'
said 'and draws it above what it was' 'below v1 </script> & "quotes" 2200 true' v1
said 'another number of micro-batches' \
	'more 3800 ms, 15.15 % longer than 3300 ms, a micro-batch 42.42 % shorter: DOES NOT FIT. Below it, as it was.'
said 'back where it was' 'neutral true .'
said 'another limit' 'less 3300 ms, 0.00 % longer than 3300 ms: DOES NOT FIT. Below it, as it was.'
said 'all of them at once' 'unchanged true'
said 'no settings, no place for them' 'settings true'
said 'settings are those of the plan that is shown' 'of the plan false false x: 1'
said 'a plan without settings has none' 'none of another true true'
said 'plans are called in words' 'called planned, three chunks, vpp; planned, zb-h1; by hand; planned 2'

# A page with a note: first its conclusion, then the next step, with the settings; all strategies are visible.
cat >"$tmp/note" <<'EOF'
It takes 2 devices.
v1 </script> & "quotes": 1 ms a step.

$ sapp-yaml -w train.sh plan.jsonl
writes these settings.

stage  layers
0           6

Assumed: nothing.
EOF
sapp-plot -o "$tmp/noted.html" -note "$tmp/note" "$tmp/steps" "$tmp/settings.jsonl"
sed '/<\/body>/,$d' "$tmp/noted.html" >"$tmp/visit.html"
cat >>"$tmp/visit.html" <<'EOF'
<script>
"use strict";
const at = e => e.getBoundingClientRect();
document.body.insertAdjacentHTML("beforeend", "<pre id='said'></pre>");
$("said").textContent = ["\nSAID", "opens " + document.body.dataset.run,
	"parts " + [...$("conclusion").children].map(e => e.tagName + (e.className && "." + e.className)),
	"lead " + document.querySelector(".lead").textContent,
	"open " + $("settings").open + " " + $("whose").textContent,
	"order " + (at($("conclusion")).bottom < at($("view")).top && at($("strategies")).bottom < at($("blocks")).top),
	"all " + [...$("table").tBodies[0].rows].every(r => at(r).bottom <= at($("strategies")).bottom),
	"DONE", ""].join("\n");
</script>
</body>
</html>
EOF
: >"$tmp/said"
for _ in 1 2 3; do
	[ -s "$tmp/said" ] || chrome --dump-dom "file://$tmp/visit.html" | sed -n '/^SAID/,/^DONE/p' |
		sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' >"$tmp/said"
done
said 'a page with a note opens with the strategy that the note names' 'opens v1 </script> & "quotes"'
said 'the note is conclusion, command, settings, table and lines' \
	'parts P.lead,P,H2,PRE.command,P,DETAILS,H2,PRE,P'
said 'its first line leads' 'lead It takes 2 devices.'
said 'the settings are open, and say of which plan' 'open true of v1 </script> & "quotes"'
said 'the drawing is below' 'order true'
said 'all strategies are in sight' 'all true'
fails 'a note on a picture' 2 '-note goes with a page of strategies' sapp-plot -note "$tmp/note" -o "$tmp/x.svg" \
	"$tmp/steps"
chrome --screenshot="$tmp/shot.png" "file://$tmp/page.html" >/dev/null
same 'a screenshot' '89504e470d0a1a0a' "$(od -An -tx1 -N8 "$tmp/shot.png" 2>/dev/null | tr -d ' ')"
check 'that is not blank' test "$(wc -c <"$tmp/shot.png")" -gt 20000
done_testing
