/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "main_queue.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The functions by which a run loop serves the main queue: swift-corelibs-libdispatch, private/private.h. They
 * are weak, because a library may be linked without Dispatch. The queue belongs to the thread that ran
 * Dispatch's constructor; serving it on another thread ends the process. */
extern int _dispatch_get_main_queue_handle_4CF(void) __attribute__((weak));
extern void _dispatch_main_queue_callback_4CF(void *unused) __attribute__((weak));

static long loading_thread;

__attribute__((constructor)) static void note_thread(void)
{
    loading_thread = syscall(SYS_gettid);
}

static bool is_ours(void)
{
    return _dispatch_get_main_queue_handle_4CF && _dispatch_main_queue_callback_4CF
        && loading_thread == syscall(SYS_gettid)
        /* The main thread of a process belongs to its main function. */
        && loading_thread != getpid();
}

int main_queue_descriptor(void)
{
    return is_ours() ? _dispatch_get_main_queue_handle_4CF() : -1;
}

void main_queue_serve(void)
{
    int descriptor = main_queue_descriptor();
    uint64_t count;
    if (descriptor >= 0 && read(descriptor, &count, sizeof count) == sizeof count)
        _dispatch_main_queue_callback_4CF(0);
}
