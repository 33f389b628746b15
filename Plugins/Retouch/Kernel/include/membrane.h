/* SPDX-License-Identifier: Apache-2.0 */
/* The smoothest function on a disc that has given values on its edge: a solution of Laplace's equation. */
#ifndef MEMBRANE_H
#define MEMBRANE_H

/* The greatest number of oscillations around the edge. */
enum { MEMBRANE_MODES = 24, MEMBRANE_BLOCK = 256 };

/* A function of four components, each of which is the real part of a polynomial of z = x + iy in the unit disc. Schwarz's
 * form of Poisson's integral: the harmonic function whose edge has the Fourier series sum c(n) e^(in angle) is the real
 * part of sum c(n) z^n. */
typedef struct {
    int modes;
    float real[4][MEMBRANE_MODES + 1];
    float imaginary[4][MEMBRANE_MODES + 1];
} membrane;

/* A position on the unit circle. */
typedef struct {
    double x;
    double y;
} circle_point;

/* The point at an angle of 2 pi / `count`, at least 8. Computed without the functions of the C library, which may differ
 * between processors. */
circle_point circle_step(int count);

/* The point at the sum of the angles of two others. */
circle_point circle_sum(circle_point first, circle_point second);

/* Makes the membrane for `count` values at equal angles, four components each. Oscillations that are too fast are left
 * out, and those before them are weakened: a step on the edge does not ring. */
membrane membrane_make(const float (*edge)[4], int count);

/* Computes a component at `count` points of a row, at most MEMBRANE_BLOCK. */
void membrane_row(const membrane *disc, int component, const float *x, float y, int count, float *result);

#endif
