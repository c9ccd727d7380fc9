#!/bin/sh
# Modes of transfers in frameworks: test steps computed by hand, steps from the equations in ways.pl, and properties of
# all modes. Figures in the comments are ms.
. "$(dirname "$0")/../lib.sh"
here=$(dirname "$0")

# step NAME WANT WAY CHUNKS...: the pipeline CHUNKS takes WANT ms in the mode WAY.
step() { name=$1 want=$2 way=$3; shift 3
	near "$name" "$want" "$(chunks "$@" | sapp-sim -j -transfers "$way" | jq 'select(.kind == "sim").step_time')" \
		1e-9; }

# Two stages have a forward of 10 and a backward of 20, and a transfer takes 4. One micro-batch takes 10 + 4 + 30 + 4 +
# 20 in every mode.
T=',"comm_time":4'
for way in overlap streams-1 streams-2 streams-4 one-by-one; do
	step "$way: one micro-batch" 68 "$way" 1f1b 1 '[[10,10]]' "$T"
	step "$way: what a sender needs before" 80 "$way" 1f1b 1 '[[10,10]]' \
		"$T,\"send_delay_forward\":5,\"send_delay_backward\":[7]"
done
# One by one: stage 0 runs F0 0-10, sends it 10-14 and runs F1 14-24. Stage 1 runs F0 14-24 and B0 24-44. Then stage 1
# first receives F1 44-48, and then sends B0 48-52. Stage 1 runs F1 52-62 and B1 62-82, while stage 0 runs B0 52-72. The
# transfer of B1 takes 82-86, and stage 0 runs B1 86-106.
step "one by one: forward first" 106 one-by-one 1f1b 2 '[[10,10]]' "$T"
# An exchange makes these two transfers at the same time, and so saves 4.
step "an exchange" 102 batched 1f1b 2 '[[10,10]]' "$T"
# Overlap: stage 1 receives F1 24-28, while it runs B0 24-44. The transfer of B0 takes 44-48. Stage 1 runs F1 44-54 and
# B1 54-74, and stage 0 runs B1 78-98.
step "overlap: receives while it computes" 98 overlap 1f1b 2 '[[10,10]]' "$T"
# A stage waits for the send of a forward: stage 0 runs F0 0-10, sends it 10-14, and runs F1 14-24. Stage 1 posts its
# receive of F1 after F0, at 24. Without a third micro-batch no forward waits for the send of F1. With a slow link F1
# waits for the send of F0, and begins at 50.
step "overlap: sends of forwards do" 250 overlap gpipe 2 '[[10,10]]' ',"comm_time":40'
# Streams: stage 0 runs F0 0-10 and F1 10-20, while the transfer of F0 takes 10-14. Stage 1 runs F0 14-24. It posts the
# receive of F1 after F0, since F1 runs in the second round of turns, see sapp(7). So the transfer of F1 takes 24-28.
# Stage 1 runs B0 24-44, and its transfer takes 44-48. Stage 1 runs F1 44-54 and B1 54-74, and stage 0 runs B1 78-98.
step "streams: nobody waits for a send" 98 streams-4 1f1b 2 '[[10,10]]' "$T"
# A post takes 1: stage 0 has posted the send of F0 at 11, and stage 1 the receive at 1. Stage 1 runs F0 15-25 and B0
# 25-45, and has posted the send of B0 at 46. B0 arrives at 50, since stage 0 has posted the receive at 12.
step "streams: what posts take" 70 streams-4 1f1b 1 '[[10,10]]' "$T,\"post_time\":1"
# Stage 1 has a forward of 1 and a backward of 2, and a transfer takes 12. Stage 0 runs F0 0-10 and F1 10-20; the
# transfer of F0 takes 10-22, and stage 1 runs F0 22-23 and B0 23-25. Stage 1 posts the receive of F1 at 23, so this
# transfer takes 23-35, and stage 1 runs F1 35-36 and B1 36-38. In a queue of its own B0 arrives at 37, in the queue of
# F1 at 47, so stage 0 runs it until 57 or 67. After B0 stage 0 posts the receive of B1: its transfer takes 12 more, and
# B1 20.
Q=',"comm_time":12'
step "each kind in a queue of its own" 89 streams-4 1f1b 2 '[[10,1]]' "$Q"
step "sends apart from receives" 89 streams-2 1f1b 2 '[[10,1]]' "$Q"
step "one queue: what is posted first goes first" 99 streams-1 1f1b 2 '[[10,1]]' "$Q"

# If transfers are much shorter than operations, and posted early, a step with modes whose stages do not wait is as
# short as with hidden transfers.
early() { chunks zb-h1 8 '[[10,10,10,10]]' ',"comm_time":0.001' | sapp-sim -j -transfers "$1" |
	jq 'select(.kind == "sim").step_time'; }
near "short transfers, four streams" "$(early hidden)" "$(early streams-4)" 0.1

