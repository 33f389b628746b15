// SPDX-License-Identifier: Apache-2.0
import { element } from '../core/element.js';
import { fittingSide, pictureURL, sizeFor } from '../model/pictures.js';
import { text } from '../text/text.js';
import { setBox } from './zoom-state.js';
/** @typedef {import('./zoom-state.js').ZoomState} ZoomState */

/**
 * @typedef {object} Source A version of a photo.
 * @property {string} id
 * @property {string} key
 * @property {string} what
 * @property {number} width Of the current version in pixels; other versions may differ.
 * @property {number} height
 * @property {string} label
 * @property {string} alt
 */

/** How long nothing moves before a sharper picture is requested, in milliseconds. */
const rest = 150;

/**
 * A picture that can be zoomed. It shows a small version at once, then one of the size of the stage, and while it is
 * zoomed the visible part at its full resolution.
 */
export class PicturePane {
    constructor() {
        this.picture = element('img', { class: 'picture', draggable: 'false', alt: '' });
        this.detail = element('img', { class: 'picture detail', draggable: 'false', alt: '', hidden: true });
        this.box = element('div', { class: 'picture-box' }, this.picture, this.detail);
        this.label = element('div', { class: 'pane-label' });
        this.failure = element('div', { class: 'pane-failure', hidden: true }, text.pictureFailed);
        this.root = element('div', { class: 'pane' }, this.box, this.failure, this.label);
        /** @type {Source | null} */
        this.source = null;
        this.size = { width: 1, height: 1 };
        /** @type {Set<HTMLImageElement>} */
        this.loading = new Set();
        this.timer = 0;
        this.wantedURL = '';
    }

    /**
     * @param {Source} source
     * @param {ZoomState} state
     */
    show(source, state) {
        const old = this.source;
        this.label.textContent = source.label;
        if (old && old.id === source.id && old.key === source.key && old.what === source.what) return;
        this.cancel();
        const isNewer = old?.id === source.id && old.what === source.what;
        this.source = source;
        this.picture.alt = source.alt;
        this.failure.hidden = true;
        this.detail.hidden = true;
        if (!isNewer) this.showSmall(source);
        this.loadPicture(source, state);
    }

    /**
     * Shows the small version, which the grid has probably loaded.
     *
     * @param {Source} source
     */
    showSmall(source) {
        this.size = { width: source.width, height: source.height };
        this.picture.removeAttribute('src');
        this.picture.src = pictureURL(source, source.what, 512);
    }

    /**
     * Shows the version for the stage. Until then, the old one of the same photo stays.
     *
     * @param {Source} source
     * @param {ZoomState} state
     */
    async loadPicture(source, state) {
        this.picture.onload = () => this.adopt(source, state);
        const url = pictureURL(source, source.what, sizeFor(fittingSide(source, state.stage)));
        const isLoaded = await this.load(url);
        if (this.source !== source) return;
        if (isLoaded) this.picture.src = url;
        else this.fail();
        // The size of other versions is known from their pictures.
        if (source.what === 'current') this.size = { width: source.width, height: source.height };
        this.place(state);
    }

    fail() {
        this.failure.hidden = false;
        this.picture.removeAttribute('src');
    }

    /**
     * Takes the aspect of another version from its picture.
     *
     * @param {Source} source
     * @param {ZoomState} state
     */
    adopt(source, state) {
        if (this.source !== source || source.what === 'current') return;
        const { naturalWidth, naturalHeight } = this.picture;
        if (!naturalWidth) return;
        const longer = Math.max(source.width, source.height);
        // The sides of a reduced picture are rounded, and both halves of a comparison must have exactly the same size.
        const isAlike = Math.abs(naturalWidth * source.height - naturalHeight * source.width) <= source.width + source.height;
        const scale = longer / Math.max(naturalWidth, naturalHeight);
        this.size = isAlike
            ? { width: source.width, height: source.height }
            : { width: Math.round(naturalWidth * scale), height: Math.round(naturalHeight * scale) };
        this.place(state);
    }

