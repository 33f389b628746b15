/* SPDX-License-Identifier: Apache-2.0
 *
 * Spaces of red, green and blue, from ICC profiles and by name.
 */
#include "space.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const double ee_color_white[3] = {0.9642, 1, 0.8249};

/* MARK: Matrices */

void ee_color_multiply(const double *left, const double *right, double *product)
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            product[row * 3 + column] = left[row * 3] * right[column] +
                                        left[row * 3 + 1] * right[3 + column] +
                                        left[row * 3 + 2] * right[6 + column];
}

static double cofactor(const double *matrix, int row, int column)
{
    int a = (row + 1) % 3, b = (row + 2) % 3, c = (column + 1) % 3, d = (column + 2) % 3;
    return matrix[a * 3 + c] * matrix[b * 3 + d] - matrix[a * 3 + d] * matrix[b * 3 + c];
}

bool ee_color_invert(const double *matrix, double *inverse)
{
    double determinant = 0;
    for (int column = 0; column < 3; column++)
        determinant += matrix[column] * cofactor(matrix, 0, column);
    if (!(fabs(determinant) > 1e-6))
        return false;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            inverse[row * 3 + column] = cofactor(matrix, column, row) / determinant;
    return true;
}

/* MARK: Profiles */

/* Returns the offset of a tag's element; 0 if there is none. */
static size_t find_tag(const uint8_t *profile, size_t size, const char *name)
{
    uint32_t count = ee_color_number(profile, size, 128);
    for (size_t entry = 132; count > 0 && count <= 100 && entry + 12 <= size; entry += 12, count--)
        if (memcmp(profile + entry, name, 4) == 0)
            return ee_color_number(profile, size, entry + 4);
    return 0;
}

static bool read_column(double *matrix, const uint8_t *profile, size_t size, size_t at)
{
    if (at == 0 || at + 20 > size || memcmp(profile + at, "XYZ ", 4) != 0)
        return false;
    for (size_t row = 0; row < 3; row++)
        matrix[row * 3] = (double)(int32_t)ee_color_number(profile, size, at + 8 + row * 4) / 65536;
    return true;
}

const char *ee_color_read_space(RGBSpace *space, const uint8_t *profile, size_t size)
{
    static const char *const primaries[] = {"rXYZ", "gXYZ", "bXYZ"};
    static const char *const curves[] = {"rTRC", "gTRC", "bTRC"};
    if (size < 132 || memcmp(profile + 36, "acsp", 4) != 0)
        return "the bytes are not an ICC profile";
    if (memcmp(profile + 16, "RGB ", 4) != 0)
        return "the profile is not for red, green and blue";
    if (find_tag(profile, size, "A2B0") || find_tag(profile, size, "A2B1"))
        return "the profile describes its colours with tables, which is not supported";
    for (int band = 0; band < 3; band++) {
        size_t at = find_tag(profile, size, primaries[band]);
        if (!read_column(space->matrix + band, profile, size, at))
            return "the profile has no primaries";
        const char *reason = ee_color_read_curve(
            &space->curves[band], profile, size, find_tag(profile, size, curves[band]));
        if (reason)
            return reason;
    }
    double inverse[9];
    return ee_color_invert(space->matrix, inverse) ? NULL : "the primaries of the profile coincide";
}

void ee_color_clear_space(RGBSpace *space)
{
    for (int band = 0; band < 3; band++)
        free(space->curves[band].points);
}

/* MARK: Named spaces */

typedef struct {
    const char *name;
    double red[2], green[2], blue[2], white[2]; /* x and y */
    double curve[7];
} NamedSpace;

#define SRGB_CURVE {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045, 0, 0}
/* The inverse of the camera's curve in ITU-R BT.2020, table 4, with the exact constants. */
#define BT2020_ALPHA 1.09929682680944
#define BT2020_BETA 0.018053968510807

static const NamedSpace named_spaces[] = {
    /* IEC 61966-2-1 */
    {"srgb", {0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}, {0.3127, 0.3290}, SRGB_CURVE},
    /* SMPTE EG 432-1, with D65 and the curve of sRGB */
    {"display-p3", {0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}, {0.3127, 0.3290}, SRGB_CURVE},
    /* Adobe RGB (1998): a gamma of 2 + 51 / 256 */
    {"adobe-rgb", {0.64, 0.33}, {0.21, 0.71}, {0.15, 0.06}, {0.3127, 0.3290},
     {563.0 / 256, 1, 0, 0, 0, 0, 0}},
    /* ISO 22028-2, with a pure gamma of 461 / 256 like the profile of the output "prophoto-rgb" */
    {"prophoto-rgb", {0.7347, 0.2653}, {0.1596, 0.8404}, {0.0366, 0.0001}, {0.3457, 0.3585},
     {461.0 / 256, 1, 0, 0, 0, 0, 0}},
    {"rec-2020", {0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}, {0.3127, 0.3290},
     {1 / 0.45, 1 / BT2020_ALPHA, 1 - 1 / BT2020_ALPHA, 1 / 4.5, 4.5 * BT2020_BETA, 0, 0}},
};

static void point_to_xyz(const double *point, double *xyz)
{
    xyz[0] = point[0] / point[1];
    xyz[1] = 1;
    xyz[2] = (1 - point[0] - point[1]) / point[1];
}

static void multiply_vector(const double *matrix, const double *vector, double *product)
{
    for (int row = 0; row < 3; row++)
        product[row] = matrix[row * 3] * vector[0] + matrix[row * 3 + 1] * vector[1] +
                       matrix[row * 3 + 2] * vector[2];
}

/* Computes the Bradford matrix that adapts a white point to D50 (ICC.1:2010, annex E). */
static void adaptation(const double *white, double *matrix)
{
    static const double bradford[9] = {0.8951, 0.2664, -0.1614, -0.7502, 1.7135,
                                       0.0367, 0.0389, -0.0685, 1.0296};
    double from[3], to[3], scaled[9], inverse[9];
    multiply_vector(bradford, white, from);
    multiply_vector(bradford, ee_color_white, to);
    for (int index = 0; index < 9; index++)
        scaled[index] = bradford[index] * to[index / 3] / from[index / 3];
    ee_color_invert(bradford, inverse);
    ee_color_multiply(inverse, scaled, matrix);
}

static void set_primaries(const NamedSpace *named, double *matrix)
{
    const double *points[3] = {named->red, named->green, named->blue};
    double columns[9], inverse[9], white[3], amounts[3], adapting[9];
    point_to_xyz(named->white, white);
    for (int column = 0; column < 3; column++) {
        double xyz[3];
        point_to_xyz(points[column], xyz);
        for (int row = 0; row < 3; row++)
            columns[row * 3 + column] = xyz[row];
    }
    ee_color_invert(columns, inverse);
    multiply_vector(inverse, white, amounts);
    for (int index = 0; index < 9; index++)
        columns[index] *= amounts[index % 3];
    adaptation(white, adapting);
    ee_color_multiply(adapting, columns, matrix);
}

const char *ee_color_find_space(RGBSpace *space, const char *name)
{
    for (size_t index = 0; index < sizeof named_spaces / sizeof *named_spaces; index++) {
        const NamedSpace *named = &named_spaces[index];
        if (strcmp(name, named->name) != 0)
            continue;
        for (int band = 0; band < 3; band++)
            memcpy(space->curves[band].parameters, named->curve, sizeof named->curve);
        set_primaries(named, space->matrix);
        return NULL;
    }
    return "there is no profile with this name; known are srgb, display-p3, adobe-rgb, "
           "prophoto-rgb and rec-2020";
}
