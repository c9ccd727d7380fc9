#!/bin/bash
# Pretraining of a model with 48 layers on 8 pipeline stages, with the settings of the profile.
torchrun --nproc_per_node 8 --nnodes 8 pretrain_gpt.py \
	--tensor-model-parallel-size 8 \
	--pipeline-model-parallel-size 8 \
	--num-layers 48 \
	--hidden-size 8192 \
	--num-attention-heads 64 \
	--seq-length 4096 \
	--max-position-embeddings 4096 \
	--micro-batch-size 1 \
	--global-batch-size 16 \
	--log-memory-to-tensorboard \
	--profile --use-pytorch-profiler --profile-ranks 0 32 56
