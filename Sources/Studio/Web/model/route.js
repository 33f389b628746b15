// SPDX-License-Identifier: Apache-2.0

/**
 * @typedef {'all' | 'favorites' | 'videos' | 'live' | 'edited' | 'hidden' | 'missing' | 'album' | 'smart' | 'moment'} Source
 *
 * @typedef {object} Filter
 * @property {'' | 'image' | 'video' | 'live'} kind
 * @property {boolean} favorite
 * @property {boolean} edited
 * @property {boolean} missing
 * @property {boolean} hidden Whether hidden photos are included.
 * @property {number} stars At least so many; 0 for any.
 * @property {string} from A day such as 2024-05-31, or empty.
 * @property {string} to
 *
 * @typedef {object} Route What the page shows. It is the fragment of the URL, so that it can be a bookmark.
 * @property {Source} source
 * @property {string} collection The identifier of the album or moment.
 * @property {Filter} filter
 * @property {string} search
 * @property {string} photo The identifier of the photo in the viewer; empty for the grid.
 */

const sources = ['all', 'favorites', 'videos', 'live', 'edited', 'hidden', 'missing', 'album', 'smart', 'moment'];

/** @type {Filter} */
export const noFilter = { kind: '', favorite: false, edited: false, missing: false, hidden: false, stars: 0, from: '', to: '' };

/**
 * @param {string} fragment
 * @returns {Route}
 */
export function parseRoute(fragment) {
    const values = new URLSearchParams(fragment.replace(/^#/, ''));
    const text = (/** @type {string} */ name) => values.get(name) ?? '';
    const day = (/** @type {string} */ name) => /^\d{4}-\d\d-\d\d$/.test(text(name)) ? text(name) : '';
    return {
        source: /** @type {Source} */ (sources.includes(text('in')) ? text('in') : 'all'),
        collection: text('id'),
        search: text('q'),
        photo: text('photo'),
        filter: {
            kind: /** @type {Filter['kind']} */ (['image', 'video', 'live'].includes(text('kind')) ? text('kind') : ''),
            favorite: values.has('favorite'),
            edited: values.has('edited'),
            missing: values.has('missing'),
            hidden: values.has('hidden'),
            stars: Math.max(0, Math.min(5, Number.parseInt(text('stars'), 10) || 0)),
            from: day('from'),
            to: day('to'),
        },
    };
}

/** @param {Route} route */
export function fragmentOf({ source, collection, search, photo, filter }) {
    const values = new URLSearchParams();
    const set = (/** @type {string} */ name, /** @type {unknown} */ value) => value && values.set(name, value === true ? '' : String(value));
    set('in', source === 'all' ? '' : source);
    set('id', collection);
    set('q', search);
    for (const [name, value] of Object.entries(filter)) set(name, value);
    set('photo', photo);
    return `#${values}`;
}

/** @param {Filter} filter */
export function filterCount(filter) {
    return Object.values(filter).filter(Boolean).length;
}

/**
 * Whether two routes show the same photos.
 *
 * @param {Route} a
 * @param {Route} b
 */
export function isSameView(a, b) {
    return fragmentOf({ ...a, photo: '' }) === fragmentOf({ ...b, photo: '' });
}
