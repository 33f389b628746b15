// SPDX-License-Identifier: Apache-2.0
import { monthAround, unknownDay } from '../text/dates.js';

/** What a line contains. */
export const Kind = { photos: 0, month: 1, day: 2 };

/**
 * @typedef {object} Arrangement
 * @property {'rows' | 'squares'} arrangement
 * @property {number} width
 * @property {number} height The wanted height of a row.
 * @property {number} gap
 * @property {boolean} headings
 * @property {number} monthHeight
 * @property {number} dayHeight
 */

/** Wider and narrower pictures are cropped in the grid. */
const [narrowest, widest] = [0.45, 3.2];
/** Positions between two looks at the clock. */
const batch = 2048;
/** Months with fewer photos a day have no headings for days. */
const sparse = 4;

/** The lines of a grid, from top to bottom, in arrays that hold a million of them. */
export class Lines {
    constructor() {
        this.count = 0;
        this.height = 0;
        this.tops = new Float64Array(1024);
        this.heights = new Float32Array(1024);
        this.firsts = new Int32Array(1024);
        this.ends = new Int32Array(1024);
        this.kinds = new Uint8Array(1024);
    }

    /**
     * @param {number} kind
     * @param {number} first The first position of the line.
     * @param {number} end The position after its last one; that of `first` for headings.
     * @param {number} height
     * @param {number} gap The space below the line.
     */
    add(kind, first, end, height, gap) {
        if (this.count === this.tops.length) this.grow();
        // Whole pixels, because browsers scroll by them.
        this.tops[this.count] = Math.round(this.height);
        this.heights[this.count] = height;
        this.firsts[this.count] = first;
        this.ends[this.count] = end;
        this.kinds[this.count] = kind;
        this.count += 1;
        this.height += height + gap;
    }

    grow() {
        this.tops = copied(this.tops, Float64Array);
        this.heights = copied(this.heights, Float32Array);
        this.firsts = copied(this.firsts, Int32Array);
        this.ends = copied(this.ends, Int32Array);
        this.kinds = copied(this.kinds, Uint8Array);
    }

    /** @param {number} line */
    top(line) {
        return this.tops[line] ?? 0;
    }

    /** @param {number} line */
    bottom(line) {
        return this.top(line) + (this.heights[line] ?? 0);
    }

    /** @param {number} line */
    first(line) {
        return this.firsts[line] ?? 0;
    }

    /** @param {number} line */
    end(line) {
        return this.ends[line] ?? 0;
    }

    /** @param {number} line */
    kind(line) {
        return this.kinds[line] ?? 0;
    }

    /**
     * The line at a distance from the top.
     *
     * @param {number} y
     */
    at(y) {
        return this.last(line => this.top(line) <= y);
    }

    /**
     * The line that contains a photo.
     *
     * @param {number} position
     */
    of(position) {
        return this.last(line => this.first(line) <= position);
    }

    /**
     * The last line for which an ascending condition holds, or 0.
     *
     * @param {(line: number) => boolean} holds
     */
    last(holds) {
        let [low, high] = [0, this.count];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (holds(middle)) low = middle + 1;
            else high = middle;
        }
        return Math.max(0, low - 1);
    }

    /**
     * The next line of photos in a direction, or -1.
     *
     * @param {number} line
     * @param {1 | -1} direction
     */
    neighbour(line, direction) {
        for (let next = line + direction; next >= 0 && next < this.count; next += direction) {
            if (this.kinds[next] === Kind.photos) return next;
        }
        return -1;
    }
}

/**
 * Lays out a view. Yields often enough for slices of a few milliseconds.
 *
 * @param {import('../model/shapes.js').Shapes} shapes
 * @param {Arrangement} arrangement
 * @returns {Generator<void, Lines>}
 */
export function* layOut(shapes, arrangement) {
    const lines = new Lines();
    for (let position = 0; position < shapes.count;) {
        const end = arrangement.headings ? yield* monthEnd(shapes, position) : shapes.count;
        if (arrangement.headings) lines.add(Kind.month, position, position, arrangement.monthHeight, 0);
        yield* layOutMonth(lines, shapes, arrangement, position, end);
        position = end;
    }
    return lines;
}

/**
 * @param {Lines} lines
 * @param {import('../model/shapes.js').Shapes} shapes
 * @param {Arrangement} arrangement
 * @param {number} from
 * @param {number} to
 * @returns {Generator<void, void>}
 */
