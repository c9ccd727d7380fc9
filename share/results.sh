# What a script writes into its directory, so that no answer is mixed with another: one script at a time works there,
# files are told apart by what they hold, whatever their dates, and results take their places when they are complete.
# Sourced by sapp-balance, and by jobs.sh for sapp-sweep and sapp-search.
# shellcheck shell=bash
# The script has in variables: me, its name.
: "${me:?}"

# One line, and none of it for the terminal to obey.
say() {
	local line="$me: $*"
	printf '%s\n' "${line//[[:cntrl:]]/?}" >&2
}
die() { local status=$1; shift; say "$@"; exit "$status"; }

# A number of lines from a tool of ours, to stdout; what cannot be written is an error.
version() {
	local v
	v=$(sapp-plot -V) && printf '%s %s\n' "$me" "${v#* }"
}

# One script at a time works in a directory, and nothing of one that was killed is left in it.
results_lock() {	# DIR
	[ ! -L "$1/.lock" ] || die 1 "$1/.lock: a symbolic link, which nothing is written through"
	exec {lock}>>"$1/.lock" || exit 1
	flock -n "$lock" || die 1 "$1: another ${me#sapp-} is at work in it"
	find "$1" -maxdepth 2 -type f -name '*.new' -delete
	set_forget "$1"
}

# A checksum of what is in files, and in all files of directories, but for those of DIR. What is no file, as a pipe, can
# be read once only: it is never the same.
content_of() {	# DIR PATH...
	local own=$1 path files=()
	shift
	{
		for path; do
			if [ -f "$path" ]; then
				files+=("$path")
				continue
			fi
			printf '%s\0' "$path"
			if [ -d "$path" ]; then
				(own=$(realpath -- "$own") && cd -- "$path" >/dev/null &&
					find -L . -samefile "$own" -prune -o -type f -print0 |
					sort -z | xargs -0 -r cksum --)
			elif [ "$path" != /dev/null ]; then
				echo "$EPOCHREALTIME $RANDOM"
			fi
		done
		[ ${#files[@]} -eq 0 ] || cksum -- "${files[@]}"
	} 2>/dev/null | cksum
}

# An empty file beside FILE, which was not there, so that no link leads elsewhere: its name is in "new".
new_beside() {	# FILE
	local -
	set -o noclobber
	new=$1.$BASHPID$RANDOM.new
	: >"$new"
}
# Standard input becomes FILE, all of it or nothing; a link in the place of FILE is replaced, not followed.
into() {	# FILE
	local new
	new_beside "$1" || return
	if cat >"$new" && mv -fT -- "$new" "$1"; then return; fi
	rm -f -- "$new"
	return 1
}

# A set of results, which is made in the directory "$set" and put into DIR when all of it is there.
set=''
set_begin() { set=$(mktemp -d -- "$1/.set.XXXXXX"); }	# DIR
set_place() {	# DIR
	find "$set" -type f -print0 | xargs -0 -r mv -f -t "$1" -- && rmdir -- "$set"
}
set_forget() { find "$1" -maxdepth 1 -type d -name '.set.*' -exec rm -rf -- {} +; }	# DIR
