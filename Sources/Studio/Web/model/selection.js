// SPDX-License-Identifier: Apache-2.0

/** @typedef {[number, number]} Range A half-open range of positions. */

/** The selected positions, as ranges in ascending order. Sends `change`. */
export class Selection extends EventTarget {
    constructor() {
        super();
        /** @type {Range[]} */
        this.ranges = [];
    }

    get count() {
        return this.ranges.reduce((sum, [from, to]) => sum + to - from, 0);
    }

    /** @param {number} position */
    has(position) {
        return this.ranges.some(([from, to]) => from <= position && position < to);
    }

    /** @param {Range[]} ranges In ascending order. */
    set(ranges) {
        this.ranges = ranges.filter(([from, to]) => from < to);
        this.dispatchEvent(new Event('change'));
    }

    clear() {
        if (this.ranges.length > 0) this.set([]);
    }

    /**
     * @param {number} from
     * @param {number} to
     */
    add(from, to) {
        this.set(united([...this.ranges, [from, to]]));
    }

    /**
     * @param {number} from
     * @param {number} to
     */
    remove(from, to) {
        this.set(without(this.ranges, from, to));
    }

    /** @param {number} position */
    toggle(position) {
        if (this.has(position)) this.remove(position, position + 1);
        else this.add(position, position + 1);
    }

    /**
     * Follows a change of the view. New photos are not selected, even between selected ones.
     *
     * @param {import('./position-map.js').PositionMap} map
     */
    follow(map) {
        if (this.ranges.length === 0) return;
        let ranges = united(this.ranges.map(([from, to]) => [
            map.afterInsertions(from - below(map.removed, from)),
            map.afterInsertions(to - 1 - below(map.removed, to)) + 1,
        ]));
        for (const position of map.inserted) ranges = without(ranges, position, position + 1);
        this.set(ranges);
    }

    /** @param {number} limit @returns {number[]} At most `limit` positions. */
    positions(limit) {
        const result = [];
        for (const [from, to] of this.ranges) {
            for (let position = from; position < to && result.length < limit; position++) result.push(position);
        }
        return result;
    }
}

/**
 * @param {Range[]} ranges
 * @returns {Range[]}
 */
function united(ranges) {
    /** @type {Range[]} */
    const result = [];
    for (const [from, to] of ranges.filter(([from, to]) => from < to).sort((a, b) => a[0] - b[0])) {
        const last = result.at(-1);
        if (last && from <= last[1]) last[1] = Math.max(last[1], to);
        else result.push([from, to]);
    }
    return result;
}

/**
 * @param {Range[]} ranges
 * @param {number} from
 * @param {number} to
 * @returns {Range[]}
 */
function without(ranges, from, to) {
    return ranges.flatMap(range => /** @type {Range[]} */ ([
        [range[0], Math.min(range[1], from)],
        [Math.max(range[0], to), range[1]],
    ]).filter(([start, end]) => start < end));
}

/**
 * @param {number[]} values
 * @param {number} limit
 */
function below(values, limit) {
    const index = values.findIndex(value => value >= limit);
    return index < 0 ? values.length : index;
}
