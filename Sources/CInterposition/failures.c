/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "cinterposition.h"

#include <dlfcn.h>
#include <vips/vips.h>

/* libvips' own functions. Looked up before main, and thus before a second thread exists. */
static int (*prepare)(VipsRegion *, const VipsRect *);
static int (*prepare_to)(VipsRegion *, VipsRegion *, const VipsRect *, int, int);
static int (*run_pool)(
    VipsImage *, VipsThreadStartFn, VipsThreadpoolAllocateFn, VipsThreadpoolWorkFn,
    VipsThreadpoolProgressFn, void *);
static int (*sink_disc)(VipsImage *, VipsRegionWrite, void *);
static int (*sink_screen)(
    VipsImage *, VipsImage *, VipsImage *, int, int, int, int, VipsSinkNotify, void *);

/* Data attached to images: the failure flag, the watch, and a source whose failure does not fail the image. */
static GQuark failed_mark, watch_mark, source_mark;

/* Whether any image has failed. Most runners never see a failure, and skip all look-ups. */
static int any_failed;

__attribute__((constructor)) static void find_libvips(void)
{
    *(void **)&prepare = dlsym(RTLD_NEXT, "vips_region_prepare");
    *(void **)&prepare_to = dlsym(RTLD_NEXT, "vips_region_prepare_to");
    *(void **)&run_pool = dlsym(RTLD_NEXT, "vips_threadpool_run");
    *(void **)&sink_disc = dlsym(RTLD_NEXT, "vips_sink_disc");
    *(void **)&sink_screen = dlsym(RTLD_NEXT, "vips_sink_screen");
    failed_mark = g_quark_from_static_string("edithost-failed");
    watch_mark = g_quark_from_static_string("edithost-watch");
    source_mark = g_quark_from_static_string("edithost-source");
}

/* ---- Watches ---- */

struct interposition_watch {
    int has_failed;
    char *reason;
};

struct interposition_watch *interposition_watch_new(void)
{
    return g_atomic_rc_box_new0(struct interposition_watch);
}

static void clear_watch(void *data)
{
    struct interposition_watch *watch = data;
    g_free(watch->reason);
}

static void release_watch(void *watch)
{
    g_atomic_rc_box_release_full(watch, clear_watch);
}

void interposition_watch_free(struct interposition_watch *watch) { release_watch(watch); }

void interposition_watch_add(struct interposition_watch *watch, void *image)
{
    g_object_set_qdata_full(
        G_OBJECT(image), watch_mark, g_atomic_rc_box_acquire(watch), release_watch);
}

bool interposition_watch_has_failed(struct interposition_watch *watch)
{
    return g_atomic_int_get(&watch->has_failed) != 0;
}

const char *interposition_watch_reason(struct interposition_watch *watch)
{
    return g_atomic_pointer_get(&watch->reason);
}

/* Keeps a copy of libvips' message. The buffer is unchanged, because the caller reads the error next. */
static void note(struct interposition_watch *watch)
{
    if (!g_atomic_int_compare_and_exchange(&watch->has_failed, 0, 1))
        return;
    char *text = vips_error_buffer_copy();
    if (text && *text) {
        vips_error(NULL, "%s", g_strchomp(text));
        g_atomic_pointer_set(&watch->reason, text);
    } else
        g_free(text);
}

/* ---- Failures of images ---- */

static bool has_failed(VipsImage *image)
{
    if (g_atomic_int_get(&any_failed) == 0)
        return false;
    for (; image; image = g_object_get_qdata(G_OBJECT(image), source_mark))
        if (g_object_get_qdata(G_OBJECT(image), failed_mark))
            return true;
    return false;
}

static void remember(VipsImage *image)
{
    g_object_set_qdata(G_OBJECT(image), failed_mark, GINT_TO_POINTER(1));
    g_atomic_int_set(&any_failed, 1);
    struct interposition_watch *watch = g_object_get_qdata(G_OBJECT(image), watch_mark);
    if (watch)
        note(watch);
}

static int refused(VipsImage *image)
{
    vips_error("pixels", "%s", "a part of the image could not be computed");
    remember(image);
    return -1;
}

/* Returns the result of computing a region, or a failure if another region has failed meanwhile. A killed
 * image has not failed: it can be read again. */
static int checked(VipsImage *image, bool was_killed, int result)
{
    if (result != 0 && !was_killed)
        remember(image);
    else if (has_failed(image))
        return refused(image);
    return result;
}

/* An image fails as a whole, before one of libvips' caches can return black pixels (decision 17). */
int vips_region_prepare(VipsRegion *region, const VipsRect *area)
{
    VipsImage *image = region->im;
    bool is_killed = image->kill;
    return has_failed(image) ? refused(image)
                             : checked(image, is_killed, prepare(region, area));
}

