/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <vips/vips.h>
#include "picture_light.h"

/* How the rows of an image are computed. */
typedef struct {
    void *edit;
    pl_row row;
    void (*release)(void *edit);
} rows;

/* Called by libvips on its threads: `sequence` is the region of vips_start_one, `b` the rows. */
static int generate(VipsRegion *output, void *sequence, void *a, void *b, gboolean *stop)
{
    (void) a;
    (void) stop;
    VipsRegion *input = sequence;
    const rows *edited = b;
    VipsRect area = output->valid;
    if (vips_region_prepare(input, &area))
        return -1;
    int bands = input->im->Bands;
    bool is_byte = input->im->BandFmt == VIPS_FORMAT_UCHAR;
    for (int y = area.top; y < VIPS_RECT_BOTTOM(&area); y++)
        edited->row(
            edited->edit, VIPS_REGION_ADDR(input, area.left, y), VIPS_REGION_ADDR(output, area.left, y), is_byte, bands,
            area.width, area.left, y);
    return 0;
}

/* Called when the image is finalised. */
static void release_rows(VipsImage *image, rows *edited)
{
    (void) image;
    edited->release(edited->edit);
    free(edited);
}

int pl_image(VipsImage *source, void *edit, pl_row row, void (*release)(void *edit), VipsImage **result)
{
    bool has_levels = source->BandFmt == VIPS_FORMAT_UCHAR || source->BandFmt == VIPS_FORMAT_USHORT;
    rows *edited = malloc(sizeof *edited);
    if (!has_levels || source->Bands < 3 || !edited) {
        vips_error("edit", edited ? "the picture is not red, green and blue of 8 or 16 bits" : "out of memory");
        release(edit);
        free(edited);
        return -1;
    }
    *edited = (rows) {edit, row, release};
    VipsImage *image = vips_image_new();
    g_signal_connect(image, "postclose", G_CALLBACK(release_rows), edited);
    /* libvips holds no reference to the source. */
    g_object_ref(source);
    vips_object_local(image, source);
    if (vips_image_pipelinev(image, VIPS_DEMAND_STYLE_THINSTRIP, source, NULL) ||
        vips_image_generate(image, vips_start_one, generate, vips_stop_one, source, edited)) {
        g_object_unref(image);
        return -1;
    }
    *result = image;
    return 0;
}
