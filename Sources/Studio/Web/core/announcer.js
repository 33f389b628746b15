// SPDX-License-Identifier: Apache-2.0
import { element, fill } from './element.js';

const region = element('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });
/** How long a message is shown, in milliseconds. */
const duration = 5000;

/** Puts the region of messages into the page. */
export function addAnnouncer() {
    region.popover = 'manual';
    document.body.append(region);
}

/**
 * Shows a message, and has it read aloud. It takes no focus.
 *
 * @param {string} message
 * @param {{ label: string, run: () => void }} [action]
 */
export function announce(message, action) {
    const toast = element('div', { class: 'toast' }, element('span', {}, message));
    if (action) {
        toast.append(element('button', {
            type: 'button', class: 'text-button',
            onclick: () => {
                toast.remove();
                action.run();
            },
        }, action.label));
    }
    fill(region, toast);
    show();
    setTimeout(() => toast.remove(), action ? duration * 2 : duration);
}

/** Shows the region above open dialogs. */
function show() {
    region.hidePopover();
    region.showPopover();
}
