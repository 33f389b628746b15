// SPDX-License-Identifier: Apache-2.0

/**
 * The largest height in the document. Browsers stop at 33,554,428 px, or half of that, and become imprecise before.
 */
const limit = 2_000_000;
/** How close to its ends the window is moved. */
const margin = 100_000;

/**
 * Scrolls content of any height. The scroller sees a window of it: positions in the document are positions in the
 * content less `base`. Near its ends, the window is moved, and nothing moves on the screen.
 */
export class ScrollWindow {
    /**
     * @param {HTMLElement} scroller
     * @param {HTMLElement} content The element whose height is scrolled.
     */
    constructor(scroller, content) {
        this.scroller = scroller;
        this.content = content;
        this.height = 0;
        this.base = 0;
    }

    /** The height of the screen. */
    get screen() {
        return this.scroller.clientHeight;
    }

    /** The position in the content of the top of the screen. */
    get top() {
        return this.base + this.scroller.scrollTop;
    }

    get furthest() {
        return Math.max(0, this.height - this.screen);
    }

    /**
     * @param {number} height The height of the content.
     * @param {number} top The position to show.
     */
    setHeight(height, top) {
        this.height = height;
        this.jump(top);
    }

    /**
     * Shows a position.
     *
     * @param {number} top
     */
    jump(top) {
        const wanted = Math.max(0, Math.min(this.furthest, top));
        this.base = this.baseFor(wanted);
        this.content.style.height = `${Math.min(limit, this.height)}px`;
        this.scroller.scrollTop = wanted - this.base;
    }

    /**
     * Moves the window if the screen is near its end but not near that of the content.
     *
     * @returns {boolean} Whether positions in the document have changed.
     */
    follow() {
        const local = this.scroller.scrollTop;
        const isNearTop = local < margin && this.base > 0;
        const isNearEnd = local > limit - margin - this.screen && this.base + limit < this.height;
        if (!isNearTop && !isNearEnd) return false;
        this.jump(this.top);
        return true;
    }

    /** @param {number} top */
    baseFor(top) {
        return Math.max(0, Math.min(Math.round(top - limit / 2), this.height - limit));
    }
}
