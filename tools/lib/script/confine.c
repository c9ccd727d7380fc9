/*
 * Landlock, see landlock(7), restricts the use of files. A seccomp filter, see seccomp(2), restricts everything else.
 */
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The headers of Debian 12 do not have these yet. */
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

enum { TRUNCATE_SINCE = 3, REFER_SINCE = 2 };

static const uint64_t of_files = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
    LANDLOCK_ACCESS_FS_TRUNCATE;
static const uint64_t of_directories = LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
    LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_REFER;

static bool
allow(int rules, const char *path, uint64_t access)
{
	struct landlock_path_beneath_attr beneath = { .allowed_access = access,
	    .parent_fd = open(path, O_PATH | O_CLOEXEC) };
	bool done;

	/* This machine does not have the program. */
	if (beneath.parent_fd < 0)
		return true;
	done = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0;
	close(beneath.parent_fd);
	return done;
}

static bool
restrict_files(const char *directory, const char *const programs[])
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	struct landlock_ruleset_attr handled = { .handled_access_fs = of_files | of_directories };
	uint64_t known;
	int rules;
	bool done = true;

	if (version < 1)
		return false;
	if (version < TRUNCATE_SINCE)
		handled.handled_access_fs &= ~LANDLOCK_ACCESS_FS_TRUNCATE;
	if (version < REFER_SINCE)
		handled.handled_access_fs &= ~(uint64_t)LANDLOCK_ACCESS_FS_REFER;
	known = handled.handled_access_fs;
	rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
	if (rules < 0)
		return false;
	done &= allow(rules, "/dev/null", known & of_files & ~(uint64_t)LANDLOCK_ACCESS_FS_EXECUTE);
	done &= allow(rules, directory, known & ~(uint64_t)LANDLOCK_ACCESS_FS_EXECUTE);
	for (int i = 0; programs[i] != NULL; i++)
		done &= allow(rules, programs[i], LANDLOCK_ACCESS_FS_EXECUTE);
	done = done && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
	close(rules);
	return done;
}

/*
 * System calls that are refused. clone3 and openat2 seem unknown to the process, so that it uses the older calls
 * instead.
 */
static const int refused[] = {
	SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_ptrace, SYS_kill, SYS_tkill, SYS_tgkill,
	SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_send_signal, SYS_setsid, SYS_setpgid,
	SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_truncate, SYS_utimensat,
	SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
	SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_move_mount, SYS_fsopen,
	SYS_open_tree, SYS_swapon, SYS_swapoff, SYS_reboot, SYS_sethostname, SYS_setdomainname, SYS_init_module,
	SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_bpf, SYS_perf_event_open, SYS_keyctl, SYS_add_key,
	SYS_request_key, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_process_vm_readv,
	SYS_process_vm_writev, SYS_shmget, SYS_msgget, SYS_semget, SYS_mq_open, SYS_mq_unlink, SYS_setpriority,
	SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_sched_setaffinity, SYS_ioprio_set,
	SYS_clock_settime, SYS_settimeofday, SYS_adjtimex, SYS_clock_adjtime, SYS_acct, SYS_quotactl, SYS_syslog,
	SYS_vhangup, SYS_userfaultfd, SYS_fanotify_init, SYS_name_to_handle_at, SYS_open_by_handle_at,
	SYS_personality, SYS_migrate_pages, SYS_move_pages, SYS_mknodat,
#ifdef SYS_chmod
	SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat, SYS_mknod,
#endif
};
static const int unknown[] = { SYS_clone3, SYS_openat2 };
static const int told[] = {
	SYS_openat, SYS_clone,
#ifdef SYS_open
	SYS_open, SYS_creat, SYS_fork, SYS_vfork,
#endif
};

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE 0
#endif
enum { X32 = 0x40000000, COUNT = sizeof refused / sizeof refused[0] + sizeof unknown / sizeof unknown[0] +
	sizeof told / sizeof told[0] };

struct filter {
	int n;
	struct sock_filter at[2 * COUNT + 20];
};

static void
add(struct filter *p, struct sock_filter f)
{
	p->at[p->n++] = f;
}

static void
load(struct filter *p, size_t offset)
{
	add(p, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset));
}

static void
answer(struct filter *p, const int *calls, size_t n, unsigned with)
{
	for (size_t i = 0; i < n; i++) {
		add(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i], 0, 1));
		add(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, with));
	}
}

/* Install the filter. Return the descriptor for notifications, or -1. */
static int
install(void)
{
	static struct filter p;
	struct sock_fprog all = { 0, p.at };
	int told_by;

	p.n = 0;
	load(&p, offsetof(struct seccomp_data, arch));
	add(&p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)ARCHITECTURE, 1, 0));
	add(&p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
	load(&p, offsetof(struct seccomp_data, nr));
	add(&p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (unsigned)X32, 0, 1));
	add(&p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
	answer(&p, refused, sizeof refused / sizeof refused[0], SECCOMP_RET_ERRNO | EPERM);
	answer(&p, unknown, sizeof unknown / sizeof unknown[0], SECCOMP_RET_ERRNO | ENOSYS);
	answer(&p, told, sizeof told / sizeof told[0], SECCOMP_RET_USER_NOTIF);
	/* A process may not set the limits of another one. */
	add(&p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 3));
	load(&p, offsetof(struct seccomp_data, args));
	add(&p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
	add(&p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
	add(&p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	all.len = (unsigned short)p.n;
	/* Without this flag, of Linux 5.19, a signal can interrupt a call that waits for its answer. */
	told_by = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER |
	    SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &all);
	if (told_by < 0 && errno == EINVAL)
		told_by = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &all);
	return told_by;
}

int
confine(const char *directory, const char *const programs[], const char **what)
{
	int told_by;

	if (ARCHITECTURE == 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
		*what = "no_new_privs on this processor";
		return -1;
	}
	if (!restrict_files(directory, programs)) {
		*what = "Landlock";
		return -1;
	}
	told_by = install();
	if (told_by < 0)
		*what = "seccomp with notification";
	return told_by;
}
