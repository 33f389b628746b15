// SPDX-License-Identifier: Apache-2.0
import { element, update } from '../core/element.js';

/** The length of a hint in seconds: the part around the middle, where the still was taken. */
const hintLength = 1;

/**
 * A Live Photo: a still that moves while it is played, with the attributes, methods and events of Apple's LivePhotosKit JS.
 *
 * Attributes, each with a property in camel case:
 *
 * - `photo-src`: the URL of the still. Without it, the motion is shown over what is behind the element.
 * - `video-src`: the URL of the motion.
 * - `playback-style`: `full`, the default, plays everything with sound. `hint` plays a second around the middle without
 *   sound.
 * - `proactively-loads-video`: `true` loads the motion before it is played.
 *
 * Properties: `isPlaying`, `canPlay`, `duration`, `currentTime`. Methods: `play()`, `pause()`, `toggle()`, `stop()`.
 *
 * Events: `photoload` and `videoload` when a part is loaded, `canplay` when both are, `ended` when playback has ended and
 * the still is back, `error` with a `detail` of `{ part: 'photo' | 'video' }`.
 *
 * The element does not react to the pointer or the keyboard: see `LiveControls`. If the user prefers reduced motion, hints
 * are not played.
 */
export class LivePhoto extends HTMLElement {
    static observedAttributes = ['photo-src', 'video-src', 'playback-style', 'proactively-loads-video'];

    constructor() {
        super();
        this.photo = element('img', { class: 'live-still', alt: '', draggable: 'false', hidden: true });
        this.video = element('video', { class: 'live-motion', playsinline: true, preload: 'auto', 'aria-hidden': 'true', tabindex: '-1' });
        this.video.disablePictureInPicture = true;
        this.isPlaying = false;
        this.hasPhoto = false;
        this.hasVideo = false;
        this.photo.addEventListener('load', () => this.loaded('photo'));
        this.photo.addEventListener('error', () => this.fail('photo'));
        this.video.addEventListener('canplay', () => this.loaded('video'));
        this.video.addEventListener('error', () => this.video.hasAttribute('src') && this.fail('video'));
        this.video.addEventListener('ended', () => this.stop());
        this.video.addEventListener('timeupdate', () => this.follow());
        this.video.addEventListener('playing', () => this.reveal());
    }

    connectedCallback() {
        if (!this.video.isConnected) this.append(this.photo, this.video);
    }

    disconnectedCallback() {
        this.stop();
    }

    /**
     * @param {string} name
     * @param {string | null} old
     * @param {string | null} value
     */
    attributeChangedCallback(name, old, value) {
        if (old === value) return;
        if (name === 'photo-src') this.loadPhoto(value);
        else if (name === 'video-src') this.forgetVideo();
        if (this.proactivelyLoadsVideo) this.loadVideo();
    }

    get photoSrc() { return this.getAttribute('photo-src'); }
    set photoSrc(url) { update(this, 'photo-src', url); }

    get videoSrc() { return this.getAttribute('video-src'); }
    set videoSrc(url) { update(this, 'video-src', url); }

    /** @returns {'full' | 'hint'} */
    get playbackStyle() { return this.getAttribute('playback-style') === 'hint' ? 'hint' : 'full'; }
    set playbackStyle(style) { update(this, 'playback-style', style); }

    get proactivelyLoadsVideo() { return this.getAttribute('proactively-loads-video') === 'true'; }
    set proactivelyLoadsVideo(isProactive) { update(this, 'proactively-loads-video', String(isProactive)); }

    get canPlay() { return this.hasVideo && (this.hasPhoto || !this.photoSrc); }
    get duration() { return Number.isFinite(this.video.duration) ? this.video.duration : 0; }
    get currentTime() { return this.video.currentTime; }
    set currentTime(time) { this.video.currentTime = time; }

    // MARK: Loading

    /** @param {string | null} url */
    loadPhoto(url) {
        this.hasPhoto = false;
        this.photo.hidden = !url;
        update(this.photo, 'src', url);
    }

    loadVideo() {
        if (this.videoSrc && !this.video.hasAttribute('src')) this.video.src = this.videoSrc;
    }

    /** Cancels the request of the motion, which cancels its conversion. */
    forgetVideo() {
        this.stop();
        this.hasVideo = false;
        if (!this.video.hasAttribute('src')) return;
        this.video.removeAttribute('src');
        this.video.load();
    }

    /** @param {'photo' | 'video'} part */
    loaded(part) {
        const isFirst = part === 'photo' ? !this.hasPhoto : !this.hasVideo;
        if (part === 'photo') this.hasPhoto = true;
        else this.hasVideo = true;
        if (!isFirst) return;
        this.dispatchEvent(new Event(`${part}load`));
        if (this.canPlay) this.dispatchEvent(new Event('canplay'));
    }

    /** @param {'photo' | 'video'} part */
    fail(part) {
        this.stop();
        this.dispatchEvent(new CustomEvent('error', { detail: { part } }));
    }

    // MARK: Playback

    /** Plays the motion from its start, as soon as it is loaded. */
    async play() {
        const isHint = this.playbackStyle === 'hint';
        if (!this.videoSrc || this.isPlaying || (isHint && prefersStillness())) return;
        this.isPlaying = true;
        this.loadVideo();
        this.video.muted = isHint;
        this.rewind();
        try {
            await this.video.play();
        } catch (error) {
            this.recover(error);
        }
    }

    /**
     * Plays without sound if the browser does not allow it.
     *
     * @param {unknown} error
     */
    recover(error) {
        const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
        if (!this.isPlaying || !isRefused) return;
        this.video.muted = true;
        this.video.play().catch(() => this.stop());
    }

    rewind() {
        const start = this.playbackStyle === 'hint' ? Math.max(0, (this.duration - hintLength) / 2) : 0;
        if (this.video.currentTime !== start) this.video.currentTime = start;
    }

    /** Shows the motion once it has a picture. */
    reveal() {
        if (!this.isPlaying) return;
        // The length of a hint that has just been loaded is known only now.
        if (!this.classList.contains('playing') && this.playbackStyle === 'hint') this.rewind();
        this.classList.add('playing');
    }

    /** Ends a hint. */
    follow() {
        const end = (this.duration + hintLength) / 2;
        if (this.isPlaying && this.playbackStyle === 'hint' && this.duration > hintLength && this.video.currentTime >= end) this.stop();
    }

    pause() {
        this.video.pause();
    }

    toggle() {
        if (this.isPlaying) this.stop();
        else this.play();
    }

    /** Ends playback, and shows the still. A motion that is not loaded yet is not loaded further. */
    stop() {
        if (!this.isPlaying) return;
        this.isPlaying = false;
        this.classList.remove('playing');
        this.video.pause();
        if (!this.hasVideo && !this.proactivelyLoadsVideo) {
            this.video.removeAttribute('src');
            this.video.load();
        }
        this.dispatchEvent(new Event('ended'));
    }
}

/** Whether the user prefers that nothing moves by itself. */
export function prefersStillness() {
    return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

customElements.define('live-photo', LivePhoto);
