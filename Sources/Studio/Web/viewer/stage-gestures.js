// SPDX-License-Identifier: Apache-2.0
/** @typedef {import('./zoom-state.js').ZoomState} ZoomState */

/** How far a finger moves to step or to close, in CSS pixels. */
const swipe = 60;

/**
 * Zooms and pans by mouse, wheel, trackpad and touch. At the size that fits, a swipe steps or closes.
 *
 * Calls `changed` after each movement, and `step` and `close`.
 */
export class StageGestures {
    /**
     * @param {HTMLElement} stage
     * @param {ZoomState} state
     * @param {{ changed: () => void, step: (by: 1 | -1) => void, close: () => void }} actions
     */
    constructor(stage, state, actions) {
        this.stage = stage;
        this.state = state;
        this.actions = actions;
        /** @type {Map<number, { x: number, y: number }>} */
        this.pointers = new Map();
        this.start = { x: 0, y: 0 };
        this.hadTwo = false;
        stage.addEventListener('pointerdown', event => this.press(event));
        stage.addEventListener('pointermove', event => this.move(event));
        stage.addEventListener('pointerup', event => this.release(event));
        stage.addEventListener('pointercancel', event => this.pointers.delete(event.pointerId));
        stage.addEventListener('dblclick', event => this.toggle(this.pointOf(event)));
        stage.addEventListener('wheel', event => this.wheel(event), { passive: false });
    }

    /** @param {MouseEvent} event A point on the stage. */
    pointOf({ clientX, clientY }) {
        const { left, top, width } = this.stage.getBoundingClientRect();
        // In a comparison side by side, each pane has its own middle.
        const [x, pane] = [clientX - left, this.state.stage.width];
        return { x: x < pane ? x : x - (width - pane), y: clientY - top };
    }

    /** @param {PointerEvent} event */
    press(event) {
        if (event.button !== 0 || (event.target instanceof Element && event.target.closest('button, [role="slider"]'))) return;
        this.stage.setPointerCapture(event.pointerId);
        this.pointers.set(event.pointerId, this.pointOf(event));
        if (this.pointers.size === 1) {
            this.start = { x: event.clientX, y: event.clientY };
            this.hadTwo = false;
        } else {
            this.hadTwo = true;
        }
    }

    /** @param {PointerEvent} event */
    move(event) {
        const before = this.pointers.get(event.pointerId);
        if (!before) return;
        const now = this.pointOf(event);
        if (this.pointers.size === 2) this.pinch(event.pointerId, before, now);
        else if (!this.state.isFit) this.state.pan(now.x - before.x, now.y - before.y);
        this.pointers.set(event.pointerId, now);
        this.actions.changed();
    }

    /**
     * @param {number} id
     * @param {{ x: number, y: number }} before
     * @param {{ x: number, y: number }} now
     */
    pinch(id, before, now) {
        const other = [...this.pointers].find(([key]) => key !== id)?.[1] ?? before;
        const ratio = distance(now, other) / Math.max(1, distance(before, other));
        const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
        this.state.zoomTo(this.state.zoom * ratio, middle);
        this.state.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    }

    /** @param {PointerEvent} event */
    release(event) {
        if (!this.pointers.delete(event.pointerId) || this.pointers.size > 0) return;
        if (event.pointerType !== 'touch' || !this.state.isFit || this.hadTwo) return;
        const [x, y] = [event.clientX - this.start.x, event.clientY - this.start.y];
        const forward = getComputedStyle(this.stage).direction === 'rtl' ? 1 : -1;
        if (Math.abs(x) > swipe && Math.abs(x) > Math.abs(y) * 1.5) this.actions.step(Math.sign(x) === forward ? 1 : -1);
        else if (y > swipe * 1.5 && y > Math.abs(x) * 1.5) this.actions.close();
    }

    /** @param {WheelEvent} event */
    wheel(event) {
        event.preventDefault();
        const isPan = !event.ctrlKey && !this.state.isFit && event.deltaMode === 0 && (event.deltaX !== 0 || Math.abs(event.deltaY) < 40);
        if (isPan) this.state.pan(-event.deltaX, -event.deltaY);
        else this.state.zoomTo(this.state.zoom * Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), this.pointOf(event));
        this.actions.changed();
    }

    /**
     * Shows the actual size, or fits again.
     *
     * @param {{ x: number, y: number }} [point]
     */
    toggle(point) {
        if (this.state.isFit) this.state.zoomTo(Math.max(this.state.actualZoom, 2), point);
        else this.state.reset();
        this.actions.changed();
    }
}

/**
 * @param {{ x: number, y: number }} a
 * @param {{ x: number, y: number }} b
 */
function distance(a, b) {
    return Math.hypot(a.x - b.x, a.y - b.y);
}
