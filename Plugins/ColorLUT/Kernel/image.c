/* SPDX-License-Identifier: Apache-2.0 */
#include "color_lut.h"
#include "picture_light.h"

static void edit_row(
    const void *edit, const void *source, void *destination, bool is_byte, int bands, int pixels, int left, int top)
{
    (void) left;
    (void) top;
    int clipped = is_byte ? cl_row_8(edit, source, destination, bands, pixels)
                          : cl_row_16(edit, source, destination, bands, pixels);
    /* The only member that changes while pixels are computed. */
    if (clipped > 0)
        __atomic_fetch_add(&((cl_edit *) edit)->clipped, (uint64_t) clipped, __ATOMIC_RELAXED);
}

static void release(void *edit) { cl_edit_free(edit); }

int cl_image(VipsImage *source, cl_edit *edit, VipsImage **result)
{
    return pl_image(source, edit, edit_row, release, result);
}
