// SPDX-License-Identifier: Apache-2.0
import { get } from '../requests/request.js';
import { text } from '../text/text.js';
/** @typedef {import('../types.js').Collection} Collection */

const prefix = 'smart-album/';
/** Smart albums that are parts of the library in the side bar. */
const parts = ['all', 'favorites', 'videos', 'live-photos', 'edited', 'hidden'].map(name => prefix + name);

/**
 * The title of a collection. Those of the built-in smart albums are in the user's language.
 *
 * @param {Collection} collection
 */
export function titleOf({ id, title }) {
    return text.smartAlbumTitles[id.startsWith(prefix) ? id.slice(prefix.length) : ''] ?? title ?? '';
}

/** The smart album of the photos in the trash. */
const trash = prefix + 'recently-deleted';

/**
 * Whether a view shows the photos in the trash, which can only be restored.
 *
 * @param {{ query: { album?: string | null } }} view
 */
export const isInTrash = view => view.query.album === trash;

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
        this.smart = smart.albums.filter((/** @type {Collection} */ { id }) => !parts.includes(id));
        this.moments = moments.albums;
        this.dispatchEvent(new Event('change'));
    }

    /** @param {string} id */
    named(id) {
        return [...this.albums, ...this.smart, ...this.moments].find(collection => collection.id === id);
    }
}
