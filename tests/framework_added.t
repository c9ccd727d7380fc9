#!/bin/sh
# Add a framework as CONTRIBUTING.md describes, in five files: its YAML is read as network and pipeline, planned for,
# printed and written.
. "$(dirname "$0")/lib.sh"

[ -n "$LONG" ] || { skip "a framework is added: make check-long builds it"; done_testing; exit; }
mkdir "$tmp/tree"
cp -r "$top/Makefile" "$top/tools" "$top/share" "$tmp/tree"
cd "$tmp/tree" || exit 1
sed -i 's/TARGET_HYPERPARALLEL, TARGETS$/TARGET_HYPERPARALLEL, TARGET_ADDED, TARGETS/' tools/lib/target/target.h
sed -i -e 's/"hyperparallel", NULL$/"hyperparallel", [TARGET_ADDED] = "added", NULL/' \
	-e 's/\[TARGET_HYPERPARALLEL\] = "HyperParallel"$/&, [TARGET_ADDED] = "Added"/' \
	-e 's/^\t\[TARGET_HYPERPARALLEL\] = {/\tADDED_ROW\n&/' \
	-e "s/ADDED_ROW/[TARGET_ADDED] = { .schedules = PLAIN, .kinds = MEGATRON_KINDS, .rule = RULE_FIRST, $(
		)MEGATRON_TRANSFERS },/" tools/lib/target/target.c
sed -i -e 's/^\t{ .target = TARGET_HYPERPARALLEL,/\tADDED_ROW\n&/' -e "s/ADDED_ROW/{ .target = TARGET_ADDED, $(
	).maps = { \"added.arguments\" }, .column = 4, .above = { \"added:\\\\n  arguments:\\\\n\" } },/" \
	tools/lib/setup/launch_form.c
sed -i -e 's/ HYPERPARALLEL, PPB, FORMATS }/ HYPERPARALLEL, ADDED, PPB, FORMATS }/' \
	-e 's/"hyperparallel", "sapp-ppb"/"hyperparallel", "added", "sapp-ppb"/' \
	-e 's/^\t\[PPB\] = {/\t[ADDED] = { TARGET_ADDED, LAUNCH_YAML, NULL },\n&/' tools/sapp-yaml/main.c
sed -i 's/|primus|flagscale" }/|primus|flagscale|added" }/' tools/sapp-model/job.c
same 'five files say it' 5 "$(diff -rq "$top/tools" tools | grep -c '^Files')"
build() { make -s CFLAGS=-O1 OPTIMIZE= build/bin/sapp-lp build/bin/sapp-yaml build/bin/sapp-model build/bin/sapp-sim; }
check 'a tree with a framework more is built' build
PATH=$tmp/tree/build/bin:$PATH
cat >run.yaml <<'END'
added:
  arguments:
    num_layers: 12
    hidden_size: 256
    num_attention_heads: 4
    seq_length: 128
    vocab_size: 1000
    swiglu: true
    pipeline_model_parallel_size: 2
    micro_batch_size: 1
    global_batch_size: 8
    world_size: 2
END
same 'its file is a network and a candidate' '12 2 8' "$(sapp-model run.yaml 2>/dev/null |
	jq -rs '"\(.[0].layers) \(.[1].pp) \(.[1].micro_batches)"')"
printf '{"kind":"layer","name":"%s","type":"%s","time":%d,"nb_layer":%d,"memory_parameter":9,"memory_activation":5}\n' \
	head HEAD 1 1 a BODY 2 12 tail TAIL 7 1 >layers
check 'it is planned for' sh -c 'sapp-lp -s 2 -mb 8 -mem 1000 -t 100 -gap 0 -target added layers >plan'
same 'a schedule that it lacks is refused' 2 "$(sapp-lp -s 2 -mb 8 -mem 1000 -S gpipe -target added layers \
	>/dev/null 2>&1; echo $?)"
offset() { get plan .offset | tail -n 1; }
same 'its arguments are printed' 'added: arguments: pipeline_model_parallel_size: 2' \
	"$(sapp-yaml -f added plan | grep -E '^(added|  arguments|    pipeline_model_parallel_size):' |
		tr -s '\n ' ' ' | sed 's/ $//')"
check 'and written' sapp-yaml -w run.yaml plan
same 'and read back' "$(offset <plan)" "$(sapp-yaml -r run.yaml plan | offset)"
done_testing
