/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "vignette.h"

vg_edit *vg_edit_make(int levels, int columns)
{
    vg_edit *edit = calloc(1, sizeof *edit);
    if (!edit)
        return NULL;
    edit->columns = calloc((size_t) columns, sizeof(float));
    if (!pl_curves_make(&edit->curves, levels) || !edit->columns) {
        vg_edit_free(edit);
        return NULL;
    }
    return edit;
}

void vg_edit_free(vg_edit *edit)
{
    if (!edit)
        return;
    pl_curves_free(&edit->curves);
    free(edit->columns);
    free(edit);
}

static void release(void *edit) { vg_edit_free(edit); }

int vg_image(VipsImage *source, vg_edit *edit, VipsImage **result)
{
    return pl_image(source, edit, vg_row, release, result);
}
