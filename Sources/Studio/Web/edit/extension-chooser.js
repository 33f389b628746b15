// SPDX-License-Identifier: Apache-2.0
import { openDialog } from '../core/dialogs.js';
import { element, fill } from '../core/element.js';
import { printable, untrusted } from '../core/printable.js';
import { get } from '../requests/request.js';
import { text } from '../text/text.js';
import { localized } from './localized.js';

/**
 * Lists the extensions for a photo: first those that continue its last edit, last those that cannot be used.
 *
 * @param {string} asset
 * @returns {Promise<ExtensionDetails | null>} The one that was chosen; `null` after Cancel and Escape.
 */
export function chooseExtension(asset) {
    return new Promise(resolve => {
        const list = element('ul', { class: 'extensions', 'aria-busy': 'true' }, element('li', { class: 'quiet' }, text.loading));
        /** @type {ExtensionDetails | null} */
        let chosen = null;
        const dialog = openDialog(text.editWith, [list], { closable: true, class: 'medium' });
        dialog.addEventListener('close', () => resolve(chosen));
        load(asset).then(extensions => {
            list.removeAttribute('aria-busy');
            fill(list, ...extensions.map(extension => element('li', {}, item(extension, () => {
                chosen = extension;
                dialog.close();
            }))), extensions.length === 0 && element('li', { class: 'quiet' }, text.noExtensions));
            list.querySelector('button')?.focus();
        }).catch(error => fill(list, element('li', {}, error instanceof Error ? error.message : text.failed)));
    });
}

/** @param {string} asset @returns {Promise<ExtensionDetails[]>} */
async function load(asset) {
    const { extensions } = await get(`/api/extensions?for=${encodeURIComponent(asset)}`);
    const rank = (/** @type {ExtensionDetails} */ { supported, canHandle }) => canHandle ? 0 : supported ? 1 : 2;
    return extensions.sort((/** @type {ExtensionDetails} */ a, /** @type {ExtensionDetails} */ b) => rank(a) - rank(b)
        || nameOf(a).localeCompare(nameOf(b)));
}

/** @param {ExtensionDetails} extension @param {() => void} choose */
function item(extension, choose) {
    const { supported, canHandle, reason, trust, description, version } = extension;
    const content = [
        element('span', { class: 'card-title' }, untrusted(nameOf(extension)), version && element('span', { class: 'quiet' }, untrusted(version)),
            supported && element('span', { class: 'tag' }, canHandle ? text.continuesEdit : text.addsEdit),
            trust && element('span', { class: `tag trust-${trust}` }, text.trust[trust])),
        description && element('span', { class: 'quiet extension-note' }, untrusted(localized(description))),
    ];
    if (supported) return element('button', { type: 'button', class: 'extension', onclick: choose }, ...content);
    return element('div', { class: 'extension off' }, ...content,
        element('span', { class: 'extension-note' }, text.cannotBeUsed, ' ', untrusted(reason)));
}

/** @param {ExtensionDetails} extension */
function nameOf({ name, identifier }) {
    return printable(name ?? identifier);
}
