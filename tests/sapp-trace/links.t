#!/bin/sh
# Transfer times and posts read from timelines that sapp-sim makes with known times.
. "$(dirname "$0")/../lib.sh"

# ranks STAGES POST: print the operations of sapp-sim -e, without the time of their posts, in the form of PipeMorph's
# ranks, with five steps 10 s apart.
ranks() {
	rm -rf "$tmp/ranks"
	mkdir "$tmp/ranks"
	awk -v P="$1" -v h="$2" -v folder="$tmp/ranks" '
	function value(name) {
		match($0, "\"" name "\":[-0-9.e+]+")
		return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
	}
	/"kind":"block"/ {
		s = value("stage")
		forward = index($0, "\"phase\":\"F\"") > 0
		from = value("start") + (forward ? s > 0 : s < P - 1) * h
		to = value("end") - (forward ? s < P - 1 : s > 0) * h
		kind[s, ++n[s]] = forward ? "F" : "B"
		begin[s, n[s]] = from
		end[s, n[s]] = to
	}
	END {
		for (s in n) {
			file = folder "/" s ".log"
			for (k = 0; k < 5; k++) {
				printf "[RANK%d] Iteration %d\n", s, k >file
				for (i = 1; i <= n[s]; i++)
					printf "[RANK%d] %s @ %.9f (ms) to %.9f (ms), x\n", s, kind[s, i],
						10000 * k + begin[s, i], 10000 * k + end[s, i] >file
			}
		}
	}'
}

# events COMM_TIME STAGES: print them as a JSON timeline, with transfers over the boundaries that take these times.
events() {
	jq -sc --argjson c "$1" --argjson P "$2" '
	def x($k; $name; $tid; $b; $ts; $dur): {name: $name, ph: "X", pid: 0, tid: $tid, ts: (1e7 * $k + 1000 * $ts),
		dur: (1000 * $dur), args: {step: $k, mb_id: $b.micro, model_chunk: $b.chunk}};
	[.[] | select(.kind == "block") | . as $b | .stage as $s | range(5) as $k |
		if .phase == "F" then
			x($k; "forward-compute"; $s; $b; .start; .end - .start),
			(select($s > 0) | .start - $c[$s - 1] | x($k; "forward-send"; $s - 1; $b; .; $c[$s - 1]),
				x($k; "forward-recv"; $s; $b; .; $c[$s - 1]))
		else
			x($k; "backward-compute"; $s; $b; .start; .end - .start),
			(select($s < $P - 1) | .start - $c[$s] | x($k; "backward-send"; $s + 1; $b; .; $c[$s]),
				x($k; "backward-recv"; $s; $b; .; $c[$s]))
		end] | sort_by(.ts) +
		[range($P) as $s | {name: "thread_name", ph: "M", pid: 0, tid: $s, args: {name: "PP rank \($s)"}}]'
}

members='[.comm_time, .post_time // 0, .transfers] | walk(if type == "number" then . * 1e6 | round / 1e6 else . end)'
step() { get sim '.step_time * 1e6 | round / 1e6'; }

