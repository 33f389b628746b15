// SPDX-License-Identifier: Apache-2.0
import { element, update } from '../core/element.js';
import { settings } from '../core/settings.js';
import { runInSlices } from '../core/slices.js';
import { Kind, Lines, layOut, shownAspect } from '../layout/lines.js';
import { ScrollWindow } from '../layout/scroll-window.js';
import { addLiveCells } from '../live/live-cells.js';
import { pictureURL, sizeFor } from '../model/pictures.js';
import { dayName, monthName } from '../text/dates.js';
import { text } from '../text/text.js';
import { Cell } from './cell.js';
import { handleGridKey } from './grid-keys.js';
import { GridPointer } from './grid-pointer.js';
import { PictureQueue } from './picture-queue.js';
/** @typedef {import('../model/photo-view.js').PhotoView} PhotoView */

/**
 * @typedef {object} Place Where the user is in the grid.
 * @property {number} position A photo on the screen.
 * @property {number} offset The distance of its line from the top of the screen.
 * @property {number} active The photo that the keyboard acts on.
 */

/** Cells in the document, on the screen and around it. */
const mostCells = 130;
const pool = 60;
/** Space below the last line, and below a line that is scrolled to. */
const [bottomSpace, margin] = [32, 8];

/**
 * The photos of a view. Only those near the screen are in the document.
 *
 * Sends `open` with a position, `active` when the active photo has changed, and `scrolled`.
 */
export class PhotoGrid extends HTMLElement {
    constructor() {
        super();
        this.content = element('div', { class: 'grid-content', role: 'presentation' });
        this.scroller = element('div', {
            class: 'grid-scroller', role: 'grid', tabindex: '0', 'aria-label': text.grid,
            'aria-multiselectable': 'true', 'aria-rowcount': '0',
        }, this.content);
        this.window = new ScrollWindow(this.scroller, this.content);
        this.lines = new Lines();
        this.queue = new PictureQueue();
        /** @type {PhotoView | null} */
        this.view = null;
        /** @type {Map<number, Cell>} */
        this.cells = new Map();
        /** @type {Map<number, HTMLElement>} */
        this.rows = new Map();
        /** @type {Cell[]} */
        this.free = [];
        this.active = 0;
        /** Where a range begins. */
        this.rangeStart = 0;
        this.isSelecting = false;
        this.frame = 0;
        /** Whether all cells must be refreshed, and not only new ones. */
        this.isStale = true;
        this.width = 0;
        this.layoutRun = new AbortController();
        /** @type {Place | null} The place that a layout in progress will show. */
        this.pendingPlace = null;
        this.arrangement = this.newArrangement();
        this.onView = (/** @type {Event} */ event) => this.followView(event);
    }

    connectedCallback() {
        if (this.scroller.isConnected) return;
        this.append(this.scroller);
        this.scroller.addEventListener('scroll', () => this.scrolled(), { passive: true });
        this.scroller.addEventListener('keydown', event => handleGridKey(this, event));
        this.pointer = new GridPointer(this);
        addLiveCells(this);
        new ResizeObserver(() => this.resized()).observe(this.scroller);
    }

    /**
     * Shows a view.
     *
     * @param {PhotoView} view
     * @param {Place} place
     */
    async show(view, place) {
        for (const type of ['rows', 'flags', 'change']) {
            this.view?.removeEventListener(type, this.onView);
            view.addEventListener(type, this.onView);
        }
        this.view?.selection.removeEventListener('change', this.onView);
        view.selection.addEventListener('change', this.onView);
        this.view = view;
        this.active = Math.max(0, Math.min(view.count - 1, place.active));
        this.rangeStart = this.active;
        this.forgetCells();
        await this.layOut(place);
    }

    /** @returns {Place} */
    get place() {
        if (this.pendingPlace) return this.pendingPlace;
        const [top, bottom] = [this.window.top, this.window.top + this.window.screen];
        const isOnScreen = (/** @type {number} */ line) => this.lines.top(line) >= top && this.lines.bottom(line) <= bottom;
        const activeLine = this.lines.of(this.active);
        const line = isOnScreen(activeLine) ? activeLine : this.firstLine(top);
        const position = line === activeLine ? this.active : this.lines.first(line);
        return { position, offset: this.lines.top(line) - top, active: this.active };
    }

