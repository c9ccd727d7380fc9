#!/bin/sh
# Other programs solve the model files to the same optimum; other solvers replace our own; their failures.
# shellcheck disable=SC2016,SC2034,SC2154 # jq's variables; variables of what is sourced
. "$(dirname "$0")/../lib.sh"
. "$top/tests/sapp-lp/instance.sh"
mkdir "$tmp/t"
TMPDIR=$tmp/t
export TMPDIR
for program in cbc glpsol lp_solve; do
	command -v $program >/dev/null || { skip "$program is not installed"; done_testing; exit; }
done

# optimum PROGRAM FILE: print the optimum of a file in the program's format, to 10 digits.
optimum() {
	case $1 in
	lp) lp_solve -S1 -timeout 600 "$2" | sed -n 's/^Value of objective function: //p' ;;
	lp_solve) lp_solve -S1 -timeout 600 -fmps "$2" | sed -n 's/^Value of objective function: //p' ;;
	cbc) cbc "$2" -sec 600 -solve | sed -n 's/^Objective value: *//p' ;;
	glpsol) glpsol --freemps "$2" --tmlim 600 -w "$tmp/raw" >/dev/null
	awk '$1 == "s" && $5 == "o" { print $6 }' "$tmp/raw" ;;
	esac
}
# verified MPS: evaluate the rows of the file with the counts of the plan in $tmp/out; print "ok" and the longest
# path, or the error.
verified() {
	of '.counts | (keys | all(test("^[A-Za-z0-9_]+$"))) as $plain | to_entries | to_entries[] |
		(if $plain then .value.key else "body\(.key)" end) as $b | .value.value |
		to_entries[] | .key as $k | .value | to_entries[] | .key as $v |
		.value | to_entries[] | "n_\($v)_\(.key)_\($b)_\($k) \(.value)"' | tr -d '"' >"$tmp/counts"
	awk 'FNR == NR { x[$1] = $2; next }
		/^[A-Z]/ { section = $1; next }
		/^\*/ || /MARKER/ { next }
		section == "ROWS" { type[$2] = $1 }
		section == "COLUMNS" && $1 == "z" { next }
		section == "COLUMNS" && $1 ~ /^wait_/ { for (i = 2; i < NF; i += 2) waits[$1, $i] = $(i + 1); next }
		section == "COLUMNS" { for (i = 2; i < NF; i += 2) if ($1 in x) sum[$i] += x[$1] * $(i + 1);
		else choice[$i] = 1 }
		section == "COLUMNS" { known[$1] = 1 }
		section == "RHS" { for (i = 2; i < NF; i += 2) rhs[$i] = $(i + 1) }
		section == "BOUNDS" && $1 == "UP" && x[$3] > $4 { print "above its bound: " $3; bad = 1 }
		END {
			for (n in x) if (x[n] > 0 && !(n in known)) { print "no column " n; bad = 1 }
			for (w in waits) {
				split(w, of, SUBSEP)
				link = of[1]
				sub(/^wait/, "link", link)
				d = rhs[link] - sum[link]
				if (of[2] != link && d > 0) sum[of[2]] += waits[w] * d
			}
			for (r in type) {
				if (r in choice || r ~ /^link_/ || type[r] == "N") continue
				if (r ~ /^path_/) { if (rhs[r] - sum[r] > z) z = rhs[r] - sum[r]; continue }
				d = sum[r] - rhs[r]
				if ((type[r] != "G" && d > 1e-6) || (type[r] != "L" && d < -1e-6)) { print r, d;
				bad = 1 }
			}
			if (!bad) printf "ok %.10g\n", z
		}' "$tmp/counts" "$1"
}

