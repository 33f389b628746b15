// SPDX-License-Identifier: Apache-2.0
/** @typedef {import('../types.js').ViewChange} ViewChange */

/** Where the photos of a view are after a change. */
export class PositionMap {
    /** @param {Pick<ViewChange, 'removed' | 'inserted' | 'moves'>} change */
    constructor(change) {
        this.removed = change.removed;
        this.inserted = change.inserted;
        this.moves = change.moves ?? [];
    }

    get isIdentity() {
        return this.removed.length + this.inserted.length + this.moves.length === 0;
    }

    /**
     * The new position of a photo, or -1 if it was removed.
     *
     * @param {number} position
     */
    moved(position) {
        const before = countBelow(this.removed, position);
        if (this.removed[before] === position) return -1;
        return this.moves.reduce(afterMove, this.afterInsertions(position - before));
    }

    /**
     * The new position of a photo, or that of the nearest one that is left.
     *
     * @param {number} position
     * @param {number} count The number of photos after the change.
     */
    nearest(position, count) {
        const exact = this.moved(position);
        const place = exact >= 0 ? exact : this.afterInsertions(position - countBelow(this.removed, position));
        return Math.max(0, Math.min(count - 1, place));
    }

    /** @param {number} survivor A position among the photos that were not removed. */
    afterInsertions(survivor) {
        let [low, high] = [0, this.inserted.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (/** @type {number} */ (this.inserted[middle]) - middle <= survivor) low = middle + 1;
            else high = middle;
        }
        return survivor + low;
    }
}

/** Several changes in sequence. */
export class PositionMaps {
    /**
     * @param {{ map: PositionMap, count: number }[]} steps
     * @param {boolean} isSameLayout Whether no photo has another place, aspect or day.
     */
    constructor(steps, isSameLayout) {
        this.steps = steps;
        this.isSameLayout = isSameLayout;
    }

    /** @param {number} position */
    moved(position) {
        return this.steps.reduce((place, { map }) => place < 0 ? -1 : map.moved(place), position);
    }

    /** @param {number} position */
    nearest(position) {
        return this.steps.reduce((place, { map, count }) => map.nearest(place, count), position);
    }
}

/**
 * @param {number} position
 * @param {[number, number]} move
 */
function afterMove(position, [from, to]) {
    if (position === from) return to;
    const closed = position > from ? position - 1 : position;
    return closed >= to ? closed + 1 : closed;
}

/**
 * The number of values below a limit in an ascending list.
 *
 * @param {number[]} values
 * @param {number} limit
 */
function countBelow(values, limit) {
    let [low, high] = [0, values.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        if (/** @type {number} */ (values[middle]) < limit) low = middle + 1;
        else high = middle;
    }
    return low;
}
