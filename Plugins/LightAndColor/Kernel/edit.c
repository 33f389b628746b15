/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "light_and_color.h"

lc_edit *lc_edit_make(int levels, bool has_tone, bool has_gain)
{
    lc_edit *edit = calloc(1, sizeof *edit);
    if (!edit)
        return NULL;
    edit->tone_scale = 1;
    edit->tone = has_tone ? calloc(PL_TONE_PARTS, sizeof(pl_part)) : NULL;
    edit->gain = has_gain ? calloc(PL_TONE_PARTS, sizeof(pl_part)) : NULL;
    if (!pl_curves_make(&edit->curves, levels) || (has_tone && !edit->tone) || (has_gain && !edit->gain)) {
        lc_edit_free(edit);
        return NULL;
    }
    return edit;
}

void lc_edit_free(lc_edit *edit)
{
    if (!edit)
        return;
    pl_curves_free(&edit->curves);
    free(edit->tone);
    free(edit->gain);
    free(edit->base.slopes);
    free(edit);
}

static void release(void *edit) { lc_edit_free(edit); }

int lc_image(VipsImage *source, lc_edit *edit, VipsImage **result)
{
    return pl_image(source, edit, lc_row, release, result);
}
