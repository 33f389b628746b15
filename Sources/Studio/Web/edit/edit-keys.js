// SPDX-License-Identifier: Apache-2.0
import { isPopoverOpen } from '../core/buttons.js';
import { settings } from '../core/settings.js';
/** @typedef {import('./edit-window.js').EditWindow} EditWindow */

/** @param {EditWindow} window @param {KeyboardEvent} event */
export function handleEditKey(window, event) {
    if (window.hidden || !window.isConnected || event.defaultPrevented || isPopoverOpen() || document.querySelector('dialog[open]')) return;
    if (!act(window, event)) return;
    event.preventDefault();
}

/** @param {EditWindow} window @param {KeyboardEvent} event */
export function releaseEditKey({ stage, motion }, { key }) {
    if (key.toLowerCase() === 'c') stage.showBefore(false);
    if (key.toLowerCase() === 'l') motion.releaseKey();
}

/** @param {EditWindow} window @param {KeyboardEvent} event @returns {boolean} Whether the key does something. */
function act(window, event) {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (key === 'Escape') return escape(window);
    if (altKey) return false;
    if (ctrlKey || metaKey) return !isText(event) && step(window, key.toLowerCase() === 'z' && shiftKey ? 'y' : key.toLowerCase());
    if (!settings.shortcuts || isTyping(event)) return false;
    return step(window, key) || character(window, event);
}

/** @param {EditWindow} window */
function escape(window) {
    window.cancel();
    return true;
}

/** @param {EditWindow} window @param {string} key */
function step(window, key) {
    if (window.phase !== 'editing' || (key !== 'z' && key !== 'y')) return false;
    if (key === 'z') window.history.undo();
    else window.history.redo();
    return true;
}

/** @param {EditWindow} window @param {KeyboardEvent} event */
function character({ stage, motion }, { key, repeat }) {
    const zoomBy = (/** @type {number} */ factor) => {
        stage.state.zoomTo(stage.state.zoom * factor);
        stage.place();
        return true;
    };
    switch (key) {
        case '+': case '=': return zoomBy(1.5);
        case '-': return zoomBy(1 / 1.5);
        case 'c':
            if (!repeat) stage.showBefore(true);
            return true;
        case 'l': return repeat || motion.holdKey();
        default: return false;
    }
}

/** @param {Event} event Whose own undo by the browser may be meant. */
function isText({ target }) {
    return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text');
}

/** @param {Event} event */
function isTyping({ target }) {
    const isField = target instanceof HTMLInputElement && !['range', 'checkbox', 'radio', 'color'].includes(target.type);
    return isField || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
