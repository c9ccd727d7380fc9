#!/bin/sh
# Refused input of sapp-trace, and its results for truncated files.
. "$(dirname "$0")/../lib.sh"

f=$tmp/f.json
# refuses TITLE MESSAGE TEXT: read TEXT, expanded by printf, as a timeline.
refuses() {
	printf "$3" >"$f"
	fails "$1" 1 "$2" sapp-trace "$f"
}
X='{"name":"0-LLamaDecodeLayer","ph":"X","pid":1,"tid":7'
refuses 'an empty file' 'empty, not a timeline' ''
refuses 'blank space' 'empty, not a timeline' ' \n\t '
refuses 'not JSON' "byte 0: not a timeline: expected '[' or '{'" 'hello'
refuses 'a web page' 'not a timeline' '<html>'
refuses 'a number' 'not a timeline' '17'
refuses 'an object without traceEvents' "without a member 'traceEvents'" '{"a": [1, {"traceEvents": []}]}'
refuses 'traceEvents that is no list' 'traceEvents: expected a list' '{"traceEvents": 7}'
refuses 'an event that is no object' 'event 2 is not an object' '[{}, 17]'
refuses 'a list of lists' '; not a training log' '[[]]'
refuses 'no comma between events' "expected ',' or ']' after event 1" '[{} {}]'
refuses 'no comma between members' "expected ',' or '}'" '[{"a": 1 "b": 2}]'
refuses 'no colon' "expected ':'" '[{"a" 1}]'
refuses 'a member without quotes' 'expected the name of a member' '[{a: 1}]'
refuses 'no value' 'expected a value' '[{"a": }]'
refuses 'a word for a value' 'expected a value' '[{"a": what}]'
refuses 'brackets that do not match' "'}' closes '['" '[{"a": [1}]}]'
refuses 'text behind the end' 'more text after the end' '[] []'
refuses 'a NUL byte' 'a NUL byte' '[{"a": 1\000}]'
refuses 'a NUL byte in a name' 'a NUL byte in a string' '[{"ph": "X", "name": "a\000b"}]'
refuses 'a member twice' "has the member 'ts' twice" "[$X,\"ts\":1,\"dur\":1,\"ts\":2}]"
refuses 'no ts' 'ts or dur is not a time' "[$X,\"dur\":1}]"
refuses 'no dur' 'ts or dur is not a time' "[$X,\"ts\":1}]"
refuses 'nothing but an event that ends before it begins' \
	'1 event ends before it begins, by at most 0.001 ms: ignored' \
	"[$X,\"ts\":1,\"dur\":-1}]"
refuses 'a word for a time' 'ts or dur is not a time' "[$X,\"ts\":\"soon\",\"dur\":1}]"
refuses 'two words for a time' 'ts or dur is not a time' "[$X,\"ts\":\"1 2\",\"dur\":1}]"
refuses 'a huge time' 'ts or dur is not a time' "[$X,\"ts\":99999999999999999999,\"dur\":1}]"
refuses 'a time beyond all range' 'ts or dur is not a time' "[$X,\"ts\":1e400,\"dur\":1}]"
refuses 'a dur of a century' 'ts or dur is not a time' "[$X,\"ts\":1,\"dur\":3e15}]"
refuses 'a time that is not a number' 'ts or dur is not a time' "[$X,\"ts\":NaN,\"dur\":1}]"
refuses 'a time that is a list' 'ts or dur is not a time' "[$X,\"ts\":[1],\"dur\":1}]"
refuses 'a layer on a process of another kind' \
	"'0-LLamaDecodeLayer' was found, but not on a process 'Scope Layer' under a scope 'Default'" \
	"[$X,\"ts\":1,\"dur\":1}]"
refuses 'no events' 'no module scopes' '[]'
refuses 'events without members' 'no module scopes' '[{}, {"ph": "X"}, {"ph": "M", "name": "process_name"},]'
refuses 'not UTF-8' 'no module scopes' '[{"name": "\377\376\200", "ph": "X", "pid": "\300"}]'
refuses 'a byte order mark' 'no module scopes' '\357\273\277[]'

