# Numbered jobs, run on this machine, over ssh, or as an array of Slurm. Sourced by sapp-sweep and sapp-search.
# shellcheck shell=bash
# No name is ever parsed by a shell: names are passed as arguments, and through files to other machines. The sourcing
# script sets these variables: me, its name; self, its path; share and lib, the directories of shared files and of this
# file; out, a directory that is the same on all machines. It provides two functions. ANSWER DIR NUMBER does a job;
# "self -answer DIR NUMBER" runs it. MISSING prints the numbers of unfinished jobs, the most urgent first.
: "${me:?}" "${self:?}" "${share:?}" "${lib:?}"
# shellcheck source=scripts/lib/results.sh
. "$lib/results.sh" || exit 1
out=${out-} jobs='' given_jobs='' hosts='' slurm='' use_slurm=''	# set by options

# Read an option about jobs. Return false for other options.
jobs_option() {	# OPTION VALUE
	case $1 in
	-j) jobs=$2 given_jobs=%$2 ;;
	-hosts) hosts=$2 ;;
	-slurm) slurm=$2 use_slurm=1 ;;
	*) return 1 ;;
	esac
}
jobs_check() {
	[ -z "$hosts" ] || [ -z "$use_slurm" ] || die 2 '-hosts and -slurm exclude each other'
	[ -z "$hosts" ] || { [ -r "$hosts" ] && [ ! -d "$hosts" ]; } || die 1 "$hosts: cannot be read"
	[ -n "$jobs" ] || jobs=$((($(nproc) + 1) / 2))
	[[ $jobs =~ ^[1-9][0-9]{0,4}$ ]] || die 2 "-j: not a number of jobs '$jobs'"
}

# Run the planner and move its records to FILE if it answered, also if it proved that no plan exists. Otherwise report
# the reason. If some questions failed, keep the answers to the others.
planner_run() {	# FILE LOG NAME OPTION...
	local file=$1 log=$2 name=$3 new=$1.$HOSTNAME.$$.$BASHPID.new child='' stopped='' status
	shift 3
	trap 'stopped=1; [ -z "$child" ] || kill -TERM "$child" 2>/dev/null' HUP INT QUIT PIPE TERM
	sapp-lp -j "$@" >"$new" 2>"$log" </dev/null &
	child=$!
	# The signal may have come before $child was set.
	[ -z "$stopped" ] || kill -TERM "$child" 2>/dev/null
	wait "$child"
	status=$?
	while [ -n "$stopped" ] && kill -0 "$child" 2>/dev/null; do wait "$child"; done
	if [ "$stopped:$status" = :1 ] && [ -s "$new" ] &&
		grep -q '^sapp-lp: [0-9]* of [0-9]* questions failed' "$log"; then
		say "$name: $(grep -m 1 '^sapp-lp: .*: fault\|^sapp-lp: .*: the plan found' "$log")"
		status=0
	fi
	case $stopped:$status in
	:0 | :3)
		mv -f -- "$new" "$file" || return 1 ;;
	:*)
		rm -f -- "$new"
		say "$name: $(grep -m 1 '^sapp-lp: ' "$log" || tail -n 1 "$log")"
		return 1 ;;
	*)
		rm -f -- "$new"
		return 130 ;;
	esac
}

