#!/bin/sh
# Plans for each mode of transfers, compared with all layouts of small questions, each simulated.
. "$(dirname "$0")/../lib.sh"

# Layers whose kinds differ, so that borders matter; each layout as a chunks record with the way and the delays of the
# question. Questions: schedule, stages, chunks, micro-batches, way, ms of transfers.
cat >"$tmp/questions" <<'EOF'
vpp 2 2 4 overlap 2
vpp 2 2 4 streams-1 1.5
vpp 2 2 4 streams-4 3
vpp 2 2 4 batched 2.5
vpp 2 3 4 blocking 1
vpp-less 2 2 4 one-by-one 3
vpp 3 2 6 overlap 1,3
vpp 3 2 3 streams-2 4,1
1f1b 3 1 5 overlap 1,6
1f1b 4 1 5 streams-1 1,0.5,4
1f1b 4 1 6 one-by-one 2
gpipe 3 1 4 blocking 2,5
zero-bubble-v 2 2 4 streams-2 2
EOF
cat >"$tmp/layers" <<'EOF'
{"kind":"layer","name":"A","type":"BODY","nb_layer":5,"time":3,"memory_parameter":1,"memory_activation":1}
{"kind":"layer","name":"B","type":"BODY","nb_layer":4,"time":7,"memory_parameter":1,"memory_activation":1}
{"kind":"layer","name":"H","type":"HEAD","nb_layer":1,"time":2,"memory_parameter":1}
{"kind":"layer","name":"T","type":"TAIL","nb_layer":1,"time":4,"memory_parameter":1}
EOF
while read -r schedule stages chunks micro way comm; do
	sapp-lp -S "$schedule" -s "$stages" -i "$chunks" -mb "$micro" -mem 1000 -comm "$comm" -transfers "$way" \
		-t 20 -set wall=0 "$tmp/layers" >"$tmp/out" 2>"$tmp/err"
	perl -e 'my ($schedule, $p, $v, $m, $way, $comm) = @ARGV; my @time = (2, (3) x 5, (7) x 4, 4);
		my $zigzag = $schedule eq "zero-bubble-v";
		sub lay { my ($from, @forward) = @_; my $left = $p * $v - @forward;
			if ($left == 0) { write_layout(@forward) if $from == 10; return }
			for my $to ($from + 1 .. 10) { my $sum = 0; $sum += $time[$_] for $from .. $to - 1;
				$sum += $time[0] if @forward == 0; $sum += $time[10] if $left == 1;
				lay($to, @forward, $sum) } }
		sub write_layout { my @row; push @{$row[$_ / $p]}, $_[$_] for 0 .. $#_;
			@row = map { $zigzag && $_ % 2 ? [reverse @{$row[$_]}] : $row[$_] } 0 .. $#row;
			print qq({"kind":"chunks","name":"c","schedule":"$schedule","micro_batches":$m,"forward":[),
				join(",", map { "[" . join(",", @$_) . "]" } @row), qq(],"transfers":"$way",),
				qq("comm_time":[$comm]), "}\n" }
		lay(1)' "$schedule" "$stages" "$chunks" "$micro" "$way" "$comm" >"$tmp/all"
	near "$schedule, $stages stages, $chunks chunks, $way: shortest of $(wc -l <"$tmp/all") layouts" \
		"$(sapp-sim -j "$tmp/all" | jq 'select(.kind == "sim").step_time' | sort -g | head -n 1)" \
		"$(jq 'select(.kind == "plan").step_time' "$tmp/out")" 1e-9
	same "proved, and nothing is said of hidden ones" '["optimal",true] 0' "$(jq -c 'select(.kind == "plan") |
		[.status, .lower_bound <= .step_time]' "$tmp/out") $(grep -c hidden "$tmp/err")"
	same "as the simulator says" true "$(sapp-sim -j "$tmp/out" 2>/dev/null | jq -s '
		(map(select(.kind == "plan"))[0].step_time - map(select(.kind == "sim"))[0].step_time) |
		fabs < 1e-9')"
done <"$tmp/questions"

# Free orders are planned and checked with these transfers, too.
for way in streams-1 overlap blocking batched one-by-one; do
	for schedule in v-auto free; do
		sapp-lp -S "$schedule" -s 2 -mb 4 -mem 1000 -comm 1.5 -transfers "$way" -t 0.2 -set wall=0 \
			"$tmp/layers" >"$tmp/out" 2>"$tmp/err"
		same "$schedule, $way: as the simulator says" '1 true' "$(sapp-sim -j "$tmp/out" 2>/dev/null |
			jq -rs '(map(select(.kind == "plan" and (.name | test("auto|free"))))) as $plan |
			map(select(.kind == "sim" and .name == $plan[0].name)) as $sim |
			"\($plan | length) \(($plan[0].step_time - $sim[0].step_time | fabs) < 1e-9)"')"
	done
done

# Orders that depend on times: planned with their transfers, not as if transfers were hidden.
while read -r free beside stages chunks way comm memory; do
	[ "$way" = overlap ] || long || continue
	for as in hidden "$way"; do
		sapp-lp -S "$free,$beside" -s "$stages" -i "$chunks" -mb 5 -mem "$memory" -comm "$comm" \
			-transfers "$as" -t 20 -set wall=0 "$tmp/layers" >"$tmp/$as" 2>"$tmp/err"
	done
	same "$free, $way: nothing is said of hidden ones" "" "$(cat "$tmp/err")"
	sapp-sim -j "$tmp/$way" 2>/dev/null | jq -c 'select(.kind == "plan" or .kind == "sim")' >"$tmp/out"
	sapp-sim -j -transfers "$way" "$tmp/hidden" 2>/dev/null |
		jq -c 'select(.kind == "sim") | .kind = "as hidden"' >>"$tmp/out"
	same "$free, $way: as simulated, above its bound, no longer than $beside, shorter than planned as hidden" \
		"true true true true" "$(jq -rs --arg free "planned-$free" --arg beside "planned-$beside" '
		def one($kind; $name): map(select(.kind == $kind and (.name | startswith($name))))[0];
		one("plan"; $free) as $p | [(one("sim"; $free).step_time - $p.step_time | fabs) < 1e-9,
		$p.lower_bound <= $p.step_time, $p.step_time <= one("plan"; $beside).step_time,
		$p.step_time < one("as hidden"; $free).step_time] | join(" ")' "$tmp/out")"
done <<'EOF'
v-auto zbv 3 2 overlap 2,4 12
v-auto v-min 3 2 one-by-one 2,4 12
free zb-h1 3 1 overlap 2,6 30
EOF
done_testing
