/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "light_and_color.h"

/* A fused operation rounds once instead of twice, and not every processor has one. */
#pragma STDC FP_CONTRACT OFF

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
    pl_base_free(&edit->base);
    free(edit->shares);
    free(edit);
}

lc_share lc_share_of_light(const lc_edit *edit, int band)
{
    const float *m = edit->matrix, *weight = edit->luminance;
    lc_share share = {{m[band], m[3 + band], m[6 + band]}, 0};
    share.luminance = weight[0] * share.color[0] + weight[1] * share.color[1] + weight[2] * share.color[2];
    return share;
}

void lc_edit_set_shares(lc_edit *edit)
{
    edit->shares = malloc(3 * 256 * sizeof *edit->shares);
    for (int band = 0; band < 3 && edit->shares; band++) {
        lc_share share = lc_share_of_light(edit, band);
        for (int level = 0; level < 256; level++) {
            float light = edit->curves.light[band][level];
            edit->shares[256 * band + level] = (lc_share) {
                {share.color[0] * light, share.color[1] * light, share.color[2] * light}, share.luminance * light};
        }
    }
}

static void release(void *edit) { lc_edit_free(edit); }

int lc_image(VipsImage *source, lc_edit *edit, VipsImage **result)
{
    if (edit->curves.levels == 256)
        lc_edit_set_shares(edit);
    return pl_image(source, edit, lc_row, release, result);
}