    /**
     * The first line of photos below a position.
     *
     * @param {number} top
     */
    firstLine(top) {
        let line = this.lines.at(top);
        if (this.lines.top(line) < top && line + 1 < this.lines.count) line += 1;
        return this.lines.kind(line) === Kind.photos ? line : Math.max(line, this.lines.neighbour(line, 1));
    }

    /**
     * Lays the view out, and keeps a photo in its place on the screen.
     *
     * @param {Place} place
     */
    async layOut(place) {
        if (!this.view || this.scroller.clientWidth === 0) return;
        this.layoutRun.abort();
        this.pendingPlace = place;
        const { signal } = this.layoutRun = new AbortController();
        const arrangement = this.newArrangement();
        const lines = await runInSlices(layOut(this.view.shapes, arrangement), signal).catch(() => null);
        if (!lines || signal.aborted) return;
        this.lines = lines;
        this.arrangement = arrangement;
        this.pendingPlace = null;
        this.clearRows();
        this.isStale = true;
        const line = lines.of(Math.min(place.position, Math.max(0, this.view.count - 1)));
        this.window.setHeight(lines.height + bottomSpace, place.position === 0 && place.offset === 0 ? 0 : lines.top(line) - place.offset);
        update(this.scroller, 'aria-rowcount', lines.count);
        this.render();
        this.dispatchEvent(new Event('laidout'));
    }

    /** Lays out again, such as after the settings have changed. */
    layOutAgain() {
        return this.layOut(this.place);
    }

    /** @returns {import('../layout/lines.js').Arrangement} */
    newArrangement() {
        const width = this.content.clientWidth || this.scroller.clientWidth;
        const em = parseFloat(getComputedStyle(document.documentElement).fontSize);
        const isNarrow = width < 600;
        const base = settings.arrangement === 'squares' ? (isNarrow ? 116 : 168) : (isNarrow ? 132 : 208);
        return {
            arrangement: settings.arrangement,
            width,
            height: base * 1.35 ** settings.size,
            gap: isNarrow ? 2 : 4,
            headings: this.view !== null && this.view.isChronological && this.view.shapes.hasDays,
            monthHeight: em * 3.75,
            dayHeight: em * 2.5,
        };
    }

    resized() {
        if (this.scroller.clientWidth === this.width || this.scroller.clientWidth === 0) {
            this.refreshSoon();
            return;
        }
        const place = this.place;
        this.width = this.scroller.clientWidth;
        this.layOut(place);
    }

    scrolled() {
        this.renderSoon();
        this.dispatchEvent(new Event('scrolled'));
    }

    renderSoon() {
        if (this.frame === 0) this.frame = requestAnimationFrame(() => this.render());
    }

    /** Renders, and shows changed marks and rows. */
    refreshSoon() {
        this.isStale = true;
        this.renderSoon();
    }

    render() {
        cancelAnimationFrame(this.frame);
        this.frame = 0;
        if (!this.view) return;
        if (this.window.follow()) this.moveRows();
        const [first, last] = this.nearLines();
        const isMoved = this.replaceRows(first, last);
        if (isMoved || this.isStale) {
            this.requestRows(first, last);
            this.refreshCells();
            this.requestPictures();
        }
        this.isStale = false;
        const isActiveShown = this.cells.has(this.active);
        update(this.scroller, 'aria-activedescendant', isActiveShown ? `photo-${this.active}` : null);
    }

    /**
     * Adds the lines of a range, and removes all others.
     *
     * @param {number} first
     * @param {number} last
     * @returns {boolean} Whether there were any.
     */
    replaceRows(first, last) {
        let isMoved = this.removeRows(first, last);
        for (let line = first; line < last; line++) {
            if (this.rows.has(line)) continue;
            this.addRow(line);
            isMoved = true;
        }
        return isMoved;
    }