function* layOutMonth(lines, shapes, arrangement, from, to) {
    if (!arrangement.headings || isSparse(shapes.days, from, to)) {
        yield* layOutRun(lines, shapes, arrangement, from, to);
        return;
    }
    for (let position = from; position < to;) {
        let end = position + 1;
        while (end < to && shapes.days[end] === shapes.days[position]) end += 1;
        lines.add(Kind.day, position, position, arrangement.dayHeight, 0);
        yield* layOutRun(lines, shapes, arrangement, position, end);
        position = end;
    }
}

/**
 * @param {Lines} lines
 * @param {import('../model/shapes.js').Shapes} shapes
 * @param {Arrangement} arrangement
 * @param {number} from
 * @param {number} to
 * @returns {Generator<void, void>}
 */
function* layOutRun(lines, shapes, arrangement, from, to) {
    const next = arrangement.arrangement === 'squares' ? squaresRow : justifiedRow;
    for (let position = from, pause = from + batch; position < to;) {
        const [end, height] = next(shapes, arrangement, position, to);
        lines.add(Kind.photos, position, end, height, arrangement.gap);
        position = end;
        if (position > pause) {
            pause = position + batch;
            yield;
        }
    }
    yield;
}

/**
 * @param {import('../model/shapes.js').Shapes} shapes
 * @param {Arrangement} arrangement
 * @param {number} from
 * @param {number} to
 * @returns {[number, number]} The end and the height of the row.
 */
function squaresRow(shapes, arrangement, from, to) {
    const columns = columnCount(arrangement);
    return [Math.min(to, from + columns), (arrangement.width - (columns - 1) * arrangement.gap) / columns];
}

/** @param {Arrangement} arrangement */
export function columnCount({ width, height, gap }) {
    return Math.max(2, Math.round((width + gap) / (height + gap)));
}

/**
 * A row that fills the width at a height as near as possible to the wanted one.
 *
 * @param {import('../model/shapes.js').Shapes} shapes
 * @param {Arrangement} arrangement
 * @param {number} from
 * @param {number} to
 * @returns {[number, number]}
 */
function justifiedRow(shapes, { width, height, gap }, from, to) {
    let sum = 0;
    for (let position = from; position < to; position++) {
        const aspect = shownAspect(shapes, position);
        const count = position - from + 1;
        const filled = (width - (count - 1) * gap) / (sum + aspect);
        if (filled <= height) {
            const without = count > 1 ? (width - (count - 2) * gap) / sum : Infinity;
            return without - height < height - filled ? [position, without] : [position + 1, filled];
        }
        sum += aspect;
    }
    const last = (width - (to - from - 1) * gap) / sum;
    return [to, last < height * 1.25 ? last : height];
}

/**
 * The aspect of a photo in the grid.
 *
 * @param {import('../model/shapes.js').Shapes} shapes
 * @param {number} position
 */
export function shownAspect(shapes, position) {
    return Math.min(widest, Math.max(narrowest, shapes.aspect(position)));
}

/**
 * @param {import('../model/shapes.js').Shapes} shapes
 * @param {number} from
 * @returns {Generator<void, number>} The end of the month that begins at a position.
 */
function* monthEnd(shapes, from) {
    const day = shapes.days[from] ?? unknownDay;
    const [first, next] = day === unknownDay ? [unknownDay, unknownDay + 1] : monthAround(day);
    let end = from + 1;
    for (let value = shapes.days[end]; end < shapes.count && value !== undefined && value >= first && value < next;) {
        end += 1;
        value = shapes.days[end];
        if (end % batch === 0) yield;
    }
    return end;
}

/**
 * @param {Int32Array} days
 * @param {number} from
 * @param {number} to
 */
function isSparse(days, from, to) {
    if (days[from] === unknownDay) return true;
    let count = 1;
    for (let position = from + 1; position < to; position++) {
        if (days[position] !== days[position - 1]) count += 1;
    }
    return (to - from) / count < sparse;
}

/**
 * @template {Float64Array | Float32Array | Int32Array | Uint8Array} Values
 * @param {Values} values
 * @param {new (length: number) => Values} type
 */
function copied(values, type) {
    const copy = new type(values.length * 2);
    copy.set(/** @type {any} */ (values));
    return copy;
}
