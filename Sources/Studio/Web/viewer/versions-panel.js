// SPDX-License-Identifier: Apache-2.0
import { element } from '../core/element.js';
import { printable, untrusted } from '../core/printable.js';
import { changeDate } from '../text/dates.js';
import { text } from '../text/text.js';
import { extensionName } from './values.js';

/**
 * The named versions of a photo.
 *
 * @param {import('../types.js').AssetDetails} details
 * @param {import('./panel.js').PanelActions} actions
 * @returns {Node[]}
 */
export function versionsPanel({ versions = [] }, { compare }) {
    if (versions.length === 0) return [element('p', { class: 'quiet' }, text.noVersions)];
    return [element('ul', { class: 'cards' }, ...versions.map(version => element('li', { class: 'card', 'aria-current': version.isCurrent && 'true' },
        element('div', { class: 'card-title' },
            untrusted(version.version),
            version.isCurrent && element('span', { class: 'tag' }, text.currentState)),
        element('div', { class: 'quiet' }, changeDate(version.date)),
        element('div', { class: 'quiet' }, ...version.extensions.flatMap((name, index) => [index > 0 ? ', ' : '', extensionName(name)])),
        !version.isCurrent && element('div', { class: 'card-buttons' },
            element('button', {
                type: 'button', class: 'text-button', 'aria-label': `${text.compare}: ${printable(version.version)}`,
                onclick: () => compare(`version/${encodeURIComponent(version.version)}`, printable(version.version)),
            }, text.compare)))))];
}
