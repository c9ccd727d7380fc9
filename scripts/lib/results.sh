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
# What is wrong; how the script is used would hide it.
misuse() { die 2 "$1; $me -h lists the options"; }
# MB of numbers that may have a unit: 40GB,50000MB,80G
megabytes() {	# TEXT
	local text=$1
	[[ $text != *[MG]* ]] || text=$(awk '{	while (match($0, /[0-9.]+[MG](i?B)?/)) {
			x = substr($0, RSTART, RLENGTH)
			x = int(x * (x ~ /G/ ? 1024 : 1))
			$0 = substr($0, 1, RSTART - 1) x substr($0, RSTART + RLENGTH)
		}
		print }' <<<"$text")
	printf '%s' "$text"
}

# A number of lines from a tool of ours, to stdout; what cannot be written is an error.
version() {
	local v
	v=$(sapp-plot -V) && printf '%s %s\n' "$me" "${v#* }"
}

# One script at a time works in a directory. What a script that was killed left in it is removed.
results_lock() {	# DIR
	local - path stale=()
	set +f
	[ ! -L "$1/.lock" ] || die 1 "$1/.lock: a symbolic link, which nothing is written through"
	exec {lock}>>"$1/.lock" || exit 1
	flock -n "$lock" || die 1 "$1: another ${me#sapp-} is at work in it"
	for path in "$1"/{,.[!.]}*.new "$1"/{,.[!.]}*/{,.[!.]}*.new "$1"/{,.[!.]}*/{,.[!.]}*/{,.[!.]}*.new; do
		[ ! -f "$path" ] || [ -L "$path" ] || stale+=("$path")
	done
	for path in "$1"/.set.*; do [ ! -d "$path" ] || [ -L "$path" ] || stale+=("$path"); done
	[ ${#stale[@]} -eq 0 ] || rm -rf -- "${stale[@]}"
}

# Checksums of files, and of all files of directories other than DIR, into "content". A path that is neither, such as a
# pipe, can be read only once: its checksum is never the same.
content_of() {	# DIR PATH...
	local own=$1 path files=()
	content=''
	shift
	for path; do
		if [ -f "$path" ]; then
			files+=("$path")
		elif [ -d "$path" ]; then
			content+="$path $({ own=$(realpath -- "$own") && cd -- "$path" >/dev/null &&
				find -L . -samefile "$own" -prune -o -type f -exec cksum -- {} + | sort; } 2>/dev/null |
				cksum)"$'\n'
		elif [ "$path" != /dev/null ]; then
			content+="$path $EPOCHREALTIME $RANDOM"$'\n'
		fi
	done
	[ ${#files[@]} -eq 0 ] || content+=$(cksum -- "${files[@]}" 2>/dev/null)
}

# All of FILE into the variable, or to standard output, without starting a program.
slurp() { IFS= read -r -d '' "$1" 2>/dev/null <"$2" || [ -n "${!1}" ]; }	# VARIABLE FILE
show() {	# FILE
	local lines=()
	mapfile lines <"$1" && printf '%s' "${lines[@]}"
}

# Standard input becomes FILE, all of it or nothing; a link in the place of FILE is replaced, not followed.
into() {	# FILE
	local - new=$1.$BASHPID$RANDOM.new
	set -o noclobber
	: >"$new" || return
	set +o noclobber
	if cat >"$new" && mv -fT -- "$new" "$1"; then return; fi
	rm -f -- "$new"
	return 1
}

# A set of results, which is made in the directory "$set" and put into DIR when all of it is there.
set=''
set_begin() { set=$(mktemp -d -- "$1/.set.XXXXXX"); }	# DIR
set_place() {	# DIR
	local - files=()
	set +f
	files=("$set"/{,.[!.]}*)
	# Where one of the patterns finds nothing it stands for itself.
	for n in "${!files[@]}"; do [ -e "${files[n]}" ] || unset "files[n]"; done
	[ ${#files[@]} -eq 0 ] || mv -f -t "$1" -- "${files[@]}"
}
set_forget() { [ -z "$set" ] || rm -rf -- "$set"; }
