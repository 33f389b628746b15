// SPDX-License-Identifier: Apache-2.0
import { element } from '../core/element.js';

/**
 * A button of a card in the panel.
 *
 * @param {string} label
 * @param {string} name What the card shows, for screen readers.
 * @param {string} key Names the button among those of the panel, so that it gets the focus again after a change.
 * @param {() => void} run
 * @param {boolean} [isOff] A button that is off can have the focus, but does nothing.
 */
export function cardButton(label, name, key, run, isOff = false) {
    return element('button', {
        type: 'button', class: 'text-button', 'aria-label': `${label}: ${name}`, 'aria-disabled': isOff && 'true', 'data-key': key,
        onclick: () => isOff || run(),
    }, label);
}
