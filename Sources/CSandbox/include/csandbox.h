/* SPDX-License-Identifier: Apache-2.0
 *
 * Linux system calls that Swift cannot make: starting a runner, passing descriptors, sealed memory, and the steps by
 * which a runner drops its privileges. It contains no policy.
 *
 * Every function returns -1 and sets errno on failure. Every new descriptor is close-on-exec.
 */
#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The descriptor of a runner's control socket. */
#define CSANDBOX_CONTROL 3
/* The maximum number of descriptors in one packet. */
#define CSANDBOX_MAXIMUM_DESCRIPTORS 16

/* Creates a connected pair of SOCK_SEQPACKET sockets: one packet is one message. */
int csandbox_socket_pair(int sockets[2]);

/* Creates a pipe. [0] is the read end and non-blocking; [1] is the write end. */
int csandbox_log_pipe(int ends[2]);

/* Creates an event counter that wakes up a poll: write an 8-byte number to it, read it to reset. Both are
 * non-blocking. */
int csandbox_event(void);

/* Starts `path` with these arguments and environment and exactly four descriptors: 0 is /dev/null, 1 and 2 are
 * `log`, CSANDBOX_CONTROL is `control`. It gets its own session, the priority of this process's main thread, and no
 * blocked or ignored signals. *pid and *pidfd are set. Call it from a thread of its own that never ends: its priority
 * changes, and the runner is killed when the thread that started it ends. */
int csandbox_spawn(
    const char *path, char *const arguments[], char *const environment[], int control, int log,
    pid_t *pid, int *pidfd);

/* Starts the program of this process again, with these arguments, in a new process group. Its CSANDBOX_CONTROL is
 * `socket`; it keeps the environment and the standard streams. Returns its pid. */
pid_t csandbox_start_again(char *const arguments[], int socket);

/* Returns a pidfd of a running process. */
int csandbox_process(pid_t pid);

/* Kills the process of a pidfd with SIGKILL. */
int csandbox_kill(int pidfd);

/* Reaps the process of a pidfd if it has ended, or waits for its end. *signal: the signal that killed it, or
 * 0; *status: its exit status, or 0; *memory: the larger of its peak resident memory and that of this process when
 * it was started, in bytes; may be NULL. Returns 1 if it was reaped, 0 if it is still running (only without wait). */
int csandbox_reap(int pidfd, int wait, int *signal, int *status, int64_t *memory);

/* Sends one packet with descriptors, without SIGPIPE. Waits while the socket is full. Without descriptors, it
 * uses a system call that a runner's filter allows. */
int csandbox_send(int socket, const void *bytes, size_t length, const int *descriptors, int count);

/* Receives one packet, waiting for it. Returns its length, or 0 at the end of the stream. *count: in, the
 * capacity of `descriptors`; out, the number received. A packet or a list of descriptors that does not fit
 * fails with EMSGSIZE, and the received descriptors are closed. Fails with EMFILE if the process has too many open
 * files to receive the descriptors. */
ssize_t csandbox_receive(
    int socket, void *bytes, size_t capacity, int *descriptors, int *count);

/* Creates an empty memory file that can be sealed. `name` is only visible in /proc. */
int csandbox_memory(const char *name);

/* Makes a file of csandbox_memory immutable: no writes, no change of size, no further seals. Fails with EBUSY
 * while a process has it mapped for writing. */
int csandbox_seal(int memory);

/* Seals the size of a file of csandbox_memory; its bytes can still be written. */
int csandbox_seal_size(int memory);

/* Seals a file of csandbox_memory against growth. It can be sealed further. */
int csandbox_seal_growth(int memory);

/* Truncates a file of csandbox_memory for good, unless it was sealed by csandbox_seal or csandbox_seal_size.
 * Processes that have it open or mapped keep nothing. */
int csandbox_empty(int memory);

/* Atomically exchanges the names of two files or folders. */
int csandbox_exchange(const char *one, const char *other);

/* Returns the name of a signal, such as "SIGSEGV", or "another signal" for rare ones. The memory is static. */
const char *csandbox_signal_name(int signal);

/* Makes the process the first choice of the kernel's OOM killer, if possible: a container may lack /proc. */
void csandbox_volunteer(void);

