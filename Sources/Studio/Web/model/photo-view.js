// SPDX-License-Identifier: Apache-2.0
import { get, getBytes, request, send } from '../requests/request.js';
import { momentOf } from '../requests/change-token.js';
import { PositionMap, PositionMaps } from './position-map.js';
import { Rows } from './rows.js';
import { Selection } from './selection.js';
import { Shapes } from './shapes.js';
/** @typedef {import('../types.js').ViewChange} ViewChange */

/**
 * @typedef {object} Query What a view contains, and in which order.
 * @property {string} [album] The identifier of an album, a smart album or a moment.
 * @property {unknown} [predicate]
 * @property {string} [search]
 * @property {boolean} [hidden]
 * @property {boolean} [missing]
 * @property {{ key: string, isAscending: boolean }[]} [sort] Without it, that of the album.
 */

/**
 * A fetch that the server holds for this page. Photos are known by position.
 *
 * Sends `rows` when requested rows have arrived, `flags` when marks have changed, and `change` with PositionMaps
 * when photos have come, gone or moved,
 * and `ended` if the view must be opened again.
 */
export class PhotoView extends EventTarget {
    /**
     * @param {Query} query
     * @param {string} name The name of the view on the server.
     * @param {string} token
     * @param {Shapes} shapes
     * @param {number} limit The largest number of rows or shapes in an answer.
     */
    constructor(query, name, token, shapes, limit) {
        super();
        this.query = query;
        this.name = name;
        /** The change token that the positions correspond to. */
        this.token = token;
        this.shapes = shapes;
        this.limit = limit;
        this.selection = new Selection();
        this.rows = new Rows((from, count, signal) => this.request(from, count, signal));
        this.rows.moment = momentOf(token);
        this.moment = momentOf(token);
        /** @type {(ViewChange & { moment: number, token: string })[]} */
        this.pending = [];
        this.isUpdating = false;
        this.isClosed = false;
    }

    /**
     * @param {Query} query
     * @param {number} limit The largest number of rows in an answer.
     * @param {AbortSignal} [signal]
     */
    static async open(query, limit, signal) {
        const { view, token } = await send('POST', '/api/views', query);
        try {
            signal?.throwIfAborted();
            const shapes = new Shapes(await getBytes(`/api/views/${view}/shapes`, signal));
            return new PhotoView(query, view, token, shapes, limit);
        } catch (error) {
            release(view);
            throw error;
        }
    }

    close() {
        this.isClosed = true;
        this.rows.cancel();
        release(this.name);
    }

    get count() {
        return this.shapes.count;
    }

    /** Whether photos are in the order of their capture dates. */
    get isChronological() {
        return this.query.sort?.[0]?.key === 'creationDate';
    }

    /** @param {number} position */
    row(position) {
        return this.rows.at(position);
    }

    /**
     * Requests rows near the screen, and cancels requests for all others.
     *
     * @param {number} from
     * @param {number} to
     */
    want(from, to) {
        this.rows.want(Math.max(0, from), Math.min(this.count, to), () => this.dispatchEvent(new Event('rows')));
    }

    /**
     * @param {number} position
     * @returns {Promise<import('../types.js').Row | undefined>}
     */
    loadRow(position) {
        return this.rows.loadOne(position);
    }

    /**
     * At least one row from a position on; known ones at once.
     *
     * @param {number} from
     * @param {number} count
     */
    async loadRows(from, count) {
        const known = [];
        for (let row = this.row(from); row && known.length < count; row = this.row(from + known.length)) known.push(row);
        return known.length > 0 ? known : (await this.request(from, Math.min(this.limit, count))).rows;
    }

    /**
     * The position of a photo; -1 if it is not in the view.
     *
     * @param {string} id
     */
    async find(id) {
        const known = this.rows.positionOf(id);
        if (known !== undefined) return known;
        const { position } = await get(`/api/views/${this.name}/position?id=${encodeURIComponent(id)}`);
        return /** @type {number} */ (position ?? -1);
    }

    /**
     * Shows a mark immediately. The server's event confirms it.
     *
     * @param {import('./selection.js').Range[]} ranges
     * @param {(flags: number) => number} change
     */
    changeFlags(ranges, change) {
        for (const [from, to] of ranges) {
            for (let position = from; position < to; position++) {
                this.shapes.flags[position] = change(this.shapes.flags[position] ?? 0);
            }
        }
        this.dispatchEvent(new Event('flags'));
    }