    /** @returns {[number, number]} The lines on the screen, and around it as many as the document may hold. */
    nearLines() {
        if (this.lines.count === 0) return [0, 0];
        const { top, screen } = this.window;
        let first = this.lines.at(top);
        let end = this.lines.at(top + screen) + 1;
        const room = () => this.lines.end(end - 1) - this.lines.first(first) < mostCells;
        for (let step = 1; step <= 12 && room(); step++) {
            if (end < this.lines.count && this.lines.top(end) < top + screen * 2) end += 1;
            if (first > 0 && this.lines.bottom(first - 1) > top - screen && room()) first -= 1;
        }
        return [first, end];
    }

    /** @param {number} line */
    addRow(line) {
        const row = element('div', { role: 'row', 'aria-rowindex': line + 1, class: 'grid-row' });
        row.style.transform = `translateY(${this.lines.top(line) - this.window.base}px)`;
        row.style.height = `${this.lines.bottom(line) - this.lines.top(line)}px`;
        this.rows.set(line, row);
        if (this.lines.kind(line) === Kind.photos) this.addCells(line, row);
        else this.addHeading(line, row);
        this.content.append(row);
    }

    /**
     * @param {number} line
     * @param {HTMLElement} row
     */
    addHeading(line, row) {
        const isMonth = this.lines.kind(line) === Kind.month;
        const day = this.view?.shapes.days[this.lines.first(line)] ?? 0;
        row.classList.add(isMonth ? 'month' : 'day');
        row.append(element('div', { role: 'rowheader', class: 'heading' }, isMonth ? monthName(day) : dayName(day)));
    }

    /**
     * @param {number} line
     * @param {HTMLElement} row
     */
    addCells(line, row) {
        const first = this.lines.first(line);
        let start = 0;
        for (let position = first; position < this.lines.end(line); position++) {
            const cell = this.cellFor(position, position - first);
            const width = this.widthOf(line, position);
            cell.root.style.insetInlineStart = `${start}px`;
            cell.root.style.width = `${width}px`;
            row.append(cell.root);
            start += width + this.arrangement.gap;
        }
    }

    /**
     * @param {number} line
     * @param {number} position
     */
    widthOf(line, position) {
        const height = this.lines.bottom(line) - this.lines.top(line);
        const isSquare = this.arrangement.arrangement === 'squares';
        return isSquare || !this.view ? height : shownAspect(this.view.shapes, position) * height;
    }

    /**
     * @param {number} position
     * @param {number} column
     */
    cellFor(position, column) {
        const cell = this.cells.get(position) ?? this.free.pop() ?? new Cell();
        cell.place(position, column);
        this.cells.set(position, cell);
        return cell;
    }

    /**
     * Removes the lines that are not in a range.
     *
     * @param {number} first
     * @param {number} last
     */
    removeRows(first, last) {
        const count = this.rows.size;
        for (const [line, row] of this.rows) {
            if (line >= first && line < last) continue;
            for (let position = this.lines.first(line); position < this.lines.end(line); position++) this.release(position);
            row.remove();
            this.rows.delete(line);
        }
        return this.rows.size < count;
    }

    /** @param {number} position */
    release(position) {
        const cell = this.cells.get(position);
        if (!cell) return;
        this.cells.delete(position);
        this.queue.cancel(cell.image);
        cell.recycle();
        if (this.free.length < pool) this.free.push(cell);
    }

    /** Removes all lines, but keeps the cells for the next rendering. */
    clearRows() {
        for (const row of this.rows.values()) row.remove();
        this.rows.clear();
    }

    forgetCells() {
        for (const position of [...this.cells.keys()]) this.release(position);
    }

    moveRows() {
        for (const [line, row] of this.rows) {
            row.style.transform = `translateY(${this.lines.top(line) - this.window.base}px)`;
        }
    }

    /**
     * @param {number} first
     * @param {number} last
     */
    requestRows(first, last) {
        if (last > first) this.view?.want(this.lines.first(first), this.lines.end(last - 1));
    }

