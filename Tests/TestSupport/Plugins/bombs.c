/* SPDX-License-Identifier: Apache-2.0
 *
 * A plug-in for tests that uses as many resources as it can get and changes no pixel. Its recipe is the
 * amount that it got.
 *
 * Macros: BOMB, one of the functions below, is called in finish. PIXELS: it is called while pixels are
 * computed instead. PREVIEW: in render_preview. PREVIEW_PIXELS: while pixels of a preview are computed.
 * START: repeatedly by a thread, from the first start on.
 */
#define _GNU_SOURCE
#include <editing_extension.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vips/vips.h>

/* The maximum that a bomb uses if nothing stops it. */
enum { BLOCK = 16 << 20, MOST_BLOCKS = 256, MOST_THREADS = 2000 };

struct ee_controller {
    const ee_input *input;
    VipsImage *output;
    char recipe[64];
};

/* Each returns the amount that it got, or -1 with errno if it was refused. */

static long refused(int error)
{
    errno = error;
    return -1;
}

static long touched(void *(*allocate)(size_t))
{
    for (long count = 0; count < MOST_BLOCKS; count++) {
        void *block = allocate(BLOCK);
        if (!block)
            return refused(ENOMEM);
        memset(block, 1, BLOCK);
    }
    return MOST_BLOCKS;
}
static void *map_shared(size_t size)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}
static void *allocate_or_abort(size_t size) { return g_malloc(size); }
long malloc_touch(ee_controller *self) { return (void)self, touched(malloc); }
long shm_map(ee_controller *self) { return (void)self, touched(map_shared); }
long malloc_glib(ee_controller *self) { return (void)self, touched(allocate_or_abort); }

/* Uses nothing. */
long crash(ee_controller *self) { return (void)self, (long)raise(SIGSEGV); }

static long write_blocks(int file)
{
    static char block[1 << 20];
    for (long count = 0; count < MOST_BLOCKS; count++)
        if (write(file, block, sizeof block) != sizeof block)
            return refused(errno);
    return MOST_BLOCKS;
}

long memfd_bomb(ee_controller *self)
{
    (void)self;
    int memory = memfd_create("bomb", 0);
    return memory < 0 ? refused(errno) : write_blocks(memory);
}

/* Shared memory that was removed from all page tables is charged to no process, but still exists. */
static void *map_hidden(size_t size)
{
    void *block = map_shared(size);
    if (block) {
        memset(block, 1, size);
        madvise(block, size, MADV_DONTNEED);
    }
    return block;
}
long shm_hidden(ee_controller *self)
{
    (void)self;
    for (long count = 0; count < MOST_BLOCKS; count++)
        if (!map_hidden(BLOCK))
            return refused(ENOMEM);
    return MOST_BLOCKS;
}

/* All memory files seen so far. A descriptor and a mapped page keep each of them alive. */
enum { MOST_KEPT = 40 };
static int kept[MOST_KEPT];
static ino_t kept_numbers[MOST_KEPT];
static int kept_count;

static void keep_all(void)
{
    for (int number = 4; number < 64 && kept_count < MOST_KEPT; number++) {
        struct stat status;
        if (fstat(number, &status) < 0 || !S_ISREG(status.st_mode) || status.st_nlink)
            continue;
        bool is_known = false;
        for (int index = 0; index < kept_count; index++)
            is_known = is_known || kept_numbers[index] == status.st_ino;
        int copy = is_known ? -1 : dup(number);
        if (copy < 0)
            continue;
        kept_numbers[kept_count] = status.st_ino;
        kept[kept_count++] = copy;
        void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, copy, 0);
        (void)page;
    }
}
/* Fills every kept file, beyond its size if possible. Returns their total size in MiB. */
static long fill_all(void)
{
    static char block[1 << 20];
    memset(block, 1, sizeof block);
    signal(SIGXFSZ, SIG_IGN);
    long blocks = 0;
    for (int index = 0; index < kept_count; index++) {
        struct stat status;
        int grown = ftruncate(kept[index], 1L << 30);
        (void)grown;
        for (off_t offset = 0; offset < 1L << 30; offset += sizeof block)
            if (pwrite(kept[index], block, sizeof block, offset) != sizeof block)
                break;
        if (fstat(kept[index], &status) == 0)
            blocks += status.st_blocks;
    }
    return blocks >> 11;
}
/* Returns the number of edits in this process, plus 1000 times the MiB that it holds in memory files. */
long hoard(ee_controller *self)
{
    (void)self;
    static long edits;
    keep_all();
    return fill_all() * 1000 + ++edits;
}

