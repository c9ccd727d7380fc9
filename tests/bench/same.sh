#!/bin/sh
# The same bytes on a loaded machine, for questions that end before the time limit, and for questions with counted time.
exec "$(dirname "$0")/same.pl" "$@"
