// SPDX-License-Identifier: Apache-2.0
import { isPopoverOpen } from '../core/buttons.js';
import { settings } from '../core/settings.js';
/** @typedef {import('./photo-viewer.js').PhotoViewer} PhotoViewer */

/** How far an arrow key moves a zoomed picture, in CSS pixels. */
const panStep = 80;

/**
 * @param {PhotoViewer} viewer
 * @param {KeyboardEvent} event
 */
export function handleViewerKey(viewer, event) {
    if (viewer.hidden || viewer.inert || event.defaultPrevented || isTyping(event) || isPopoverOpen()) return;
    if (viewer.runKey(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || !act(viewer, event)) return;
    event.preventDefault();
    event.stopPropagation();
}

/** @param {Event} event */
function isTyping({ target }) {
    return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/**
 * @param {PhotoViewer} viewer
 * @param {KeyboardEvent} event
 * @returns {boolean} Whether the key does something.
 */
function act(viewer, event) {
    const isOnButton = event.target instanceof Element && event.target.closest('button') !== null;
    if ((event.key === ' ' || event.key === 'Enter') && isOnButton) return false;
    // The video's own controls use these keys.
    if (event.target instanceof HTMLVideoElement && (event.key === ' ' || event.key.startsWith('Arrow'))) return false;
    if (arrow(viewer, event)) return true;
    switch (event.key) {
        case 'Escape': return escape(viewer);
        case ' ': case 'Enter':
            if (!viewer.motion.togglePlayback()) viewer.toggleZoom();
            return true;
        default: return settings.shortcuts && character(viewer, event);
    }
}

/** @param {PhotoViewer} viewer */
function escape(viewer) {
    if (viewer.compare.mode !== 'off') viewer.setCompare('off');
    else viewer.close();
    return true;
}

/**
 * @param {PhotoViewer} viewer
 * @param {KeyboardEvent} event
 */
function character(viewer, { key, repeat }) {
    switch (key) {
        case '+': case '=': viewer.zoomBy(1.5); return true;
        case '-': viewer.zoomBy(1 / 1.5); return true;
        case 'i': viewer.togglePanel(); return true;
        case 'e': viewer.edit(); return true;
        case 's': viewer.setCompare(viewer.compare.mode === 'split' ? 'off' : 'split'); return true;
        case 'b': viewer.setCompare(viewer.compare.mode === 'side' ? 'off' : 'side'); return true;
        case 'l': return repeat || viewer.motion.holdKey();
        case 'c':
            if (!repeat && viewer.compare.mode === 'off') viewer.setCompare('hold');
            return true;
        default: return false;
    }
}

/**
 * Steps, or moves the picture while it is zoomed.
 *
 * @param {PhotoViewer} viewer
 * @param {KeyboardEvent} event
 */
function arrow(viewer, { key }) {
    const direction = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
    if (key === 'PageUp' || key === 'PageDown') {
        viewer.step(key === 'PageUp' ? -1 : 1);
        return true;
    }
    if (!direction) return false;
    const [x = 0, y = 0] = direction;
    if (!viewer.state.isFit) {
        viewer.state.pan(x * panStep, y * panStep);
        viewer.zoomed();
    } else if (x !== 0) {
        const isRightToLeft = getComputedStyle(viewer).direction === 'rtl';
        viewer.step(/** @type {1 | -1} */ (isRightToLeft ? x : -x));
    }
    return true;
}
