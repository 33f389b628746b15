/* SPDX-License-Identifier: Apache-2.0
 *
 * What Swift cannot say of Linux: starting a runner, passing descriptors, sealed memory, and the
 * steps by which a runner gives up its powers. No policy lives here.
 *
 * Every function returns -1 and sets errno on failure. Every descriptor made is close-on-exec.
 */
#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The descriptor on which a runner finds its control socket. */
#define CSANDBOX_CONTROL 3
/* The most descriptors that one packet carries. */
#define CSANDBOX_MAXIMUM_DESCRIPTORS 16

/* A connected pair of SOCK_SEQPACKET sockets: one packet is one message. */
int csandbox_socket_pair(int sockets[2]);

/* A pipe. [0] is read, and does not block; [1] is written. */
int csandbox_log_pipe(int ends[2]);

/* A counter to wake up a poll: write 8 bytes of a number to it, read them to clear it. Neither
 * waits. */
int csandbox_event(void);

/* Starts `path` with these arguments and environment and exactly four descriptors: 0 is
 * /dev/null, 1 and 2 are `log`, CSANDBOX_CONTROL is `control`. It gets a session of its own, no
 * blocked and no ignored signals. Call it from a thread that never ends: the runner dies with
 * the thread that started it. *pid, *pidfd: filled in. */
int csandbox_spawn(
    const char *path, char *const arguments[], char *const environment[], int control, int log,
    pid_t *pid, int *pidfd);

/* Kills the process of a pidfd with SIGKILL. */
int csandbox_kill(int pidfd);

/* Reaps the process of a pidfd if it has ended, or waits for its end. *signal: what killed it, or
 * 0; *status: its exit status, or 0; *memory: the most bytes that it had in memory at once,
 * or NULL. Returns 1: reaped, 0: still running (only without wait). */
int csandbox_reap(int pidfd, int wait, int *signal, int *status, int64_t *memory);

/* Sends one packet with descriptors, without SIGPIPE, waiting while the socket is full. With no
 * descriptors it does so by a call that a runner's filter allows. */
int csandbox_send(int socket, const void *bytes, size_t length, const int *descriptors, int count);

/* Receives one packet, waiting for it. Returns its length, 0 at the end of the stream. *count: in:
 * the room in `descriptors`; out: how many came. A packet or a list of descriptors that does not
 * fit fails with EMSGSIZE, and what came of it is closed. */
ssize_t csandbox_receive(
    int socket, void *bytes, size_t capacity, int *descriptors, int *count);

/* An empty file in memory; it can be sealed. `name` is for /proc only. */
int csandbox_memory(const char *name);

/* Makes a file of csandbox_memory immutable: no write, growth, shrinking or further seals. EBUSY
 * while somebody has it mapped for writing. */
int csandbox_seal(int memory);

/* Fixes the size of a file of csandbox_memory; its bytes can still be written. */
int csandbox_seal_size(int memory);

/* A file of csandbox_memory can never become longer than it is now; it can be sealed further. */
int csandbox_seal_growth(int memory);

/* Takes all bytes from a file of csandbox_memory that csandbox_seal and csandbox_seal_size have left
 * alone, for good: whoever keeps it, or has it mapped, keeps nothing. */
int csandbox_empty(int memory);

/* Two names of files or folders change places, at once. */
int csandbox_exchange(const char *one, const char *other);

/* The name of a signal, "SIGSEGV"; "another signal" for rare ones. Static memory. */
const char *csandbox_signal_name(int signal);

/* Asks to be the first that is killed when the system's memory runs out. Best effort: a container
 * may not have /proc. */
void csandbox_volunteer(void);

/* The namespaces that a process can have of its own. */
enum { CSANDBOX_USER = 1, CSANDBOX_NETWORK = 2, CSANDBOX_IPC = 4 };

/* Gives this process namespaces of its own, as many as the kernel grants, in which it keeps its
 * user and group; an empty network, a count of its own of threads, and a host name that says
 * nothing. No other thread may be running. Returns which it has, 0 for none. Fails where it is left with a user namespace in
 * which it is nobody. */
int csandbox_isolate(void);

/* Gives up all capabilities for good. */
int csandbox_drop_capabilities(void);

/* Makes this process one that dies with its parent, dumps no core, and cannot be traced: /proc/self
 * then belongs to root. What changes its privileges takes that back, so it comes after.
 * `parent`: the pid of the host. Fails with ESRCH if the host is gone already. */
int csandbox_enter_runner(pid_t parent);

/* What a limit is now, and what the host can raise it to; see setrlimit(2). */
typedef struct csandbox_limit {
    uint64_t now;
    uint64_t most;
} csandbox_limit;

/* The most that a runner may have of something. */
typedef struct csandbox_limits {
    csandbox_limit address_space; /* bytes of memory, mapped files and code included */
    csandbox_limit file_size;     /* bytes of one file that it writes; files in memory too */
    csandbox_limit threads;       /* of all processes of its user in its user namespace */
    csandbox_limit open_files;    /* descriptors */
    csandbox_limit locked_memory; /* bytes */
} csandbox_limits;

/* Lowers the limits of this process, and forbids core dumps and message queues. Limits that are
 * lower already stay. `threads` is passed over where `counts_threads` is 0: without a user
 * namespace it would count what has nothing to do with the process. */
int csandbox_lower_limits(const csandbox_limits *limits, int counts_threads);

/* Sets a limit of another process of the same user, as far as its `most` allows. `resource` is a
 * RLIMIT_ constant. */
int csandbox_set_limit(pid_t pid, int resource, uint64_t value);

/* The processor time that a process has used, all threads together, in nanoseconds. */
int64_t csandbox_processor_time(pid_t pid);

/* The version of Landlock that the kernel offers, from 1. Fails with ENOSYS or EOPNOTSUPP where
 * it has none. */
int csandbox_landlock_abi(void);

/* Takes from this thread, and those that it will start, every right of the file system that
 * Landlock knows, TCP, and signals to other processes. So call it before the first thread.
 * `readable`: files and folders that can still be read, NULL at the end; those that do not exist
 * are passed over. `writable`: a folder in which files can also be made, written and removed, or
 * NULL. Returns the version of Landlock in force. */
int csandbox_landlock(const char *const readable[], const char *writable);

/* Calls `each` with the path of every library that is loaded. */
void csandbox_each_library(void (*each)(const char *path, void *context), void *context);

/* Allows all threads of this process, for good, the system calls of these names (NULL at the
 * end), and of some others the harmless forms: threads but no processes, signals to itself, own
 * limits read only, no file locks, packets without address or descriptors. Any other call fails
 * with EPERM; one by the interface of another architecture ends the process. */
int csandbox_filter(const char *const allowed[]);

/* Whether the kernel says that this thread can gain no privileges: 1 or 0. */
int csandbox_has_no_new_privileges(void);

/* Whether the kernel says that a filter of system calls is in force: 1 or 0. */
int csandbox_has_filter(void);

#endif /* CSANDBOX_H */
