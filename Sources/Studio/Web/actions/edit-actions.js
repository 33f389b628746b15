// SPDX-License-Identifier: Apache-2.0
import { get, send } from '../requests/request.js';
import { announce } from '../core/announcer.js';
import { ask, askForChoice, askForName } from '../core/dialogs.js';
import { printable } from '../core/printable.js';
import { nameOfExtension } from '../model/extension-names.js';
import { text } from '../text/text.js';
import { isOutdated, noteChange, placeNow } from './edit-places.js';
import { attempt } from './photo-actions.js';
/** @typedef {import('../types.js').AssetDetails} AssetDetails */
/** @typedef {import('../types.js').Edit} Edit */

// What can be done with the history, the versions and the edit stack of one photo. Every change but those of the
// names of versions is one state of the history, so that it can be undone.

/** @param {AssetDetails} details @param {number} state */
export async function goToState(details, state) {
    const current = details.history?.find(({ isCurrent }) => isCurrent)?.state ?? 0;
    // A change replaces the states after the current one.
    if (state > current && isOutdated(details)) return;
    await send('POST', `${pathOf(details)}/state`, { state });
    announce(state === 0 ? text.didRevert : text.didGoTo(state));
}

/**
 * @param {AssetDetails} details
 * @param {number} place The place of the edit in these facts, counted from 1.
 * @param {1 | -1} by
 * @returns {Promise<number>} Its place now.
 */
export async function moveEdit(details, place, by) {
    const before = placeNow(details, place);
    const { place: edit, count, tip } = before;
    const to = edit + by;
    if (edit === 0 || to < 1 || to > count) return edit;
    const answer = await send('POST', `${pathOf(details)}/edits/move`, { edit, to, tip });
    noteChange(before, answer, count, other => other === edit ? to : other === to ? edit : other);
    done(details, answer, text.didMoveEdit);
    return to;
}

/** @param {AssetDetails} details @param {number} place @param {boolean} isOn @returns {Promise<number>} Its place now. */
export async function enableEdit(details, place, isOn) {
    const before = placeNow(details, place);
    const { place: edit, count, tip } = before;
    if (edit === 0) return edit;
    const answer = await send('POST', `${pathOf(details)}/edits/${isOn ? 'enable' : 'disable'}`, { edits: [edit], tip });
    noteChange(before, answer, count);
    done(details, answer, isOn ? text.didEnableEdit : text.didDisableEdit);
    return edit;
}

/**
 * @param {AssetDetails} details
 * @param {number} place Without its only edit, a photo is reverted.
 * @returns {Promise<number>} The place where the edit was.
 */
export async function removeEdit(details, place) {
    const before = placeNow(details, place);
    const { place: edit, count, tip } = before;
    if (edit === 0) return edit;
    if (count === 1) {
        done(details, await send('POST', '/api/assets/revert', { assets: [details.id] }), text.didRevert);
    } else {
        const answer = await send('POST', `${pathOf(details)}/edits/remove`, { edits: [edit], tip });
        noteChange(before, answer, count - 1, other => other === edit ? 0 : other > edit ? other - 1 : other);
        done(details, answer, text.didRemoveEdit);
    }
    return edit;
}

/** @param {AssetDetails} details @param {Edit} edit Asks for an extension that reads its recipe. */
export async function replaceExtension(details, edit) {
    const { extensions } = await get('/api/extensions');
    const choices = extensions.filter((/** @type {Extension} */ extension) => canReplace(extension, edit)).map(choiceOf);
    if (choices.length === 0) {
        announce(text.noReplacement(printable(edit.adjustmentFormatIdentifier ?? '')));
        return;
    }
    const chosen = await askForChoice({
        title: text.replaceExtension, note: text.replaceExtensionNote, label: text.extension, action: text.replace, choices,
    });
    if (!chosen) return;
    const body = { assets: [details.id], old: edit.extension, new: chosen };
    done(details, await send('POST', '/api/assets/replace-extension', body), text.didReplaceExtension);
}

/** @param {AssetDetails} details Asks for a name, and before it replaces another version. */
export async function saveVersion(details) {
    const name = await askForName({ title: text.saveVersion, label: text.versionName, action: text.save });
    if (!name) return;
    const replace = isTaken(details, name);
    const question = { title: text.askReplaceVersion(printable(name)), note: text.removeVersionNote, action: text.replace };
    if (replace && !await ask(question)) return;
    await send('POST', '/api/assets/versions/save', { assets: [details.id], name, replace });
    announce(text.didSaveVersion(printable(name)));
}

/** @param {AssetDetails} details @param {string} name */
export async function useVersion(details, name) {
    done(details, await send('POST', '/api/assets/versions/use', { assets: [details.id], name }), text.didUseVersion(printable(name)));
}

/** @param {AssetDetails} details @param {string} name Asks for another one. */
export async function renameVersion(details, name) {
    const to = await askForName({ title: text.renameVersion, label: text.versionName, value: name, action: text.rename });
    if (!to || to === name) return;
    await send('POST', '/api/assets/versions/rename', { assets: [details.id], name, to });
    announce(text.didRenameVersion(printable(to)));
}

/** @param {AssetDetails} details @param {string} name Asks first, because a removed version cannot be restored. */
export async function removeVersion(details, name) {
    if (!await ask({ title: text.askRemoveVersion(printable(name)), note: text.removeVersionNote, action: text.removeVersion })) return;
    await send('POST', '/api/assets/versions/remove', { assets: [details.id], name });
    announce(text.didRemoveVersion(printable(name)));
}

/** @param {AssetDetails} details */
function pathOf({ id }) {
    return `/api/assets/${encodeURIComponent(id)}`;
}

/**
 * Shows a message with the server's warnings, and a button that takes the change back.
 *
 * @param {AssetDetails} details
 * @param {{ changed: number, rows: { warnings?: string[] }[] }} answer
 * @param {string} message
 */
function done({ id }, { changed, rows }, message) {
    const warnings = (rows[0]?.warnings ?? []).map(printable);
    const takeBack = () => attempt(async () => void await send('POST', '/api/assets/undo', { assets: [id] }));
    announce([message, ...warnings].join('. '), changed > 0 ? { label: text.takeBack, run: takeBack } : undefined);
}

/** @typedef {{ identifier: string, name: string | null, status: string, reads?: string[], upgrades?: string[] }} Extension */

/** @param {Extension} extension @param {Edit} edit */
function canReplace({ identifier, status, reads = [], upgrades = [] }, edit) {
    return status === 'available' && identifier !== edit.extension && [...reads, ...upgrades].some(format => {
        const [name, ...versions] = format.split(' ');
        return name === edit.adjustmentFormatIdentifier && (versions.length === 0 || versions.includes(edit.adjustmentFormatVersion ?? ''));
    });
}

/** @param {Extension} extension */
function choiceOf({ identifier }) {
    return { value: identifier, label: `${printable(nameOfExtension(identifier))} (${printable(identifier)})` };
}

/**
 * @param {AssetDetails} details
 * @param {string} name The library compares names without case.
 */
function isTaken({ versions = [] }, name) {
    const folded = name.normalize('NFC').toLowerCase();
    return versions.some(({ version }) => version.normalize('NFC').toLowerCase() === folded);
}
