#!/bin/bash
GPUS=8; NNODES=${NNODES:-2}
WORLD=$(($GPUS*$NNODES))
MODEL_ARGS=(
    --num-layers 32 --hidden-size 4096   # a model
    --num-attention-heads 32 --seq-length 4096 --ffn-hidden-size 14336
    --group-query-attention --num-query-groups 8 --swiglu)
PAR="--tensor-model-parallel-size 2 --pipeline-model-parallel-size 4 \
  --global-batch-size 512 --micro-batch-size $((2 - 1)) --vocab-size 32000 --sequence-parallel"
torchrun --nproc_per_node $GPUS --nnodes $NNODES pretrain_gpt.py ${MODEL_ARGS[@]} $PAR --moe-layer-freq "([0]*3+[1]*29)"
