// SPDX-License-Identifier: Apache-2.0
import { element, fill, update } from '../core/element.js';
import { Kind } from '../layout/lines.js';
import { monthName, unknownDay, yearOf } from '../text/dates.js';
import { percent } from '../text/numbers.js';
import { text } from '../text/text.js';
/** @typedef {import('./photo-grid.js').PhotoGrid} PhotoGrid */

/** The least distance of two years in pixels. */
const leastDistance = 26;

/** The years of a view beside the grid, and a handle that jumps to any position. */
export class TimeScrubber extends HTMLElement {
    constructor() {
        super();
        this.years = element('div', { class: 'scrubber-years', 'aria-hidden': 'true' });
        this.bubble = element('div', { class: 'scrubber-bubble', 'aria-hidden': 'true' });
        this.handle = element('div', { class: 'scrubber-handle' }, this.bubble);
        /** @type {PhotoGrid | null} */
        this.grid = null;
        this.isDragging = false;
        this.timer = 0;
    }

    /** @param {PhotoGrid} grid */
    attach(grid) {
        this.grid = grid;
        this.append(this.years, this.handle);
        for (const [name, value] of Object.entries({
            role: 'slider', tabindex: '0', 'aria-orientation': 'vertical', 'aria-label': text.timeline,
            'aria-valuemin': '0', 'aria-valuemax': '100',
        })) this.setAttribute(name, value);
        grid.addEventListener('laidout', () => this.showYears());
        grid.addEventListener('scrolled', () => this.follow());
        this.addEventListener('pointerdown', event => this.press(event));
        this.addEventListener('pointermove', event => this.isDragging && this.drag(event));
        this.addEventListener('pointerup', () => this.release());
        this.addEventListener('pointercancel', () => this.release());
        this.addEventListener('keydown', event => this.key(event));
        new ResizeObserver(() => this.showYears()).observe(this);
    }

    showYears() {
        const { lines, view } = /** @type {PhotoGrid} */ (this.grid);
        this.hidden = !this.grid || this.grid.window.furthest <= 0;
        this.marks = view && this.hasMonths ? yearMarks(lines, view.shapes) : [];
        const height = this.clientHeight;
        let last = -Infinity;
        const labels = this.marks.map(({ year, top }) => {
            const place = top / Math.max(1, lines.height) * height;
            if (place - last < leastDistance || place > height - 10) return null;
            last = place;
            const label = element('span', {}, String(year));
            label.style.insetBlockStart = `${place}px`;
            return label;
        });
        fill(this.years, ...labels);
        this.follow();
    }

    get hasMonths() {
        return this.grid?.arrangement.headings ?? false;
    }

    /** Moves the handle to where the grid is. */
    follow() {
        const { window } = /** @type {PhotoGrid} */ (this.grid);
        const ratio = window.furthest > 0 ? Math.min(1, window.top / window.furthest) : 0;
        this.handle.style.transform = `translateY(${ratio * Math.max(0, this.clientHeight - this.handle.offsetHeight)}px)`;
        const name = this.hasMonths ? this.monthAt(window.top) : percent(ratio);
        this.bubble.textContent = name;
        update(this, 'aria-valuenow', Math.round(ratio * 100));
        update(this, 'aria-valuetext', name);
        this.show();
    }

    /** Shows the name of the month for a moment. */
    show() {
        this.classList.add('moving');
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.isDragging || this.classList.remove('moving'), 900);
    }

    /** @param {number} top */
    monthAt(top) {
        const { lines, view } = /** @type {PhotoGrid} */ (this.grid);
        return view && view.count > 0 ? monthName(view.shapes.days[lines.first(lines.at(top + 8))] ?? unknownDay) : '';
    }

    /** @param {PointerEvent} event */
    press(event) {
        this.isDragging = true;
        this.classList.add('dragging');
        this.setPointerCapture(event.pointerId);
        const handle = this.handle.getBoundingClientRect();
        const isOnHandle = event.clientY >= handle.top && event.clientY <= handle.bottom;
        this.grip = isOnHandle ? event.clientY - handle.top : handle.height / 2;
        if (!isOnHandle) this.drag(event);
        event.preventDefault();
        this.focus({ preventScroll: true });
    }

    /** @param {PointerEvent} event */
    drag(event) {
        const box = this.getBoundingClientRect();
        const room = Math.max(1, box.height - this.handle.offsetHeight);
        const ratio = Math.max(0, Math.min(1, (event.clientY - box.top - (this.grip ?? 0)) / room));
        const grid = /** @type {PhotoGrid} */ (this.grid);
        grid.jump(ratio * grid.window.furthest);
    }

    release() {
        this.isDragging = false;
        this.classList.remove('dragging');
        this.show();
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        const grid = /** @type {PhotoGrid} */ (this.grid);
        const target = this.targetOf(event.key, grid);
        if (target === null) return;
        event.preventDefault();
        event.stopPropagation();
        grid.jump(target);
    }

    /**
     * @param {string} key
     * @param {PhotoGrid} grid
     */
    targetOf(key, { window, lines }) {
        switch (key) {
            case 'ArrowUp': return this.headingFrom(-1);
            case 'ArrowDown': return this.headingFrom(1);
            case 'PageUp': return this.yearFrom(-1);
            case 'PageDown': return this.yearFrom(1);
            case 'Home': return 0;
            case 'End': return Math.max(window.furthest, lines.height);
            default: return null;
        }
    }

    /** @param {1 | -1} direction */
    headingFrom(direction) {
        const { lines, window } = /** @type {PhotoGrid} */ (this.grid);
        let line = lines.at(window.top + 1);
        for (line += direction; line > 0 && line < lines.count; line += direction) {
            if (lines.kind(line) === Kind.month && Math.abs(lines.top(line) - window.top) > 1) break;
        }
        return lines.count > 0 && line > 0 && line < lines.count ? lines.top(line) : direction < 0 ? 0 : window.furthest;
    }

    /** @param {1 | -1} direction */
    yearFrom(direction) {
        const { window } = /** @type {PhotoGrid} */ (this.grid);
        const tops = (this.marks ?? []).map(({ top }) => top);
        const next = direction > 0 ? tops.find(top => top > window.top + 1) : tops.filter(top => top < window.top - 1).pop();
        return next ?? (direction < 0 ? 0 : window.furthest);
    }
}

/**
 * @param {import('../layout/lines.js').Lines} lines
 * @param {import('../model/shapes.js').Shapes} shapes
 * @returns {{ year: number, top: number }[]}
 */
function yearMarks(lines, shapes) {
    const marks = [];
    let last = NaN;
    for (let line = 0; line < lines.count; line++) {
        const day = lines.kind(line) === Kind.month ? shapes.days[lines.first(line)] ?? unknownDay : unknownDay;
        if (day === unknownDay || yearOf(day) === last) continue;
        last = yearOf(day);
        marks.push({ year: last, top: lines.top(line) });
    }
    return marks;
}

customElements.define('time-scrubber', TimeScrubber);
