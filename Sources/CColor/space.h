/* SPDX-License-Identifier: Apache-2.0
 *
 * Colour spaces of red, green and blue: curves and primaries.
 */
#ifndef SPACE_H
#define SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A transfer curve from encoded values to linear light. */
typedef struct {
    /* g, a, b, c, d, e and f of ICC.1, 10.18, type 4: (a x + b)^g + e for x >= d, otherwise c x + f. */
    double parameters[7];
    /* Ascending values at equal distances, instead of the parameters; NULL if there are none. */
    double *points;
    size_t count;
} Curve;

/* A space of red, green and blue. */
typedef struct {
    Curve curves[3];
    /* The rows of the matrix from linear light to XYZ relative to D50. */
    double matrix[9];
} RGBSpace;

/* The white point D50 as in ICC profiles. */
extern const double ee_color_white[3];

/* Reads the curve at an offset of an ICC profile. Returns NULL, or the reason why it is unusable. */
const char *ee_color_read_curve(Curve *curve, const uint8_t *profile, size_t size, size_t offset);

/* Convert an encoded value to linear light, and the reverse. */
double ee_color_light(const Curve *curve, double level);
double ee_color_level(const Curve *curve, double light);

/* Fills a space from an ICC profile. Returns NULL, or the reason why it is unusable. Clear the space in both cases. */
const char *ee_color_read_space(RGBSpace *space, const uint8_t *profile, size_t size);

/* Fills a space by its name. Returns NULL, or the reason why it is unusable. */
const char *ee_color_find_space(RGBSpace *space, const char *name);

/* Frees the points of the curves. */
void ee_color_clear_space(RGBSpace *space);

/* Multiplies 3 by 3 matrices in row-major order: product = left * right. */
void ee_color_multiply(const double *left, const double *right, double *product);

/* Inverts a 3 by 3 matrix. Returns false if it is singular. */
bool ee_color_invert(const double *matrix, double *inverse);

/* Returns a big-endian number of 4 bytes; 0 if it is beyond the end. */
uint32_t ee_color_number(const uint8_t *bytes, size_t size, size_t offset);

#endif