static long wait_for_ever(void)
{
    for (;;)
        pause();
    return 0;
}
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static void *wait_at_gate(void *nothing)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return nothing;
}
long thread_bomb(ee_controller *self)
{
    (void)self;
    static pthread_t threads[MOST_THREADS];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    pthread_mutex_lock(&gate);
    long count = 0;
    while (count < MOST_THREADS
           && !pthread_create(&threads[count], &attributes, wait_at_gate, NULL))
        count++;
    if (count == MOST_THREADS)
        wait_for_ever();
    pthread_mutex_unlock(&gate);
    for (long index = 0; index < count; index++)
        pthread_join(threads[index], NULL);
    return count;
}

long fd_bomb(ee_controller *self)
{
    (void)self;
    int numbers[4096];
    long count = 0;
    while (count < 4096 && (numbers[count] = dup(0)) >= 0)
        count++;
    int error = errno;
    for (long index = 0; index < count; index++)
        close(numbers[index]);
    return error == EMFILE ? count : refused(error);
}

long pipe_bomb(ee_controller *self)
{
    (void)self;
    static const char filling[64 << 10];
    int ends[4096][2];
    long count = 0;
    while (count < 4096 && pipe2(ends[count], O_NONBLOCK) == 0) {
        ssize_t written = write(ends[count][1], filling, sizeof filling);
        (void)written;
        count++;
    }
    int error = errno;
    for (long index = 0; index < count; index++) {
        close(ends[index][0]);
        close(ends[index][1]);
    }
    return error == EMFILE ? count : refused(error);
}

static int output_file(ee_controller *self, int number)
{
    const char *path;
    ee_error error;
    if (self->input->rendered_content_path(self->input, "image/png", &path, &error) != EE_OK)
        return -1;
    char name[4096];
    snprintf(name, sizeof name, "%s.%d", path, number);
    return open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
}
long out_huge(ee_controller *self) { return write_blocks(output_file(self, 0)); }
long out_huge_ign(ee_controller *self)
{
    signal(SIGXFSZ, SIG_IGN);
    return out_huge(self);
}
long out_sparse(ee_controller *self)
{
    signal(SIGXFSZ, SIG_IGN);
    return ftruncate(output_file(self, 0), 1L << 40) < 0 ? refused(errno) : 1;
}
long out_fallocate(ee_controller *self)
{
    signal(SIGXFSZ, SIG_IGN);
    int error = posix_fallocate(output_file(self, 0), 0, 1L << 30);
    return error ? refused(error) : 1;
}
/* Many files, each within the limit. */
long out_many(ee_controller *self)
{
    static const char block[1 << 20];
    for (int number = 0; number < MOST_BLOCKS; number++) {
        int file = output_file(self, number);
        if (file < 0 || write(file, block, sizeof block) != sizeof block)
            return refused(errno);
        close(file);
    }
    return wait_for_ever();
}

/* Empty files. */
long out_files(ee_controller *self)
{
    for (int number = 0; number < 300000; number++) {
        int file = output_file(self, number);
        if (file < 0)
            return refused(errno);
        close(file);
    }
    return wait_for_ever();
}
/* The same without using the input, for a thread that outlives it. */
long idle_files(ee_controller *self)
{
    (void)self;
    for (int number = 0; number < 300000; number++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%d", getenv("TMPDIR"), number);
        close(open(name, O_RDWR | O_CREAT, 0600));
    }
    return wait_for_ever();
}

long spin(ee_controller *self)
{
    for (volatile int *number = &(int){0};;)
        *number += self != NULL;
    return 0;
}
long spin_ign(ee_controller *self)
{
    signal(SIGXCPU, SIG_IGN);
    return spin(self);
}
long wait_long(ee_controller *self) { return (void)self, wait_for_ever(); }

