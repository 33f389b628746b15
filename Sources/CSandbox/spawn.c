/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "csandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int csandbox_socket_pair(int sockets[2])
{
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets);
}

int csandbox_log_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -1;
    return fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

int csandbox_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static int prepare_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error)
        error = posix_spawnattr_setsigdefault(attributes, &all);
    if (!error)
        error = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    return error;
}

static int prepare_actions(posix_spawn_file_actions_t *actions, int control, int log)
{
    int error = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_adddup2(actions, log, 1);
    if (!error)
        error = posix_spawn_file_actions_adddup2(actions, log, 2);
    if (!error)
        error = posix_spawn_file_actions_adddup2(actions, control, CSANDBOX_CONTROL);
    if (!error)
        error = posix_spawn_file_actions_addclosefrom_np(actions, CSANDBOX_CONTROL + 1);
    return error;
}

static int spawn_with(
    const char *path, char *const arguments[], char *const environment[], int control, int log,
    pid_t *pid)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int error = posix_spawnattr_init(&attributes);
    if (error)
        return error;
    error = posix_spawn_file_actions_init(&actions);
    if (error) {
        posix_spawnattr_destroy(&attributes);
        return error;
    }
    error = prepare_attributes(&attributes);
    if (!error)
        error = prepare_actions(&actions, control, log);
    if (!error)
        error = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

/* The kernel may schedule each session as a group, and compare priorities only within it (see "The autogroup feature"
 * in sched(7)). A runner is a session of its own, so its group needs the priority as well. Best effort: the kernel
 * rejects changes by an ordinary user within a tenth of a second of another one. */
static void set_group_priority(pid_t pid, int priority)
{
    char path[40], text[12];
    snprintf(path, sizeof path, "/proc/%d/autogroup", (int)pid);
    const int length = snprintf(text, sizeof text, "%d", priority);
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    for (int attempt = 0; attempt < 10; attempt++) {
        if (write(file, text, (size_t)length) >= 0 || errno != EAGAIN)
            break;
        poll(NULL, 0, 30);
    }
    close(file);
}

int csandbox_spawn(
    const char *path, char *const arguments[], char *const environment[], int control, int log,
    pid_t *pid, int *pidfd)
{
    /* Each thread has its own priority, and libdispatch changes that of its threads if it may. The runner inherits
     * that of this thread, which becomes that of the process. */
    const int priority = getpriority(PRIO_PROCESS, (id_t)getpid());
    setpriority(PRIO_PROCESS, 0, priority);
    /* Avoids descriptors 0 to 3, which the actions overwrite in sequence. */
    int high_control = fcntl(control, F_DUPFD_CLOEXEC, 10);
    int high_log = fcntl(log, F_DUPFD_CLOEXEC, 10);
    int error = high_control < 0 || high_log < 0 ? errno : 0;
    if (!error)
        error = spawn_with(path, arguments, environment, high_control, high_log, pid);
    if (high_control >= 0)
        close(high_control);
    if (high_log >= 0)
        close(high_log);
    if (error) {
        errno = error;
        return -1;
    }
    if (priority > 0)
        set_group_priority(*pid, priority);
    *pidfd = (int)syscall(SYS_pidfd_open, *pid, 0);
    if (*pidfd < 0) {
        error = errno;
        kill(*pid, SIGKILL);
        while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR) {
        }
        errno = error;
        return -1;
    }
    return 0;
}

pid_t csandbox_start_again(char *const arguments[], int socket)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    pid_t pid = -1;
    sigset_t none;
    sigemptyset(&none);
    int error = posix_spawnattr_init(&attributes);
    if (!error && (error = posix_spawn_file_actions_init(&actions)))
        posix_spawnattr_destroy(&attributes);
    if (error) {
        errno = error;
        return -1;
    }
    error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    /* The threads of the Swift runtime block signals. */
    if (!error)
        error = posix_spawnattr_setsigmask(&attributes, &none);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, socket, CSANDBOX_CONTROL);
    if (!error)
        error = posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    errno = error;
    return error ? -1 : pid;
}

int csandbox_process(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int csandbox_kill(int pidfd)
{
    return (int)syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
}

int csandbox_reap(int pidfd, int wait, int *signal, int *status, int64_t *memory)
{
    siginfo_t info;
    struct rusage used;
    memset(&info, 0, sizeof info);
    memset(&used, 0, sizeof used);
    int options = WEXITED | (wait ? 0 : WNOHANG);
    long result;
    /* The C library's function does not return the resource usage. */
    do
        result = syscall(SYS_waitid, P_PIDFD, pidfd, &info, options, &used);
    while (result < 0 && errno == EINTR);
    if (result < 0)
        return -1;
    if (info.si_pid == 0)
        return 0;
    *signal = info.si_code == CLD_EXITED ? 0 : info.si_status;
    *status = info.si_code == CLD_EXITED ? info.si_status : 0;
    if (memory)
        *memory = (int64_t)used.ru_maxrss * 1024;
    return 1;
}

const char *csandbox_signal_name(int signal)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {
        {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGHUP, "SIGHUP"},
        {SIGILL, "SIGILL"},   {SIGINT, "SIGINT"},   {SIGKILL, "SIGKILL"}, {SIGPIPE, "SIGPIPE"},
        {SIGQUIT, "SIGQUIT"}, {SIGSEGV, "SIGSEGV"}, {SIGSYS, "SIGSYS"},   {SIGTERM, "SIGTERM"},
        {SIGTRAP, "SIGTRAP"}, {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}, {SIGALRM, "SIGALRM"},
        {SIGUSR1, "SIGUSR1"}, {SIGUSR2, "SIGUSR2"},
    };
    for (size_t index = 0; index < sizeof names / sizeof names[0]; index++)
        if (names[index].number == signal)
            return names[index].name;
    return "another signal";
}
