// SPDX-License-Identifier: Apache-2.0
import { enableEdit, moveEdit, removeEdit, replaceExtension } from '../actions/edit-actions.js';
import { element } from '../core/element.js';
import { printable, untrusted } from '../core/printable.js';
import { nameOfExtension } from '../model/extension-names.js';
import { changeDate } from '../text/dates.js';
import { text } from '../text/text.js';
import { cardButton } from './card-button.js';
import { extensionName, valuesList } from './values.js';
/** @typedef {import('../types.js').AssetDetails} AssetDetails */
/** @typedef {import('../types.js').Edit} Edit */

/**
 * The edit stack of a photo, from the original up.
 *
 * @param {AssetDetails} details
 * @param {import('./panel.js').PanelActions} actions
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
 * @param {import('./panel.js').PanelActions} actions
 */
function card(details, edit, place, { change, edit: open }) {
    return element('li', { class: edit.isEnabled ? 'card' : 'card off' },
        element('div', { class: 'card-title' },
            extensionName(edit.extension),
            edit.version && element('span', { class: 'quiet' }, untrusted(edit.version)),
            !edit.isEnabled && element('span', { class: 'tag' }, text.disabled)),
        element('div', { class: 'quiet' }, changeDate(edit.date)),
        edit.valuesError ? element('p', { class: 'quiet' }, untrusted(edit.valuesError)) : valuesList(edit.values),
        change && element('div', { class: 'card-buttons' }, open && editButton(details, edit, place, open), ...buttons(details, edit, place, change)));
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
 * @param {NonNullable<import('./panel.js').PanelActions['edit']>} open
 */
function editButton({ mediaType }, edit, place, open) {
    const { extension, valuesError } = edit;
    if (mediaType !== 'image' || !extension || valuesError) return null;
    return cardButton(text.openEdit, nameOf(edit, place), `edit ${place}`,
        () => open({ identifier: extension, name: nameOfExtension(extension), step: place }));
}

/**
 * @param {AssetDetails} details
 * @param {Edit} edit
 * @param {number} place
 * @param {NonNullable<import('./panel.js').PanelActions['change']>} change
 */
function buttons(details, edit, place, change) {
    const count = details.edits?.length ?? 0;
    const name = nameOf(edit, place);
    /**
     * @param {number} to
     * @param {string} label
     * @param {string} key
     */
    const mover = (to, label, key) => cardButton(label, name, `${key} ${place}`, () => {
        // The focus stays with the edit.
        change(() => moveEdit(details, place, to), `${key} ${to}`);
    }, to < 1 || to > count);
    return [
        count > 1 && mover(place - 1, text.moveUp, 'up'),
        count > 1 && mover(place + 1, text.moveDown, 'down'),
        cardButton(edit.isEnabled ? text.disable : text.enable, name, `enable ${place}`,
            () => change(() => enableEdit(details, place, !edit.isEnabled))),
        cardButton(text.removeVersion, name, `remove ${place}`, () => change(() => removeEdit(details, place))),
        edit.extension && edit.valuesError && cardButton(text.replaceExtension, name, `replace ${place}`,
            () => change(() => replaceExtension(details, edit))),
    ];
}
