// SPDX-License-Identifier: Apache-2.0
import { attachPopover } from './buttons.js';
import { element, fill } from './element.js';
import { icon } from './icons.js';

/**
 * @typedef {object} MenuItem
 * @property {string} label
 * @property {() => void} run
 * @property {import('./icons.js').IconName} [icon]
 * @property {string} [key] A shortcut to show.
 * @property {boolean} [checked]
 * @property {boolean} [danger]
 */

/**
 * A menu below a button. Its items are made when it is opened.
 *
 * @param {HTMLButtonElement} button
 * @param {() => (MenuItem | string | Node | null)[]} items Strings are headings.
 */
export function attachMenu(button, items) {
    const menu = element('div', { class: 'menu', role: 'menu', 'aria-label': button.getAttribute('aria-label') });
    button.setAttribute('aria-haspopup', 'menu');
    menu.addEventListener('beforetoggle', event => {
        if (/** @type {any} */ (event).newState === 'open') fill(menu, ...items().map(item => entry(item, menu)));
    });
    menu.addEventListener('keydown', event => moveInMenu(menu, event));
    attachPopover(button, menu);
    button.after(menu);
    return menu;
}

/**
 * @param {MenuItem | string | Node | null} item
 * @param {HTMLElement} menu
 */
function entry(item, menu) {
    if (item === null || item instanceof Node) return item;
    if (typeof item === 'string') return element('div', { class: 'menu-heading', role: 'presentation' }, item);
    const isChoice = item.checked !== undefined;
    return element('button', {
        type: 'button', class: item.danger ? 'menu-item danger' : 'menu-item', tabindex: '-1',
        role: isChoice ? 'menuitemradio' : 'menuitem', 'aria-checked': isChoice ? String(item.checked) : null,
        onclick: () => {
            menu.hidePopover();
            item.run();
        },
    }, isChoice ? icon('check') : item.icon && icon(item.icon), element('bdi', { class: 'menu-label' }, item.label), item.key && element('kbd', {}, item.key));
}

/**
 * @param {HTMLElement} menu
 * @param {KeyboardEvent} event
 */
function moveInMenu(menu, event) {
    const items = [...menu.querySelectorAll('button')];
    const current = items.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const target = { ArrowDown: current + 1, ArrowUp: current - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
    if (target === undefined) {
        if (event.key === 'Tab') menu.hidePopover();
        return;
    }
    event.preventDefault();
    items[target % items.length]?.focus();
}
