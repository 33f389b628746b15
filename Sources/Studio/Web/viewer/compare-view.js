// SPDX-License-Identifier: Apache-2.0
import { element } from '../core/element.js';
import { text } from '../text/text.js';
import { percent } from '../text/numbers.js';
import { PicturePane } from './picture-pane.js';
/** @typedef {import('./picture-pane.js').Source} Source */
/** @typedef {import('./zoom-state.js').ZoomState} ZoomState */

/** @typedef {'off' | 'hold' | 'split' | 'side'} CompareMode */

/** The panes of the stage: the photo, and what it is compared with. Both are zoomed and moved together. */
export class CompareView {
    /**
     * @param {HTMLElement} stage
     * @param {ZoomState} state
     */
    constructor(stage, state) {
        this.stage = stage;
        this.state = state;
        /** @type {CompareMode} */
        this.mode = 'off';
        this.split = 0.5;
        this.main = new PicturePane();
        this.other = new PicturePane();
        this.divider = element('div', {
            class: 'divider', role: 'slider', tabindex: '0', 'aria-label': text.divider, 'aria-orientation': 'horizontal',
            'aria-valuemin': '0', 'aria-valuemax': '100',
            onpointerdown: (/** @type {PointerEvent} */ event) => this.grab(event),
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
        }, element('span', { class: 'divider-handle' }));
        this.other.root.classList.add('other');
        stage.append(this.main.root, this.other.root, this.divider);
        this.setMode('off');
    }

    /** @param {CompareMode} mode */
    setMode(mode) {
        this.mode = mode;
        this.stage.dataset.compare = mode;
        this.other.root.hidden = mode === 'off';
        this.main.root.hidden = mode === 'hold';
        this.divider.hidden = mode !== 'split';
        if (mode === 'off') this.other.clear();
        this.place();
    }

    /**
     * @param {Source} main
     * @param {Source | null} other
     */
    show(main, other) {
        this.measure();
        this.main.show(main, this.state);
        if (other && this.mode !== 'off') this.other.show(other, this.state);
        this.place();
    }

    /** Adopts the size of the stage. */
    measure() {
        const { clientWidth, clientHeight } = this.stage;
        this.state.stage = { width: Math.max(1, this.mode === 'side' ? Math.floor(clientWidth / 2) : clientWidth), height: Math.max(1, clientHeight) };
    }

    place() {
        this.measure();
        this.state.clamp();
        this.main.place(this.state);
        if (this.mode !== 'off') this.other.place(this.state);
        this.placeDivider();
    }

    placeDivider() {
        const isSplit = this.mode === 'split';
        const share = this.split * 100;
        // The other version is on the left, as the earlier one.
        this.other.root.style.clipPath = isSplit ? `inset(0 ${100 - share}% 0 0)` : '';
        this.main.root.style.clipPath = isSplit ? `inset(0 0 0 ${share}%)` : '';
        this.divider.style.left = `${share}%`;
        this.divider.setAttribute('aria-valuenow', String(Math.round(share)));
        this.divider.setAttribute('aria-valuetext', percent(this.split));
    }

    /** @param {PointerEvent} event */
    grab(event) {
        event.preventDefault();
        event.stopPropagation();
        this.divider.focus();
        this.divider.setPointerCapture(event.pointerId);
        const move = (/** @type {PointerEvent} */ moved) => {
            const { left, width } = this.stage.getBoundingClientRect();
            this.moveTo((moved.clientX - left) / width);
        };
        this.divider.addEventListener('pointermove', move);
        this.divider.addEventListener('lostpointercapture', () => this.divider.removeEventListener('pointermove', move), { once: true });
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        const step = event.shiftKey ? 0.1 : 0.02;
        if (event.key === 'ArrowLeft') this.moveTo(this.split - step);
        else if (event.key === 'ArrowRight') this.moveTo(this.split + step);
        else if (event.key === 'Home') this.moveTo(0);
        else if (event.key === 'End') this.moveTo(1);
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    /** @param {number} split */
    moveTo(split) {
        this.split = Math.max(0, Math.min(1, split));
        this.placeDivider();
    }

    clear() {
        this.main.clear();
        this.setMode('off');
    }
}
