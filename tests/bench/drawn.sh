#!/bin/sh
# Questions drawn like those of hard.sh, several chunks each; what it was before: after 10 s, on 22 November 2026,
# of the last nine, of 4 to 12 stages, on 23 November.
DATA=drawn exec "$(dirname "$0")/hard.sh" "$@"
