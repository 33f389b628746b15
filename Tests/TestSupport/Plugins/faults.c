/* SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded into a program (LD_PRELOAD), it injects faults into calls on files below FAULT_ROOT, or bugs into
 * the program:
 *
 *   FAULT_AT=N FAULT_KIND=kill|EIO|ENOSPC|EDQUOT   a fault in the Nth call that changes a file
 *   FAULT_COUNT=FILE                               writes the number of such calls to FILE
 *   FAULT_MUTANT=row-first    links of blobs are created only after the log has been synchronised
 *   FAULT_MUTANT=no-fsync     blobs and their folders are not synchronised
 *
 * Programs started with a clean environment are not affected.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *root, *kind, *mutant;
static long at;
static atomic_long calls;

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("FAULT_AT");
    root = getenv("FAULT_ROOT");
    kind = getenv("FAULT_KIND");
    mutant = getenv("FAULT_MUTANT");
    at = number ? atol(number) : 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAULT_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%ld\n", atomic_load(&calls));
    fclose(file);
}

static const char *path_of(int fd, char *buffer)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, buffer, PATH_MAX - 1);
    buffer[length < 0 ? 0 : length] = 0;
    return buffer;
}

/* Returns the path of a name in an open folder. */
static const char *path_in(int folder, const char *name, char *buffer)
{
    char path[PATH_MAX];
    if (folder == AT_FDCWD || name[0] == '/')
        return name;
    path_of(folder, path);
    snprintf(buffer, PATH_MAX, "%.*s/%.255s", PATH_MAX - 257, path, name);
    return buffer;
}

static int is_ours(const char *path)
{
    return root && path && strncmp(path, root, strlen(root)) == 0;
}

/* Counts a call. Returns the error to inject, or 0. */
static int disturbed(const char *path)
{
    if (!is_ours(path) || atomic_fetch_add(&calls, 1) + 1 != at || !kind)
        return 0;
    if (strcmp(kind, "kill") == 0)
        kill(getpid(), SIGKILL);
    return strcmp(kind, "EIO") == 0 ? EIO : strcmp(kind, "ENOSPC") == 0 ? ENOSPC : EDQUOT;
}

static int is_mutant(const char *name)
{
    return mutant && strcmp(mutant, name) == 0;
}

static int is_file_of_blobs(const char *path)
{
    return is_ours(path) && (strstr(path, "/staging/") || strstr(path, "/blobs"));
}

#define NEXT(name)                                                                                 \
    static __typeof__(name) *next;                                                                 \
    if (!next)                                                                                     \
        next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
#define DISTURB(path)                                                                              \
    do {                                                                                           \
        int error = disturbed(path);                                                               \
        if (error) {                                                                               \
            errno = error;                                                                         \
            return -1;                                                                             \
        }                                                                                          \
    } while (0)

/* Links that are created too late. */
static struct { char from[PATH_MAX], to[PATH_MAX]; } waiting[64];
static int waiting_count;

static void make_names(void)
{
    NEXT(linkat);
    for (int index = 0; index < waiting_count; index++)
        next(AT_FDCWD, waiting[index].from, AT_FDCWD, waiting[index].to, 0);
    waiting_count = 0;
}

int linkat(int from_folder, const char *from, int folder, const char *name, int flags)
{
    char from_buffer[PATH_MAX], buffer[PATH_MAX];
    const char *path = path_in(folder, name, buffer);
    NEXT(linkat);
    if (is_mutant("row-first") && is_file_of_blobs(path) && waiting_count < 64) {
        const char *old = path_in(from_folder, from, from_buffer);
        snprintf(waiting[waiting_count].from, PATH_MAX, "%s", old);
        snprintf(waiting[waiting_count++].to, PATH_MAX, "%s", path);
        return 0;
    }
    DISTURB(path);
    return next(from_folder, from, folder, name, flags);
}

static int synchronize(int fd, int (*next)(int))
{
    char buffer[PATH_MAX];
    const char *path = path_of(fd, buffer);
    if (is_mutant("no-fsync") && is_file_of_blobs(path))
        return 0;
    DISTURB(path);
    int result = next(fd);
    if (waiting_count && strstr(path, "-wal")) {
        make_names();
        DISTURB(path);
    }
    return result;
}

int fsync(int fd)
{
    NEXT(fsync);
    return synchronize(fd, next);
}

int fdatasync(int fd)
{
    NEXT(fdatasync);
    return synchronize(fd, next);
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        NEXT(name);                                                                                \
        va_list list;                                                                              \
        va_start(list, flags);                                                                     \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;                    \
        va_end(list);                                                                              \
        if (flags & (O_CREAT | O_WRONLY | O_RDWR | O_TRUNC))                                       \
            DISTURB(path);                                                                         \
        return next(path, flags, mode);                                                            \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                               \
    int name(int folder, const char *file, int flags, ...)                                         \
    {                                                                                              \
        char buffer[PATH_MAX];                                                                     \
        NEXT(name);                                                                                \
        va_list list;                                                                              \
        va_start(list, flags);                                                                     \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;                    \
        va_end(list);                                                                              \
        if (flags & (O_CREAT | O_WRONLY | O_RDWR | O_TRUNC))                                       \
            DISTURB(path_in(folder, file, buffer));                                                \
        return next(folder, file, flags, mode);                                                    \
    }
OPENAT(openat)
OPENAT(openat64)

#define WITH_FD(type, name, parameters, arguments)                                                 \
    type name parameters                                                                           \
    {                                                                                              \
        char buffer[PATH_MAX];                                                                     \
        NEXT(name);                                                                                \
        DISTURB(path_of(fd, buffer));                                                              \
        return next arguments;                                                                     \
    }
WITH_FD(ssize_t, write, (int fd, const void *bytes, size_t count), (fd, bytes, count))
WITH_FD(ssize_t, pwrite, (int fd, const void *bytes, size_t count, off_t offset),
        (fd, bytes, count, offset))
WITH_FD(ssize_t, pwrite64, (int fd, const void *bytes, size_t count, off64_t offset),
        (fd, bytes, count, offset))
WITH_FD(int, ftruncate, (int fd, off_t size), (fd, size))
WITH_FD(int, ftruncate64, (int fd, off64_t size), (fd, size))
WITH_FD(int, fchmod, (int fd, mode_t mode), (fd, mode))

#define WITH_PATH(name, parameters, arguments)                                                     \
    int name parameters                                                                            \
    {                                                                                              \
        NEXT(name);                                                                                \
        DISTURB(path);                                                                             \
        return next arguments;                                                                     \
    }
WITH_PATH(unlink, (const char *path), (path))
WITH_PATH(mkdir, (const char *path, mode_t mode), (path, mode))

#define WITH_FOLDER(name, parameters, arguments)                                                   \
    int name parameters                                                                            \
    {                                                                                              \
        char buffer[PATH_MAX];                                                                     \
        NEXT(name);                                                                                \
        DISTURB(path_in(folder, file, buffer));                                                    \
        return next arguments;                                                                     \
    }
WITH_FOLDER(unlinkat, (int folder, const char *file, int flags), (folder, file, flags))
WITH_FOLDER(mkdirat, (int folder, const char *file, mode_t mode), (folder, file, mode))
WITH_FOLDER(renameat, (int old, const char *from, int folder, const char *file),
            (old, from, folder, file))
WITH_FOLDER(fchmodat, (int folder, const char *file, mode_t mode, int flags),
            (folder, file, mode, flags))
