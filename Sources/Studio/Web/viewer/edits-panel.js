// SPDX-License-Identifier: Apache-2.0
import { enableEdit, moveEdit, removeEdit, replaceExtension } from '../actions/edit-actions.js';
import { placeNow } from '../actions/edit-places.js';
import { element } from '../core/element.js';
import { printable, untrusted } from '../core/printable.js';
import { nameOfExtension } from '../model/extension-names.js';
import { changeDate } from '../text/dates.js';
import { text } from '../text/text.js';
import { cardButton } from './card-button.js';
import { extensionName, valuesList } from './values.js';
/** @typedef {import('../types.js').AssetDetails} AssetDetails */
/** @typedef {import('../types.js').Edit} Edit */
/** @typedef {import('./panel.js').PanelActions} PanelActions */

/**
 * The edit stack of a photo, from the original up.
 *
 * @param {AssetDetails} details
 * @param {PanelActions} actions
 * @returns {Node[]}
 */
export function editsPanel(details, actions) {
    const { edits = [] } = details;
    if (edits.length === 0) return [element('p', { class: 'quiet' }, text.noEdits)];
    return [element('ol', { class: 'cards numbered' }, ...edits.map((edit, index) => card(details, edit, index + 1, actions)))];
}

/**
 * @param {AssetDetails} details
 * @param {Edit} edit
 * @param {number} place
 * @param {PanelActions} actions
 */
function card(details, edit, place, { change, edit: open }) {
    return element('li', { class: edit.isEnabled ? 'card' : 'card off' },
        element('div', { class: 'card-title' },
            extensionName(edit.extension),
            edit.version && element('span', { class: 'quiet' }, untrusted(edit.version)),
            !edit.isEnabled && element('span', { class: 'tag' }, text.disabled)),
        element('div', { class: 'quiet' }, changeDate(edit.date)),
        edit.valuesError ? element('p', { class: 'quiet' }, untrusted(edit.valuesError)) : valuesList(edit.values),
        change && element('div', { class: 'card-buttons' },
            open && editButton(details, edit, place, { open, change }), ...buttons(details, edit, place, change)));
}

/**
 * What the card of an edit shows, for screen readers.
 *
 * @param {Edit} edit
 * @param {number} place
 */
function nameOf({ extension }, place) {
    return `${place}, ${extension ? printable(nameOfExtension(extension)) : text.application}`;
}

/**
 * Opens the window of the extension for this edit. Its values can be read only if the extension is installed.
 *
 * @param {AssetDetails} details
 * @param {Edit} edit
 * @param {number} place
 * @param {{ open: NonNullable<PanelActions['edit']>, change: NonNullable<PanelActions['change']> }} actions
 */
function editButton(details, edit, place, { open, change }) {
    const { extension, valuesError } = edit;
    if (details.mediaType !== 'image' || !extension || valuesError) return null;
    return cardButton(text.openEdit, nameOf(edit, place), `edit ${place}`, () => change(async () => {
        const { place: step } = placeNow(details, place);
        if (step > 0) open(details.id, { identifier: extension, name: nameOfExtension(extension), step });
    }));
}

/**
 * @param {AssetDetails} details
 * @param {Edit} edit
 * @param {number} place
 * @param {NonNullable<PanelActions['change']>} change
 */
function buttons(details, edit, place, change) {
    const count = details.edits?.length ?? 0;
    /**
     * @param {string} label
     * @param {string} key
     * @param {() => Promise<number>} work The result is the place of the edit afterwards, with which the focus stays.
     * @param {boolean} [isOff]
     */
    const button = (label, key, work, isOff) =>
        cardButton(label, nameOf(edit, place), `${key} ${place}`, () => change(async () => `${key} ${await work()}`), isOff);
    return [
        count > 1 && button(text.moveUp, 'up', () => moveEdit(details, place, -1), place === 1),
        count > 1 && button(text.moveDown, 'down', () => moveEdit(details, place, 1), place === count),
        button(edit.isEnabled ? text.disable : text.enable, 'enable', () => enableEdit(details, place, !edit.isEnabled)),
        button(text.removeVersion, 'remove', () => removeEdit(details, place)),
        edit.extension && edit.valuesError && cardButton(text.replaceExtension, nameOf(edit, place), `replace ${place}`,
            () => change(() => replaceExtension(details, edit))),
    ];
}
