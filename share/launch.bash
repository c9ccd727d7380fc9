# shellcheck shell=bash
# Bash reads this file before a launch script that sapp-args runs (BASH_ENV). Programs that the script would start are
# recorded in files in $SAPP_ARGS_DIR/notes instead of being run; lib/script/notes.c reads these files.

__sapp_dir=$SAPP_ARGS_DIR __sapp_prelude=${BASH_SOURCE[0]}
# Place of the current command; exported, so that commands of bash -c have the place of bash.
export SAPP_ARGS_LINE=${SAPP_ARGS_LINE-0} SAPP_ARGS_SOURCE=${SAPP_ARGS_SOURCE-}
# Commands that assign the variables of -set and the PATH of the utilities; evaluated before each command.
__sapp_set=${SAPP_ARGS_SET:+/}
__sapp_force="PATH=${__sapp_dir@Q}/bin"
for __sapp_name in ${SAPP_ARGS_SET-}; do
	__sapp_value=SAPP_ARGS_SET_$__sapp_name
	__sapp_force+="; export $__sapp_name=${!__sapp_value@Q}"
done
unset __sapp_name __sapp_value

# Export the variables that Slurm sets in a job, according to the #SBATCH lines at the head of SCRIPT. Variables of -set
# stay.
__sapp_slurm()
{
	local line nodes='' each='' tasks='' devices=''
	local option='^#SBATCH[[:space:]]+(--nodes|-N|--ntasks-per-node|--ntasks|-n|--gpus-per-node|--gres=gpu)'

	option+='[=:[:space:]]*'
	while IFS= read -r line; do
		[[ $line == '#'* || ! $line =~ [^[:space:]] ]] || break
		[[ $line =~ $option([a-z0-9_]+:)?([0-9]+)[[:space:]]*(#.*)?$ ]] || continue
		case ${BASH_REMATCH[1]} in
		--nodes | -N) nodes=${BASH_REMATCH[3]} ;;
		--ntasks-per-node) each=${BASH_REMATCH[3]} ;;
		--ntasks | -n) tasks=${BASH_REMATCH[3]} ;;
		*) devices=${BASH_REMATCH[3]} ;;
		esac
	done 2>/dev/null <"$1"
	[[ -z $nodes ]] || export SLURM_NNODES=${SLURM_NNODES-$nodes} SLURM_JOB_NUM_NODES=${SLURM_JOB_NUM_NODES-$nodes}
	[[ -z $nodes || -z $tasks || -n $each ]] || each=$((tasks / nodes))
	[[ -z $nodes || -z $each || -n $tasks ]] || tasks=$((nodes * each))
	[[ -z $each ]] || export SLURM_NTASKS_PER_NODE=${SLURM_NTASKS_PER_NODE-$each}
	[[ -z $tasks ]] || export SLURM_NTASKS=${SLURM_NTASKS-$tasks} SLURM_NPROCS=${SLURM_NPROCS-$tasks}
	[[ -z $devices ]] || export SLURM_GPUS_ON_NODE=${SLURM_GPUS_ON_NODE-$devices}
}
[[ ! -f $0 ]] || __sapp_slurm "$0"

# KIND WORD...: write a note.
__sapp_note()
{
	local kind=$1

	shift
	printf '%s\0' "$kind" "$SAPP_ARGS_SOURCE" "$SAPP_ARGS_LINE" $# "$@" \
		>>"$__sapp_dir/notes/${EPOCHREALTIME/[.,]/}.$BASHPID"
}

# Set __sapp_run to the number of this run if the output of COMMAND varies between runs, else to 0.
__sapp_run_of()
{
	if [[ -n ${SAPP_ARGS_ONLY-} && $SAPP_ARGS_ONLY != "$SAPP_ARGS_LINE:$1" ]]; then
		__sapp_run=0
	else
		__sapp_run=${SAPP_ARGS_RUN-0}
	fi
}

# Print a text in place of the output of COMMAND, which is not run. With __sapp_one it is one line in all runs.
__sapp_stand_in()
{
	local __sapp_run

	__sapp_note stand-in "$1"
	__sapp_run_of "$1"
	case $__sapp_run in
	0) echo 1 ;;
	1)
		echo 11
		[[ -n ${__sapp_one+one} ]] || echo 13
		;;
	2) echo 8 ;;
	*) return 1 ;;
	esac
}

