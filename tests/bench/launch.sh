#!/bin/sh
# Launch scripts of SCRIPTS, a folder of public repositories: how many sapp-args reads as bash does.
: "${SCRIPTS:?a folder with launch scripts}"
find "$SCRIPTS" -type f \( -name '*.sh' -o -name '*.slurm' \) -print0 |
	xargs -0 grep -lZE 'torchrun|torch\.distributed|megatron sft|deepspeed|msrun|pretrain_|train.*\.py|swift' |
	xargs -0 perl "$(dirname "$0")/launch.pl"
