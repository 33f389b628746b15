// SPDX-License-Identifier: Apache-2.0
import { element } from '../core/element.js';
import { LiveControls } from '../live/live-controls.js';
import { LivePhoto } from '../live/live-photo.js';
import { text } from '../text/text.js';
/** @typedef {import('./edit-stage.js').EditStage} EditStage */

/** The motion of a Live Photo with the values of a session. The server renders it when it is first played. */
export class SessionMotion {
    /**
     * @param {EditStage} stage
     * @param {() => string | null} url The motion with the values that are shown, or `null` while their frame is awaited.
     */
    constructor(stage, url) {
        this.url = url;
        this.isEnabled = false;
        this.live = new LivePhoto();
        this.live.classList.add('live-overlay');
        stage.box.append(this.live);
        this.badge = element('button', { type: 'button', class: 'live-badge', title: text.keyPlayLive, onclick: () => this.toggle() }, text.live);
        this.state = element('div', { class: 'motion-state', role: 'status', hidden: true });
        this.root = element('div', { class: 'motion', hidden: true }, this.badge, this.state);
        this.area = stage.stage;
        const find = () => this.find();
        // A press sets a control on the picture, or moves the picture that is zoomed.
        this.controls = new LiveControls(this.area, { find, canPress: () => !stage.overlay && stage.state.isFit && this.isPossible });
        this.badgeControls = new LiveControls(this.badge, { find, canPress: () => false });
        const { video } = this.live;
        video.addEventListener('loadstart', () => video.hasAttribute('src') && this.tell(text.preparingMotion));
        // A failed request empties the video after its error.
        for (const type of ['loadeddata', 'emptied']) {
            video.addEventListener(type, () => this.state.textContent === text.preparingMotion && this.tell(''));
        }
        this.live.addEventListener('error', () => this.tell(text.videoFailed));
    }

    /** @param {boolean} isShown Whether the edit changes a motion. */
    show(isShown) {
        this.root.hidden = !isShown;
        this.live.videoSrc = null;
        this.tell('');
    }

    /** @param {boolean} isEnabled */
    enable(isEnabled) {
        this.isEnabled = isEnabled;
        this.badge.hidden = !isEnabled;
        if (!isEnabled) this.stop();
    }

    get isPossible() {
        return !this.root.hidden && this.isEnabled && this.url() !== null;
    }

    /** The Live Photo with the values that are shown. */
    find() {
        if (!this.isPossible) return null;
        this.tell('');
        this.live.videoSrc = this.url();
        return this.live;
    }

    /** Plays while a key is held. @returns {boolean} Whether there is a motion. */
    holdKey() {
        if (this.isPossible) this.controls.holdKey(this.area);
        return !this.root.hidden;
    }

    releaseKey() {
        this.controls.end('key');
    }

    /** Plays once, for those who cannot press. */
    toggle() {
        if (this.live.isPlaying && this.live.playbackStyle === 'full') return this.live.stop();
        this.badgeControls.end('hover');
        const live = this.find();
        if (!live) return;
        live.playbackStyle = 'full';
        live.play();
    }

    /** The values have changed: the picture is shown again. */
    stop() {
        this.live.stop();
    }

    /** @param {string} message */
    tell(message) {
        this.state.hidden = message === '';
        this.state.textContent = message;
    }
}
