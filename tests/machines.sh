# Machines for tests of jobs, on this machine: start_sshd sets login, start_slurm makes a cluster of one node. Both skip
# the whole test if this is impossible. Source it after lib.sh.
# shellcheck shell=sh
PATH=$PATH:/usr/sbin
skip_all() { skip "$1"; done_testing; exit; }
installed() { for t in "$@"; do command -v "$t" >/dev/null || skip_all "$t is not installed"; done; }

start_sshd() {
	installed sshd ssh ssh-keygen
	d=$tmp/ssh
	mkdir -m 700 "$d"
	trap '[ ! -s "$d/pid" ] || kill "$(cat "$d/pid")"; rm -rf "$tmp"' EXIT
	ssh-keygen -q -t ed25519 -N '' -f "$d/host" && ssh-keygen -q -t ed25519 -N '' -f "$d/key" &&
		cp "$d/key.pub" "$d/authorized"
	port=$((20000 + $$ % 20000))
	cat >"$d/sshd_config" <<-END
	ListenAddress 127.0.0.1
	Port $port
	HostKey $d/host
	PidFile $d/pid
	AuthorizedKeysFile $d/authorized
	StrictModes no
	UsePAM no
	PasswordAuthentication no
	PermitRootLogin yes
	END
	[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
	"$(command -v sshd)" -f "$d/sshd_config" -E "$d/log"
	login="ssh -p $port -i $d/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=$d/known -o BatchMode=yes"
	login="$login $(id -un)@127.0.0.1"
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		$login true 2>"$tmp/err" && return
		sleep 0.3
	done
	skip_all "sshd does not start here: $(tail -n 1 "$d/log" "$tmp/err" 2>/dev/null | tail -n 1)"
}

stop_slurm() {
	for p in slurmd slurmctld munged; do
		[ ! -s "$d/$p.pid" ] || kill "$(cat "$d/$p.pid")" 2>/dev/null
	done
	sleep 1
	rm -rf "$tmp"
}
start_slurm() {
	installed slurmctld slurmd sbatch sinfo munged
	[ "$(id -u)" -eq 0 ] || skip_all 'only root can start a cluster'
	d=$tmp/slurm
	trap stop_slurm EXIT
	mkdir "$d" "$d/state" "$d/spool"
	chmod 755 "$tmp" "$d"
	node=$(hostname -s)
	port=$((20000 + $$ % 20000))
	dd if=/dev/urandom of="$d/key" bs=1 count=128 2>/dev/null && chmod 400 "$d/key"
	cat >"$d/slurm.conf" <<-EOT
	ClusterName=sapp
	SlurmctldHost=$node(127.0.0.1)
	SlurmctldPort=$port
	SlurmdPort=$((port + 1))
	AuthInfo=socket=$d/munge.sock
	SlurmUser=root
	SlurmdUser=root
	StateSaveLocation=$d/state
	SlurmdSpoolDir=$d/spool
	SlurmctldPidFile=$d/slurmctld.pid
	SlurmdPidFile=$d/slurmd.pid
	SlurmctldLogFile=$d/slurmctld.log
	SlurmdLogFile=$d/slurmd.log
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	SelectType=select/cons_tres
	ReturnToService=2
	MpiDefault=none
	NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
	PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	EOT
	export SLURM_CONF="$d/slurm.conf"
	munged --force --socket="$d/munge.sock" --key-file="$d/key" --pid-file="$d/munged.pid" \
		--log-file="$d/munged.log" --seed-file="$d/seed" && slurmctld && slurmd
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		! sinfo -h -o %T 2>/dev/null | grep -q idle || return
		sleep 1
	done
	skip_all "Slurm does not start here: $(tail -n 1 "$d/slurmctld.log" 2>/dev/null)"
}

# Install a stand-in for sapp-lp that writes its process to pids and waits for a minute.
lasting_planner() {
	mkdir -p "$tmp/bin"
	printf '#!/bin/sh\ntrap "exit 0" TERM INT HUP\necho $$ >>"%s"\ni=0\n%s\n' "$tmp/pids" \
		'while [ $i -lt 6000 ]; do sleep 0.1; i=$((i + 1)); done' >"$tmp/bin/sapp-lp"
	chmod +x "$tmp/bin/sapp-lp"
	rm -f "$tmp/pids"
}
begun() { [ -s "$tmp/pids" ]; }
none_left() { for p in $(cat "$tmp/pids"); do ! kill -0 "$p" 2>"$tmp/null" || return 1; done; }
