// SPDX-License-Identifier: Apache-2.0
import { selectRange } from './grid-keys.js';
/** @typedef {import('./photo-grid.js').PhotoGrid} PhotoGrid */

const holdTime = 450;

/**
 * Selects and opens by mouse and touch. A click selects, and a double click opens. A tap opens; a long press begins
 * a selection, and moving on extends it.
 */
export class GridPointer {
    /** @param {PhotoGrid} grid */
    constructor(grid) {
        this.grid = grid;
        this.timer = 0;
        /** Where a finger began to select; -1 if none does. */
        this.touchStart = -1;
        this.hasHeld = false;
        const { scroller } = grid;
        scroller.addEventListener('click', event => this.click(/** @type {PointerEvent} */ (event)));
        scroller.addEventListener('dblclick', event => this.doubleClick(event));
        scroller.addEventListener('pointerdown', event => this.press(event));
        scroller.addEventListener('pointerup', () => this.release());
        scroller.addEventListener('pointercancel', () => this.release());
        scroller.addEventListener('pointermove', event => this.move(event));
        scroller.addEventListener('touchmove', event => this.touchStart >= 0 && event.preventDefault(), { passive: false });
        scroller.addEventListener('contextmenu', event => this.touchStart >= 0 && event.preventDefault());
    }

    /** @param {Event} event @returns {number} The position of the photo under the pointer, or -1. */
    positionOf({ target }) {
        const cell = target instanceof Element ? target.closest('.cell') : null;
        return cell ? Number(cell.id.slice('photo-'.length)) : -1;
    }

    /** @param {PointerEvent} event */
    click(event) {
        const position = this.positionOf(event);
        if (this.hasHeld) this.hasHeld = false;
        else if (position < 0) this.clickBeside(event);
        else if (event.pointerType === 'touch') this.tap(position);
        else this.select(position, event);
    }

    /** @param {PointerEvent} event */
    clickBeside(event) {
        if (!event.shiftKey && !event.ctrlKey && !this.grid.isSelecting) this.grid.view?.selection.clear();
    }

    /** @param {number} position */
    tap(position) {
        const { grid } = this;
        if (!grid.isSelecting && (grid.view?.selection.count ?? 0) === 0) {
            grid.open(position);
            return;
        }
        grid.view?.selection.toggle(position);
        grid.rangeStart = position;
        grid.activate(position);
    }

    /**
     * @param {number} position
     * @param {MouseEvent} event
     */
    select(position, event) {
        const { grid } = this;
        if (event.shiftKey) selectRange(grid, position);
        else if (event.ctrlKey || event.metaKey || grid.isSelecting) grid.view?.selection.toggle(position);
        else grid.view?.selection.set([[position, position + 1]]);
        if (!event.shiftKey) grid.rangeStart = position;
        grid.activate(position);
    }

    /** @param {MouseEvent} event */
    doubleClick(event) {
        const position = this.positionOf(event);
        if (position < 0 || this.grid.isSelecting || event.ctrlKey || event.shiftKey) return;
        this.grid.view?.selection.clear();
        this.grid.open(position);
    }

    /** @param {PointerEvent} event */
    press(event) {
        this.hasHeld = false;
        this.grid.classList.remove('by-keyboard');
        const position = this.positionOf(event);
        if (event.pointerType !== 'touch' || position < 0) return;
        this.timer = setTimeout(() => this.hold(position), holdTime);
    }

    /** @param {number} position */
    hold(position) {
        this.hasHeld = true;
        this.touchStart = position;
        this.grid.rangeStart = position;
        this.grid.view?.selection.add(position, position + 1);
        this.grid.activate(position);
        navigator.vibrate?.(10);
    }

    /** @param {PointerEvent} event */
    move(event) {
        if (this.touchStart < 0 || event.pointerType !== 'touch') {
            if (Math.abs(event.movementX) + Math.abs(event.movementY) > 4) clearTimeout(this.timer);
            return;
        }
        const under = document.elementFromPoint(event.clientX, event.clientY)?.closest('.cell');
        if (!under) return;
        const position = Number(under.id.slice('photo-'.length));
        this.grid.view?.selection.add(Math.min(this.touchStart, position), Math.max(this.touchStart, position) + 1);
    }

    release() {
        clearTimeout(this.timer);
        this.touchStart = -1;
    }
}
