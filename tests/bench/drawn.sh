#!/bin/sh
# Random questions like those of hard.sh, with several chunks each; earlier results are after 10 s, on 22 November 2026,
# and for the last nine questions, with 4 to 12 stages, on 23 November.
DATA=drawn exec "$(dirname "$0")/hard.sh" "$@"