# Small questions: every solver finds the planner's optimum in the file, and an equally short plan through -solver.
layer() { printf '{"kind":"layer","name":"%s","type":"%s","nb_layer":%s,"time":%s,"memory_parameter":%s%s}\n' "$@"; }
ends() { layer H HEAD 1 7.25 310 ''; layer T TAIL 1 11.5 280 ''; }
kinds=',"memory_activation":120,"memory_select_rec":104.5,"memory_select_comm":81,"memory_both_comm_select":60.25'
full=',"memory_activation":95,"memory_recompute":11.5'
{ ends; layer B BODY 9 30.125 200 "$kinds"; } >"$tmp/one"
{ ends; layer dense BODY 3 12.25 150 "$full"; layer moe BODY 6 33.5 260 "$kinds"; } >"$tmp/two"
{ layer 'a layer' BODY 4 12.25 150 "$full"; layer 'ä layer' BODY 5 33.5 260 "$kinds,\"memory_recompute\":9"
} >"$tmp/odd"
offload=',"kinds":{"swap":{"activation":20,"offload":100},'\
'"part":{"activation":58,"backward_coef":0.03,"offload":25}}'
{ ends; layer B BODY 6 30.125 200 "$full$offload"; layer C BODY 3 12.25 150 "$kinds"; } >"$tmp/swap"
{ cat "$tmp/swap"; echo '{"kind":"kind","name":"swap","op_swap":["a"]}'
echo '{"kind":"kind","name":"part","select_recompute":["b"]}'; } >"$tmp/said"
{ ends; layer B BODY 9 30.125 100 ',"memory_activation":120,"memory_recompute":11.5'; } >"$tmp/uniform"
{ ends; layer dense BODY 3 12.25 150 "$full"; layer moe BODY 6 33.5 160 "$full"; } >"$tmp/dense"
asked=0
while read -r file options; do
	# Every third question, or all.
	[ $((asked % 3)) -eq 0 ] || long || { asked=$((asked + 1)); continue; }
	asked=$((asked + 1))
	# shellcheck disable=SC2086 # one word an option
	check "$file $options" run 0 sapp-lp $options -gap 0 -t 300 -lp "$tmp/lp" -mps "$tmp/mps" "$tmp/$file"
	step=$(of .step_time)
	same "$file $options: proved" '"optimal"' "$(of .status)"
	same "$file $options: the rows hold, and the longest path is the step" "ok $(printf %.10g "$step")" \
		"$(verified "$tmp/mps")"
	for program in lp_solve cbc glpsol; do
		near "$file $options: $program's optimum" "$step" "$(optimum $program "$tmp/mps")" 1e-5
	done
	near "$file $options: the other format" "$step" "$(optimum lp "$tmp/lp")" 1e-5
	for solver in cbc glpsol; do
		# shellcheck disable=SC2086 # several words
		check "$file $options -solver $solver" run 0 sapp-lp \
			$options -gap 0 -t 300 -solver $solver -mps "$tmp/mps" "$tmp/$file"
		same "$file $options -solver $solver: the same optimum" "\"optimal\" $(printf %.8g "$step")" \
			"$(of .status) $(printf %.8g "$(of .step_time)")"
		instance='{}'
		holds "$file $options -solver $solver: as long as it says, by the simulator" "$SIMULATED and $BOUNDED"
		same "$file $options -solver $solver: its file has the longest path" "ok $(printf %.10g "$step")" \
			"$(verified "$tmp/mps")"
	done
done <<END
one -s 3 -mb 6 -mem 1500
one -s 3 -mb 6 -mem 1500 -mixes all
one -s 3 -mb 4 -mem 1400 -comm 2.5
said -s 2 -i 2 -mb 4 -mem 1900 -offload 4
one -s 4 -mb 8 -mem 1150,1200,1100,1300
one -s 2 -i 2 -mb 4 -mem 2100
one -s 3 -S zb-h1 -mb 5 -mem 1600
two -s 3 -mb 6 -mem 1500
two -s 3 -mb 6 -mem 1500 -mixes all
odd -s 3 -mb 3 -mem 1500
two -s 2 -i 2 -lm 1 -mb 4 -mem 2400
uniform -s 3 -mb 6 -mem 1300 -mixes uniform
swap -s 3 -S zb-h1 -mb 4 -mem 1350 -mixes all -offload 4.5 -speed 0.5
swap -s 3 -mb 4 -mem 1300 -mixes all -offload 3
dense -s 3 -mb 6 -mem 1100 -mixes uniform
uniform -s 2 -i 2 -mb 4 -mem 1700 -mixes uniform
dense -s 3 -mb 6 -mem 1400 -mixes uniform -target megatron
END
sapp-lp -s 3 -mb 6 -mem 1500 -lp "$tmp/lp" "$tmp/odd" >/dev/null
same "names that files cannot have" "placed_body0: placed_body1:" "$(grep -o '^placed_[^ ]*' "$tmp/lp" | xargs)"
sapp-lp -s 3 -mb 6 -mem 1500 -lp "$tmp/lp" "$tmp/one" >/dev/null
check "columns of the lists" grep -q '^only_comm_0_0: ' "$tmp/lp"
sapp-lp -s 3 -mb 6 -mem 1500 -mixes all -lp "$tmp/lp" "$tmp/one" >/dev/null
check "which are not there for all mixes" sh -c "! grep -q only_ '$tmp/lp'"
sapp-lp -s 3 -mb 6 -mem 1500 -mixes all -lp "$tmp/lp2" "$tmp/one" >/dev/null
check "the same question, the same file" cmp "$tmp/lp" "$tmp/lp2"

