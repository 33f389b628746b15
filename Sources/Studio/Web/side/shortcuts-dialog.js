// SPDX-License-Identifier: Apache-2.0
import { commands } from '../actions/photo-commands.js';
import { keyLabel } from '../actions/photo-keys.js';
import { openDialog } from '../core/dialogs.js';
import { element } from '../core/element.js';
import { changeSettings, settings } from '../core/settings.js';
import { text } from '../text/text.js';

/** @type {[string, string[]][]} */
const everywhere = [
    ...commands.map(({ label, name }) => /** @type {[string, string[]]} */ ([label, [keyLabel(name)]])),
    [text.keyStars, ['0 – 5']],
    [text.keyPlayLive, ['L']],
    [text.keySearch, ['/']],
    [text.keyShowShortcuts, ['?']],
];

/** @type {[string, string[]][]} */
const grid = [
    [text.open, ['↵']],
    [text.keyArrows, ['← ↑ ↓ →']],
    [text.keyToggle, ['Space']],
    [text.keyExtend, ['⇧ ← ↑ ↓ →']],
    [text.selectAll, ['Ctrl A']],
    [text.selectNone, ['Esc']],
    [text.keyFirstLast, ['Home', 'End']],
    [text.keyPage, ['PgUp', 'PgDn']],
];

/** @type {[string, string[]][]} */
const viewer = [
    [text.keyStep, ['←', '→']],
    [text.keyZoom, ['Space']],
    [`${text.zoomIn} / ${text.zoomOut}`, ['+', '−']],
    [text.keyPan, ['← ↑ ↓ →']],
    [text.compareHold, ['C']],
    [text.compareSplit, ['S']],
    [text.compareSide, ['B']],
    [text.details, ['I']],
    [text.edit, ['E']],
    [text.keyClose, ['Esc']],
];

/** Lists the shortcuts. Those of single characters can be switched off. */
export function showShortcuts() {
    openDialog(text.help, [
        element('label', { class: 'check' },
            element('input', {
                type: 'checkbox', checked: settings.shortcuts,
                onchange: (/** @type {Event} */ event) => changeSettings({ shortcuts: /** @type {HTMLInputElement} */ (event.target).checked }),
            }),
            element('span', {}, text.useShortcuts)),
        element('div', { class: 'shortcuts' },
            section(text.keysEverywhere, everywhere), section(text.keysGrid, grid), section(text.keysViewer, viewer)),
    ], { class: 'wide', closable: true });
}

/**
 * @param {string} title
 * @param {[string, string[]][]} keys
 */
function section(title, keys) {
    return element('section', {}, element('h3', {}, title), element('dl', {}, ...keys.map(([label, names]) => element('div', {},
        element('dt', {}, label), element('dd', {}, ...names.map(name => element('kbd', {}, name)))))));
}
