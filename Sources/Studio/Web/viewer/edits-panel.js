// SPDX-License-Identifier: Apache-2.0
import { element } from '../core/element.js';
import { untrusted } from '../core/printable.js';
import { changeDate } from '../text/dates.js';
import { text } from '../text/text.js';
import { extensionName, valuesList } from './values.js';

/**
 * The edit stack of a photo, from the original up.
 *
 * @param {import('../types.js').AssetDetails} details
 * @returns {Node[]}
 */
export function editsPanel({ edits = [] }) {
    if (edits.length === 0) return [element('p', { class: 'quiet' }, text.noEdits)];
    return [element('ol', { class: 'cards numbered' }, ...edits.map(edit => element('li', { class: edit.isEnabled ? 'card' : 'card off' },
        element('div', { class: 'card-title' },
            extensionName(edit.extension),
            edit.version && element('span', { class: 'quiet' }, untrusted(edit.version)),
            !edit.isEnabled && element('span', { class: 'tag' }, text.disabled)),
        element('div', { class: 'quiet' }, changeDate(edit.date)),
        edit.valuesError ? element('p', { class: 'quiet' }, untrusted(edit.valuesError)) : valuesList(edit.values))))];
}
