// SPDX-License-Identifier: Apache-2.0
/** @typedef {import('../types.js').AssetDetails} AssetDetails */

/**
 * An edit in the edit stack of a photo.
 *
 * @typedef {object} EditPlace
 * @property {number} place Counted from 1; 0 if the edit has been removed.
 * @property {number} count The number of edits.
 * @property {string | null} tip The last edit. With another one, the server rejects the place.
 */

/**
 * The changes of edit stacks by this page, under the last edits before them. Until the facts after a change have arrived,
 * those from before it are shown, and their places are still used.
 *
 * @type {Map<string | null, { tip: string, count: number, moved: (place: number) => number }>}
 */
const changes = new Map();

/**
 * Where an edit is after the changes since its place was shown.
 *
 * @param {AssetDetails} details The facts with the place.
 * @param {number} place
 * @returns {EditPlace}
 */
export function placeNow({ edits = [] }, place) {
    let now = { place, count: edits.length, tip: edits.at(-1)?.edit ?? null };
    // Ends, because each change makes a new edit.
    for (let next = changes.get(now.tip); next; next = changes.get(now.tip)) {
        now = { place: next.moved(now.place), count: next.count, tip: next.tip };
    }
    return now;
}

/** @param {AssetDetails} details Whether this page has changed the edit stack since. */
export function isOutdated(details) {
    return placeNow(details, 0).tip !== (details.edits?.at(-1)?.edit ?? null);
}

/**
 * Takes note of a change.
 *
 * @param {EditPlace} before
 * @param {{ rows: { edit?: string | null }[] }} answer Of the server; without an edit, nothing has changed.
 * @param {number} count The number of edits afterwards.
 * @param {(place: number) => number} [moved] The new place of each edit.
 */
export function noteChange({ tip }, { rows }, count, moved = place => place) {
    const edit = rows[0]?.edit;
    if (edit) changes.set(tip, { tip: edit, count, moved });
}

/** @param {AssetDetails} details The newest facts: Undo can lead back to an edit that is the key of a change. */
export function forgetChanges({ edits = [] }) {
    changes.delete(edits.at(-1)?.edit ?? null);
}
