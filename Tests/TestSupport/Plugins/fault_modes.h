/* SPDX-License-Identifier: Apache-2.0
 *
 * The faults of adder.c, run before its work. Each ends the process, never returns, or has effects that
 * outlast the call.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Exits and crashes. */

static void crash_with_segv(void)
{
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}

static volatile int deepest;

/* Overflows the stack of any thread. */
static int overflow_stack(volatile char *above)
{
    volatile char room[4096];
    room[0] = above[0];
    if (deepest++ > 1 << 24)
        return 0;
    return overflow_stack(room) + room[0];
}

static void crash_with_overflow(void)
{
    volatile char start = 1;
    deepest = overflow_stack(&start);
}

/* Ends as the runtime of Swift does: with a stack after the message. */
static void crash_with_message(void)
{
    fprintf(stderr, "\nA/A.swift:7: Fatal error: no table\nCurrent stack trace:\n");
    fprintf(stderr, "0    libA.so     0x00007f62e455f130 <unavailable> + 33\n");
    raise(SIGILL);
}

static void exit_in_order(void) { exit(0); }
static void exit_at_once(void) { _exit(0); }

/* Hangs. */

static void loop(void)
{
    for (volatile int turn = 0;; turn++) {
    }
}

static void sleep_for_ever(void)
{
    for (;;)
        pause();
}

static void loop_ignoring_signals(void)
{
    for (int number = 1; number < 65; number++)
        signal(number, SIG_IGN);
    loop();
}

/* Resources. */

static void eat_memory(void)
{
    for (;;) {
        char *bytes = malloc(1 << 20);
        if (!bytes)
            abort();
        memset(bytes, 1, 1 << 20);
    }
}

/* PREY: the folder that contains the library and the test's other files. */
static void delete_files(void)
{
#ifdef PREY
    static const char *const files[] = {
        PREY "/photos/picture0.png", PREY "/Photos.editlibrary/library.sqlite",
        PREY "/Photos.editlibrary/lock", PREY "/extensions/good.editingextension/libgood.so",
    };
    for (size_t index = 0; index < sizeof files / sizeof files[0]; index++)
        if (unlink(files[index]) == 0 || truncate(files[index], 0) == 0)
            abort();
    if (system("rm -rf " PREY) == 0)
        abort();
#endif
}

/* The socket to the host is descriptor 3. */

static void close_socket(void)
{
    close(3);
    sleep_for_ever();
}

static void write_everywhere(void)
{
    for (int number = 0; number < 1024; number++) {
        ssize_t written = write(number, "garbage", 7);
        (void)written;
    }
    sleep_for_ever();
}

/* For a while, reports more rows of pixels than exist through every socket except the host's. */
static void *say_rows(void *data)
{
    for (int turn = 0; turn < 2000; turn++) {
        for (int number = 4; number < 64; number++) {
            struct stat status;
            unsigned rows = 1000000;
            if (fstat(number, &status) != 0 || !S_ISSOCK(status.st_mode))
                continue;
            ssize_t written = write(number, &rows, sizeof rows);
            (void)written;
        }
        usleep(50);
    }
    return data;
}

static void start_saying_rows(void)
{
    pthread_t thread;
    signal(SIGPIPE, SIG_IGN);
    if (pthread_create(&thread, NULL, say_rows, NULL) == 0)
        pthread_detach(thread);
}

static void send_large_packet(void)
{
    static char packet[100000];
    ssize_t sent = send(3, packet, sizeof packet, MSG_NOSIGNAL);
    (void)sent;
    sleep_for_ever();
}

static void forge_reply(void)
{
    static const char reply[] = "{\"done\":{}}";
    unsigned char packet[16 + sizeof reply - 1] = {'E', 'H', 'R', '1', 99};
    packet[8] = sizeof reply - 1;
    memcpy(packet + 16, reply, sizeof reply - 1);
    ssize_t sent = send(3, packet, sizeof packet, MSG_NOSIGNAL);
    (void)sent;
    sleep_for_ever();
}

/* Writes 50 MB to stderr, more than a pipe holds and a log keeps. */
static void print(void)
{
    printf("on stdout\n");
    fprintf(stderr, "on stderr\nwithout an end");
}

static void flood(void)
{
    static char line[1000];
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    for (int count = 0; count < 50000; count++) {
        ssize_t written = write(2, line, sizeof line);
        (void)written;
    }
}

static void flood_and_abort(void)
{
    flood();
    abort();
}

/* Keeps writing into the middle of all open memory files, to change output after it was checked. */

static void write_late(int number, bool is_mapped)
{
    struct stat status;
    if (fstat(number, &status) < 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
        return;
    if (!is_mapped) {
        ssize_t written = pwrite(number, "late", 4, status.st_size / 2);
        (void)written;
        return;
    }
    char *bytes =
        mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0);
    if (bytes == MAP_FAILED)
        return;
    memcpy(bytes + status.st_size / 2, "late", status.st_size > 8 ? 4 : 0);
    munmap(bytes, (size_t)status.st_size);
}

static void *write_for_ever(void *is_mapped)
{
    int copies[64];
    int count = 0;
    for (;;) {
        /* Copies stay open after the runner closes the originals. */
        for (int number = 4; number < 40 && count < 20; number++) {
            struct stat status;
            if (fstat(number, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 0)
                copies[count++] = dup(number);
        }
        for (int index = 0; index < count; index++)
            write_late(copies[index], is_mapped != NULL);
        usleep(200);
    }
    return NULL;
}

static void start_writing(char *is_mapped)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, write_for_ever, is_mapped) == 0)
        pthread_detach(thread);
}

static void start_writing_copies(void) { start_writing(NULL); }
static void start_writing_maps(void) { start_writing("maps"); }

static const struct {
    const char *name;
    void (*run)(void);
} fault_modes[] = {
    {"segv", crash_with_segv},
    {"overflow", crash_with_overflow},
    {"abort", abort},
    {"fatal", crash_with_message},
    {"exit", exit_in_order},
    {"exit-at-once", exit_at_once},
    {"loop", loop},
    {"wait-loop", loop},
    {"eat-memory", eat_memory},
    {"delete-files", delete_files},
    {"sleep", sleep_for_ever},
    {"ignore-signals", loop_ignoring_signals},
    {"close-socket", close_socket},
    {"write-everywhere", write_everywhere},
    {"large-packet", send_large_packet},
    {"forge-reply", forge_reply},
    {"print", print},
    {"flood", flood},
    {"flood-abort", flood_and_abort},
    {"late-writes", start_writing_copies},
    {"late-maps", start_writing_maps},
    {"false-rows", start_saying_rows},
};

static void commit_fault(const char *mode)
{
    for (size_t index = 0; index < sizeof fault_modes / sizeof fault_modes[0]; index++)
        if (strcmp(mode, fault_modes[index].name) == 0)
            fault_modes[index].run();
}
