// SPDX-License-Identifier: Apache-2.0
import { get, request, send } from '../requests/request.js';

/** The paths of sessions that could not be ended because the connection was lost. */
const unended = /** @type {Set<string>} */ (new Set());

/** An editing session on the server. */
export class EditSession {
    /** @param {SessionDetails} details */
    constructor(details) {
        this.details = details;
        // Keys that the manifest omits are null.
        for (const parameter of details.extension.parameters ?? []) removeNulls(parameter);
        this.path = `/api/sessions/${encodeURIComponent(details.id)}`;
    }

    /**
     * @param {{ asset: string, extension: string, step?: number, values?: Values, tab: string, size: number }} start The size is
     *     the longest side of whole frames in pixels.
     */
    static async start(start) {
        await Promise.all([...unended].map(end));
        return new EditSession(await send('POST', '/api/sessions', start));
    }

    /**
     * @param {Partial<FrameRequest>} frame Without a revision it takes no part in the order.
     * @param {Values} values
     * @param {Values | null} other Values for this frame only.
     * @param {AbortSignal} [signal]
     * @returns {Promise<Frame>}
     */
    async preview({ revision, size = 1024, region }, values, other, signal) {
        const query = new URLSearchParams({ size: String(size) });
        if (revision) query.set('revision', String(revision));
        if (region) query.set('region', [region.x, region.y, region.width, region.height].join(','));
        const response = await request('POST', `${this.path}/preview?${query}`, other ? { values, other } : { values }, signal);
        const { headers } = response;
        return {
            picture: await createImageBitmap(await response.blob()),
            width: Number(headers.get('Edit-Width')),
            height: Number(headers.get('Edit-Height')),
            changed: JSON.parse(decodeURIComponent(headers.get('Edit-Values') ?? '{}')),
        };
    }

    /** @param {number} revision Of the current values. */
    motionURL(revision) {
        return `${this.path}/motion?revision=${revision}`;
    }

    /** @param {Values} values @returns {Promise<{ changed: number }>} */
    finish(values) {
        return send('POST', `${this.path}/finish`, { values });
    }

    /** @param {boolean} force @returns {Promise<{ ended: boolean, shouldConfirm?: boolean }>} */
    cancel(force) {
        return send('POST', `${this.path}/cancel`, { force });
    }

    /** Renews the lease. Without it, the server ends the session after 30 seconds. */
    renew() {
        return send('POST', `${this.path}/renew`);
    }

    /** Whether the server still has the session. */
    async isAlive() {
        const { sessions } = await get('/api/sessions');
        return sessions.some((/** @type {{ id: string }} */ { id }) => id === this.details.id);
    }

    /** @param {{ x: number, y: number }} point In pixels of the full size. */
    async color({ x, y }) {
        const { color } = await get(`${this.path}/color?x=${x}&y=${y}`);
        return /** @type {number[]} */ (color);
    }

    /** @returns {Promise<Record<string, number[]>>} */
    histogram() {
        return get(`${this.path}/histogram`);
    }

    /**
     * Stores a file as the value of a parameter.
     *
     * @param {Blob} file
     * @returns {Promise<string>} Its name.
     */
    async store(file) {
        const { name } = await send('POST', `${this.path}/files`, file);
        return name;
    }

    /** Ends the session while the page is left, or once the connection is back. */
    abandon() {
        end(this.path);
    }
}

/** @param {Record<string, any>} object */
function removeNulls(object) {
    for (const [name, value] of Object.entries(object)) if (value === null) delete object[name];
}

/** @param {string} path */
async function end(path) {
    unended.add(path);
    try {
        await fetch(path, { method: 'DELETE', keepalive: true });
        unended.delete(path);
    } catch {
        // The next start tries again.
    }
}
