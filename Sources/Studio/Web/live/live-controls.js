// SPDX-License-Identifier: Apache-2.0
import { LivePhoto, prefersStillness } from './live-photo.js';

/** How long a picture is pressed before it plays, and a badge hovered over, in milliseconds. A finger may begin to swipe. */
const [pressTime, touchTime, hoverTime] = [80, 200, 120];
/** How far a pointer that presses may move, in CSS pixels. */
const tolerance = 8;
/** How long after scrolling nothing starts, in milliseconds. */
const scrollRest = 250;

/**
 * Plays one Live Photo of an area: in full while its picture is pressed or a key is held, and as a hint while its badge is
 * hovered over. Nothing starts while the area scrolls.
 */
export class LiveControls {
    /**
     * @param {HTMLElement} area
     * @param {object} actions
     * @param {(target: Element) => LivePhoto | null} actions.find The Live Photo of an element, ready to be played.
     * @param {(event: PointerEvent) => boolean} actions.canPress Whether pressing plays.
     */
    constructor(area, { find, canPress }) {
        this.find = find;
        this.canPress = canPress;
        /** @type {LivePhoto | null} */
        this.playing = null;
        /** What plays it: a pointer or a key. @type {'hover' | 'press' | 'key' | null} */
        this.cause = null;
        this.timer = 0;
        this.scrollTime = -Infinity;
        this.start = { x: 0, y: 0 };
        area.addEventListener('pointerover', event => this.hover(event));
        area.addEventListener('pointerout', event => isBadge(event) && this.end('hover'));
        area.addEventListener('pointerdown', event => this.press(event));
        area.addEventListener('pointermove', event => this.move(event));
        for (const type of ['pointerup', 'pointercancel', 'lostpointercapture']) area.addEventListener(type, () => this.end('press'));
        area.addEventListener('contextmenu', event => this.cause === 'press' && event.preventDefault());
        area.addEventListener('scroll', () => this.scrolled(), { passive: true });
        window.addEventListener('blur', () => this.end(this.cause));
    }

    /** @param {PointerEvent} event */
    hover(event) {
        if (!isBadge(event) || event.pointerType === 'touch' || event.buttons !== 0 || prefersStillness()) return;
        this.startLater(/** @type {Element} */ (event.target), 'hover', hoverTime);
    }

    /** @param {PointerEvent} event */
    press(event) {
        this.end('hover');
        this.end('press');
        if (event.button !== 0 || !event.isPrimary || !this.canPress(event)) return;
        this.start = { x: event.clientX, y: event.clientY };
        this.startLater(/** @type {Element} */ (event.target), 'press', event.pointerType === 'touch' ? touchTime : pressTime);
    }

    /** @param {PointerEvent} event */
    move(event) {
        const isFar = Math.hypot(event.clientX - this.start.x, event.clientY - this.start.y) > tolerance;
        if (this.cause === 'press' && isFar) this.end('press');
    }

    /**
     * @param {Element} target
     * @param {'hover' | 'press'} cause
     * @param {number} delay
     */
    startLater(target, cause, delay) {
        if (this.isScrolling || this.cause) return;
        this.cause = cause;
        this.timer = setTimeout(() => this.play(target, cause), delay);
    }

    /**
     * @param {Element} target
     * @param {'hover' | 'press' | 'key'} cause
     */
    play(target, cause) {
        const photo = this.isScrolling ? null : this.find(target);
        this.cause = photo ? cause : null;
        this.playing = photo;
        if (!photo) return;
        photo.playbackStyle = cause === 'hover' ? 'hint' : 'full';
        photo.addEventListener('ended', () => this.ended(photo), { once: true });
        photo.play();
    }

    /** @param {LivePhoto} photo */
    ended(photo) {
        if (this.playing !== photo) return;
        this.playing = null;
        this.cause = null;
    }

    /**
     * Plays while a key is held.
     *
     * @param {Element} target
     */
    holdKey(target) {
        if (this.cause) return;
        this.play(target, 'key');
    }

    /**
     * Ends playback if this has begun it.
     *
     * @param {'hover' | 'press' | 'key' | null} cause
     */
    end(cause) {
        if (this.cause !== cause) return;
        clearTimeout(this.timer);
        this.cause = null;
        this.playing?.stop();
        this.playing = null;
    }

    get isScrolling() {
        return performance.now() - this.scrollTime < scrollRest;
    }

    scrolled() {
        this.scrollTime = performance.now();
        this.end(this.cause);
    }
}

/** @param {Event} event */
function isBadge({ target }) {
    return target instanceof Element && target.closest('.badge.live, .live-badge') !== null;
}