# back WAY MICRO FORWARD COMM_TIME POST: without transfers in the timeline, the values and the step are read back.
back() {
	stages=$(jq -n "$3 | .[0] | length")
	chunks 1f1b "$2" "$3" ",\"comm_time\":$4,\"post_time\":$5" >"$tmp/made"
	sapp-sim -e -transfers "$1" "$tmp/made" | ranks "$stages" "$5"
	run 0 sapp-trace "$tmp"/ranks/*.log || not_ok "$1, $4"
	same "$1, $2 micro-batches, comm_time $4, post_time $5" "[$4,$5,\"$1\"]" "$(get chunks "$members" <"$tmp/out")"
	same "and its step" "$(sapp-sim -j -transfers "$1" "$tmp/made" | step)" "$(sapp-sim -j "$tmp/out" | step)"
}
uneven='[[10,12,11,13]]' even='[[10,10,10,10]]'
back hidden 16 "$uneven" '[2,6,3]' 0.5
back hidden 16 "$uneven" '[2,6,3]' 0
back hidden 3 "$uneven" '[2,6,3]' 0.5
back hidden 8 "$even" 2 0.25
back hidden 8 "$even" 0 0.5
back batched 16 "$uneven" '[2,6,3]' 0
back batched 3 "$uneven" '[2,6,3]' 0
back batched 8 "$even" 2 0
back batched 8 '[[10,14]]' 3 0
check "nothing is said of links that are alike" sh -c "! grep -q link '$tmp/err'"
# Posts of exchanges count as part of the link: at most 1 % of the step here.
chunks 1f1b 16 "$uneven" ',"comm_time":[2,6,3],"post_time":0.2' >"$tmp/made"
sapp-sim -e -transfers batched "$tmp/made" | ranks 4 0
near "exchanges with posts" "$(sapp-sim -j -transfers batched "$tmp/made" | step)" \
	"$(sapp-trace "$tmp"/ranks/*.log | sapp-sim -j | step)" 8.2

# A message names a slow link, and the job has a time for each boundary; otherwise it has one time for any number of
# stages.
six='[[10,14,9,11,8,12]]'
back batched 16 "$six" '[1,2,30,4,5]' 0
check "a slow link is named" grep -qF \
	'a slow link: a transfer between stages 2 and 3 takes 30 ms, the median of all links 4 ms' "$tmp/err"
same "no other" 1 "$(grep -c 'a slow link' "$tmp/err")"
same "the job has it" '[[1,2,30,4,5],"batched"]' "$(get job "$members | [.[0], .[2]]" <"$tmp/out")"
back hidden 16 "$six" '[1,2,30,4,5]' 0.3
back hidden 16 "$six" '[3,4,5,4,4]' 0.3
same "none that is slow" 0 "$(grep -c 'a slow link' "$tmp/err")"
same "the job has one time" '[4,"hidden"]' "$(get job "$members | [.[0], .[2]]" <"$tmp/out")"

# Rank 1's clock is 3 ms ahead: the backwards of stage 0 seem to come before their data.
chunks 1f1b 8 '[[10,14]]' ',"comm_time":2' | sapp-sim -e -transfers hidden | ranks 2 0
awk '/@/ { $4 = sprintf("%.9f", $4 + 3); $7 = sprintf("%.9f", $7 + 3) } { print }' "$tmp/ranks/1.log" >"$tmp/ahead"
mv "$tmp/ahead" "$tmp/ranks/1.log"
same "clocks that differ" 2 "$(sapp-trace "$tmp"/ranks/*.log | get chunks "$members | .[0]")"

# Timelines with transfers: the mean of each boundary.
chunks 1f1b 8 "$uneven" ',"comm_time":[2,6,3]' >"$tmp/made"
sapp-sim -e -transfers batched "$tmp/made" | events '[2,6,3]' 4 >"$tmp/events.json"
made=$(sapp-sim -j -transfers batched "$tmp/made" | step)
# read_back NAME FILE WANT: its comm_time, post_time and way
read_back() { run 0 sapp-trace "$2" || not_ok "$1"; same "$1" "$3" "$(get chunks "$members" <"$tmp/out")"; }
read_back "transfers of each boundary" "$tmp/events.json" '[[2,6,3],0,"batched"]'
same "and their step" "$made" "$(sapp-sim -j "$tmp/out" | step)"
sed 's/forward-send/forward-send-backward-recv/g; s/backward-send"/backward-send-forward-recv"/g' "$tmp/events.json" \
	>"$tmp/exchanges.json"
read_back "exchanges by name" "$tmp/exchanges.json" '[[2,6,3],0,"batched"]'
sed 's/"[a-z]*-\(send\|recv\)"/"forward-send-forward-recv"/g' "$tmp/events.json" >"$tmp/several.json"
read_back "of several links at once: one time for all" "$tmp/several.json" "$(sapp-trace "$tmp/events.json" |
	get step 'select(has("stage") | not) | [(.transfer * 1e6 | round / 1e6), 0, "batched"]')"
jq -c 'map(select((.tid == 1 and .name == "forward-send" or .tid == 2 and .name == "forward-recv" or
	.tid == 1 and .name == "backward-recv" or .tid == 2 and .name == "backward-send") | not))' "$tmp/events.json" \
	>"$tmp/without.json"
read_back "a boundary without transfers has the median" "$tmp/without.json" '[[2,2.5,3],0,"batched"]'
check "which is said" grep -qF 'the time of a transfer is unknown at 1 of 3 boundaries between stages' "$tmp/err"
# Senders with a delay before they send.
delays='[.send_delay_forward, .send_delay_backward] | walk(if type == "number" then . * 1e6 | round / 1e6 else . end)'
# late WAY FORWARD BACKWARD: print the delays that are read back, and the step with them.
late() {
	chunks 1f1b 16 "$uneven" \
		",\"comm_time\":[2,6,3],\"send_delay_forward\":$2,\"send_delay_backward\":$3" >"$tmp/made"
	sapp-sim -e -transfers "$1" "$tmp/made" | events '[2,6,3]' 4 >"$tmp/late.json"
	run 0 sapp-trace "$tmp/late.json" || not_ok "$1"
	same "$1: what senders need first" "$4" "$(get chunks "$delays" <"$tmp/out")"
	same "and the step" "$(sapp-sim -j -transfers "$1" "$tmp/made" | step)" \
		"$(sapp-sim -j -transfers "$1" "$tmp/out" | step)"
}
late batched '[0,9,0]' '[0,0,5]' '[[0,9,0],[0,0,5]]'
late batched '[4,0,0]' 0 '[[4,0,0],null]'
late batched 0 0 '[null,null]'
# Rank 1's clock is 1 ms ahead: its receives seem late, and its sends early.
jq -c 'map(if .ph == "X" and .tid == 1 then .ts += 1000 else . end)' "$tmp/events.json" >"$tmp/ahead.json"
same "clocks that differ: not told" '[null,null]' "$(sapp-trace "$tmp/ahead.json" | get chunks "$delays")"
same "nor without transfers" '[null,null]' "$(jq -c 'map(select(.name | test("send|recv") | not))' "$tmp/late.json" |
	sapp-trace - 2>/dev/null | get chunks "$delays")"
# Names in Echo's form, by rank.
for s in 0 1 2 3; do
	jq -r --argjson s $s '.[] | select(.ph == "X" and .tid == $s) | (.name | sub("-compute"; "_step") |
		sub("(?<w>[a-z]+)-(?<v>send|recv)"; "\(.v)_\(.w)")) as $name |
		"rank:\($s):\($name)(stage_id=\($s),batch_id=\(.args.mb_id),duration=\(.dur / 1000)," +
		"timestamp=\(.ts / 1000))"' "$tmp/events.json" >"$tmp/echo$s.log"
done
same "Echo's transfers" '[[2,6,3],0,"batched"]' "$(sapp-trace "$tmp"/echo?.log | get chunks "$members")"

# Several chunks: the last boundary is from the last stage to the first; two stages have a single boundary.
chunks vpp 16 '[[10,12,11,13],[9,12,12,13]]' ',"comm_time":[2,6,3,4]' >"$tmp/made"
sapp-sim -e -transfers hidden "$tmp/made" | events '[0,0,0]' 4 | jq -c 'map(select(.name | test("send|recv") | not))' \
	>"$tmp/vpp.json"
read_back "several chunks" "$tmp/vpp.json" '[[2,6,3,4],0,"hidden"]'
same "and their step" "$(sapp-sim -j -transfers hidden "$tmp/made" | step)" "$(sapp-sim -j "$tmp/out" | step)"
chunks vpp 16 '[[10,12],[9,12]]' ',"comm_time":3' | sapp-sim -e -transfers batched | events '[0]' 2 |
	jq -c 'map(select(.name | test("send|recv") | not))' >"$tmp/two.json"
read_back "several chunks of two stages" "$tmp/two.json" '[3,0,"batched"]'

# No time if no stage waited, or if data are used before they exist.
jq -c 'map(if .ph == "X" and .tid == 1 and .name == "backward-compute" then .ts += 1000000 else . end)' \
	"$tmp/two.json" >"$tmp/bad.json"
run 0 sapp-trace "$tmp/bad.json" || not_ok "data before they are made"
same "data before they are made: no link" '[null,0,null]' "$(get chunks "$members" <"$tmp/out")"
check "which is said" grep -qF 'unknown at 1 of 1 boundaries between stages, where no operation waited' "$tmp/err"
check "with what it means" grep -qF 'so the record has no comm_time' "$tmp/err"
done_testing