int vips_region_prepare_to(
    VipsRegion *region, VipsRegion *target, const VipsRect *area, int x, int y)
{
    VipsImage *image = region->im;
    bool is_killed = image->kill;
    return has_failed(image)
        ? refused(image)
        : checked(image, is_killed, prepare_to(region, target, area, x, y));
}

/* Without a notification function, libvips renders failed input as black. */
int vips_sink_screen(
    VipsImage *in, VipsImage *out, VipsImage *mask, int tile_width, int tile_height, int max_tiles,
    int priority, VipsSinkNotify notify, void *a)
{
    g_object_set_qdata_full(G_OBJECT(out), source_mark, g_object_ref(in), g_object_unref);
    return sink_screen(
        in, out, mask, tile_width, tile_height, max_tiles, priority, notify, a);
}

/* ---- Errors of thread pools ---- */

/* The functions of a pool, and whether one has failed. It can be a local variable of the caller, because the
 * pool's threads have ended when libvips returns. */
typedef struct pool_run {
    VipsThreadStartFn start;
    VipsThreadpoolAllocateFn allocate;
    VipsThreadpoolWorkFn work;
    VipsThreadpoolProgressFn progress;
    void *a;
    int has_failed;
} pool_run;

static VipsThreadState *start_state(VipsImage *image, void *a)
{
    pool_run *run = a;
    VipsThreadState *state = run->start(image, run->a);
    if (!state)
        g_atomic_int_set(&run->has_failed, 1);
    return state;
}

static int noted(pool_run *run, int result)
{
    if (result != 0)
        g_atomic_int_set(&run->has_failed, 1);
    return result;
}

static int allocate_unit(VipsThreadState *state, void *a, gboolean *stop)
{
    pool_run *run = a;
    return noted(run, run->allocate(state, run->a, stop));
}

static int work_unit(VipsThreadState *state, void *a)
{
    pool_run *run = a;
    return noted(run, run->work(state, run->a));
}

static int tell_progress(void *a)
{
    pool_run *run = a;
    return noted(run, run->progress(run->a));
}

int vips_threadpool_run(
    VipsImage *image, VipsThreadStartFn start, VipsThreadpoolAllocateFn allocate,
    VipsThreadpoolWorkFn work, VipsThreadpoolProgressFn progress, void *a)
{
    pool_run run = {start, allocate, work, progress, a, 0};
    int result = run_pool(
        image, start_state, allocate_unit, work_unit, progress ? tell_progress : NULL, &run);
    return g_atomic_int_get(&run.has_failed) ? -1 : result;
}

/* ---- Errors of writers ---- */

typedef struct disc_run {
    VipsRegionWrite write;
    void *a;
    int has_failed;
} disc_run;

static int write_strip(VipsRegion *region, VipsRect *area, void *a)
{
    disc_run *run = a;
    int result = run->write(region, area, run->a);
    if (result != 0)
        g_atomic_int_set(&run->has_failed, 1);
    return result;
}

int vips_sink_disc(VipsImage *image, VipsRegionWrite write, void *a)
{
    disc_run run = {write, a, 0};
    int result = sink_disc(image, write_strip, &run);
    return g_atomic_int_get(&run.has_failed) ? -1 : result;
}

/* ---- Self-test ---- */

static int fail(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop)
{
    (void)out, (void)sequence, (void)a, (void)b, (void)stop;
    return -1;
}

bool interposition_works(void)
{
    VipsImage *image = vips_image_new();
    struct interposition_watch *watch = interposition_watch_new();
    interposition_watch_add(watch, image);
    vips_image_init_fields(
        image, 1, 1, 1, VIPS_FORMAT_UCHAR, VIPS_CODING_NONE, VIPS_INTERPRETATION_B_W, 1, 1);
    double *point = NULL;
    int count = 0;
    bool works = vips_image_pipelinev(image, VIPS_DEMAND_STYLE_ANY, NULL) == 0
        && vips_image_generate(image, NULL, fail, NULL, NULL, NULL) == 0
        /* libvips itself requests the region. */
        && vips_getpoint(image, &point, &count, 0, 0, NULL) != 0
        && interposition_watch_has_failed(watch)
        && dlsym(RTLD_DEFAULT, "vips_threadpool_run") == (void *)vips_threadpool_run;
    g_free(point);
    g_object_unref(image);
    interposition_watch_free(watch);
    vips_error_clear();
    g_atomic_int_set(&any_failed, 0);
    return works;
}