# Return whether the program NAME exists; the answer varies between runs.
__sapp_found()
{
	local __sapp_run

	__sapp_note stand-in "command -v $1"
	__sapp_run_of "command -v $1"
	[[ $__sapp_run != 3 ]] && echo "/usr/bin/$1"
}

# WORD...: record a program that the script starts.
__sapp_launch()
{
	local name environment=() before=() IFS=$' \t\n'

	for name in $(compgen -e); do
		case $name in
		HOME | USER | PATH | LANG | PWD | OLDPWD | SHLVL | _ | BASH_ENV | TMPDIR | SAPP_ARGS_*) ;;
		*) environment+=("$name=${!name-}") ;;
		esac
	done
	eval "before=(${SAPP_ARGS_BEFORE-})"
	__sapp_note launch ${#environment[@]} "${environment[@]}" "${before[@]}" "$@"
	# The program may also compute a value that the script reads.
	[[ ! -p /dev/stdout ]] || __sapp_stand_in "${1##*/}"
}

# Return whether WORD is a command that may follow the options of a launcher.
__sapp_is_command()
{
	case ${1##*/} in
	bash | sh | dash | env | nohup | numactl | timeout | stdbuf | taskset | nice | time | \
		unbuffer | setsid) ;;
	python | python[0-9]* | torchrun | deepspeed | accelerate | msrun | srun | mpirun | \
		mpiexec | megatron | swift) ;;
	torchrun[-_]* | ft_launcher | *.sh | *.py | *.slurm | *.sbatch | nsys | ncu) ;;
	*) return 1 ;;
	esac
}

