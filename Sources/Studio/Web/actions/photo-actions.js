// SPDX-License-Identifier: Apache-2.0
import { send } from '../requests/request.js';
import { announce } from '../core/announcer.js';
import { ask } from '../core/dialogs.js';
import { printable } from '../core/printable.js';
import { Flag } from '../model/shapes.js';
import { text } from '../text/text.js';
import { countOf, identifiers, inRequest } from './targets.js';
/** @typedef {import('./targets.js').Target} Target */

/** The body of a request holds the identifiers of so many photos. */
const mostForAlbums = 20_000;

/** @param {Target} target Photos become favourites, unless all of them are. */
export async function toggleFavorite(target) {
    const isOn = !all(target, Flag.favorite);
    target.view.changeFlags(target.ranges, flags => isOn ? flags | Flag.favorite : flags & ~Flag.favorite);
    const count = countOf(target);
    await change(target, { favorite: isOn }, isOn ? text.didFavorite(count) : text.didUnfavorite(count));
}

/** @param {Target} target @param {number} stars */
export async function rate(target, stars) {
    target.view.changeFlags(target.ranges, flags => flags & ~0x700 | stars << 8);
    await change(target, { rating: stars }, text.didRate(countOf(target), stars));
}

/** @param {Target} target Photos are hidden, unless all of them are. */
export async function toggleHidden(target) {
    const isOn = !all(target, Flag.hidden);
    const count = countOf(target);
    const request = await inRequest(target);
    const takeBack = () => attempt(async () => void await send('PATCH', '/api/assets', { ...request, set: { hidden: !isOn } }));
    await attempt(async () => {
        await send('PATCH', '/api/assets', { ...request, set: { hidden: isOn } });
        announce(isOn ? text.didHide(count) : text.didUnhide(count), 'assets' in request ? { label: text.takeBack, run: takeBack } : undefined);
    });
}

/** @param {Target} target Moves photos to the trash. Asks first. */
export async function remove(target) {
    const count = countOf(target);
    if (!await ask({ title: text.askDelete(count), note: text.deleteNote, action: text.delete })) return;
    const request = await inRequest(target);
    const takeBack = () => attempt(async () => void await send('POST', '/api/assets/restore', request));
    await attempt(async () => {
        await send('DELETE', '/api/assets', request);
        announce(text.didDelete(count), 'assets' in request ? { label: text.takeBack, run: takeBack } : undefined);
    });
}

/** @param {Target} target Restores photos from the trash. */
export async function restore(target) {
    const count = countOf(target);
    await attempt(async () => {
        await send('POST', '/api/assets/restore', await inRequest(target));
        announce(text.didRestore(count));
    });
}

/** @param {Target} target @param {90 | -90} degrees Clockwise. */
export const turn = (target, degrees) => edit(target, 'turn', { degrees: (degrees + 360) % 360 }, text.didTurn);

/** @param {Target} target */
export const flip = target => edit(target, 'flip', {}, text.didFlip);

/** @param {Target} target */
export const undo = target => edit(target, 'undo', {}, text.didUndo);

/** @param {Target} target */
export const redo = target => edit(target, 'redo', {}, text.didRedo);

/** @param {Target} target */
export const revert = target => edit(target, 'revert', {}, text.didRevert);

/**
 * @param {Target} target
 * @param {{ id: string, title: string | null }} album
 */
export async function addToAlbum(target, album) {
    await changeAlbum(target, album.id, 'add', text.didAdd(countOf(target), printable(album.title ?? '')));
}

/** @param {Target} target @param {string} album The identifier. */
export async function removeFromAlbum(target, album) {
    await changeAlbum(target, album, 'remove', text.didRemove(countOf(target)));
}

/**
 * @param {Target} target
 * @param {string} album
 * @param {'add' | 'remove'} change
 * @param {string} message
 */
async function changeAlbum(target, album, change, message) {
    if (countOf(target) > mostForAlbums) {
        announce(text.tooMany);
        return;
    }
    await attempt(async () => {
        await send('PATCH', `/api/albums/${encodeURIComponent(album)}`, { [change]: await identifiers(target, mostForAlbums) });
        announce(message);
    });
}

/**
 * Does something, and shows the error if it fails.
 *
 * @param {() => Promise<void>} work
 */
export async function attempt(work) {
    try {
        await work();
    } catch (error) {
        announce(error instanceof Error && error.message ? error.message : text.failed);
    }
}

/**
 * @param {Target} target
 * @param {Record<string, unknown>} set
 * @param {string} message
 */
async function change(target, set, message) {
    await attempt(async () => {
        try {
            await send('PATCH', '/api/assets', { ...await inRequest(target), set });
        } catch (error) {
            target.view.restoreFlags().catch(() => {});
            throw error;
        }
        announce(message);
    });
}

/**
 * @param {Target} target
 * @param {string} name
 * @param {Record<string, unknown>} body
 * @param {string} message
 */
async function edit(target, name, body, message) {
    await attempt(async () => {
        await send('POST', `/api/assets/${name}`, { ...await inRequest(target), ...body });
        announce(message);
    });
}

/**
 * @param {Target} target
 * @param {number} flag
 */
function all({ view, ranges }, flag) {
    return ranges.every(([from, to]) => {
        for (let position = from; position < to; position++) {
            if (!view.shapes.has(position, flag)) return false;
        }
        return true;
    });
}
