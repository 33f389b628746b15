/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "cinterposition.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* See docs/design/decisions/0008-thread-states.md. */

/* The last observation of a thread. */
typedef struct sample {
    pid_t thread;
    uint64_t used; /* processor time in nanoseconds */
    uint64_t seen; /* monotonic clock in nanoseconds */
} sample;

/* Dispatch monitors at most 255 threads. */
static sample samples[256];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A computing thread gets at least this fraction of a processor, even under load. */
enum { LEAST_PART = 64 };

/* Returns the thread whose status file the path names, or 0. */
static pid_t thread_of(const char *path)
{
    static const char before[] = "/proc/";
    if (strncmp(path, before, sizeof before - 1) != 0)
        return 0;
    pid_t thread = 0;
    const char *digit = path + sizeof before - 1;
    for (; *digit >= '0' && *digit <= '9' && thread < 100000000; digit++)
        thread = thread * 10 + (*digit - '0');
    return strcmp(digit, "/stat") == 0 ? thread : 0;
}

static int nanoseconds(clockid_t clock, uint64_t *value)
{
    struct timespec now;
    if (clock_gettime(clock, &now) < 0)
        return -1;
    *value = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    return 0;
}

/* The CPU clock of a thread of this process; see clock_getres(2) and pthread_getcpuclockid, which requires a
 * pthread_t. The kernel rejects the threads of other processes. */
static clockid_t clock_of(pid_t thread) { return (clockid_t)(~(uint32_t)thread << 3 | 6); }

/* Returns whether a thread has been computing since the last observation; true for the first one. */
static int computes(pid_t thread, uint64_t used, uint64_t now)
{
    sample *place = &samples[(unsigned)thread % (sizeof samples / sizeof samples[0])];
    pthread_mutex_lock(&lock);
    sample before = *place;
    *place = (sample){thread, used, now};
    pthread_mutex_unlock(&lock);
    return before.thread != thread || (used - before.used) * LEAST_PART >= now - before.seen;
}

/* Returns a pipe containing the status of a thread, or -1 if it is not a thread of this process. */
static int open_status(pid_t thread, int flags)
{
    uint64_t used, now;
    if (nanoseconds(clock_of(thread), &used) < 0 || nanoseconds(CLOCK_MONOTONIC, &now) < 0)
        return -1;
    char text[64];
    int length = snprintf(
        text, sizeof text, "%d (thread) %c\n", thread, computes(thread, used, now) ? 'R' : 'S');
    int ends[2];
    if (pipe2(ends, flags & (O_CLOEXEC | O_NONBLOCK)) < 0)
        return -1;
    ssize_t written = write(ends[1], text, (size_t)length);
    close(ends[1]);
    if (written == length)
        return ends[0];
    close(ends[0]);
    return -1;
}

static int open_or_answer(const char *path, int flags, mode_t mode)
{
    int file = openat(AT_FDCWD, path, flags, mode);
    /* /proc is hidden, or missing in a container. */
    if (file >= 0 || (errno != EACCES && errno != ENOENT) || (flags & O_ACCMODE) != O_RDONLY)
        return file;
    int error = errno;
    pid_t thread = thread_of(path);
    if (thread > 0)
        file = open_status(thread, flags);
    errno = error;
    return file;
}

static mode_t mode_of(int flags, va_list arguments)
{
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_or_answer(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_or_answer(path, flags, mode);
}
