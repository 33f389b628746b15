// SPDX-License-Identifier: Apache-2.0
/** @typedef {import('../model/photo-view.js').PhotoView} PhotoView */
/** @typedef {import('../model/selection.js').Range} Range */

/**
 * The photos that a command acts on: positions of a view.
 *
 * @typedef {{ view: PhotoView, ranges: Range[] }} Target
 */

/**
 * A single photo.
 *
 * @param {PhotoView} view
 * @param {number} position
 * @returns {Target}
 */
export function single(view, position) {
    return { view, ranges: [[position, position + 1]] };
}

/** @param {Target} target */
export function countOf({ ranges }) {
    return ranges.reduce((sum, [from, to]) => sum + to - from, 0);
}

/**
 * The target in a request. A few photos are named by their identifiers, many by their positions, and all photos of a
 * view by its fetch.
 *
 * @param {Target} target
 */
export async function inRequest(target) {
    if (target.view.count > 1 && countOf(target) === target.view.count) return { query: target.view.query };
    if (countOf(target) <= 200) return { assets: await identifiers(target, 200) };
    const positions = target.ranges.map(([from, to]) => [from, to - 1]);
    return { view: target.view.name, positions, token: target.view.token };
}

/**
 * The identifiers of the first photos of a target.
 *
 * @param {Target} target
 * @param {number} limit
 */
export async function identifiers({ view, ranges }, limit) {
    /** @type {string[]} */
    const result = [];
    for (const [from, to] of ranges) {
        for (let position = from; position < to && result.length < limit;) {
            const rows = await view.loadRows(position, Math.min(to - position, limit - result.length));
            rows.forEach(row => row && result.push(row.id));
            position += Math.max(1, rows.length);
        }
    }
    return result;
}
