// SPDX-License-Identifier: Apache-2.0
/** @typedef {import('./route.js').Route} Route */

/** PhotoKit's numbers. */
const [image, video, liveBit] = [1, 2, 8];

const live = { mediaSubtypeMask: { anyOf: liveBit } };

/**
 * The keys by which some smart albums are sorted.
 *
 * @type {Record<string, string>}
 */
const ownKeys = { 'smart-album/recently-added': 'addedDate', 'smart-album/recently-deleted': 'trashedDate' };

/** @type {Partial<Record<import('./route.js').Source, unknown>>} */
const sourceConditions = {
    favorites: { isFavorite: true },
    videos: { mediaType: [video] },
    live,
    edited: { hasAdjustments: true },
    hidden: { isHidden: true },
};

/**
 * The fetch of a route, as docs/reference/predicates.md describes it.
 *
 * @param {Route} route
 * @param {boolean} newestFirst
 * @returns {import('./photo-view.js').Query}
 */
export function queryOf(route, newestFirst) {
    const conditions = [sourceConditions[route.source], ...filterConditions(route.filter)].filter(Boolean);
    return {
        ...route.collection ? { album: route.collection } : {},
        ...conditions.length > 0 ? { predicate: conditions.length === 1 ? conditions[0] : { and: conditions } } : {},
        ...route.search ? { search: route.search } : {},
        ...route.filter.hidden || route.source === 'hidden' ? { hidden: true } : {},
        ...route.filter.missing || route.source === 'missing' ? { missing: true } : {},
        ...sortOf(route, newestFirst),
    };
}

/**
 * Albums have their own order.
 *
 * @param {Route} route
 * @param {boolean} newestFirst
 */
function sortOf({ source, collection }, newestFirst) {
    if (source === 'album') return {};
    const key = ownKeys[collection ?? ''] ?? 'creationDate';
    return { sort: [{ key, isAscending: !newestFirst }] };
}

/** @param {import('./route.js').Filter} filter */
function filterConditions(filter) {
    return [
        filter.kind === 'image' && { mediaType: [image] },
        filter.kind === 'video' && { mediaType: [video] },
        filter.kind === 'live' && live,
        filter.favorite && { isFavorite: true },
        filter.edited && { hasAdjustments: true },
        filter.stars > 0 && { rating: { atLeast: filter.stars } },
        filter.from && { date: { clock: { atLeast: seconds(filter.from) } } },
        filter.to && { date: { clock: { lessThan: seconds(filter.to) + 86_400 } } },
    ];
}

/** @param {string} day */
function seconds(day) {
    return Date.parse(`${day}T00:00:00Z`) / 1000;
}
