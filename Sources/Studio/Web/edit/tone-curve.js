// SPDX-License-Identifier: Apache-2.0

/**
 * The monotone cubic of Fritsch and Carlson through points with ascending x, as `Curve` computes it. It is constant before
 * the first point and after the last one.
 */
export class ToneCurve {
    /** @param {CurvePoint[]} points At least two. */
    constructor(points) {
        this.points = points;
        this.slopes = slopesOf(points);
    }

    /** @param {number} x */
    value(x) {
        const { points } = this;
        const first = at(points, 0);
        const last = at(points, points.length - 1);
        if (!(x > first[0])) return first[1];
        if (!(x < last[0])) return last[1];
        let [low, high] = [0, points.length - 1];
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (at(points, middle)[0] <= x) low = middle;
            else high = middle;
        }
        return this.cubic(x, low);
    }

    /**
     * The cubic between a point and the next one, in Hermite form.
     *
     * @param {number} x
     * @param {number} index
     */
    cubic(x, index) {
        const [[x0, y0], [x1, y1]] = [at(this.points, index), at(this.points, index + 1)];
        const [m0, m1] = [at(this.slopes, index), at(this.slopes, index + 1)];
        const width = x1 - x0;
        const t = (x - x0) / width;
        const u = 1 - t;
        const value = y0 * (1 + 2 * t) * u * u + m0 * width * t * u * u + y1 * t * t * (3 - 2 * t) - m1 * width * t * t * u;
        // Rounding must not exceed the range of the two points either.
        return Math.min(Math.max(value, Math.min(y0, y1)), Math.max(y0, y1));
    }
}

/** @param {CurvePoint[]} points */
function slopesOf(points) {
    const secants = points.slice(1).map(([x, y], index) => {
        const [x0, y0] = at(points, index);
        return (y - y0) / (x - x0);
    });
    const means = secants.slice(1).map((secant, index) => {
        const before = at(secants, index);
        return before * secant > 0 ? (before + secant) / 2 : 0;
    });
    const slopes = [at(secants, 0), ...means, at(secants, secants.length - 1)];
    secants.forEach((secant, index) => limit(slopes, index, secant));
    return slopes;
}

/**
 * Keeps the curve monotone between a point and the next one.
 *
 * @param {number[]} slopes
 * @param {number} index
 * @param {number} secant
 */
function limit(slopes, index, secant) {
    const [a, b] = [at(slopes, index) / secant, at(slopes, index + 1) / secant];
    const square = a * a + b * b;
    // The slope between points with almost equal x overflows.
    if (secant === 0 || !Number.isFinite(square)) {
        slopes[index] = slopes[index + 1] = 0;
    } else if (square > 9) {
        const factor = 3 / Math.sqrt(square);
        slopes[index] = factor * a * secant;
        slopes[index + 1] = factor * b * secant;
    }
}

/**
 * @template Item
 * @param {Item[]} list
 * @param {number} index
 */
function at(list, index) {
    return /** @type {Item} */ (list[index]);
}
