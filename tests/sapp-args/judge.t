#!/bin/bash
# Launch scripts that sapp-args once misread: bash runs each with a stub for torchrun that prints its words, and sapp-
# args must print the same words.
# shellcheck disable=SC2016 # the scripts' own expansions
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
mkdir stub cases
printf '#!/bin/sh\n%s\n' "printf RUN; for a; do printf ' [%s]' \"\$a\"; done; echo" >stub/torchrun
chmod +x stub/torchrun
ln -s torchrun stub/python3
unconfined=
echo 'torchrun x.py' >one.sh
sapp-args one.sh >out 2>err || unconfined=-unconfined

# judge SCRIPT: print what bash starts, ==, and what sapp-args prints, one line per program.
judge() {
	PATH=$tmp/stub:/usr/bin:/bin bash "$1" 2>/dev/null </dev/null | grep '^RUN'
	echo '=='
	# shellcheck disable=SC2086 # none or one word
	sapp-args $unconfined "$1" 2>"$tmp/err" | jq -r '"RUN" + ([.launcher[1:][], .program, .arguments[]] |
		map(" [" + . + "]") | join(""))'
}

awk '/^### / { file = "cases/" $2 ".sh"; next } { print >file }' <<'END'
### an-array-assigned-twice
A=(--pp 4 --num-virtual-stages-per-pipeline-rank 2)
A=(--pp 4)
torchrun --nproc_per_node 8 x.py ${A[@]}
### an-array-with-paths-in-it
A=(--load /ckpt --audio 'openai/whisper-base' --words '<audio>,32002')
A+=(--data /data/x --more "$HOME/y")
torchrun x.py "${A[@]}"
### an-empty-line-after-a-backslash
torchrun x.py --tp 1 \

  --pp 4
### the-branch-of-case-that-is-taken
SIZE=7B
case $SIZE in
7B) L=32;;
13B) L=40;;
esac
torchrun x.py --num-layers $L
### the-branch-of-if-that-is-taken
BIG=1
if [ $BIG = 1 ]; then
PP=8
else
PP=4
fi
MOE=false
if [ "$MOE" = true ]; then A=(--num-experts 8); fi
torchrun x.py --pp $PP "${A[@]}"
### let-printf-and-read
PP=2
let PP=PP*2
printf -v L %d 32
read -r T <<< 4
torchrun x.py --pp $PP --layers $L --tp $T
### a-list-of-or,-a-subshell-and-a-prefix
PP=4
true || PP=8
( PP=2 )
PP=1 echo hi
torchrun x.py --pp $PP
### a-missing-backslash
torchrun x.py --num-layers 32
  --pp 4
### a-word-when-a-variable-is-set
FULL=1
torchrun x.py ${FULL:+--recompute-activations} ${NONE:+--never} ${NONE:-4}
### text-that-is-cut
A="--pp 4 --recompute-activations"
torchrun x.py ${A/--recompute-activations/} ${A%% *} ${A^^}
### an-array-that-is-not-used
A=(--pp 4)
X=(--num-virtual-stages-per-pipeline-rank 2)
torchrun x.py ${A[@]}
X=(--more)
### a-variable-before-the-command
PP=4 torchrun x.py --pp ${PP:-1}
### a-file-that-is-read-in
PP=8
source cases/common
torchrun x.py --pp ${PP:-4} --layers $L
### a-file-beside-it-that-is-read-in
source "$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)/common"
cd "$(dirname "$BASH_SOURCE")" && source ./common
torchrun x.py --layers $L
### arguments-of-functions-in-commands-with-a-slash
f() { source $1/common; ./torchrun x.py --size $2 "$@"; }
cd cases
f . 7B
### two-programs
torchrun x.py --pp 4
python3 eval.py --pp 4 --recompute-activations
### a-pipe-and-its-status
eval "torchrun x.py --pp 4" 2>&1 | cat ; exit ${PIPESTATUS[0]}
### find-and-xargs
find . -maxdepth 1 -name 'none*' -print0 | xargs -0 cp -t /nowhere
torchrun x.py --pp 4
END
echo L=32 >cases/common
ln -s ../stub/torchrun cases/torchrun
printf 'torchrun x.py --pp 1 \\\r\n  --tp 4\r\n' >cases/carriage-returns.sh
printf 'torchrun x.py --tp 1 \\ \n  --pp 4\n' >cases/a-blank-after-a-backslash.sh
for script in cases/*.sh; do
	name=${script##*/}
	name=${name%.sh}
	words=$(judge "$script")
	same "bash and sapp-args agree on ${name//-/ }" "${words%%$'\n'==*}" "${words##*==$'\n'}"
done

echo 'torchrun --master_port $RANDOM x.py' >random.sh
same 'a value by chance is unknown' --master_port \
	"$(sapp-args $unconfined random.sh | jq -r '.unknown[].argument')"
printf 'set -e\nX=$(cat /no/such/file)\ntorchrun x.py --pp 4\n' >fails.sh
same 'a script that a failing command ends is read on' '["--pp","4"]' \
	"$(sapp-args $unconfined fails.sh 2>err | jq -c .arguments)"
check 'with a warning' grep -q 'a command fails here, which ends the script by set -e; read as' err

golden=$top/../shared/golden/cases
if [ -d "$golden" ]; then
	disagree=
	for script in "$golden"/*/*.sh; do
		case $script in *common.sh | */files/*) continue ;; esac
		words=$(cd "${script%/*}" && judge "$script")
		[ "${words%%$'\n'==*}" = "${words##*==$'\n'}" ] || disagree="$disagree ${script#"$golden"/}"
	done
	same 'and on all further cases' '' "$disagree"
	wrong=
	for dir in "$golden"/*-write "$golden"/nnodes-*; do
		for script in "$dir"/*.sh; do cp "$script" w.sh; done
		sapp-yaml -w w.sh "$dir/plan8.jsonl" >out 2>err || continue
		case $(PATH=$tmp/stub:/usr/bin:/bin bash w.sh 2>/dev/null) in
		*--num-virtual-stages*--pipeline-model-parallel-layout* | *.py*--nnodes*) wrong="$wrong ${dir##*/}" ;;
		*--pipeline-model-parallel-size*) ;;
		*) wrong="$wrong ${dir##*/}" ;;
		esac
	done
	same 'what is written is what bash starts' '' "$wrong"
else
	skip 'no further cases here'
	skip 'no further cases here'
fi
done_testing
