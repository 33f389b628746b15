/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu_dispatch.h"
#include "pixel_warp.h"

enum { CELL_BITS = 3 };
_Static_assert(PIXEL_WARP_CELL == 1 << CELL_BITS, "differences are divided by shifting");

/* A part of a difference of two coordinates: so many eighths. Rounded down to units of the used bits. */
INLINE int64_t eighths(int64_t difference, int64_t count, int unused)
{
    return ((difference >> unused) * count >> CELL_BITS) * ((int64_t) 1 << unused);
}

/* The position between two corners of a column of cells, `row` pixels below the upper one. */
INLINE pixel_warp_position between(pixel_warp_position upper, pixel_warp_position lower, ptrdiff_t row, int unused)
{
    return (pixel_warp_position) {upper.x + eighths(lower.x - upper.x, row, unused),
                                  upper.y + eighths(lower.y - upper.y, row, unused)};
}

INLINE void interpolate(const pixel_warp_position *positions, int unused, ptrdiff_t left, ptrdiff_t top,
                        ptrdiff_t columns, ptrdiff_t rows, pixel_warp_line *lines)
{
    const ptrdiff_t before = left % PIXEL_WARP_CELL, right = before + columns;
    const ptrdiff_t cells = (right + PIXEL_WARP_CELL - 1) / PIXEL_WARP_CELL;
    for (ptrdiff_t row = top % PIXEL_WARP_CELL; row < top % PIXEL_WARP_CELL + rows; row++, lines += cells) {
        const pixel_warp_position *upper = positions + row / PIXEL_WARP_CELL * (cells + 1), *lower = upper + cells + 1;
        pixel_warp_position position = between(upper[0], lower[0], row % PIXEL_WARP_CELL, unused);
        for (ptrdiff_t cell = 0; cell < cells; cell++) {
            pixel_warp_position next = between(upper[cell + 1], lower[cell + 1], row % PIXEL_WARP_CELL, unused);
            lines[cell] =
                (pixel_warp_line) {position.x, position.y, eighths(next.x - position.x, 1, unused),
                                   eighths(next.y - position.y, 1, unused), PIXEL_WARP_CELL};
            position = next;
        }
        lines[0].x += lines[0].x_step * before;
        lines[0].y += lines[0].y_step * before;
        lines[0].columns -= before;
        lines[cells - 1].columns -= cells * PIXEL_WARP_CELL - right;
    }
}

void pixel_warp_interpolate(const pixel_warp_position *positions, ptrdiff_t maps, ptrdiff_t left, ptrdiff_t top,
                            ptrdiff_t columns, ptrdiff_t rows, pixel_warp_line *lines)
{
    if (maps == 1)
        interpolate(positions, 0, left, top, columns, rows, lines);
    else
        interpolate(positions, PIXEL_WARP_UNUSED, left, top, columns, rows, lines);
}

pixel_warp_area pixel_warp_cell_source(const pixel_warp_position *positions, ptrdiff_t count)
{
    pixel_warp_position lowest = positions[0], highest = positions[0];
    for (ptrdiff_t index = 1; index < count; index++) {
        const pixel_warp_position position = positions[index];
        lowest.x = position.x < lowest.x ? position.x : lowest.x;
        lowest.y = position.y < lowest.y ? position.y : lowest.y;
        highest.x = position.x > highest.x ? position.x : highest.x;
        highest.y = position.y > highest.y ? position.y : highest.y;
    }
    /* Steps are rounded down, each by less than a unit. */
    const int64_t rounding = (int64_t) PIXEL_WARP_CELL << PIXEL_WARP_UNUSED;
    const int64_t left = (lowest.x - rounding) >> 32, top = (lowest.y - rounding) >> 32;
    return (pixel_warp_area) {left - 1, top - 1, (highest.x >> 32) - left + 4, (highest.y >> 32) - top + 4};
}
