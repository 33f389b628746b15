// SPDX-License-Identifier: Apache-2.0
import { settings } from '../core/settings.js';
import { Flag } from '../model/shapes.js';
import { LiveControls } from './live-controls.js';
import { LivePhoto } from './live-photo.js';
import { videoURL } from './videos.js';
/** @typedef {import('../grid/photo-grid.js').PhotoGrid} PhotoGrid */

/**
 * Plays the Live Photos of a grid in their cells. A finger that presses selects, so it does not play.
 *
 * @param {PhotoGrid} grid
 */
export function addLiveCells(grid) {
    const overlay = new LivePhoto();
    overlay.classList.add('live-overlay');
    const controls = new LiveControls(grid.scroller, {
        find: target => liveCell(grid, target, overlay),
        canPress: event => event.pointerType !== 'touch' && !event.shiftKey && !event.ctrlKey && !event.metaKey && !grid.isSelecting,
    });
    grid.scroller.addEventListener('keydown', event => {
        const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
        const cell = grid.cells.get(grid.active)?.root;
        if (event.key !== 'l' || event.repeat || !isPlain || !settings.shortcuts || event.target !== grid.scroller || !cell) return;
        controls.holdKey(cell);
        event.preventDefault();
    });
    grid.scroller.addEventListener('keyup', event => event.key.toLowerCase() === 'l' && controls.end('key'));
    grid.scroller.addEventListener('focusout', () => controls.end('key'));
}

/**
 * @param {PhotoGrid} grid
 * @param {Element} target
 * @param {LivePhoto} overlay
 */
function liveCell(grid, target, overlay) {
    const root = target.closest('.cell');
    const position = root ? Number(root.id.slice('photo-'.length)) : -1;
    const cell = grid.cells.get(position);
    if (!cell?.row || !grid.view?.shapes.has(position, Flag.live)) return null;
    if (overlay.parentElement !== cell.root) cell.image.after(overlay);
    overlay.videoSrc = videoURL(cell.row);
    return overlay;
}
