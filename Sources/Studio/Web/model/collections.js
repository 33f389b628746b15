// SPDX-License-Identifier: Apache-2.0
import { get } from '../requests/request.js';
/** @typedef {import('../types.js').Collection} Collection */

/** The albums, smart albums and moments of the library. Sends `change`. */
export class Collections extends EventTarget {
    constructor() {
        super();
        /** @type {Collection[]} */
        this.albums = [];
        /** @type {Collection[]} */
        this.smart = [];
        /** @type {Collection[]} */
        this.moments = [];
    }

    async load() {
        const [albums, smart, moments] = await Promise.all(['user', 'smart', 'moments'].map(kind => get(`/api/albums?kind=${kind}`)));
        this.albums = albums.albums;
        this.smart = smart.albums;
        this.moments = moments.albums;
        this.dispatchEvent(new Event('change'));
    }

    /** @param {string} id */
    named(id) {
        return [...this.albums, ...this.smart, ...this.moments].find(collection => collection.id === id);
    }
}
