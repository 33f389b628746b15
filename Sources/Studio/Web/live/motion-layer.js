// SPDX-License-Identifier: Apache-2.0
import { element, update } from '../core/element.js';
import { untrusted } from '../core/printable.js';
import { pictureURL } from '../model/pictures.js';
import { get } from '../requests/request.js';
import { percent } from '../text/numbers.js';
import { text } from '../text/text.js';
import { LiveControls } from './live-controls.js';
import { LivePhoto } from './live-photo.js';
import { followConversion, videoURL } from './videos.js';
/** @typedef {import('../types.js').Row} Row */

/** How long a photo is shown before its motion is loaded, in milliseconds. */
const settleTime = 300;

/** What moves in the viewer: a video with its controls, or a Live Photo over its still. */
export class MotionLayer {
    /**
     * @param {HTMLElement} stage
     * @param {HTMLElement} box The box of the picture, which is zoomed and moved.
     */
    constructor(stage, box) {
        this.stage = stage;
        /** @type {Row | null} */
        this.row = null;
        this.isLive = false;
        this.hasMotion = true;
        this.timer = 0;
        this.live = new LivePhoto();
        this.live.classList.add('live-overlay');
        box.append(this.live);
        this.video = element('video', { class: 'viewer-video', controls: true, playsinline: true, preload: 'metadata', hidden: true });
        this.badge = element('button', { type: 'button', class: 'live-badge', title: text.keyPlayLive, hidden: true }, text.live);
        this.state = element('div', { class: 'motion-state', role: 'status', hidden: true });
        this.root = element('div', { class: 'motion' }, this.video, this.badge, this.state);
        const actions = { find: () => this.canPlay ? this.live : null, canPress: () => this.canPlay };
        this.controls = new LiveControls(stage, actions);
        this.badgeControls = new LiveControls(this.badge, { ...actions, canPress: () => false });
        this.badge.addEventListener('click', () => this.toggle());
        this.following = new AbortController();
        for (const part of [this.live.video, this.video]) {
            part.addEventListener('loadstart', () => part.hasAttribute('src') && this.follow());
            for (const type of ['loadeddata', 'error', 'emptied']) part.addEventListener(type, () => this.unfollow());
        }
        this.live.addEventListener('error', () => this.explain());
        this.video.addEventListener('error', () => this.video.hasAttribute('src') && this.explain());
    }

    /**
     * Shows the motion of a photo. While it is compared, the still stays.
     *
     * @param {Row} row
     * @param {{ isLive: boolean, isMissing: boolean, isCompared: boolean }} options
     */
    show(row, { isLive, isMissing, isCompared }) {
        const isOther = this.row?.id !== row.id || this.row.key !== row.key;
        if (isOther) this.clear();
        this.row = row;
        this.isLive = isLive && !isCompared;
        this.showBadge();
        if (isLive) this.live.videoSrc = videoURL(row);
        if (isOther && isLive && !isMissing) this.loadLater(row);
        const isVideo = row.mediaType === 'video' && !isCompared;
        if (!isVideo) this.video.pause();
        this.video.hidden = !isVideo;
        if (isVideo && !this.video.hasAttribute('src')) {
            this.video.poster = pictureURL(row, 'current', 1024);
            update(this.video, 'aria-label', text.video);
            this.video.src = videoURL(row);
        }
    }

    showBadge() {
        this.badge.hidden = !this.canPlay;
    }

    /** Whether there is a Live Photo to be played. */
    get canPlay() {
        return this.isLive && this.hasMotion;
    }

    /**
     * Loads a motion that needs no conversion, so that a press plays it at once.
     *
     * @param {Row} row
     */
    loadLater(row) {
        this.timer = setTimeout(async () => {
            const state = await get(`/api/assets/${encodeURIComponent(row.id)}/video`).catch(() => null);
            if (this.row !== row) return;
            if (state?.state === 'ready') this.live.loadVideo();
            // An edit of the still alone removes the motion.
            this.hasMotion = state?.state !== 'none';
            this.showBadge();
        }, settleTime);
    }

    /** Ends playback and requests. */
    clear() {
        clearTimeout(this.timer);
        this.row = null;
        this.isLive = false;
        this.hasMotion = true;
        this.live.videoSrc = null;
        this.video.removeAttribute('poster');
        this.video.hidden = true;
        this.badge.hidden = true;
        this.state.hidden = true;
        if (!this.video.hasAttribute('src')) return;
        this.video.removeAttribute('src');
        this.video.load();
    }

    // MARK: Keys

    /** Plays a Live Photo until the key is released. @returns {boolean} Whether there is one. */
    holdKey() {
        if (this.canPlay) this.controls.holdKey(this.stage);
        return this.canPlay;
    }

    releaseKey() {
        this.controls.end('key');
    }

    /** Plays or pauses a video. @returns {boolean} Whether there is one. */
    togglePlayback() {
        if (this.video.hidden) return false;
        if (this.video.paused) this.video.play().catch(() => {});
        else this.video.pause();
        return true;
    }

    /** Plays a Live Photo once, for those who cannot press. */
    toggle() {
        this.badgeControls.end('hover');
        this.live.playbackStyle = 'full';
        this.live.toggle();
    }

    // MARK: Conversion

    async follow() {
        this.unfollow();
        const { signal } = this.following = new AbortController();
        if (!this.row) return;
        try {
            await followConversion(this.row.id, signal, progress => this.tell(`${text.preparingVideo} ${percent(progress)}`));
        } catch {
            // The request of the video reports what failed.
        }
    }

    unfollow() {
        this.following.abort();
        this.state.hidden = true;
    }

    /** @param {string | Node} message */
    tell(message) {
        this.state.hidden = false;
        this.state.replaceChildren(message);
    }

    /** Says why a video cannot be played, which the browser does not know. */
    async explain() {
        const row = this.row;
        if (!row) return;
        this.tell(text.videoFailed);
        try {
            await get(`/api/assets/${encodeURIComponent(row.id)}/video`);
        } catch (error) {
            if (this.row === row && error instanceof Error && error.message) this.tell(untrusted(error.message));
        }
    }
}