# Random pipelines.
perl -e 'srand 7; sub r { my ($n) = @_; int(1 + rand $n) / 8 } sub l { my ($n, $m) = @_;
	"[" . join(",", map { r($m) } 1 .. $n) . "]" }
	for my $i (1 .. $ARGV[0]) { my $s = (qw(1f1b gpipe vpp zb-vpp zero-bubble-v))[rand 5]; my $p = 2 + int rand 5;
	my $v = $s =~ /vpp|-v/ ? 2 : 1;
	my $m = $s =~ /vpp/ ? $p * (1 + int rand 3) : ($s =~ /-v/ ? 2 * $p : 1) + int rand 8;
	print qq({"kind":"chunks","name":"$s-$i","schedule":"$s","micro_batches":$m,"forward":[),
		join(",", map { l($p, 40) } 1 .. $v), qq(],"backward_ratio":) . (1 + r(16)), qq(,"comm_time":),
		rand > .3 ? l($p > 2 && $v > 1 ? $p : $p - 1, 40) : r(9),
		rand > .5 ? q(,"send_delay_forward":) . l($p - 1, 20) . q(,"send_delay_backward":) . r(20) : "",
		qq(,"activation":[), join(",", map { l($p, 9) } 1 .. $v), qq(]}\n) }' "$(draws 30 48)" >"$tmp/random"
for way in batched overlap streams-1 streams-2 streams-4 one-by-one; do
	sapp-sim -e -j -transfers "$way" "$tmp/random" >"$tmp/ran"
	# ways.pl has exchanges for one chunk only.
	[ "$way" != batched ] || { grep -v 'vpp\|-v-' "$tmp/ran" >"$tmp/one"; mv "$tmp/one" "$tmp/ran"; }
	perl "$here/ways.pl" "$way" "$tmp/ran" | sort >"$tmp/want"
	jq -r 'select(.kind == "sim") | "\(.name) \(.step_time)"' "$tmp/ran" | sort | join "$tmp/want" - |
		awk -v out="$tmp/stuck" '
			$2 == "stuck" { print >>out; next }	# stages wait for each other: posts get other places
			{ d = $2 - $3; n++; if (d > 1e-6 || d < -1e-6) bad = bad " " $0 ";" }
			END { print (bad == "" && n > 10 ? "as equations" : n bad) }' >"$tmp/verdict"
	same "$way: random pipelines" "as equations" "$(cat "$tmp/verdict")"
done

# If any time grows, no step gets shorter, and no step is shorter than with hidden transfers. This also holds where
# stages would wait for each other for ever, so that transfers get other places.
check "some of these pipelines are such" test -s "$tmp/stuck"
steps() { sapp-sim -j -transfers "$1" | jq -r 'select(.kind == "sim").step_time'; }
steps hidden <"$tmp/random" >"$tmp/hidden"
more() { jq -c "$1" "$tmp/random"; }
for way in blocking batched overlap streams-1 streams-2 streams-4 one-by-one; do
	steps "$way" <"$tmp/random" >"$tmp/base"
	same "$way: never shorter than hidden" '' "$(paste "$tmp/hidden" "$tmp/base" | awk '$2 < $1 - 1e-9')"
	for longer in '.comm_time |= if type == "array" then map(. + 1) else . + 1 end' \
		'.comm_time |= if type == "array" then .[0] *= 3 else . * 3 end' \
		'.send_delay_forward = 2.5 + ([.send_delay_forward // 0] | flatten | max)' \
		'.send_delay_backward = 1.5 + ([.send_delay_backward // 0] | flatten | max)' '.post_time = 0.75' \
		'.forward |= map(map(. + 1))' '.forward[0][1] += 7' '.backward_ratio *= 1.5'; do
		more "$longer" | steps "$way" >"$tmp/longer"
		paste "$tmp/base" "$tmp/longer" | awk '$2 < $1 - 1e-9'
	done >"$tmp/shorter"
	same "$way: monotone" '' "$(cat "$tmp/shorter")"
done

for way in overlap streams-1 streams-2 streams-4 one-by-one; do
	same "$way, any schedule that there is, runs" 1 "$(for s in gpipe 1f1b vpp vpp-less vpp-overlap zb-h1 zb-h2 \
		zb-vpp zbv v-half v-min zero-bubble-v dualpipe dualpipev; do
		case $s in gpipe | 1f1b | zb-h? | dualpipe) f='[[3,1,2,2]]' ;; *) f='[[3,1,2,2],[1,3,2,2]]' ;; esac
		chunks $s 8 "$f" ',"comm_time":0.5,"post_time":0.1,"send_delay_forward":[1,0,0]'
	done | sapp-sim -j -transfers "$way" |
		jq -s 'map(select(.kind == "sim") | select(.step_time > 0)) | length / 14')"
done
fails 'an unknown way' 2 "-transfers: unknown 'streams'; known: hidden blocking batched overlap" \
	sapp-sim -transfers streams
chunks 1f1b 1 '[[1,1]]' ',"transfers":"streams-3"' >"$tmp/bad"
fails 'in a record' 1 "not one of hidden blocking batched overlap" sapp-sim "$tmp/bad"
done_testing
