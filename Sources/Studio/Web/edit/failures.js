// SPDX-License-Identifier: Apache-2.0
import { element, fill } from '../core/element.js';
import { untrusted } from '../core/printable.js';
import { get, RequestError } from '../requests/request.js';
import { changeDate } from '../text/dates.js';
import { text } from '../text/text.js';
import { nameOfExtension } from '../model/extension-names.js';
import { extensionName } from '../viewer/values.js';
/** @typedef {import('../types.js').AssetDetails} AssetDetails */

/** The newest states that are listed after a conflict. */
const mostStates = 3;

/**
 * What the window shows when a session cannot go on.
 *
 * @param {unknown} error
 * @returns {{ title: string, notes: Node[] }}
 */
export function failureNotes(error) {
    const { status, code, message, details } = error instanceof RequestError ? error : new RequestError(500, '', String(error));
    const note = message ? [element('p', {}, untrusted(message))] : [];
    if (status === 0) return { title: code === 'interrupted' ? text.interrupted : text.connectionLost, notes: [element('p', {}, text.valuesKept)] };
    // The title says more than the message, which names the photo by its identifier.
    if (code === 'conflict') return { title: text.conflict, notes: [element('p', {}, text.valuesKept)] };
    if (code === 'tooManySessions') return { title: text.tooManySessions, notes: [...note, sessionList(details.sessions ?? [])] };
    if (status === 404) return { title: text.sessionEnded, notes: [...note, element('p', {}, text.valuesKept)] };
    return { title: text.editFailed, notes: [...note, element('p', {}, text.valuesKept)] };
}

/** @param {{ tab: string, extension: string }[]} sessions The open sessions and the names of their tabs. */
function sessionList(sessions) {
    return element('ul', { class: 'session-list' }, ...sessions.map(({ tab, extension }) =>
        element('li', {}, untrusted(tab), ' – ', untrusted(nameOfExtension(extension)))));
}

/**
 * Shows what another program has done to the photo meanwhile.
 *
 * @param {Element} parent
 * @param {string} asset
 */
export async function showChanges(parent, asset) {
    /** @type {AssetDetails | null} */
    const details = await get(`/api/assets/${encodeURIComponent(asset)}`).catch(() => null);
    const states = [...details?.history ?? []].reverse().filter(({ state }) => state > 0).slice(0, mostStates);
    if (states.length === 0) {
        fill(parent, element('p', { class: 'quiet' }, text.noEdits));
        return;
    }
    fill(parent, element('p', { class: 'quiet' }, text.latestEdits), element('ul', { class: 'session-list' }, ...states.map(state =>
        element('li', {}, extensionName(state.extension), ', ', changeDate(state.date), state.isCurrent && ' ', state.isCurrent && element('span', { class: 'tag' }, text.currentState)))));
}