/* Writes stdout at the end of each line, and the stack of a crash to stderr before the signal ends the process. */
void csandbox_report_crashes(void);

/* Gives this thread a stack for signal handlers, without which csandbox_report_crashes cannot report the overflow
 * of the thread's own stack. Returns NULL if the thread has one already or there is not enough memory. Pass the
 * result to csandbox_remove_signal_stack on the same thread before it ends. */
void *csandbox_add_signal_stack(void);
void csandbox_remove_signal_stack(void *stack);

/* The namespaces that csandbox_isolate can create. */
enum { CSANDBOX_USER = 1, CSANDBOX_NETWORK = 2, CSANDBOX_IPC = 4 };

/* Moves this process to new namespaces, as many as the kernel grants. It keeps its user and group. The network
 * is empty, threads are counted separately, and the host name is neutral. No other thread may be running.
 * Returns the mask of new namespaces, 0 for none. Fails if the process ends up in a user namespace without a
 * mapped user. */
int csandbox_isolate(void);

/* Drops all capabilities permanently. */
int csandbox_drop_capabilities(void);

/* Makes stdout line-buffered, because a runner exits without writing its buffers. Then sets this process to be
 * killed when its parent ends, to dump no core, and to be untraceable: /proc/self then belongs to root. A change of
 * privileges would revert that, so call it afterwards. `parent` is the pid of the host; if it is 0, only stdout is
 * changed. Fails with ESRCH if the host has already ended. */
int csandbox_enter_runner(pid_t parent);

/* Lets processes of the same user attach a debugger. Call it after csandbox_enter_runner. */
int csandbox_allow_debugger(void);

/* The soft limit, and the hard limit up to which the host can raise it; see setrlimit(2). */
typedef struct csandbox_limit {
    uint64_t now;
    uint64_t most;
} csandbox_limit;

/* The resource limits of a runner. */
typedef struct csandbox_limits {
    csandbox_limit address_space; /* bytes of memory, including mapped files and code */
    csandbox_limit file_size;     /* bytes of a file that it writes, memory files included */
    csandbox_limit threads;       /* threads of all processes of its user in its user namespace */
    csandbox_limit open_files;    /* open descriptors */
    csandbox_limit locked_memory; /* bytes of locked memory */
} csandbox_limits;

/* Lowers the limits of this process, and disables core dumps and message queues. Limits that are already lower
 * are unchanged. `threads` is ignored if `counts_threads` is 0: without a user namespace it would count
 * unrelated processes. */
int csandbox_lower_limits(const csandbox_limits *limits, int counts_threads);

/* Sets a limit of another process of the same user, up to its hard limit. `resource` is a RLIMIT_ constant. */
int csandbox_set_limit(pid_t pid, int resource, uint64_t value);

/* Returns the processor time of a process in nanoseconds, all threads together. */
int64_t csandbox_processor_time(pid_t pid);

/* Returns the Landlock ABI version of the kernel, from 1. Fails with ENOSYS or EOPNOTSUPP if it has none. */
int csandbox_landlock_abi(void);

/* Removes every file system right known to Landlock, TCP, and signals to other processes from this thread and
 * those it starts later. Call it before the first thread. `readable`: files and folders that stay readable,
 * NULL-terminated; missing ones are skipped. `writable`: a folder in which files can also be created, written
 * and removed, or NULL. Returns the ABI version of Landlock in force. */
int csandbox_landlock(const char *const readable[], const char *writable);

/* Calls `each` with the path of every loaded library. */
void csandbox_each_library(void (*each)(const char *path, void *context), void *context);

/* Permanently restricts all threads of this process to the system calls of these names (NULL-terminated), and
 * to harmless forms of some others: threads but no processes, signals to itself, reading its own limits, no
 * file locks, packets without addresses or descriptors. Any other call fails with EPERM. A call by another
 * architecture's interface ends the process. */
int csandbox_filter(const char *const allowed[]);

/* Returns whether this thread cannot gain privileges, according to the kernel: 1 or 0. */
int csandbox_has_no_new_privileges(void);

/* Returns whether a system call filter is in force, according to the kernel: 1 or 0. */
int csandbox_has_filter(void);

#endif /* CSANDBOX_H */