# If no plan fits, the file has no solution.
check "nothing fits" run 3 sapp-lp -s 3 -mb 6 -mem 900 -mps "$tmp/mps" -solver cbc "$tmp/one"
check "nor in the file" sh -c "glpsol --freemps '$tmp/mps' | grep -q 'NO PRIMAL FEASIBLE\|NO INTEGER FEASIBLE'"

relaxation() { lp_solve -S1 -noint -timeout 600 -fmps "$tmp/mps" | sed -n 's/^Value of objective function: //p'; }
# The model of the ten instances, or some of them, contains their best known plans.
while read -r line; do
	called=$(printf '%s\n' "$line" | jq -r .name)
	case ${LONG:-$called} in 1 | pp4-*) ;; *) continue ;; esac
	ask "$line" -mixes all -t 1 -mps "$tmp/mps"
	same "$called: planned in a second" 0 "$status"
	step=$(of .step_time)
	rows=$(verified "$tmp/mps")
	check "$called: the plan keeps every row" sh -c "case '$rows' in ok*) ;; *) false ;; esac"
	check "$called: no path is longer than its step" awk -v s="$step" -v l="${rows#ok }" \
		'BEGIN { exit !(l > 0 && l <= s * (1 + 1e-9)) }'
	case $called in
	pp4-* | llama70b-p16v1* | llama70b-v1*)
		best=$(printf '%s\n' "$line" | jq .optimum)
		ask "$line" -mixes all -gap 0 -t 100 -mps "$tmp/mps"
		near "$called: the optimum of the file" "$best" "$(optimum glpsol "$tmp/mps")" 0.05
		for solver in cbc glpsol; do
			ask "$line" -mixes all -gap 0 -t 600 -solver $solver
			near "$called -solver $solver: the optimum" "$best" "$(of .step_time)" 0.05
			same "$called -solver $solver: proved" '"optimal"' "$(of .status)"
			holds "$called -solver $solver: a plan like any other" \
				"$PLACED and $FITS and $SIMULATED and $BOUNDED"
		done ;;
	*)
		# A relaxation suffices to show that the model does not exclude the best known plan. The rows of the
		# model grow with the time that the planner has: on a busy machine a second gives few.
		best=$(printf '%s\n' "$line" | jq .best_known)
		relaxed=$(relaxation)
		if awk -v r="$relaxed" -v b="$best" 'BEGIN { exit !(r <= 0.5 * b) }'; then
			ask "$line" -mixes all -t 60 -mps "$tmp/mps"
			relaxed=$(relaxation)
		fi
		check "$called: the relaxation is below the best plan known" awk -v r="$relaxed" -v b="$best" \
			'BEGIN { exit !(r > 0.5 * b && r <= b) }' ;;
	esac
done <"$top/tests/data/plans.jsonl"

# Out of time: the best plan and bound so far, in time.
line=$(grep '"llama175b-p16v3m32-56g-vpp"' "$top/tests/data/plans.jsonl")
for solver in cbc glpsol; do
	ask "$line" -t 4 -solver $solver -v
	same "$solver: out of time" 0 "$status"
	holds "$solver: with a plan and a bound" "$PLACED and $FITS and $SIMULATED and $BOUNDED"
	# The solver needs far more than a minute on a busy machine.
	below "$solver: in time" "$(of .solve_seconds)" 60
	check "$solver: no bound above the best plan known" awk -v b="$(of .lower_bound)" \
		'BEGIN { exit !(b > 0 && b <= 194888) }'
