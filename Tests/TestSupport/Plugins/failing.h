/* SPDX-License-Identifier: Apache-2.0
 *
 * Images for adder.c whose pixels cannot all be computed. The mode is "pixels-WHEN-OVER", followed by
 * "-peek" if the plug-in itself first computes them and ignores the error.
 *
 * WHEN: last (the last strip, with a delay), middle, once (only the first requested region), none.
 * OVER, the operation on top: tilecache, threaded, linecache, sequential, screen, twice (a line cache
 * on a tile cache), swallow (an operation that ignores the failure of its input).
 */
#ifndef FAILING_H
#define FAILING_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <vips/vips.h>

typedef struct failing {
    const char *mode;
    int calls;
} failing;

static bool fails_in(failing *self, const VipsRegion *out)
{
    const VipsRect *area = &out->valid;
    int height = out->im->Ysize;
    if (strstr(self->mode, "-once"))
        return g_atomic_int_add(&self->calls, 1) == 0;
    if (strstr(self->mode, "-middle"))
        return area->top <= height / 2 && area->top + area->height > height / 2;
    if (strstr(self->mode, "-last") && area->top + area->height == height) {
        /* Gives the other threads time to run out of work. */
        usleep(30000);
        return true;
    }
    return false;
}

/* Fails without a message of libvips, so errors cannot be detected by messages. */
static int copy_or_fail(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop)
{
    VipsRegion *in = sequence;
    (void)a, (void)stop;
    if (vips_region_prepare(in, &out->valid) || fails_in(b, out))
        return -1;
    return vips_region_region(out, in, &out->valid, out->valid.left, out->valid.top);
}

static int copy_regardless(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop)
{
    VipsRegion *in = sequence;
    (void)a, (void)b, (void)stop;
    if (vips_region_prepare(in, &out->valid))
        vips_region_black(out);
    else
        vips_region_copy(in, out, &out->valid, out->valid.left, out->valid.top);
    return 0;
}

static VipsImage *generated(VipsImage *in, VipsGenerateFn generate, void *b)
{
    VipsImage *out = vips_image_new();
    vips_object_local(VIPS_OBJECT(out), in);
    vips_image_pipelinev(out, VIPS_DEMAND_STYLE_THINSTRIP, in, NULL);
    vips_image_generate(out, vips_start_one, generate, vips_stop_one, in, b);
    return out;
}

/* Consumes the reference of the image and returns a new one to the operation on top. */
static VipsImage *covered(const char *mode, VipsImage *in)
{
    VipsImage *out = NULL;
    if (strstr(mode, "-tilecache") || strstr(mode, "-twice"))
        vips_tilecache(in, &out, "tile_height", 16, "max_tiles", -1, NULL);
    else if (strstr(mode, "-threaded"))
        vips_tilecache(in, &out, "tile_height", 16, "max_tiles", -1, "threaded", TRUE, NULL);
    else if (strstr(mode, "-linecache"))
        vips_linecache(in, &out, "tile_height", 16, NULL);
    else if (strstr(mode, "-sequential"))
        vips_sequential(in, &out, NULL);
    else if (strstr(mode, "-screen")) {
        out = vips_image_new();
        vips_sink_screen(in, out, NULL, 64, 64, -1, 0, NULL, NULL);
    } else if (strstr(mode, "-swallow"))
        return generated(in, copy_regardless, NULL);
    else
        return in;
    g_object_unref(in);
    if (strstr(mode, "-twice")) {
        VipsImage *lines = out;
        vips_linecache(lines, &out, "tile_height", 32, NULL);
        g_object_unref(lines);
    }
    return out;
}

/* Consumes the reference of the image. Reads it from bottom to top. */
static VipsImage *flipped(VipsImage *in)
{
    VipsImage *out = NULL;
    vips_flip(in, &out, VIPS_DIRECTION_VERTICAL, NULL);
    g_object_unref(in);
    return out;
}

/* Repeats or crops an image to the size in the mode: size-WIDTHxHEIGHT. Consumes its reference. */
static VipsImage *resized(const char *mode, VipsImage *in)
{
    int width = 1, height = 1;
    VipsImage *out = NULL;
    sscanf(mode, "size-%dx%d", &width, &height);
    vips_embed(in, &out, 0, 0, width, height, "extend", VIPS_EXTEND_REPEAT, NULL);
    g_object_unref(in);
    return out;
}

/* Consumes the reference of the image. `mode` must live as long as the image. */
static VipsImage *failing_image(const char *mode, VipsImage *in)
{
    failing *self = g_new0(failing, 1);
    self->mode = mode;
    VipsImage *out = generated(in, copy_or_fail, self);
    g_object_set_data_full(G_OBJECT(out), "failing", self, g_free);
    out = covered(mode, out);
    if (strstr(mode, "-peek")) {
        double mean;
        vips_avg(out, &mean, NULL);
        vips_error_clear();
    }
    return out;
}

/* Consumes the reference of the image, and returns what the mode makes of it. */
static VipsImage *spoiled(const char *mode, VipsImage *in)
{
    if (strcmp(mode, "flip") == 0)
        return flipped(in);
    if (strncmp(mode, "size-", 5) == 0)
        return resized(mode, in);
    return strncmp(mode, "pixels-", 7) == 0 ? failing_image(mode, in) : in;
}

static int crash_in_pixels(
    VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop)
{
    (void)out;
    (void)sequence;
    (void)a;
    (void)b;
    (void)stop;
    raise(SIGSEGV);
    return -1;
}

static VipsImage *crashing(VipsImage *in)
{
    VipsImage *out = vips_image_new();
    /* The input must live as long as the image that is computed from it. */
    g_object_ref(in);
    vips_object_local(VIPS_OBJECT(out), in);
    vips_image_pipelinev(out, VIPS_DEMAND_STYLE_THINSTRIP, in, NULL);
    vips_image_generate(
        out, vips_start_one, crash_in_pixels, vips_stop_one, in, NULL);
    return out;
}

#endif