# LAUNCHER WORD...: start the command after the launcher's options.
__sapp_nested()
{
	local i

	for ((i = 2; i <= $#; i++)); do
		if __sapp_is_command "${!i}"; then
			export SAPP_ARGS_BEFORE="${SAPP_ARGS_BEFORE-} ${*:1:i-1}"
			SAPP_ARGS_BEFORE=$(printf '%q ' "${@:1:i-1}")
			__sapp_start "${@:i}"
			return
		fi
	done
	# The command is a single word, for the shell of another machine.
	if [[ $1 != xargs && ${!#} == *' '* ]]; then
		bash -c "${!#}"
		return
	fi
	case ${1##*/} in
	srun | mpi* | orterun | aprun | jsrun | flux | dlrun) __sapp_launch "$@" ;;
	*) [[ ! -p /dev/stdout ]] || __sapp_stand_in "${1##*/}" ;;
	esac
}

# WRAPPER WORD...: start the wrapped command: the first word that is a known command, or the first word that is not an
# option.
__sapp_wrapped()
{
	local i

	for ((i = 2; i <= $#; i++)); do
		if __sapp_is_command "${!i}"; then
			__sapp_start "${@:i}"
			return
		fi
		case ${!i} in
		*=*) [[ ${!i} == -* ]] || export "${!i?}" ;;
		esac
	done
	for ((i = 2; i <= $#; i++)); do
		case ${!i} in
		-* | *=* | [0-9]*) ;;
		*)
			__sapp_start "${@:i}"
			return
			;;
		esac
	done
}

# WORD...: start a command of any kind.
__sapp_start()
{
	case $1 in
	*/*) __sapp_external "$@" ;;
	*)
		case $(type -t -- "$1") in
		'' | keyword) __sapp_external "$@" ;;
		*) "$@" ;;
		esac
		;;
	esac
}

# Return whether the file is a shell script.
__sapp_is_script()
{
	local first=

	[[ -f $1 && -r $1 ]] || return 1
	[[ $1 != *.sh ]] || return 0
	IFS= read -r first 2>/dev/null <"$1"
	[[ $first == '#!'*sh* ]]
}

# WORD...: handle a command that bash does not have, or one with a slash.
__sapp_external()
{
	local base=${1##*/}

	case $base in
	python | python[0-9]*)
		case ${2-} in
		'' | - | -c | -V | --version) __sapp_stand_in "$base" ;;
		-m)
			case ${3-} in
			pip | venv | json.tool | http.server | site | build) __sapp_stand_in "$base" ;;
			*) __sapp_launch "$@" ;;
			esac
			;;
		*) __sapp_launch "$@" ;;
		esac
		;;
	torchrun | torchrun[-_]* | torch.distributed.* | ft_launcher | deepspeed | msrun | accelerate | \
		megatron | swift | flagscale | primus-cli | colossalai | nemo | llamafactory-cli | \
		*.py)
		__sapp_launch "$@"
		;;
	ray)
		if [[ ${2-} == job ]]; then
			__sapp_nested "$@"
		elif [[ -p /dev/stdout ]]; then
			__sapp_stand_in ray
		fi
		;;
	srun | mpirun | mpiexec | mpiexec.hydra | orterun | nsys | ncu | aprun | jsrun | flux | \
		sbatch | docker | podman | singularity | apptainer | kubectl | ssh | pdsh | \
		parallel-ssh | dlrun | xargs | parallel | rocprof | rocprofv3 | msprof)
		__sapp_nested "$@"
		;;
	nohup | numactl | env | timeout | stdbuf | taskset | time | nice | ionice | setsid | sudo | \
		unbuffer | chrt | unshare | catchsegv | strace | py-spy)
		__sapp_wrapped "$@"
		;;
	uv | coverage | poetry | pixi | hatch)
		# Run the command after "run"; other subcommands install.
		if [[ ${2-} == run ]]; then
			__sapp_wrapped "${@:2}"
		elif [[ -p /dev/stdout ]]; then
			__sapp_stand_in "$base"
		fi
		;;
	sh | dash | ash) SAPP_ARGS_POSIX=1 bash "${@:2}" ;;
	bash) bash "${@:2}" ;;
	tee) cat ;;
	mkdir | rm | rmdir | cp | mv | ln | touch | chmod | chown | pip | pip[0-9]* | wget | curl | \
		git | conda | mamba | module | ml | sleep | apt | apt-get | yum | make | cmake | \
		tar | gzip | gunzip | unzip | zip | install | mktemp | pkill | killall | sync | \
		clear | reset | stty | tput | npu-smi-reset | modprobe | sysctl | scp | rsync | \
		nvidia-cuda-mps-control | umount | mount | dnf | kill | tail | ps | \
		df | du | free | lsof | ip | ifconfig | ibstat | pgrep | jobs | rocm-smi-reset)
		[[ ! -p /dev/stdout ]] || __sapp_stand_in "$base"
		;;
	shuf)
		[[ ! "$*" =~ \ (-n|--head-count)[=\ ]*1(\ |$) ]] || local __sapp_one=''
		__sapp_stand_in shuf
		;;
	*)
		if __sapp_is_script "$1"; then
			bash "$@"
		elif [[ $1 == */*.sh ]]; then
			__sapp_note missing "$1"
		elif [[ -e $__sapp_dir/bin/$base ]]; then
			"$base" "${@:2}"
		else
			__sapp_stand_in "$base"
		fi
		;;
	esac
}

command_not_found_handle()
{
	__sapp_external "$@"
}

command()
{
	case ${1-} in
	-v | -V) builtin command "$@" || __sapp_found "${2-}" ;;
	-p) __sapp_start "${@:2}" ;;
	*) __sapp_start "$@" ;;
	esac
}

which()
{
	builtin command -v "$@" || __sapp_found "${1-}"
}

tee()
{
	cat
}

ulimit()
{
	:
}

sh()
{
	SAPP_ARGS_POSIX=1 bash "$@"
}

# Set __sapp_n to the length of the first word of TEXT; quotes and braces may hold blanks within the word.
__sapp_word()
{
	local text=$1 quote='' c
	local -i i=0 depth=0

	for ((i = 0; i < ${#text}; i++)); do
		c=${text:i:1}
		case $quote$c in
		"''") quote='' ;;
		"'"?) ;;
		'""') quote='' ;;
		\"\\ | \\) i+=1 ;;
		"'" | '"') quote=$c ;;
		*['{('])
			[[ ${text:i-1:1} != '$' && $depth -eq 0 ]] || depth+=1
			;;
		*['})'])
			[[ $depth -eq 0 ]] || depth+=-1
			;;
		' ' | $'\t' | $'\n') [[ $depth -gt 0 ]] || break ;;
		esac
	done
	__sapp_n=$i
}

__sapp_take()
{
	__sapp_words=("$@")
}

# LINE ARGUMENT...: called before each simple command, with the arguments of the script or function. With status 0 the
# command is skipped. The trap inverts the status, since set -e is ignored then.
__sapp_debug()
{
	# Skip functions of this file. A command of bash -c has no file.
	case ${BASH_SOURCE[1]-} in
	"$__sapp_prelude") return 1 ;;
	'') ;;
	*) SAPP_ARGS_LINE=$1 SAPP_ARGS_SOURCE=${BASH_SOURCE[1]} ;;
	esac
	shopt -s extdebug
	[[ ${SAPP_ARGS_GO_ON-0} == 0 ]] || set +e
	# Most commands neither have a slash nor change the variables that are set.
	case $__sapp_set$BASH_COMMAND in
	*[/\$\~]* | exit* | cd* | source* | .* | exec* | *PATH*) ;;
	*) return 1 ;;
	esac
	eval "$__sapp_force"
	__sapp_examine "${@:2}"
}

# ARGUMENT...: examine the next command; with status 0 it is skipped. Expansions give the values that the script would
# get.
# shellcheck disable=SC2016 # patterns of expansions
__sapp_examine()
{
	local text=$BASH_COMMAND assigned='' first
	local -i __sapp_n
	local -a __sapp_words=()

	text=${text//BASH_SOURCE\[0\]/SAPP_ARGS_SOURCE}
	text=${text//BASH_SOURCE/SAPP_ARGS_SOURCE}
	case $text in
	'[['* | '(('* | 'for '* | 'case '* | 'select '*) return 1 ;;
	exit | 'exit '*)
		__sapp_note exit
		[[ ${SAPP_ARGS_PAST_EXIT-0} == 1 ]]
		return
		;;
	'exec '*)
		text=${text#exec }
		case $text in
		[\<\>\&0-9\{]*) return 1 ;;
		esac
		eval "__sapp_start $text"
		exit
		;;
	'source '* | '. '*)
		eval "__sapp_take ${text#* }" 2>/dev/null
		first=${__sapp_words[0]-}
		[[ -r $first ]] && return 1
		__sapp_note missing "$first"
		return 0
		;;
	'cd '*)
		eval "__sapp_take ${text#* }" 2>/dev/null
		first=${__sapp_words[-1]-}
		[[ -z $first || $first == - || -d $first ]] && return 1
		__sapp_note missing "$first"
		return 0
		;;
	esac
	case $text in
	*[/\$\~]*) ;;
	*) return 1 ;;
	esac
	# Skip assignments before the command.
	while [[ $text == [A-Za-z_]*=* ]]; do
		case ${text%%=*} in
		*[!A-Za-z0-9_+]*) break ;;
		esac
		# An array assignment is not followed by a command.
		[[ ${text#*=} != '('* ]] || return 1
		__sapp_word "$text"
		((__sapp_n < ${#text})) || return 1
		assigned+="${text:0:__sapp_n} "
		text=${text:__sapp_n}
		text=${text#"${text%%[! $'\t'$'\n']*}"}
	done
	__sapp_word "$text"
	first=${text:0:__sapp_n}
	case $first in
	*'$('* | *'`'*) return 1 ;;
	*[/\$\~]*) ;;
	*) return 1 ;;
	esac
	eval "__sapp_take $first" 2>/dev/null
	first=${__sapp_words[0]-}
	[[ $first == */* ]] || return 1
	# The command is a utility of the confined run.
	[[ -x $__sapp_dir/bin/${first##*/} && -x $first && $first -ef $__sapp_dir/bin/${first##*/} ]] && return 1
	(eval "$assigned __sapp_external $text")
	return 0
}

# If bash starts with this file, extdebug would require a debugger; so __sapp_debug sets it later.
set -T
trap '! __sapp_debug $LINENO "$@"' DEBUG
[[ ${SAPP_ARGS_POSIX-0} == 0 ]] || set -o posix
unset SAPP_ARGS_POSIX
