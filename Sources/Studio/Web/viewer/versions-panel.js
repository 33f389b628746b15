// SPDX-License-Identifier: Apache-2.0
import { removeVersion, renameVersion, saveVersion, useVersion } from '../actions/edit-actions.js';
import { element } from '../core/element.js';
import { printable, untrusted } from '../core/printable.js';
import { changeDate } from '../text/dates.js';
import { text } from '../text/text.js';
import { cardButton } from './card-button.js';
import { extensionName } from './values.js';
/** @typedef {import('../types.js').AssetDetails} AssetDetails */

/**
 * The named versions of a photo.
 *
 * @param {AssetDetails} details
 * @param {import('./panel.js').PanelActions} actions
 * @returns {(Node | false | null | undefined)[]}
 */
export function versionsPanel(details, actions) {
    const { versions = [], edits = [] } = details;
    const { change } = actions;
    return [
        versions.length === 0
            ? element('p', { class: 'quiet' }, text.noVersions)
            : element('ul', { class: 'cards' }, ...versions.map(version => card(details, version, actions))),
        change && edits.length > 0 && element('div', { class: 'panel-buttons' },
            element('button', { type: 'button', class: 'button', 'data-key': 'save', onclick: () => change(() => saveVersion(details)) }, text.saveVersion)),
    ];
}

/**
 * @param {AssetDetails} details
 * @param {import('../types.js').Version} version
 * @param {import('./panel.js').PanelActions} actions
 */
function card(details, { version, isCurrent, date, extensions }, { compare, change }) {
    const name = printable(version);
    /** @param {string} label @param {string} key @param {() => void} run */
    const button = (label, key, run) => cardButton(label, name, `${key} ${version}`, run);
    return element('li', { class: 'card', 'aria-current': isCurrent && 'true' },
        element('div', { class: 'card-title' },
            untrusted(version),
            isCurrent && element('span', { class: 'tag' }, text.currentState)),
        element('div', { class: 'quiet' }, changeDate(date)),
        element('div', { class: 'quiet' }, ...extensions.flatMap((author, index) => [index > 0 ? ', ' : '', extensionName(author)])),
        element('div', { class: 'card-buttons' },
            change && !isCurrent && button(text.useVersion, 'use', () => change(() => useVersion(details, version))),
            !isCurrent && button(text.compare, 'compare', () => compare(`version/${encodeURIComponent(version)}`, name)),
            change && button(text.renameVersion, 'rename', () => change(() => renameVersion(details, version))),
            change && button(text.removeVersion, 'remove', () => change(() => removeVersion(details, version)))));
}
