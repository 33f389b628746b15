/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include "color_mixer.h"

double cm_hue(int change)
{
    double turn = 4.0 * change / CM_HUES;
    double a = turn <= 2 ? 1 - turn : turn - 3;
    double b = turn <= 1 ? turn : turn <= 3 ? 2 - turn : turn - 4;
    double hue = atan2(b, a);
    return hue < 0 ? hue + 2 * 3.14159265358979323846 : hue;
}

cm_edit *cm_edit_make(int levels)
{
    cm_edit *edit = calloc(1, sizeof *edit);
    if (edit && !pl_curves_make(&edit->curves, levels)) {
        free(edit);
        return NULL;
    }
    return edit;
}

void cm_edit_free(cm_edit *edit)
{
    if (!edit)
        return;
    pl_curves_free(&edit->curves);
    free(edit);
}

static void release(void *edit) { cm_edit_free(edit); }

int cm_image(VipsImage *source, cm_edit *edit, VipsImage **result)
{
    return pl_image(source, edit, cm_row, release, result);
}
