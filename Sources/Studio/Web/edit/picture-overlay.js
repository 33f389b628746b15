// SPDX-License-Identifier: Apache-2.0
import { element, update } from '../core/element.js';
import { drag } from './drag.js';

/** @type {Record<string, [number, number]>} */
const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Handles on a picture or a diagram, which are moved by pointer, touch and keys. */
export class PictureOverlay {
    /** @param {HandleArea} area */
    constructor(area) {
        this.area = area;
        this.root = element('div', { class: 'overlay' });
        /** @type {Map<HTMLElement, HandleOptions>} */
        this.handles = new Map();
        /** @type {((point: Point) => void) | null} Is called for a click beside the handles. */
        this.tap = null;
        /** @type {(isOn: boolean) => void} Is called when the overlay is shown or hidden. */
        this.used = () => {};
        /** @type {() => void} Places what is not a handle. */
        this.placed = () => {};
    }

    /** @param {HandleOptions} options */
    addHandle(options) {
        /** @type {HTMLElement} */
        const handle = element('button', {
            type: 'button', class: `handle ${options.class ?? ''}`,
            onpointerdown: event => this.press(handle, event), onkeydown: event => this.key(handle, event),
        });
        this.handles.set(handle, options);
        this.root.append(handle);
        return handle;
    }

    removeHandles() {
        for (const handle of this.handles.keys()) handle.remove();
        this.handles.clear();
    }

    /** Puts the handles to their points. */
    place() {
        const { width, height } = this.area.steps;
        for (const [handle, { get, label }] of this.handles) {
            const { x, y } = get();
            handle.style.left = `${x * 100}%`;
            handle.style.top = `${y * 100}%`;
            update(handle, 'aria-label', `${label}: ${Math.round(x * width)}, ${Math.round(y * height)}`);
        }
        this.placed();
    }

    /** @param {Point} point @returns {Point} The nearest one on a boundary of pixels, inside the picture. */
    snap({ x, y }) {
        const { width, height } = this.area.steps;
        const to = (/** @type {number} */ value, /** @type {number} */ size) => Math.max(0, Math.min(1, Math.round(value * size) / size));
        return { x: to(x, width), y: to(y, height) };
    }

    /** @param {HTMLElement} handle @param {PointerEvent} event */
    press(handle, event) {
        const options = this.handles.get(handle);
        if (!options || event.button !== 0 || this.area.isDisabled) return;
        const start = this.area.pointAt(event);
        const from = options.get();
        drag(handle, event, moved => {
            const now = this.area.pointAt(moved);
            options.move(this.snap({ x: from.x + now.x - start.x, y: from.y + now.y - start.y }));
        }, () => options.settle());
    }

    /**
     * Arrows move by one pixel of the full size, with Shift by ten.
     *
     * @param {HTMLElement} handle
     * @param {KeyboardEvent} event
     */
    key(handle, event) {
        const options = this.handles.get(handle);
        const direction = directions[event.key];
        if (!options || this.area.isDisabled) return;
        if (direction) {
            const { width, height } = this.area.steps;
            const pixels = event.shiftKey ? 10 : 1;
            const { x, y } = options.get();
            options.move(this.snap({ x: x + direction[0] * pixels / width, y: y + direction[1] * pixels / height }));
            options.settle();
        } else if ((event.key === 'Delete' || event.key === 'Backspace') && options.remove) {
            options.remove();
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }
}
