/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <vips/vips.h>
#include "detail.h"

dt_edit *dt_edit_make(void) { return calloc(1, sizeof(dt_edit)); }

void dt_edit_free(dt_edit *edit)
{
    if (!edit)
        return;
    pl_base_free(&edit->base);
    free(edit);
}

/* The region and the memory of a thread. */
typedef struct {
    VipsRegion *input;
    float *scratch;
} thread_state;

static int stop(void *sequence, void *a, void *b)
{
    (void) a;
    (void) b;
    thread_state *state = sequence;
    if (state->input)
        g_object_unref(state->input);
    free(state->scratch);
    free(state);
    return 0;
}

/* Called by libvips on each of its threads: `a` is the source. */
static void *start(VipsImage *image, void *a, void *b)
{
    (void) image;
    thread_state *state = calloc(1, sizeof *state);
    if (!state) {
        vips_error("detail", "out of memory");
        return NULL;
    }
    state->input = vips_region_new(a);
    state->scratch = malloc(dt_scratch_count() * sizeof(float));
    if (!state->input || !state->scratch) {
        vips_error("detail", "out of memory");
        stop(state, a, b);
        return NULL;
    }
    return state;
}

/* Computes a block that lies within the picture. */
static int generate_block(VipsRegion *output, thread_state *state, const dt_edit *edit, const VipsRect *block)
{
    VipsImage *image = state->input->im;
    int reach = dt_reach(edit);
    VipsRect area = *block, whole = {0, 0, image->Xsize, image->Ysize};
    vips_rect_marginadjust(&area, reach);
    vips_rect_intersectrect(&area, &whole, &area);
    if (vips_region_prepare(state->input, &area))
        return -1;
    dt_source source = {
        .pixels = VIPS_REGION_ADDR(state->input, area.left, area.top),
        .stride = VIPS_REGION_LSKIP(state->input),
        .left = area.left,
        .top = area.top,
        .width = area.width,
        .height = area.height,
        .is_byte = image->BandFmt == VIPS_FORMAT_UCHAR,
        .bands = image->Bands,
    };
    dt_block(
        edit, &source, state->scratch, VIPS_REGION_ADDR(output, block->left, block->top), VIPS_REGION_LSKIP(output),
        block->left, block->top, block->width, block->height);
    return 0;
}

/* Called by libvips on its threads: `b` is the edit. */
static int generate(VipsRegion *output, void *sequence, void *a, void *b, gboolean *is_stopped)
{
    (void) a;
    (void) is_stopped;
    VipsRect valid = output->valid;
    for (int top = valid.top; top < VIPS_RECT_BOTTOM(&valid); top += DT_HEIGHT)
        for (int left = valid.left; left < VIPS_RECT_RIGHT(&valid); left += DT_WIDTH) {
            VipsRect block = {left, top, DT_WIDTH, DT_HEIGHT};
            vips_rect_intersectrect(&block, &valid, &block);
            if (generate_block(output, sequence, b, &block))
                return -1;
        }
    return 0;
}

/* Called when the image is finalised. */
static void release(VipsImage *image, dt_edit *edit)
{
    (void) image;
    dt_edit_free(edit);
}

/* Computes whole blocks and caches two rows of them. With smaller pieces, the pixels around them would be computed
 * several times. */
static int cache_blocks(VipsImage *image, VipsImage **result)
{
    int across = (image->Xsize + DT_WIDTH - 1) / DT_WIDTH;
    int count = 2 * across + 2 * vips_concurrency_get();
    return vips_tilecache(
        image, result, "tile_width", DT_WIDTH, "tile_height", DT_HEIGHT, "max_tiles", count, "threaded", TRUE, NULL);
}

int dt_image(VipsImage *source, dt_edit *edit, VipsImage **result)
{
    bool has_levels = source->BandFmt == VIPS_FORMAT_UCHAR || source->BandFmt == VIPS_FORMAT_USHORT;
    if (!has_levels || source->Bands < 3 || source->Bands > 4) {
        vips_error("detail", "the picture is not red, green and blue of 8 or 16 bits");
        dt_edit_free(edit);
        return -1;
    }
    VipsImage *image = vips_image_new();
    g_signal_connect(image, "postclose", G_CALLBACK(release), edit);
    /* libvips does not hold a reference to the source. */
    g_object_ref(source);
    vips_object_local(image, source);
    int status = vips_image_pipelinev(image, VIPS_DEMAND_STYLE_SMALLTILE, source, NULL);
    if (!status)
        status = vips_image_generate(image, start, generate, stop, source, edit);
    if (!status)
        status = cache_blocks(image, result);
    /* The cache holds a reference. */
    g_object_unref(image);
    return status;
}
