# Results of a script in its directory, without mixing answers. Only one script at a time works there, files are
# compared by contents, not dates, and results are renamed into place when complete. Sourced by sapp-balance, and by
# jobs.sh for sapp-sweep and sapp-search.
# shellcheck shell=bash
# The sourcing script sets the variable me to its name.
: "${me:?}"

# Print one line to standard error, with control characters replaced for the terminal.
say() {
	local line="$me: $*"
	printf '%s\n' "${line//[[:cntrl:]]/?}" >&2
}
die() { local status=$1; shift; say "$@"; exit "$status"; }
# Report wrong usage, without the whole usage, which would hide the reason.
misuse() { die 2 "$1; $me -h lists the options"; }
# Convert sizes that may have a unit to MB: 40GB,50000MB,80G
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

# Print the version. A failed write is an error.
version() {
	local v
	v=$(sapp-plot -V) && printf '%s %s\n' "$me" "${v#* }"
}

# Lock a directory for this script. Remove files of a killed script.
results_lock() {	# DIR
	local - path stale=()
	set +f
	[ ! -L "$1/.lock" ] || die 1 "$1/.lock: a symbolic link, through which nothing is written"
	exec {lock}>>"$1/.lock" || exit 1
	flock -n "$lock" || die 1 "$1: another $me is running in it"
	for path in "$1"/{,.[!.]}*.new "$1"/{,.[!.]}*/{,.[!.]}*.new "$1"/{,.[!.]}*/{,.[!.]}*/{,.[!.]}*.new; do
		[ ! -f "$path" ] || [ -L "$path" ] || stale+=("$path")
	done
	for path in "$1"/.set.*; do [ ! -d "$path" ] || [ -L "$path" ] || stale+=("$path"); done
	[ ${#stale[@]} -eq 0 ] || rm -rf -- "${stale[@]}"
}

# Set "content" to checksums of files, and of all files in directories except DIR. Another path, such as a pipe, can be
# read only once, so its checksum always differs.
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

# Read all of FILE into the variable, or print it, without starting a program.
slurp() { IFS= read -r -d '' "$1" 2>/dev/null <"$2" || [ -n "${!1}" ]; }	# VARIABLE FILE
show() {	# FILE
	local lines=()
	mapfile lines <"$1" && printf '%s' "${lines[@]}"
}

# Write standard input to FILE, completely or not at all. A link at FILE is replaced, not followed.
into() {	# FILE
	local - new=$1.$BASHPID$RANDOM.new
	set -o noclobber
	: >"$new" || return
	set +o noclobber
	if cat >"$new" && mv -fT -- "$new" "$1"; then return; fi
	rm -f -- "$new"
	return 1
}

# A set of results: made in the directory "$set", and moved to DIR when complete.
set=''
set_begin() { set=$(mktemp -d -- "$1/.set.XXXXXX"); }	# DIR
set_place() {	# DIR
	local - files=()
	set +f
	files=("$set"/{,.[!.]}*)
	# A pattern without a match stays in the list.
	for n in "${!files[@]}"; do [ -e "${files[n]}" ] || unset "files[n]"; done
	[ ${#files[@]} -eq 0 ] || mv -f -t "$1" -- "${files[@]}"
}
set_forget() { [ -z "$set" ] || rm -rf -- "$set"; }