    /** Shows the marks that the server has, after a change failed. */
    async restoreFlags() {
        const shapes = new Shapes(await getBytes(`/api/views/${this.name}/shapes`));
        if (shapes.count !== this.count) return;
        this.shapes = shapes;
        this.dispatchEvent(new Event('flags'));
    }

    /**
     * Follows an event of the server.
     *
     * @param {ViewChange} change
     * @param {string} token
     */
    follow(change, token) {
        const moment = momentOf(token);
        if (change.view !== this.name || this.isClosed || moment <= this.moment) return;
        this.moment = moment;
        if (!change.removed) {
            this.dispatchEvent(new Event('ended'));
            return;
        }
        this.pending.push({ ...change, moment, token });
        if (!this.isUpdating) this.update();
    }

    /**
     * Takes note of a change that does not concern the view.
     *
     * @param {string} token
     */
    confirm(token) {
        const last = this.pending.at(-1);
        if (momentOf(token) <= this.moment) return;
        this.moment = momentOf(token);
        if (last) last.token = token;
        else this.token = token;
    }

    async update() {
        this.isUpdating = true;
        try {
            while (this.pending.length > 0 && !this.isClosed) {
                const shapes = await this.requestShapes();
                // Otherwise, another event is on its way.
                if (shapes?.count === this.pending.at(-1)?.count) this.apply(/** @type {Shapes} */ (shapes));
                else await nextEvent();
            }
        } catch (error) {
            console.warn(error);
            this.dispatchEvent(new Event('ended'));
        } finally {
            this.isUpdating = false;
        }
    }

    /**
     * The shapes after all pending changes; null if there are more of them. Only those of changed photos are
     * requested if no photo has come, gone or moved.
     */
    async requestShapes() {
        const path = `/api/views/${this.name}/shapes`;
        const { length } = this.pending;
        const range = changedRange(this.pending, this.limit);
        if (!range) return new Shapes(await getBytes(path));
        const [from, count] = range;
        const answer = await request('GET', `${path}?from=${from}&count=${count}`, undefined);
        const part = new Shapes(await answer.arrayBuffer());
        // In a newer view, photos may have other positions.
        const isNewer = momentOf(answer.headers.get('Edithost-Change-Token')) > momentOf(this.pending.at(-1)?.token);
        return isNewer || this.pending.length !== length ? null : this.shapes.replaced(from, part);
    }

    /** @param {Shapes} shapes Of the view after all pending changes. */
    apply(shapes) {
        const changes = this.pending.splice(0);
        const isSameShape = this.shapes.isLaidOutLike(shapes);
        this.shapes = shapes;
        this.token = changes.at(-1)?.token ?? this.token;
        const steps = changes.map(change => ({ map: new PositionMap(change), count: change.count }));
        changes.forEach(({ changed, moment }, index) => {
            const { map } = /** @type {{ map: PositionMap }} */ (steps[index]);
            this.selection.follow(map);
            this.rows.follow(map, moment);
            this.rows.expire(changed, moment);
        });
        this.dispatchEvent(new CustomEvent('change', { detail: new PositionMaps(steps, isSameShape && steps.every(({ map }) => map.isIdentity)) }));
    }

    /**
     * @param {number} from
     * @param {number} count
     * @param {AbortSignal} [signal]
     * @returns {Promise<import('./rows.js').RowsAnswer>}
     */
    async request(from, count, signal) {
        const { rows, token } = await get(`/api/views/${this.name}/rows?from=${from}&count=${count}`, signal);
        return { rows, moment: momentOf(token) };
    }
}

/**
 * Releases a view, also while the page is being closed.
 *
 * @param {string} name
 */
function release(name) {
    fetch(`/api/views/${name}`, { method: 'DELETE', keepalive: true }).catch(() => {});
}

/**
 * The first of the changed positions, and the number of positions up to the last. Null if photos have come, gone or moved, or
 * if the positions are farther apart than a request allows.
 *
 * @param {ViewChange[]} changes
 * @param {number} limit
 * @returns {[number, number] | null}
 */
function changedRange(changes, limit) {
    if (changes.some(change => !new PositionMap(change).isIdentity)) return null;
    const positions = changes.flatMap(({ changed }) => changed);
    if (positions.length === 0 || positions.length > limit) return null;
    const from = Math.min(...positions);
    const count = Math.max(...positions) - from + 1;
    return count <= limit ? [from, count] : null;
}

/** @returns {Promise<void>} */
function nextEvent() {
    return new Promise(resolve => setTimeout(resolve, 20));
}
