// SPDX-License-Identifier: Apache-2.0
import { Kind } from '../layout/lines.js';
/** @typedef {import('./photo-grid.js').PhotoGrid} PhotoGrid */

/**
 * Moves, selects and opens by keyboard.
 *
 * @param {PhotoGrid} grid
 * @param {KeyboardEvent} event
 */
export function handleGridKey(grid, event) {
    if (!grid.view || event.altKey || event.target !== grid.scroller) return;
    const target = targetOf(grid, event.key);
    if (target >= 0) move(grid, event, target);
    else if (event.key === 'Enter') grid.open(grid.active);
    else if (event.key === ' ') toggle(grid, event.shiftKey);
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) grid.view.selection.set([[0, grid.view.count]]);
    else if (event.key === 'Escape' && grid.view.selection.count > 0) grid.view.selection.clear();
    else return;
    // The active photo is marked only for users of a keyboard.
    grid.classList.add('by-keyboard');
    event.preventDefault();
    event.stopPropagation();
}

/**
 * @param {PhotoGrid} grid
 * @param {KeyboardEvent} event
 * @param {number} target
 */
function move(grid, event, target) {
    if (event.shiftKey) selectRange(grid, target);
    else grid.rangeStart = target;
    grid.activate(target);
}

/**
 * Selects from the start of the range to a photo.
 *
 * @param {PhotoGrid} grid
 * @param {number} target
 */
export function selectRange(grid, target) {
    grid.view?.selection.set([[Math.min(grid.rangeStart, target), Math.max(grid.rangeStart, target) + 1]]);
}

/**
 * @param {PhotoGrid} grid
 * @param {boolean} isRange
 */
function toggle(grid, isRange) {
    if (isRange) {
        selectRange(grid, grid.active);
        return;
    }
    grid.view?.selection.toggle(grid.active);
    grid.rangeStart = grid.active;
}

/**
 * The photo to which a key moves, or -1.
 *
 * @param {PhotoGrid} grid
 * @param {string} key
 */
function targetOf(grid, key) {
    const isRightToLeft = getComputedStyle(grid).direction === 'rtl';
    const last = (grid.view?.count ?? 0) - 1;
    switch (key) {
        case isRightToLeft ? 'ArrowRight' : 'ArrowLeft': return Math.max(0, grid.active - 1);
        case isRightToLeft ? 'ArrowLeft' : 'ArrowRight': return Math.min(last, grid.active + 1);
        case 'ArrowUp': return inLine(grid, -1, 1);
        case 'ArrowDown': return inLine(grid, 1, 1);
        case 'PageUp': return inLine(grid, -1, linesPerScreen(grid));
        case 'PageDown': return inLine(grid, 1, linesPerScreen(grid));
        case 'Home': return 0;
        case 'End': return last;
        default: return -1;
    }
}

/** @param {PhotoGrid} grid */
function linesPerScreen(grid) {
    return Math.max(1, Math.floor(grid.window.screen / (grid.arrangement.height + grid.arrangement.gap)) - 1);
}

/**
 * The photo above or below the active one.
 *
 * @param {PhotoGrid} grid
 * @param {1 | -1} direction
 * @param {number} distance In lines of photos.
 */
function inLine(grid, direction, distance) {
    const { lines, active } = grid;
    let line = lines.of(active);
    const center = centerOf(grid, line, active);
    for (let step = 0; step < distance; step++) {
        const next = lines.neighbour(line, direction);
        if (next < 0) break;
        line = next;
    }
    return nearestIn(grid, line, center);
}

/**
 * @param {PhotoGrid} grid
 * @param {number} line
 * @param {number} center
 */
function nearestIn(grid, line, center) {
    if (grid.lines.kind(line) !== Kind.photos) return grid.active;
    let best = grid.lines.first(line);
    for (let position = best + 1; position < grid.lines.end(line); position++) {
        const distance = Math.abs(centerOf(grid, line, position) - center);
        if (distance < Math.abs(centerOf(grid, line, best) - center)) best = position;
    }
    return best;
}

/**
 * @param {PhotoGrid} grid
 * @param {number} line
 * @param {number} position
 */
function centerOf(grid, line, position) {
    let start = 0;
    for (let place = grid.lines.first(line); place < position; place++) start += grid.widthOf(line, place) + grid.arrangement.gap;
    return start + grid.widthOf(line, position) / 2;
}