/* Not a bomb: returns the limit of processor time in seconds. */
long tell_limit(ee_controller *self)
{
    (void)self;
    struct rlimit limit;
    return getrlimit(RLIMIT_CPU, &limit) < 0 ? refused(errno) : (long)limit.rlim_cur;
}

#ifdef START
static void *call_for_ever(void *controller)
{
    /* The controller may have been destroyed by then. */
    (void)controller;
    for (;;)
        BOMB(NULL);
    return NULL;
}
#endif

static ee_status create(const ee_host *host, ee_controller **controller, ee_error *error)
{
    (void)host;
    (void)error;
    *controller = calloc(1, sizeof **controller);
    return EE_OK;
}

static void destroy(ee_controller *self)
{
    g_clear_object(&self->output);
    free(self);
}

static ee_status can_handle(
    ee_controller *self, const ee_adjustment *adjustment, bool *answer, ee_error *error)
{
    (void)self;
    (void)adjustment;
    (void)error;
    *answer = false;
    return EE_OK;
}

static ee_status start(
    ee_controller *self, const ee_input *input, VipsImage *placeholder, ee_error *error)
{
    (void)placeholder;
    (void)error;
    self->input = input;
#ifdef START
    static pthread_t thread;
    if (!thread)
        pthread_create(&thread, NULL, call_for_ever, self);
#endif
    return EE_OK;
}

static ee_status get_parameters(ee_controller *self, const char **json, ee_error *error)
{
    (void)self;
    (void)error;
    *json = "{}";
    return EE_OK;
}

static ee_status set_parameters(
    ee_controller *self, const char *json, size_t size, ee_error *error)
{
    (void)self;
    (void)json;
    (void)size;
    (void)error;
    return EE_OK;
}

#if defined PIXELS || defined PREVIEW_PIXELS
static int call_in_pixels(VipsRegion *out, void *sequence, void *image, void *self, gboolean *stop)
{
    VipsRegion *in = sequence;
    (void)image;
    (void)stop;
    BOMB(self);
    if (vips_region_prepare(in, &out->valid))
        return -1;
    vips_region_copy(in, out, &out->valid, out->valid.left, out->valid.top);
    return 0;
}

static VipsImage *calling(ee_controller *self, VipsImage *in)
{
    VipsImage *out = vips_image_new();
    vips_object_local(VIPS_OBJECT(out), in);
    vips_image_pipelinev(out, VIPS_DEMAND_STYLE_THINSTRIP, in, NULL);
    vips_image_generate(out, vips_start_one, call_in_pixels, vips_stop_one, in, self);
    return out;
}
#endif

static ee_status render_preview(
    ee_controller *self, const ee_preview *preview, VipsImage **image, ee_error *error)
{
#ifdef PREVIEW
    BOMB(self);
#endif
    ee_status status = self->input->display_image(self->input, image, error);
#ifdef PREVIEW_PIXELS
    if (status == EE_OK)
        *image = calling(self, *image);
#endif
    return status;
}

static ee_status finish(
    ee_controller *self, const ee_completion *completion, ee_error *error)
{
#if defined PIXELS || defined PREVIEW || defined PREVIEW_PIXELS || defined START
    long got = getpid();
#else
    long got = BOMB(self);
#endif
    if (got < 0) {
        snprintf(error->message, sizeof error->message, "refused: %s", strerror(errno));
        return EE_FAILED;
    }
    ee_status status = self->input->full_size_image(
        self->input, EE_ACCESS_SEQUENTIAL, &self->output, error);
    if (status != EE_OK)
        return status;
#ifdef PIXELS
    self->output = calling(self, self->output);
#endif
    snprintf(self->recipe, sizeof self->recipe, "%ld", got);
    ee_output output = {
        .struct_size = sizeof output,
        .adjustment = {"org.example.bomb", "1.0", self->recipe, strlen(self->recipe)},
        .image = self->output,
    };
    completion->complete(completion, EE_OK, &output, NULL);
    return EE_OK;
}

static void cancel(ee_controller *self) { (void)self; }

static bool should_show_cancel_confirmation(ee_controller *self)
{
    (void)self;
    return false;
}

#define IDENTIFIER "org.example.bomb"
#include "frame.h"
