# fish completion for the tools of sapp: options and their descriptions come from the tool's -h.
function __sapp_options
	set -l tool (commandline -opc)[1]
	test $tool = sapp; and set tool sapp-(commandline -opc)[2]
	$tool -h 2>/dev/null | string replace -rf '^  (-[A-Za-z-]+)(?: \S+)*? {2,}(.*)$' '$1\t$2'
end
# Complete the last of several values with commas, and keep the others.
function __sapp_list
	set -l before (string replace -rf '^(.*,).*$' '$1' -- (commandline -ct))
	for value in $argv
		echo $before$value
	end
end
function __sapp_known
	sapp-lp $argv[1] '?' /dev/null 2>&1 | string replace -rf '.*known: ' '' | string split ' '
end
function __sapp_after
	test (commandline -opc)[-1] = $argv[1]
end
for tool in sapp sapp-args sapp-balance sapp-check sapp-dryrun sapp-enum sapp-est sapp-fit sapp-guide sapp-ir sapp-layers sapp-lp sapp-memsplit sapp-model sapp-plot sapp-search sapp-shrink sapp-sim sapp-sweep sapp-top sapp-trace sapp-yaml
	complete -c $tool -n 'string match -q -- "-*" (commandline -ct)' -a '(__sapp_options)'
	complete -c $tool -n '__sapp_after -S' -f -a '(__sapp_list (__sapp_known -S))'
	complete -c $tool -n '__sapp_after -target' -f -a '(__sapp_known -target)'
	complete -c $tool -n '__sapp_after -transfers' -f -a 'hidden blocking batched overlap streams-1 streams-2 streams-4 one-by-one'
	complete -c $tool -n '__sapp_after -lm' -f -a '0 1 both'
end
complete -c sapp -n 'test (count (commandline -opc)) = 1; or test (commandline -opc)[2] = help' -f \
	-a "help (sapp | string replace -rf '^  ([a-z]+)  .*' '\$1')"
