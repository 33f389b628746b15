// SPDX-License-Identifier: Apache-2.0
import { text } from '../text/text.js';
import { element } from './element.js';
import { icon } from './icons.js';

let lastNumber = 0;

/**
 * Shows a modal dialog. The browser returns the focus when it is closed.
 *
 * @param {string} title
 * @param {(string | Node)[]} content
 * @param {{ class?: string, closable?: boolean }} [options]
 */
export function openDialog(title, content, options = {}) {
    const id = `dialog-${++lastNumber}`;
    /** @type {HTMLDialogElement} */
    const dialog = element('dialog', { 'aria-labelledby': id, class: options.class },
        element('header', {},
            element('h2', { id }, title),
            options.closable && element('button', {
                type: 'button', class: 'icon-button', 'aria-label': text.close, title: text.close, onclick: () => dialog.close(),
            }, icon('close'))),
        ...content);
    dialog.addEventListener('close', () => dialog.remove());
    dialog.addEventListener('click', event => event.target === dialog && options.closable && dialog.close());
    dialog.addEventListener('keydown', event => event.stopPropagation());
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}

/**
 * Asks before something that cannot be taken back. The result is false after Cancel and Escape.
 *
 * @param {{ title: string, note: string, action: string, decline?: string, isSafe?: boolean }} question Without `decline`, the
 *     other button is Cancel.
 * @returns {Promise<boolean>}
 */
export function ask({ title, note, action, decline = text.cancel, isSafe = false }) {
    return new Promise(resolve => {
        const dialog = openDialog(title, [
            element('p', {}, note),
            element('div', { class: 'dialog-buttons' },
                element('button', { type: 'button', class: 'button', autofocus: true, onclick: () => dialog.close() }, decline),
                element('button', { type: 'button', class: isSafe ? 'button primary' : 'button danger', onclick: () => dialog.close('yes') }, action)),
        ]);
        dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'));
    });
}

/**
 * Asks for one of several choices. The result is `null` after Cancel and Escape.
 *
 * @param {{ title: string, note: string, label: string, choices: { value: string, label: string }[], action: string }} question
 * @returns {Promise<string | null>}
 */
export function askForChoice({ title, note, label, choices, action }) {
    return new Promise(resolve => {
        const list = element('select', { autofocus: true }, ...choices.map(({ value, label }) => element('option', { value }, label)));
        const dialog = openDialog(title, [
            element('p', {}, note),
            element('label', { class: 'field' }, element('span', {}, label), list),
            element('div', { class: 'dialog-buttons' },
                element('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, text.cancel),
                element('button', { type: 'button', class: 'button primary', onclick: () => dialog.close('yes') }, action)),
        ]);
        dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes' ? list.value : null));
    });
}

/**
 * Asks for a name. The result is `null` after Cancel and Escape.
 *
 * @param {{ title: string, label: string, value?: string, action: string }} question
 * @returns {Promise<string | null>}
 */
export function askForName({ title, label, value = '', action }) {
    return new Promise(resolve => {
        const field = element('input', { type: 'text', value, required: true, maxlength: 255, dir: 'auto', autofocus: true });
        const form = element('form', { method: 'dialog' },
            element('label', { class: 'field' }, element('span', {}, label), field),
            element('div', { class: 'dialog-buttons' },
                element('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, text.cancel),
                element('button', { class: 'button primary' }, action)));
        // form-action 'none' also covers forms that only close their dialog.
        form.addEventListener('submit', event => {
            event.preventDefault();
            dialog.close('yes');
        });
        const dialog = openDialog(title, [form]);
        field.select();
        dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes' ? field.value.trim() : null));
    });
}
