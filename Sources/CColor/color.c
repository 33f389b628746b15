/* SPDX-License-Identifier: Apache-2.0
 *
 * Transforms of pixels between colour spaces: ee_color.
 */
#include "include/color_transforms.h"
#include "space.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The source or the target of a transform. */
typedef struct {
    ee_color_model model;
    /* XYZ and Lab have no curves, and their matrix is the identity. */
    RGBSpace space;
} Side;

struct ee_color_transform {
    Side source;
    Side destination;
    /* Whether the matrix between the linear light or XYZ of both sides is not the identity. */
    bool has_matrix;
    double matrix[9];
};

/* MARK: Creating */

static ee_status fail(ee_error *error, const char *message)
{
    if (error) {
        strncpy(error->message, message, sizeof error->message - 1);
        error->message[sizeof error->message - 1] = 0;
    }
    return EE_UNSUPPORTED;
}

/* Returns NULL, or the reason why a space is unusable. */
static const char *open_side(Side *side, const ee_color_space *space)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (!space || space->struct_size < EE_COLOR_SPACE_SIZE_1_1)
        return "there is no ee_color_space, or its struct_size is too small";
    side->model = space->model;
    switch (space->model) {
    case EE_COLOR_ENCODED:
    case EE_COLOR_LINEAR:
        if (space->name || !space->profile)
            return ee_color_find_space(&side->space, space->name ? space->name : "srgb");
        return ee_color_read_space(&side->space, space->profile, space->profile_size);
    case EE_COLOR_XYZ:
    case EE_COLOR_LAB:
        memcpy(side->space.matrix, identity, sizeof identity);
        return NULL;
    default:
        return "there is no such colour model";
    }
}

static void release(ee_color_transform *transform)
{
    if (!transform)
        return;
    ee_color_clear_space(&transform->source.space);
    ee_color_clear_space(&transform->destination.space);
    free(transform);
}

static ee_status create(
    const ee_color_space *source, const ee_color_space *destination,
    ee_color_transform **transform, ee_error *error)
{
    ee_color_transform *made = calloc(1, sizeof *made);
    if (!made) {
        fail(error, "there is no memory for a transform");
        return EE_FAILED;
    }
    const char *reason = open_side(&made->source, source);
    if (!reason)
        reason = open_side(&made->destination, destination);
    if (reason) {
        release(made);
        return fail(error, reason);
    }
    const double *from = made->source.space.matrix, *to = made->destination.space.matrix;
    double inverse[9];
    made->has_matrix = memcmp(from, to, sizeof made->matrix) != 0;
    ee_color_invert(to, inverse);
    ee_color_multiply(inverse, from, made->matrix);
    *transform = made;
    return EE_OK;
}

/* MARK: Applying */

/* CIE 15, 8.2.1.1, and its inverse. */
static double lab_function(double ratio)
{
    return ratio > 216.0 / 24389 ? cbrt(ratio) : ratio * 841 / 108 + 4.0 / 29;
}

static double lab_inverse(double value)
{
    return value > 6.0 / 29 ? value * value * value : (value - 4.0 / 29) * 108 / 841;
}

static void lab_to_xyz(double *color)
{
    double y = (color[0] + 16) / 116;
    double x = y + color[1] / 500, z = y - color[2] / 200;
    color[0] = lab_inverse(x) * ee_color_white[0];
    color[1] = lab_inverse(y) * ee_color_white[1];
    color[2] = lab_inverse(z) * ee_color_white[2];
}

static void xyz_to_lab(double *color)
{
    double x = lab_function(color[0] / ee_color_white[0]);
    double y = lab_function(color[1] / ee_color_white[1]);
    double z = lab_function(color[2] / ee_color_white[2]);
    color[0] = 116 * y - 16;
    color[1] = 500 * (x - y);
    color[2] = 200 * (y - z);
}

static void multiply(const double *matrix, double *color)
{
    double x = color[0], y = color[1], z = color[2];
    for (int row = 0; row < 3; row++)
        color[row] = matrix[row * 3] * x + matrix[row * 3 + 1] * y + matrix[row * 3 + 2] * z;
}

static void transform_color(const ee_color_transform *transform, double *color)
{
    const Side *source = &transform->source, *destination = &transform->destination;
    if (source->model == EE_COLOR_ENCODED)
        for (int band = 0; band < 3; band++)
            color[band] = ee_color_light(&source->space.curves[band], color[band]);
    else if (source->model == EE_COLOR_LAB)
        lab_to_xyz(color);
    if (transform->has_matrix)
        multiply(transform->matrix, color);
    if (destination->model == EE_COLOR_ENCODED)
        for (int band = 0; band < 3; band++)
            color[band] = ee_color_level(&destination->space.curves[band], color[band]);
    else if (destination->model == EE_COLOR_LAB)
        xyz_to_lab(color);
}

static ee_status apply(
    const ee_color_transform *transform, const float *source, float *destination, size_t count,
    uint32_t bands, ee_error *error)
{
    if (bands != 3 && bands != 4)
        return fail(error, "colours have 3 bands, or 4 with alpha");
    for (size_t index = 0; index < count * bands; index += bands) {
        double color[3];
        for (int band = 0; band < 3; band++) {
            float value = source[index + (size_t)band];
            color[band] = isfinite(value) ? value : 0;
        }
        transform_color(transform, color);
        for (int band = 0; band < 3; band++)
            destination[index + (size_t)band] = (float)color[band];
        if (bands == 4)
            destination[index + 3] = source[index + 3];
    }
    return EE_OK;
}

const ee_color *ee_color_capability(void)
{
    static const ee_color capability = {sizeof capability, create, apply, release};
    return &capability;
}
