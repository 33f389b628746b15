// SPDX-License-Identifier: Apache-2.0
/** @typedef {import('../types.js').Row} Row */

const chunk = 100;
/** How many rows are kept. */
const limit = 6000;

/** @typedef {{ rows: (Row | null)[], moment: number }} RowsAnswer Rows, and the number of the last change in them. */

/**
 * The rows of a view that have been requested, the newest last. Each has the number of the last change that it
 * contains, because an answer can be newer than the last event.
 */
export class Rows {
    /** @param {(from: number, count: number, signal: AbortSignal) => Promise<RowsAnswer>} request */
    constructor(request) {
        this.request = request;
        /** @type {Map<number, Row>} */
        this.rows = new Map();
        /** @type {Map<string, number>} */
        this.positions = new Map();
        /** @type {Map<number, number>} */
        this.moments = new Map();
        /** @type {Set<number>} Positions whose rows are shown until newer ones have arrived. */
        this.stale = new Set();
        /** @type {Map<number, AbortController>} */
        this.requests = new Map();
        /** The number of the last change of the view that has been applied. */
        this.moment = 0;
    }

    /** @param {number} position */
    at(position) {
        return this.rows.get(position);
    }

    /** @param {string} id @returns {number | undefined} */
    positionOf(id) {
        return this.positions.get(id);
    }

    /**
     * Requests the missing rows of a range, and cancels the requests for all others.
     *
     * @param {number} from
     * @param {number} to
     * @param {() => void} onRows
     */
    want(from, to, onRows) {
        const first = Math.floor(from / chunk);
        const last = Math.floor((to - 1) / chunk);
        for (const [index, controller] of this.requests) {
            if (index < first || index > last) controller.abort();
        }
        for (let index = first; index <= last; index++) {
            if (this.isMissing(index, from, to) && !this.requests.has(index)) this.load(index, onRows);
        }
    }

    /**
     * The row at a position, requested if necessary.
     *
     * @param {number} position
     * @returns {Promise<Row | undefined>}
     */
    async loadOne(position) {
        const known = this.at(position);
        if (known && !this.stale.has(position)) return known;
        const start = Math.max(0, position - 10);
        this.storeAll(start, await this.request(start, 21, new AbortController().signal));
        return this.at(position);
    }

    /**
     * @param {number} index
     * @param {number} from
     * @param {number} to
     */
    isMissing(index, from, to) {
        const end = Math.min(to, (index + 1) * chunk);
        for (let position = Math.max(from, index * chunk); position < end; position++) {
            if (!this.rows.has(position) || this.stale.has(position)) return true;
        }
        return false;
    }

    /**
     * @param {number} index
     * @param {() => void} onRows
     */
    async load(index, onRows) {
        const controller = new AbortController();
        this.requests.set(index, controller);
        try {
            const answer = await this.request(index * chunk, chunk, controller.signal);
            if (controller.signal.aborted) return;
            this.storeAll(index * chunk, answer);
            this.trim();
            onRows();
        } catch (error) {
            if (!controller.signal.aborted) console.warn(error);
        } finally {
            if (this.requests.get(index) === controller) this.requests.delete(index);
        }
    }

    /**
     * @param {number} from
     * @param {RowsAnswer} answer An answer from before the last event is ignored.
     */
    storeAll(from, { rows, moment }) {
        if (moment < this.moment) return;
        rows.forEach((row, index) => row && this.store(from + index, row, moment));
    }

    /**
     * @param {number} position
     * @param {Row} row
     * @param {number} moment
     */
    store(position, row, moment) {
        this.rows.delete(position);
        this.rows.set(position, row);
        this.positions.set(row.id, position);
        this.moments.set(position, moment);
        this.stale.delete(position);
    }

    trim() {
        for (const [position, row] of this.rows) {
            if (this.rows.size <= limit) break;
            this.forget(position, row);
        }
    }

    /**
     * @param {number} position
     * @param {Row} row
     */
    forget(position, row) {
        this.rows.delete(position);
        this.moments.delete(position);
        this.stale.delete(position);
        if (this.positions.get(row.id) === position) this.positions.delete(row.id);
    }

    cancel() {
        for (const controller of this.requests.values()) controller.abort();
        this.requests.clear();
    }

    /**
     * Follows a change of the view. Rows that already contain it stay where they are.
     *
     * @param {import('./position-map.js').PositionMap} map
     * @param {number} moment
     */
    follow(map, moment) {
        this.cancel();
        this.moment = moment;
        if (map.isIdentity) return;
        const [old, moments, stale] = [this.rows, this.moments, this.stale];
        [this.rows, this.positions, this.moments, this.stale] = [new Map(), new Map(), new Map(), new Set()];
        for (const [position, row] of old) {
            const time = moments.get(position) ?? 0;
            const next = time >= moment ? position : map.moved(position);
            if (next < 0) continue;
            this.store(next, row, time);
            if (stale.has(position)) this.stale.add(next);
        }
    }

    /**
     * @param {number[]} positions Of changed photos.
     * @param {number} moment
     */
    expire(positions, moment) {
        for (const position of positions) {
            if ((this.moments.get(position) ?? 0) < moment) this.stale.add(position);
        }
    }

    /** Forgets everything. */
    reset() {
        this.cancel();
        this.rows.clear();
        this.positions.clear();
        this.moments.clear();
        this.stale.clear();
    }
}