# For each process in progress: the number of its job, and its slot.
declare -A number_of=() slot_of=()
job_name=''
jobs_stop() {	# STATUS
	trap '' HUP INT QUIT PIPE TERM
	local all
	# All processes, also one that has just begun.
	read -r -d '' -a all <<<"$(jobs -p)"
	[ ${#all[@]} -eq 0 ] || kill -TERM "${all[@]}" 2>/dev/null
	wait
	if [ -n "$job_name" ]; then
		scancel --name="$job_name" --user="$(id -un)" && say "the array job $job_name is cancelled"
	fi
	say 'stopped; the same command continues from here'
	exit "$1"
}
jobs_trap() {
	trap 'jobs_stop 129' HUP
	trap 'jobs_stop 130' INT
	trap 'jobs_stop 131' QUIT
	trap 'jobs_stop 141' PIPE
	trap 'jobs_stop 143' TERM
}

# A job on another machine. Its input is sent through standard input, and the job ends when standard input ends. This
# text is all that the remote shells parse: one line without single quotes, which some of these shells reject.
read -r -d '' remote <<'EOT'
exec bash -c 'IFS= read -r -d "" PATH; export PATH; IFS= read -r -d "" self; IFS= read -r -d "" dir;
read -r n;
exec 3<&0; "$self" -answer "$dir" "$n" </dev/null 3<&- & job=$!;
{ cat <&3 >/dev/null; kill $job; } >/dev/null 2>&1 & watch=$!;
exec 3<&-; wait $job; status=$?; kill $watch; exit $status'
EOT
remote=${remote//$'\n'/ }
ask_host() {	# NUMBER SSH WORD...
	local number=$1 feed pid
	shift
	exec {lock}>&-	# or a connection that ssh keeps open would hold the lock
	exec {feed}> >(exec "$@" "$remote" >&2)
	pid=$!
	trap 'exec {feed}>&-; sleep 1; kill "$pid" 2>/dev/null; exit 130' HUP INT QUIT TERM
	trap '' PIPE	# if the connection has ended, its status reports that
	{ printf '%s\0%s\0%s\0%s\n' "$PATH" "$self" "$out" "$number" >&"$feed"; } 2>/dev/null
	wait "$pid"
}

# For each slot, the command before the remote text (empty for this machine); and the free slots.
slots=() free=()
hosts_slots() {
	local line n words
	while read -r line || [ -n "$line" ]; do
		[[ $line != '#'* && -n $line ]] || continue
		n=$jobs
		[[ ! $line =~ ^([1-9][0-9]{0,4})/(.*)$ ]] || n=${BASH_REMATCH[1]} line=${BASH_REMATCH[2]}
		read -r -a words <<<"$line"
		[[ ${words[-1]} != -* ]] || die 1 "$hosts: not a login '${words[-1]}'"
		if [ "$line" = : ]; then line=''; elif [ ${#words[@]} -eq 1 ]; then line="ssh $line"; fi
		for ((; n > 0; n--)); do slots+=("$line"); done
	done <"$hosts"
	[ ${#slots[@]} -gt 0 ] || die 1 "$hosts: no login in it"
}

# Fill the list of slots: one for each job that can run at the same time.
jobs_slots() {
	local n
	[ ${#slots[@]} -eq 0 ] || return 0
	if [ -n "$hosts" ]; then hosts_slots; else for ((n = 0; n < jobs; n++)); do slots+=(''); done; fi
}

# Wait for the next job to end.
reap() {
	local pid='' code words
	wait -n -p pid "${!number_of[@]}" 2>/dev/null
	code=$?
	[ -n "$pid" ] || return
	read -r -a words <<<"${slots[${slot_of[$pid]}]}"
	# Status 255 is ssh's own: no connection. Another machine gets the job.
	if [ $code -eq 255 ] && [ ${#words[@]} -gt 0 ]; then
		say "${words[-1]}: no connection"
		queue+=("${number_of[$pid]}")
	else
		free+=("${slot_of[$pid]}")
		[ $code -eq 0 ] || failed=1
	fi
	unset "number_of[$pid]" "slot_of[$pid]"
}

# Run each job in its own process group, so that an interrupt from the terminal reaches only this script.
run_slots() {	# ANSWER MISSING
	local number slot words
	mapfile -t queue < <("$2")
	jobs_slots
	free=("${!slots[@]}")
	set -m
	while [ ${#queue[@]} -gt 0 ] || [ ${#number_of[@]} -gt 0 ]; do
		if [ ${#queue[@]} -eq 0 ] || [ ${#free[@]} -eq 0 ]; then
			[ ${#number_of[@]} -gt 0 ] || die 1 'no machine is left'
			reap
			continue
		fi
		number=${queue[0]} slot=${free[0]}
		queue=("${queue[@]:1}") free=("${free[@]:1}")
		read -r -a words <<<"${slots[slot]}"
		(
			set +m
			if [ ${#words[@]} -eq 0 ]; then "$1" "$out" "$number"; exit; fi
			ask_host "$number" "${words[@]}"
		) </dev/null &
		number_of[$!]=$number slot_of[$!]=$slot
	done
	set +m
}

# Run the jobs as arrays. The cluster or JOBS limits the tasks at the same time; task numbers stay below Slurm's
# maximum.
run_array() {	# MISSING
	local first most tasks words log last
	command -v sbatch >/dev/null || die 1 'sbatch is not installed here; run without -slurm'
	most=$(scontrol show config 2>/dev/null | sed -n 's/^MaxArraySize *= *\([1-9][0-9]*\)$/\1/p')
	most=$((${most:-1001} - 1))
	read -r -d '' -a words <<<"$slurm"
	# Slurm interprets % and \ in names of logs.
	case $out in *\\*) log=/dev/null ;; *) log=${out//%/%%}/slurm-%A_%a.log ;; esac
	job_name=${out##*/}
	job_name=$me-${job_name//[^A-Za-z0-9_.-]/_}-${HOSTNAME%%.*}-$$
	last=$("$1" | sort -n | tail -n 1)
	set -m
	for ((first = 0; first < last; first += most)); do
		tasks=$("$1" | sort -n | awk -v first=$first -v most=$most \
			'$1 > first && $1 <= first + most { print $1 - first }' | paste -sd,)
		[ -n "$tasks" ] || continue
		# Slurm runs a copy of the script in another directory.
		SAPP_SHARE=$share SAPP_LIB=$lib sbatch --wait --array="$tasks$given_jobs" --chdir="$out" \
			--output="$log" --export=ALL "${words[@]}" --job-name="$job_name" \
			"$self" -answer "$out" "$first" </dev/null >&2 &
		number_of[$!]=$first
		wait $! || failed=1
		number_of=()
	done
	job_name=''
	set +m
}

# Do all missing jobs. Return false if some failed.
jobs_run() {	# ANSWER MISSING
	local failed='' queue=()
	if [ -n "$use_slurm" ]; then run_array "$2"; else run_slots "$@"; fi
	[ -z "$failed" ]
}
# Print the number of the job for "-answer DIR NUMBER". In an array of Slurm, NUMBER is added to the task's number.
job_number() { echo "$(($1 + ${SLURM_ARRAY_TASK_ID:-0}))"; }