    /** @param {ZoomState} state */
    place(state) {
        const box = state.box(this.size);
        setBox(this.box, box);
        this.box.classList.toggle('pixels', box.width * devicePixelRatio / this.size.width >= 4);
        this.settle(state);
    }

    /** @param {ZoomState} state */
    settle(state) {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.sharpen(state), rest);
    }

    /**
     * Requests the visible part if the picture has too few pixels for it.
     *
     * @param {ZoomState} state
     */
    async sharpen(state) {
        const source = this.source;
        const box = state.box(this.size);
        if (!source || !this.picture.naturalWidth) return;
        // Another version may have more pixels than the current one. The server does not enlarge it.
        const full = source.what === 'current' ? this.size : { width: Infinity, height: Infinity };
        const isSharp = this.picture.naturalWidth >= Math.min(full.width, box.width * devicePixelRatio) * 0.95;
        if (isSharp) {
            this.detail.hidden = true;
            return;
        }
        const region = visibleRegion(box, state.stage, this.size);
        const shown = Math.max(region.width * box.width, region.height * box.height) * devicePixelRatio;
        const whole = Math.max(region.width * full.width, region.height * full.height);
        const url = pictureURL(source, source.what, Math.min(8192, Math.ceil(Math.min(shown, whole))), { region });
        if (url === this.wantedURL && !this.detail.hidden) return;
        this.wantedURL = url;
        if (!await this.load(url) || this.source !== source || this.wantedURL !== url) return;
        this.showDetail(url, region);
    }

    /**
     * @param {string} url
     * @param {import('../model/pictures.js').Region} region
     */
    showDetail(url, region) {
        const next = /** @type {HTMLImageElement} */ (this.detail.cloneNode());
        next.src = url;
        next.hidden = false;
        next.style.left = `${region.x * 100}%`;
        next.style.top = `${region.y * 100}%`;
        next.style.width = `${region.width * 100}%`;
        next.style.height = `${region.height * 100}%`;
        this.detail.replaceWith(next);
        this.detail = next;
    }

    /**
     * Loads and decodes a picture, so that it can be shown without a gap.
     *
     * @param {string} url
     */
    async load(url) {
        const image = new Image();
        this.loading.add(image);
        image.src = url;
        try {
            await image.decode();
            return true;
        } catch {
            return false;
        } finally {
            this.loading.delete(image);
        }
    }

    /** Cancels the requests that are in flight. */
    cancel() {
        clearTimeout(this.timer);
        for (const image of this.loading) image.removeAttribute('src');
        this.loading.clear();
    }

    clear() {
        this.cancel();
        this.source = null;
        this.wantedURL = '';
        this.detail.hidden = true;
        this.picture.removeAttribute('src');
    }
}

/**
 * The visible part of a picture and a little more, on the boundaries of its pixels.
 *
 * @param {import('./zoom-state.js').Box} box
 * @param {import('./zoom-state.js').Size} stage
 * @param {import('./zoom-state.js').Size} size
 */
export function visibleRegion(box, stage, size) {
    const [left, right] = edges(-box.left, stage.width, box.width, size.width);
    const [top, bottom] = edges(-box.top, stage.height, box.height, size.height);
    return {
        x: left / size.width, y: top / size.height,
        width: (right - left) / size.width, height: (bottom - top) / size.height,
    };
}

/**
 * @param {number} start
 * @param {number} visible
 * @param {number} length
 * @param {number} pixels
 * @returns {[number, number]}
 */
function edges(start, visible, length, pixels) {
    const border = visible * 0.1;
    const from = Math.max(0, (start - border) / length);
    const to = Math.min(1, (start + visible + border) / length);
    return [Math.floor(from * pixels), Math.min(pixels, Math.ceil(to * pixels))];
}
