/* SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded into a program (LD_PRELOAD), it appends a line to the file TASK_SYNC for each fsync of a file or folder
 * below blobs/ or staging/: "task" if a Swift task called it on a thread of the shared pool or on the main thread, and
 * "thread" if it was called on another thread, such as that of the database's executor.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fsync(int fd)
{
    static int (*real)(int);
    if (!real)
        real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    const char *report = getenv("TASK_SYNC");
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    void *(*current)(void) = (void *(*)(void))dlsym(RTLD_DEFAULT, "swift_task_getCurrent");
    if (report && (strstr(path, "/blobs") || strstr(path, "/staging/"))) {
        const char *(*label)(void *) =
            (const char *(*)(void *))dlsym(RTLD_DEFAULT, "dispatch_queue_get_label");
        const char *queue = label && label(NULL) ? label(NULL) : "";
        int is_shared = strncmp(queue, "com.apple.", 10) == 0;
        const char *line = !current || !label ? "unknown\n"
                           : current() && is_shared ? "task\n"
                                                    : "thread\n";
        int file = open(report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (file >= 0 && write(file, line, strlen(line)) < 0)
            abort();
        if (file >= 0)
            close(file);
    }
    return real(fd);
}