    refreshCells() {
        for (const [position, cell] of this.cells) {
            if (!cell.root.isConnected) this.release(position);
            else if (this.isStale || cell.isNew) cell.refresh(/** @type {PhotoView} */ (this.view), this.active);
        }
    }

    /** Requests the pictures on the screen first, from the top, and then those nearest to it. */
    requestPictures() {
        const { top, screen } = this.window;
        const ratio = Math.min(2, devicePixelRatio);
        const covers = this.arrangement.arrangement === 'squares';
        const wanted = [];
        for (const line of this.rows.keys()) {
            if (this.lines.kind(line) !== Kind.photos) continue;
            const [start, end] = [this.lines.top(line), this.lines.bottom(line)];
            const distance = end < top ? top - end : Math.max(0, start - top - screen);
            const order = distance > 0 ? screen + distance : start - top;
            for (let position = this.lines.first(line); position < this.lines.end(line); position++) {
                const cell = this.cells.get(position);
                if (!cell?.row) continue;
                const size = sizeFor(this.boxSide(position, end - start) * ratio);
                wanted.push({ order, image: cell.image, url: pictureURL(cell.row, 'current', size, { covers }) });
            }
        }
        this.queue.update(wanted.sort((a, b) => a.order - b.order));
    }

    /**
     * The side of the box of a picture, in CSS pixels.
     *
     * @param {number} position
     * @param {number} height The height of its row.
     */
    boxSide(position, height) {
        const aspect = this.view?.shapes.aspect(position) ?? 1;
        return this.arrangement.arrangement === 'squares' ? height : height * Math.max(1, aspect);
    }

    /** @param {Event} event */
    followView(event) {
        if (event.type !== 'change' || event.target !== this.view) {
            this.refreshSoon();
            return;
        }
        this.followChange(/** @type {CustomEvent} */ (event).detail);
    }

    /** @param {import('../model/position-map.js').PositionMaps} maps */
    followChange(maps) {
        if (maps.isSameLayout) {
            this.refreshSoon();
            return;
        }
        const place = this.place;
        const cells = this.cells;
        this.cells = new Map();
        for (const [position, cell] of cells) {
            const next = maps.moved(position);
            if (next >= 0) {
                cell.place(next, 0);
                this.cells.set(next, cell);
            } else {
                this.queue.cancel(cell.image);
                cell.recycle();
            }
        }
        const isAtTop = this.window.top < 1;
        this.active = maps.nearest(this.active);
        this.rangeStart = maps.nearest(this.rangeStart);
        const kept = { ...place, position: maps.nearest(place.position), active: this.active };
        this.layOut(isAtTop ? { ...kept, position: 0, offset: 0 } : kept);
    }

    /**
     * Makes a photo the active one, and shows it.
     *
     * @param {number} position
     */
    activate(position) {
        if (!this.view || this.view.count === 0) return;
        this.active = Math.max(0, Math.min(this.view.count - 1, position));
        this.isStale = true;
        this.reveal(this.active);
        this.dispatchEvent(new Event('active'));
    }

    /**
     * Scrolls just as far as needed to show a photo.
     *
     * @param {number} position
     */
    reveal(position) {
        const line = this.lines.of(position);
        const heading = this.lines.kind(line - 1) === Kind.photos ? line : Math.max(0, line - 1);
        const [start, end] = [this.lines.top(heading), this.lines.bottom(line)];
        const { top, screen } = this.window;
        if (start < top) this.jump(start);
        else if (end > top + screen - margin) this.jump(end - screen + margin);
        else this.renderSoon();
    }

    /** @param {number} top */
    jump(top) {
        this.window.jump(top);
        this.moveRows();
        this.render();
        this.dispatchEvent(new Event('scrolled'));
    }

    /** @param {number} position */
    open(position) {
        this.activate(position);
        this.dispatchEvent(new CustomEvent('open', { detail: position }));
    }
}

customElements.define('photo-grid', PhotoGrid);