done

# Other command lines and outputs: glpsol imitates the programs.
mkdir "$tmp/bin"
cat >"$tmp/bin/columns" <<'END'
#!/bin/sh
# Names and values of a solution: glpsol numbers the columns like the model.
glpsol --freemps "$1" -w raw >log2
awk 'FNR == NR { if ($1 == "COLUMNS") on = 1; else if (/^[A-Z]/) on = 0; else if (on && !/MARKER/ && !($1 in seen)) {
	seen[$1] = 1; name[++n] = $1 }; next } $1 == "j" { print name[$2], $3 }' "$1" raw
END
cat >"$tmp/bin/highs" <<'END'
#!/bin/sh
[ "$1 $3 $5 $7" = "--options_file --time_limit --solution_file model.mps" ] && grep -qx 'mip_rel_gap = 0' "$2" || exit 1
columns "$7" >columns.txt
{ printf 'Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective %s\n# Columns %s\n' \
	"$(sed -n 's/^z //p' columns.txt)" "$(wc -l <columns.txt)"
cat columns.txt
printf '# Rows 1\nplaced_B 9\n\n# Dual solution values\nNone\n\n# Basis\nHiGHS v1\nNone\n'; } >"$6"
echo '  Dual bound        12.5'
END
cat >"$tmp/bin/scip-9" <<'END'
#!/bin/sh
[ "$1$2$3 $5$6$7$8" = "-cread model.mps-c -coptimize-cwrite solution solution" ] || exit 1
case $4 in 'set limits time '*) ;; *) exit 1 ;; esac
columns model.mps >columns.txt
{ echo 'solution status: optimal solution found'
printf 'objective value: %28s\n' "$(sed -n 's/^z //p' columns.txt)"
awk '$2 != 0 { printf "%-32s %20s \t(obj:%s)\n", $1, $2, $1 == "z" }' columns.txt; } >solution
END
chmod +x "$tmp"/bin/*
for solver in highs "$tmp/bin/scip-9"; do
	sapp-lp -s 3 -mb 6 -mem 1500 -gap 0 "$tmp/two" >"$tmp/want"
	check "${solver##*/} as documented" run 0 env PATH="$tmp/bin:$PATH" sapp-lp -s 3 -mb 6 -mem 1500 -gap 0 \
		-solver "$solver" "$tmp/two"
	same "${solver##*/}: the same optimum" \
		"$(jq -c 'select(.kind == "plan") | [.step_time, .status]' "$tmp/want")" "$(of '[.step_time, .status]')"
done

# fake SCRIPT: install SCRIPT as cbc.
fake() { printf '#!/bin/sh\n%s\n' "$1" >"$tmp/bin/cbc"; chmod +x "$tmp/bin/cbc"; }
cbc=$(command -v cbc)
# fakes NAME STATUS MESSAGE SCRIPT
fakes() {
	fake "$4"
	fails "$1" "$2" "$3" sapp-lp -s 3 -mb 6 -mem 1500 -gap 0 -t 100 -solver "$tmp/bin/cbc" "$tmp/one"
	[ ! -s "$tmp/out" ] || not_ok "$1: no output"
}
fakes "it fails" 1 "/cbc ended with status 3: out of licences" 'echo; echo "  out of licences"; exit 3'
fakes "it says nothing" 1 "/cbc wrote no solution: no message" 'exit 0'
fakes "it is killed" 1 '/cbc ended by signal 9: thinking' 'echo thinking; kill -9 $$'
fakes "it writes nonsense" 1 "/cbc wrote no solution: " 'echo "Optimistic - value 1" >solution'
fakes "an optimum without values" 1 "/cbc cannot" 'echo "Optimal - objective value 1" >solution'
fakes "nothing fits, says it" 1 "cbc reports that nothing fits into memory, but a plan" \
	'echo "Infeasible - objective value 0" >solution'
