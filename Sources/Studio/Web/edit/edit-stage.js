// SPDX-License-Identifier: Apache-2.0
import { element } from '../core/element.js';
import { pictureURL } from '../model/pictures.js';
import { text } from '../text/text.js';
import { visibleRegion } from '../viewer/picture-pane.js';
import { StageGestures } from '../viewer/stage-gestures.js';
import { setBox, ZoomState } from '../viewer/zoom-state.js';
/** @typedef {import('./picture-overlay.js').PictureOverlay} PictureOverlay */

/** The longest sides of frames in pixels. */
const mostMoving = 1024;
const mostResting = 2048;
const leastResting = 256;
/** A picture that fits looks sharp with at least this part of the pixels that are shown. */
const sharp = 0.75;
/** A pointer that moves farther than this between press and release is not a click, in CSS pixels. */
const clickDistance = 6;

/** The picture of a session, and what the controls show on it. */
export class EditStage {
    /** @param {{ zoomed: () => void, overlayChanged: () => void }} actions */
    constructor(actions) {
        this.actions = actions;
        this.state = new ZoomState();
        this.isDisabled = false;
        /** @type {PictureOverlay | null} */
        this.overlay = null;
        this.placeholder = element('img', { class: 'picture', alt: '', draggable: 'false' });
        this.whole = element('canvas', { class: 'picture frame-whole', role: 'img', 'aria-label': text.editedPicture, hidden: true });
        this.detail = element('canvas', { class: 'picture frame-detail', 'aria-hidden': 'true', hidden: true });
        this.before = element('div', { class: 'picture-box before-box' }, this.placeholder);
        this.box = element('div', { class: 'picture-box' }, this.whole, this.detail);
        this.level = element('div', { class: 'level', hidden: true });
        this.overlayBox = element('div', { class: 'overlay-box' }, this.level);
        this.stage = element('div', { class: 'stage' }, this.before, this.box, this.overlayBox);
        this.root = element('div', { class: 'stage-area' }, this.stage);
        this.beforeSize = { width: 1, height: 1 };
        /** The longest side of a session's input for whole frames, in pixels. A smaller input is decoded sooner. */
        this.inputSide = mostResting;
        /** The longest side up to which whole frames are sharp, in pixels. */
        this.sharpSide = mostResting;
        this.listen();
    }

    listen() {
        // A click sets a point, so a double click must not zoom.
        this.stage.addEventListener('dblclick', event => this.overlay?.tap && event.stopImmediatePropagation(), true);
        this.gestures = new StageGestures(this.stage, this.state, { changed: () => this.place(), step: () => {}, close: () => {} });
        let start = { x: 0, y: 0 };
        this.stage.addEventListener('pointerdown', event => (start = { x: event.clientX, y: event.clientY }));
        this.stage.addEventListener('click', event => {
            const isClick = Math.hypot(event.clientX - start.x, event.clientY - start.y) <= clickDistance;
            const isHandle = event.target instanceof Element && event.target.closest('.handle');
            const point = this.pointAt(event);
            const isInside = point.x >= 0 && point.x <= 1 && point.y >= 0 && point.y <= 1;
            if (isClick && !isHandle && isInside && !this.isDisabled) this.overlay?.tap?.(point);
        });
        new ResizeObserver(() => this.place()).observe(this.stage);
    }

    /**
     * Shows the current version until the first frame arrives.
     *
     * @param {import('../types.js').Row} row
     */
    start(row) {
        this.state.reset();
        this.beforeSize = { width: Math.max(1, row.pixelWidth), height: Math.max(1, row.pixelHeight) };
        this.state.picture = this.beforeSize;
        this.placeholder.src = pictureURL(row, 'current', 1024);
        this.hideFrames();
        this.use(null);
        this.place();
        // On a phone, the drawer over the stage may be closed later.
        const height = this.root.parentElement?.clientHeight ?? 0;
        const side = Math.ceil(Math.max(this.state.stage.width, this.state.stage.height, height) * devicePixelRatio);
        this.inputSide = Math.min(mostResting, Math.max(leastResting, withoutScaling(side)));
        this.sharpSide = this.inputSide;
    }

