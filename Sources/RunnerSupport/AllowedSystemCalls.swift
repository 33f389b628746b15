// SPDX-License-Identifier: Apache-2.0

/// The system calls that a runner may make without restrictions once its sandbox is closed.
///
/// They reach only its own memory, threads and descriptors, and the files that Landlock allows. `csandbox_filter`
/// adds calls that depend on their arguments.
enum AllowedSystemCalls {
    /// The names of the calls. Some exist only on certain architectures.
    static let names = files + descriptors + memory + time + process

    /// Landlock restricts which files these calls reach.
    private static let files = [
        "open", "openat", "stat", "lstat", "fstat", "newfstatat", "statx", "access", "faccessat",
        "faccessat2", "readlink", "readlinkat", "getcwd", "getdents64", "fstatfs", "ftruncate",
        "fsync", "fdatasync", "unlink", "unlinkat", "rename", "renameat", "renameat2",
    ]

    private static let descriptors = [
        "read", "write", "readv", "writev", "pread64", "pwrite64", "lseek", "close", "dup", "dup2",
        "dup3", "poll", "ppoll", "select", "pselect6", "pipe2", "eventfd2", "epoll_create1",
        "epoll_ctl", "epoll_wait", "epoll_pwait", "timerfd_create", "timerfd_settime", "recvmsg",
        "recvfrom",
    ]

    private static let memory = [
        "mmap", "munmap", "mremap", "mprotect", "madvise", "brk", "mincore", "membarrier",
    ]

    private static let time = [
        "nanosleep", "clock_nanosleep", "clock_gettime", "clock_getres", "gettimeofday", "time",
        "times", "getrusage", "pause",
    ]

    private static let process = [
        "futex", "set_robust_list", "rseq", "sched_yield", "sched_getaffinity", "getcpu",
        "sched_getparam", "sched_getscheduler", "sched_get_priority_max",
        "sched_get_priority_min", "sysinfo", "uname", "rt_sigaction", "rt_sigprocmask",
        "rt_sigreturn", "sigaltstack", "restart_syscall", "getpid", "gettid", "getppid", "getuid",
        "geteuid", "getgid", "getegid", "getrandom", "getrlimit", "exit", "exit_group",
    ]
}