fakes "too high a bound" 1 "cbc reports a minimum step of" \
	"$cbc \"\$@\" && sed -i 's/ z  *[0-9.]*/ z 99999/' solution; echo 'Lower bound: 99999'"
fakes "it takes its solution away" 1 "solution" 'rm solution'
chmod -x "$tmp/bin/cbc"
fails "not executable" 1 "-solver: '$tmp/bin/cbc': Permission denied" sapp-lp -s 3 -solver "$tmp/bin/cbc" "$tmp/one"
fails "not there" 1 "-solver: '/nowhere/cbc': No such file" sapp-lp -s 3 -solver /nowhere/cbc "$tmp/one"
fails "not in PATH" 1 "-solver: 'cbc-99': No such file" sapp-lp -s 3 -solver cbc-99 "$tmp/one"
fails "not a program" 1 "-solver:" sh -c "mkdir '$tmp/glpsol'; sapp-lp -s 3 -solver '$tmp/glpsol' '$tmp/one'"
fails "unknown" 2 "-solver: not cbc, glpsol, highs or scip 'gurobi'" sapp-lp -s 3 -solver gurobi "$tmp/one"
fails "no directory for files" 1 \
	"-solver: /nowhere/sapp-lp." env TMPDIR=/nowhere sapp-lp -s 3 -mb 6 -mem 1500 -gap 0 -solver cbc "$tmp/one"
fake "$cbc \"\$@\" && sed -i 's/^Optimal/Stopped on time/; s/ 1  *\\([-0-9.e]*\\)\$/ 1.5 \\1/' solution"
check "counts that are not whole, for a second" run 0 sapp-lp -s 3 -mb 6 -mem 1500 -gap 0 -t 1 -solver "$tmp/bin/cbc" \
	"$tmp/one"
instance='{}'
holds "are no plan" "$SIMULATED and $BOUNDED"
fake 'touch core; sleep 600 & sleep 600'
check "one that does not end" run 0 sapp-lp -s 3 -mb 6 -mem 1500 -gap 0 -t 1 -solver "$tmp/bin/cbc" "$tmp/one"
same "the plan known before" '"feasible"' "$(of .status)"
fake 'echo $$ >'"$tmp/pid"'; sleep 600 & sleep 600'
begun() { [ -s "$tmp/pid" ]; }
(
	sapp-lp -s 3 -mb 6 -mem 1500 -gap 0 -t 500 -solver "$tmp/bin/cbc" "$tmp/one" >"$tmp/out" &
	soon "the solver runs" begun >"$tmp/begun"
	kill -TERM $!
	wait $!
)
same "interrupted: a plan all the same" '0 "feasible"' "$? $(of .status)"
ended() { [ -z "$(ps -eo pgid=,stat=,args= | awk -v p="$(cat "$tmp/pid")" '$1 == p && $2 !~ /^Z/')" ]; }
soon "what it started is ended" ended
same "nothing is left behind" "" "$(ls -A "$tmp/t")"

# Files and questions.
for option in lp mps; do
	fails "-$option of two questions" 2 "-$option: only for one question, as a file holds one model; these are 2" \
		sapp-lp -s 3 -i 1-2 -$option "$tmp/x" "$tmp/one"
	fails "-$option where it cannot be" 1 \
		"/nowhere/x: cannot be written" sapp-lp -v -s 3 -mb 6 -mem 1500 -$option /nowhere/x "$tmp/one"
	check "-$option: before anything is planned" sh -c '! grep -q " best " "$1"' sh "$tmp/err"
	[ ! -s "$tmp/out" ] || not_ok "-$option: no output"
	fails "-$option to a full disk" 1 \
		"/dev/full: cannot be written" sapp-lp -s 3 -mb 6 -mem 1500 -$option /dev/full "$tmp/one"
	fails "-$option without a name" 2 "requires an argument" sapp-lp -$option
done
check "-solver with two questions" run 0 sapp-lp -s 2 -i 1-2 -mb 4 -mem 2100 -gap 0 -t 200 -solver glpsol "$tmp/one"
same "both are answered" 2 "$(of .status | grep -c optimal)"
done_testing