    /**
     * Shows a frame, stretched to the box of the picture: frames of every size cover the same pixels.
     *
     * @param {Frame} frame
     * @param {FrameRequest} request
     */
    show({ picture, width, height }, { size, region }) {
        const canvas = region ? this.detail : this.whole;
        // A canvas of another size is allocated again, which takes a few milliseconds.
        if (canvas.width !== picture.width) canvas.width = picture.width;
        if (canvas.height !== picture.height) canvas.height = picture.height;
        const context = canvas.getContext('2d');
        if (context) context.globalCompositeOperation = 'copy';
        context?.drawImage(picture, 0, 0);
        const side = Math.max(picture.width, picture.height);
        picture.close();
        canvas.hidden = false;
        this.stage.classList.add('rendered');
        if (region) {
            placeDetail(canvas, region, this.state.picture);
            return;
        }
        this.detail.hidden = true;
        // An edit may leave fewer pixels of its input than were requested.
        this.sharpSide = side < size - 1 ? side : this.inputSide;
        const { picture: old } = this.state;
        if (old.width === width && old.height === height) return;
        this.state.picture = { width, height };
        this.place();
    }

    /** @returns {FrameSizes} */
    sizes() {
        const { picture, stage } = this.state;
        const box = this.state.box();
        const longest = Math.max(picture.width, picture.height);
        const shown = Math.ceil(Math.min(longest, Math.max(box.width, box.height, 64) * devicePixelRatio));
        const resting = Math.min(this.inputSide, shown);
        // A whole frame that can be sharper than the input is a region, too.
        const { isFit } = this.state;
        const isDetail = shown * (isFit ? sharp : 1) > this.sharpSide && !(isFit && this.sharpSide === mostResting);
        return {
            moving: Math.min(mostMoving, resting), resting,
            detail: Math.min(mostResting, shown),
            region: isDetail ? inPixels(visibleRegion(box, stage, picture), picture) : null,
        };
    }

    /**
     * Shows the handles of a control on the picture.
     *
     * @param {PictureOverlay | null} overlay
     */
    use(overlay) {
        if (overlay === this.overlay) return;
        const old = this.overlay;
        this.overlay = overlay;
        old?.root.remove();
        old?.used(false);
        if (overlay) this.overlayBox.append(overlay.root);
        overlay?.place();
        overlay?.used(true);
        this.stage.classList.toggle('taps', Boolean(overlay?.tap));
        this.actions.overlayChanged();
    }

    /** @param {boolean} isDisabled */
    disable(isDisabled) {
        this.isDisabled = isDisabled;
        this.overlayBox.inert = isDisabled;
    }

    /** @param {boolean} isShown */
    showLevel(isShown) {
        this.level.hidden = !isShown;
    }

    /** @param {boolean} isShown Whether the picture is shown as it was, while a key or a button is held. */
    showBefore(isShown) {
        this.stage.classList.toggle('before', isShown);
    }

    get steps() {
        return this.state.picture;
    }

    place() {
        const { clientWidth, clientHeight } = this.stage;
        this.state.stage = { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) };
        this.state.clamp();
        const box = this.state.box();
        for (const node of [this.box, this.overlayBox]) setBox(node, box);
        setBox(this.before, this.state.box(this.beforeSize));
        this.box.classList.toggle('pixels', box.width * devicePixelRatio / this.state.picture.width >= 4);
        this.stage.classList.toggle('zoomed', !this.state.isFit);
        this.overlay?.place();
        this.actions.zoomed();
    }

    /**
     * The point of the picture under the pointer, in fractions.
     *
     * @param {MouseEvent} event
     */
    pointAt({ clientX, clientY }) {
        const { left, top, width, height } = this.overlayBox.getBoundingClientRect();
        return { x: (clientX - left) / width, y: (clientY - top) / height };
    }

    hideFrames() {
        this.whole.hidden = true;
        this.detail.hidden = true;
        this.stage.classList.remove('rendered');
    }

    clear() {
        this.use(null);
        this.placeholder.removeAttribute('src');
        this.hideFrames();
        this.showBefore(false);
        this.showLevel(false);
    }
}

/**
 * A frame that is slightly smaller than its input would be scaled after each change. The server reduces an input once only if
 * it is larger by a third.
 *
 * @param {number} side The longest side that the stage shows, in pixels.
 */
function withoutScaling(side) {
    if (side <= mostMoving * 1.1) return Math.min(side, mostMoving);
    return Math.max(side, Math.ceil(mostMoving / 0.75));
}

/** @param {HTMLElement} canvas @param {PixelRegion} region @param {import('../viewer/zoom-state.js').Size} picture */
function placeDetail({ style }, { x, y, width, height }, picture) {
    style.left = `${x / picture.width * 100}%`;
    style.top = `${y / picture.height * 100}%`;
    style.width = `${width / picture.width * 100}%`;
    style.height = `${height / picture.height * 100}%`;
}

/** @param {import('../model/pictures.js').Region} region @param {import('../viewer/zoom-state.js').Size} picture */
function inPixels({ x, y, width, height }, picture) {
    return {
        x: Math.round(x * picture.width), y: Math.round(y * picture.height),
        width: Math.round(width * picture.width), height: Math.round(height * picture.height),
    };
}
