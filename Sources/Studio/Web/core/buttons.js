// SPDX-License-Identifier: Apache-2.0
import { element } from './element.js';
import { icon } from './icons.js';

/**
 * @param {import('./icons.js').IconName} name
 * @param {string} label
 * @param {(event: Event) => void} run
 * @param {Attributes} [attributes]
 */
export function iconButton(name, label, run, attributes = {}) {
    return element('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick: run, ...attributes }, icon(name));
}

/**
 * @param {string} label
 * @param {(event: Event) => void} run
 * @param {Attributes} [attributes]
 */
export function textButton(label, run, attributes = {}) {
    return element('button', { type: 'button', class: 'button', onclick: run, ...attributes }, label);
}

/**
 * A button that opens a panel below itself. The browser closes the panel on Escape and clicks beside it.
 *
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} panel
 */
export function attachPopover(button, panel) {
    panel.popover = 'auto';
    button.setAttribute('aria-expanded', 'false');
    button.addEventListener('click', () => panel.togglePopover());
    panel.addEventListener('beforetoggle', event => {
        const isOpening = /** @type {any} */ (event).newState === 'open';
        button.setAttribute('aria-expanded', String(isOpening));
        if (isOpening) requestAnimationFrame(() => placeBelow(button, panel));
    });
    panel.addEventListener('keydown', event => event.stopPropagation());
}

/** Whether a panel or a menu is open, which Escape closes first. */
export function isPopoverOpen() {
    return document.querySelector('.popover:popover-open, .menu:popover-open') !== null;
}

/**
 * @param {HTMLElement} button
 * @param {HTMLElement} panel
 */
function placeBelow(button, panel) {
    const box = button.getBoundingClientRect();
    const size = panel.getBoundingClientRect();
    const left = Math.max(8, Math.min(innerWidth - size.width - 8, box.right - size.width));
    const isAbove = box.bottom + size.height + 12 > innerHeight && box.top - size.height - 6 > 0;
    panel.style.left = `${left}px`;
    panel.style.top = `${Math.max(8, isAbove ? box.top - size.height - 6 : Math.min(box.bottom + 6, innerHeight - size.height - 8))}px`;
    const controls = [.../** @type {NodeListOf<HTMLElement>} */ (panel.querySelectorAll('button, input, select'))];
    controls.find(control => control.getClientRects().length > 0)?.focus();
}