{ printf '[{"a": '; head -c 3000000 /dev/zero | tr '\0' '['; } >"$f"
fails 'millions of brackets' 1 'nested deeper than 1024 levels' sapp-trace "$f"
{ printf '[{"a": "'; head -c 20000000 /dev/zero | tr '\0' 'x'; printf '"}]'; } >"$f"
fails 'an event of 20 MB' 1 'an event longer than 16 MB' sapp-trace "$f"
{ printf '{"a": "'; head -c 20000000 /dev/zero | tr '\0' '\\'; printf '", "traceEvents": []}'; } >"$f"
fails 'backslashes, 20 MB outside the events' 1 'no module scopes' sapp-trace "$f"
awk 'BEGIN { printf "["; for (i = 0; i < 70000; i++) printf "{\"name\": \"x\", \"ph\": \"X\", \"pid\": %d}, ", i;
	printf "{}]" }' >"$f"
fails 'too many processes' 1 'more than 60000 processes' sapp-trace "$f"
awk 'BEGIN { printf "["; for (i = 0; i < 70000; i++)
	printf "{\"name\": \"%d-LLamaDecodeLayer\", \"ph\": \"X\", \"pid\": 1, \"tid\": 7, \"ts\": 1, \"dur\": 1}, ",
	i; printf "{}]" }' >"$f"
fails 'too many layers' 1 'more than 50000 different layers' sapp-trace "$f"

fails 'no such file' 1 'cannot be read' sapp-trace "$tmp/none.json"
mkdir "$tmp/dir"
echo '{}' >"$tmp/dir/other.json"
fails 'a directory without timelines' 1 'no timeline in this directory: looked for trace_view*.json' sapp-trace \
	"$tmp/dir"
fails 'an unknown option' 2 'usage: sapp-trace' sapp-trace -frobnicate
fails 'no micro-batch' 2 '-mb: not between 1' sapp-trace -mb 0 "$f"
fails 'half a micro-batch' 2 '-mb: not a whole number' sapp-trace -mb 1.5 "$f"
fails 'steps that run backwards' 2 '-steps: range runs backwards' sapp-trace -steps 5-2 "$f"
fails 'a list of steps' 2 '-steps: not a range' sapp-trace -steps 1,2 "$f"
fails 'a layer without a name' 1 "not the name of a scope ''" sapp-trace -body '' "$f"
fails 'a path for a name' 1 'not the name of a scope' sapp-trace -body a/b "$f"
fails 'a name twice' 1 'layer name given twice' sapp-trace -body A -tail A "$f"

