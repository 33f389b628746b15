// SPDX-License-Identifier: Apache-2.0

/**
 * Follows a pointer from its press to its release.
 *
 * @param {HTMLElement} node
 * @param {PointerEvent} press
 * @param {(event: PointerEvent) => void} move
 * @param {() => void} settle
 */
export function drag(node, press, move, settle) {
    press.preventDefault();
    press.stopPropagation();
    node.focus({ preventScroll: true });
    node.setPointerCapture(press.pointerId);
    node.addEventListener('pointermove', move);
    node.addEventListener('lostpointercapture', () => {
        node.removeEventListener('pointermove', move);
        settle();
    }, { once: true });
}
