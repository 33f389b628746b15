// SPDX-License-Identifier: Apache-2.0

/** The largest zoom: one pixel of the picture on 16 by 16 of the screen. */
const largest = 16;

/**
 * @typedef {{ width: number, height: number }} Size
 * @typedef {{ left: number, top: number, width: number, height: number }} Box
 */

/**
 * How far the pictures are zoomed, and which point is in the middle of the stage. Panes of a comparison share it.
 */
export class ZoomState {
    constructor() {
        /** 1 fits the picture into the stage. */
        this.zoom = 1;
        /** The middle, in fractions of the picture. */
        this.center = { x: 0.5, y: 0.5 };
        /** @type {Size} */
        this.stage = { width: 1, height: 1 };
        /** The picture in pixels. @type {Size} */
        this.picture = { width: 1, height: 1 };
    }

    get isFit() {
        return this.zoom === 1;
    }

    /** CSS pixels for each pixel of the picture. */
    get scale() {
        return fitScale(this.picture, this.stage) * this.zoom;
    }

    /** The zoom that shows each pixel on one of the screen. */
    get actualZoom() {
        return Math.max(1, 1 / devicePixelRatio / fitScale(this.picture, this.stage));
    }

    get mostZoom() {
        return Math.max(2, this.actualZoom * largest);
    }

    /** Fits the picture again. */
    reset() {
        this.zoom = 1;
        this.center = { x: 0.5, y: 0.5 };
    }

    /**
     * The place of a picture on the stage.
     *
     * @param {Size} [picture] Another picture of a comparison.
     * @returns {Box}
     */
    box(picture = this.picture) {
        const scale = fitScale(picture, this.stage) * this.zoom;
        const [width, height] = [picture.width * scale, picture.height * scale];
        return {
            left: this.stage.width / 2 - this.center.x * width,
            top: this.stage.height / 2 - this.center.y * height,
            width, height,
        };
    }

    /**
     * Zooms, and keeps the point under the pointer in its place.
     *
     * @param {number} zoom
     * @param {{ x: number, y: number }} [point] On the stage; its middle if it is omitted.
     */
    zoomTo(zoom, point = { x: this.stage.width / 2, y: this.stage.height / 2 }) {
        const before = this.box();
        const [x, y] = [(point.x - before.left) / before.width, (point.y - before.top) / before.height];
        this.zoom = Math.max(1, Math.min(this.mostZoom, zoom));
        if (Math.abs(this.zoom - 1) < 0.02) this.zoom = 1;
        const after = this.box();
        this.center.x = x - (point.x - this.stage.width / 2) / after.width;
        this.center.y = y - (point.y - this.stage.height / 2) / after.height;
        this.clamp();
    }

    /**
     * @param {number} x In CSS pixels.
     * @param {number} y
     */
    pan(x, y) {
        const { width, height } = this.box();
        this.center.x -= x / width;
        this.center.y -= y / height;
        this.clamp();
    }

    /** Keeps the stage filled where the picture is larger than it. */
    clamp() {
        const { width, height } = this.box();
        this.center.x = clamped(this.center.x, this.stage.width / width);
        this.center.y = clamped(this.center.y, this.stage.height / height);
    }
}

/**
 * @param {Size} picture
 * @param {Size} stage
 */
function fitScale(picture, stage) {
    return Math.min(1, stage.width / picture.width, stage.height / picture.height);
}

/**
 * @param {number} center
 * @param {number} visible The visible fraction.
 */
function clamped(center, visible) {
    return visible >= 1 ? 0.5 : Math.max(visible / 2, Math.min(1 - visible / 2, center));
}

/**
 * Puts a node to the place of a picture, on a boundary of the screen's pixels: between them, a picture at 100 % is blurred.
 *
 * @param {HTMLElement} node
 * @param {Box} box
 */
export function setBox({ style }, { left, top, width, height }) {
    const whole = (/** @type {number} */ length) => Math.round(length * devicePixelRatio) / devicePixelRatio;
    style.width = `${width}px`;
    style.height = `${height}px`;
    style.transform = `translate(${whole(left)}px, ${whole(top)}px)`;
}
