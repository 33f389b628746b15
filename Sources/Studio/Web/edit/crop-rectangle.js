// SPDX-License-Identifier: Apache-2.0
/** @typedef {import('../model/pictures.js').Region} Rectangle In fractions of the picture. */

/**
 * A rectangle after a corner or a side was moved to a point. With a ratio, it keeps that, and the opposite corner or side.
 *
 * @param {Rectangle} rectangle
 * @param {{ x: -1 | 0 | 1, y: -1 | 0 | 1 }} grip The corner or side: -1 is left or top, 0 is neither.
 * @param {{ x: number, y: number }} point
 * @param {number | null} ratio Width by height, both in fractions.
 * @param {{ width: number, height: number }} smallest
 * @returns {Rectangle}
 */
export function resized(rectangle, grip, point, ratio, smallest) {
    const across = span(rectangle.x, rectangle.width, grip.x, point.x, smallest.width);
    const down = span(rectangle.y, rectangle.height, grip.y, point.y, smallest.height);
    if (ratio === null) return inside({ x: across.start, width: across.length, y: down.start, height: down.length });
    // The largest rectangle of the ratio in the room that the fixed side leaves.
    const [wide, high] = [room(rectangle.x, rectangle.width, grip.x), room(rectangle.y, rectangle.height, grip.y)];
    const wanted = grip.x === 0 ? down.length * ratio : grip.y === 0 ? across.length : Math.max(across.length, down.length * ratio);
    const width = Math.max(Math.min(wanted, wide, high * ratio), smallest.width);
    return inside({
        x: anchored(rectangle.x, rectangle.width, grip.x, width), width,
        y: anchored(rectangle.y, rectangle.height, grip.y, width / ratio), height: width / ratio,
    });
}

/**
 * The largest rectangle of a ratio inside another one, with the same middle.
 *
 * @param {Rectangle} rectangle
 * @param {number} ratio
 * @returns {Rectangle}
 */
export function fitted({ x, y, width, height }, ratio) {
    const wide = Math.min(width, height * ratio);
    const high = wide / ratio;
    return inside({ x: x + (width - wide) / 2, y: y + (height - high) / 2, width: wide, height: high });
}

/** @param {Rectangle} rectangle @param {{ x: number, y: number }} point Where its first corner is moved to. @returns {Rectangle} */
export function moved({ width, height }, { x, y }) {
    return { x: Math.max(0, Math.min(1 - width, x)), y: Math.max(0, Math.min(1 - height, y)), width, height };
}

/** @param {number} start @param {number} length @param {-1 | 0 | 1} grip @param {number} to @param {number} smallest */
function span(start, length, grip, to, smallest) {
    if (grip === 0) return { start, length };
    const end = start + length;
    if (grip === 1) return { start, length: Math.max(smallest, Math.min(1, to) - start) };
    const first = Math.min(Math.max(0, to), end - smallest);
    return { start: first, length: end - first };
}

/** @param {number} start @param {number} length @param {-1 | 0 | 1} grip */
function room(start, length, grip) {
    if (grip === 0) return 2 * Math.min(start + length / 2, 1 - start - length / 2);
    return grip === 1 ? 1 - start : start + length;
}

/** @param {number} start @param {number} length @param {-1 | 0 | 1} grip @param {number} now The new length. */
function anchored(start, length, grip, now) {
    if (grip === 0) return start + (length - now) / 2;
    return grip === 1 ? start : start + length - now;
}

/** @param {Rectangle} rectangle @returns {Rectangle} */
function inside({ x, y, width, height }) {
    const [left, top] = [Math.max(0, x), Math.max(0, y)];
    return { x: left, y: top, width: Math.min(width, 1 - left), height: Math.min(height, 1 - top) };
}
