/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "color_lut.h"

static size_t points_of_curve(int size) { return (size_t) size; }

static size_t points_of_cube(int size) { return (size_t) size * (size_t) size * (size_t) size; }

static bool make(cl_table *table, int size, size_t points)
{
    table->size = size;
    table->values = calloc(points + 1, 4 * sizeof *table->values);
    return table->values != NULL;
}

cl_edit *cl_edit_make(int curve_size, int cube_size)
{
    cl_edit *edit = calloc(1, sizeof *edit);
    if (!edit)
        return NULL;
    edit->amount = 1;
    edit->range = 1;
    if (make(&edit->curve, curve_size, points_of_curve(curve_size)) &&
        make(&edit->cube, cube_size, points_of_cube(cube_size)))
        return edit;
    cl_edit_free(edit);
    return NULL;
}

void cl_edit_free(cl_edit *edit)
{
    if (!edit)
        return;
    if (edit->end)
        edit->end(edit->context, edit->clipped);
    free(edit->curve.values);
    free(edit->cube.values);
    free(edit);
}

static void fill(cl_table *table, size_t points, const float *start, const float *end, const float *values)
{
    for (int band = 0; band < 3; band++) {
        table->start[band] = start[band];
        table->end[band] = end[band];
        table->scale[band] = (float) ((table->size - 1) / ((double) end[band] - start[band]));
    }
    memcpy(table->values, values, points * 4 * sizeof *values);
}

void cl_curve_fill(cl_edit *edit, const float *start, const float *end, const float *values)
{
    fill(&edit->curve, points_of_curve(edit->curve.size), start, end, values);
}

void cl_cube_fill(cl_edit *edit, const float *start, const float *end, const float *values)
{
    fill(&edit->cube, points_of_cube(edit->cube.size), start, end, values);
}