# Interrupted files. One step takes some 60 kB here, and names come last.
make-timeline -P 2 -L 4 -mb 2 -steps 6 -stages 0 -body 5 -head 1 -o "$tmp/t" >/dev/null
whole=$tmp/t/trace_view_0.json
size=$(wc -c <"$whole")
body() { jq 'select(.kind == "layer" and .type == "BODY") | .time' "$tmp/out"; }
head -c $((size - 1)) "$whole" >"$f"
run 0 sapp-trace -mb 2 "$f"
check 'the last bracket is missing: a warning' grep -q 'warning: ends before it is complete' "$tmp/err"
near 'and the times' 5 "$(body)" 1e-9
same 'of all steady steps' 4 "$(jq 'select(.phase == "forward" and .name == "LLamaDecodeLayer") | .steps' "$tmp/out")"
head -c $((size * 93 / 100)) "$whole" >"$f"
run 0 sapp-trace -mb 2 "$f"
near 'cut within the last step, before the names' 5 "$(body)" 1e-9
same 'that step is left out' 3 "$(jq 'select(.phase == "forward" and .name == "LLamaDecodeLayer") | .steps' "$tmp/out")"
gzip -c "$whole" | head -c 20000 >"$f.gz"
run 0 sapp-trace -mb 2 "$f.gz"
check 'compressed and cut: a warning' grep -q 'warning: ends before it is complete' "$tmp/err"
gzip -c "$whole" >"$f.gz"
printf 'xxxxxxxxxxxxxxxx' | dd of="$f.gz" bs=1 seek=9000 conv=notrunc 2>/dev/null
fails 'compressed and damaged' 1 'f.json.gz: ' sapp-trace -mb 2 "$f.gz"
make-timeline -P 2 -L 4 -mb 2 -steps 6 -stages 0 -body 5 -head 1 -format msprof -nosteps -o "$tmp/t" >/dev/null
head -c $((size * 3 / 4)) "$tmp/t/msprof_0.json" >"$f"
run 0 sapp-trace -mb 2 "$f"
near 'kernels, cut' 5 "$(body)" 1e-9
# Truncated at any byte: times, or a message.
bad=0
for i in 1 2 3 17 100 500 1000 1001 1002 1003 1004 1005 1006 1007 5000 9999 20000 33333 50000 65535 65536 65537 \
	90000; do
	head -c $i "$whole" >"$f"
	sapp-trace -mb 2 "$f" >"$tmp/out" 2>"$tmp/err"
	status=$?
	{ [ $status -eq 0 ] && [ -s "$tmp/out" ]; } || { [ $status -eq 1 ] && [ -s "$tmp/err" ] &&
		[ ! -s "$tmp/out" ]; } ||
		{ bad=1; echo "cut at $i: status $status" | diag; }
done
same 'cut anywhere' 0 $bad

fails 'a full disk' 1 'cannot write' sh -c "sapp-trace '$whole' >/dev/full"
same 'a reader that goes away' '' "$(sapp-trace -mb 2 "$whole" 2>&1 >/dev/null | true)"
fails 'what make-timeline does not know' 2 'fewer layers than stages' make-timeline -L 4
fails 'stages it has not' 2 'there are only 16' make-timeline -stages 16


# Missing names of layers: the existing names, and the nearest.
make-timeline -P 4 -L 8 -mb 2 -steps 3 -head 3 -body 5 -tail 4 -o "$tmp/named"
run 0 sapp-trace -mb 2 "$tmp/named"
same 'as many micro-batches as the timeline has: no warning' 0 "$(grep -c 'micro-batches' "$tmp/err")"
run 0 sapp-trace -mb 8 "$tmp/named"
check 'another number of micro-batches than the timeline has: a warning' grep -q \
	'each layer runs forward 2 times per step, but there should be 8 micro-batches' "$tmp/err"
make-timeline -format kineto -P 4 -L 8 -mb 2 -steps 3 -head 3 -body 5 -tail 4 -o "$tmp/spans"
run 0 sapp-trace -body TransformerLayer -mb 8 "$tmp/spans"
check 'also where spans of the host name the layers' grep -q \
	'each layer runs forward 2 times per step, but there should be 8 micro-batches' "$tmp/err"
fails 'a body class misspelt' 1 "; layers found: 'LLamaDecodeLayer', 'network-MFPipelineWithLossScaleCell', \
'optimizer-AdamW', 'loss-CrossEntropyLoss'; the nearest is 'LLamaDecodeLayer'" \
	sapp-trace -body LlamaDecoderLayer -mb 2 "$tmp/named"
fails 'one of two body classes' 1 "-body: no layer of this name in any timeline 'MoeLayer'; layers found:" \
	sapp-trace -body LLamaDecodeLayer -body MoeLayer -mb 2 "$tmp/named"
same 'and no records' '' "$(cat "$tmp/out")"
run 0 sapp-trace -head LlamaEmbeding -mb 2 "$tmp/named"
check 'a head class misspelt: a stage without it may be what is meant' grep -q \
	"warning: no head layer (LlamaEmbeding) .*; the nearest is 'tok_embeddings-LlamaEmbedding'" "$tmp/err"
done_testing
