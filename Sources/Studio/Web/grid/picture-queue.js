// SPDX-License-Identifier: Apache-2.0

/** @typedef {{ image: HTMLImageElement, url: string }} Wanted */

/** Requests at a time: a browser has six connections to a server, and the event stream takes one. */
const limit = 4;
/** Pictures that have been shown before come from the browser's memory, and do not wait. */
const remembered = 3000;

/** Loads pictures in the order of their importance, and cancels those that have left the screen. */
export class PictureQueue {
    constructor() {
        /** @type {Map<HTMLImageElement, string>} */
        this.active = new Map();
        /** @type {Wanted[]} */
        this.waiting = [];
        /** @type {Set<string>} */
        this.seen = new Set();
    }

    /** @param {Wanted[]} wanted All pictures that are wanted now, the most important first. */
    update(wanted) {
        const urls = new Map(wanted.map(({ image, url }) => [image, url]));
        for (const [image, url] of this.active) {
            if (urls.get(image) !== url) this.cancel(image);
        }
        this.waiting = wanted.filter(({ image, url }) => image.dataset.url !== url);
        this.start();
    }

    /** @param {HTMLImageElement} image */
    cancel(image) {
        this.active.delete(image);
        delete image.dataset.url;
        image.removeAttribute('src');
    }

    start() {
        while (this.waiting.length > 0) {
            const next = /** @type {Wanted} */ (this.waiting[0]);
            if (this.active.size >= limit && !this.seen.has(next.url)) return;
            this.waiting.shift();
            this.load(next);
        }
    }

    /** @param {Wanted} wanted */
    load({ image, url }) {
        const isNew = !this.seen.has(url);
        if (isNew) this.active.set(image, url);
        image.dataset.url = url;
        image.classList.toggle('fresh', isNew && !image.hasAttribute('src'));
        image.onload = () => this.finish(image, url, true);
        image.onerror = () => this.finish(image, url, false);
        image.src = url;
    }

    /**
     * @param {HTMLImageElement} image
     * @param {string} url
     * @param {boolean} isLoaded
     */
    finish(image, url, isLoaded) {
        if (image.dataset.url !== url) return;
        this.active.delete(image);
        image.classList.toggle('failed', !isLoaded);
        if (isLoaded) this.remember(url);
        this.start();
    }

    /** @param {string} url */
    remember(url) {
        this.seen.delete(url);
        this.seen.add(url);
        if (this.seen.size > remembered) this.seen.delete(/** @type {string} */ (this.seen.values().next().value));
    }
}
