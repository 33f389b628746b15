// SPDX-License-Identifier: Apache-2.0
import { RequestError } from '../requests/request.js';

/** How long nothing moves before a sharper frame is requested, in milliseconds. */
const rest = 150;
/** How far a revision jumps after one that the server had already seen. */
const jump = 100;

/**
 * Requests the frames of a session: one at a time, each for the newest values. While a control moves they are small; at
 * rest follows a sharp one, or the visible region from the full size.
 */
export class PreviewLoop {
    /**
     * @param {object} actions
     * @param {() => FrameSizes} actions.sizes
     * @param {(request: FrameRequest, signal: AbortSignal) => Promise<Frame>} actions.request
     * @param {(frame: Frame, request: FrameRequest, isNewest: boolean) => void} actions.show Is never called for a frame after
     *     a newer one.
     * @param {(error: unknown) => void} actions.fail
     */
    constructor(actions) {
        this.actions = actions;
        this.revision = 0;
        /** The number of changes of the values. */
        this.wanted = 0;
        /** The frames that are shown: of which change, and of which size or region. */
        this.whole = { change: -1, size: 0 };
        this.detail = { change: -1, region: '', size: 0 };
        /** The first revision with the newest values. */
        this.valueRevision = 0;
        this.isResting = true;
        this.isStopped = false;
        /** @type {AbortController | null} */
        this.inFlight = null;
        this.isSharp = false;
    }

    get isBusy() {
        return this.inFlight !== null || !this.isResting;
    }

    /** Whether a frame of the newest values is shown. */
    get isCurrent() {
        return this.whole.change === this.wanted;
    }

    /** Requests a frame for changed values. */
    change() {
        this.wanted += 1;
        this.isResting = false;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.settle(), rest);
        // A sharp frame of old values would delay the next one.
        if (this.isSharp) this.inFlight?.abort();
        this.next();
    }

    /** Requests what is visible now, after the picture was zoomed or moved. */
    look() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.settle(), rest);
    }

    settle() {
        this.isResting = true;
        this.next();
    }

    stop() {
        this.isStopped = true;
        clearTimeout(this.timer);
        this.inFlight?.abort();
    }

    /** The next frame to request, or `null` if the newest one is shown. */
    plan() {
        const { moving, resting, detail, region } = this.actions.sizes();
        const name = region ? JSON.stringify(region) : '';
        if (this.whole.change < this.wanted) return { size: this.isResting && !region ? resting : moving };
        if (!this.isResting) return null;
        if (!region) return this.whole.size < resting ? { size: resting } : null;
        const isShown = this.detail.change === this.wanted && this.detail.region === name && this.detail.size >= detail;
        return isShown ? null : { size: detail, region };
    }

    async next() {
        if (this.inFlight || this.isStopped) return;
        const plan = this.plan();
        if (!plan) return;
        const change = this.wanted;
        const request = { revision: ++this.revision, ...plan };
        if (this.whole.change < change) this.valueRevision = request.revision;
        const controller = this.inFlight = new AbortController();
        this.isSharp = this.isResting;
        try {
            const frame = await this.actions.request(request, controller.signal);
            if (!controller.signal.aborted) this.adopt(frame, request, change);
        } catch (error) {
            if (!controller.signal.aborted) this.fail(error, change);
        } finally {
            if (this.inFlight === controller) this.inFlight = null;
        }
        this.next();
    }

    /** @param {Frame} frame @param {FrameRequest} request @param {number} change */
    adopt(frame, request, change) {
        if (request.region) {
            // A region of old values does not cover a newer picture.
            if (change !== this.wanted) return;
            this.detail = { change, region: JSON.stringify(request.region), size: request.size };
        } else {
            this.whole = { change, size: request.size };
        }
        this.actions.show(frame, request, change === this.wanted);
    }

    /** @param {unknown} error @param {number} change */
    fail(error, change) {
        if (error instanceof RequestError && error.code === 'superseded') {
            this.revision += jump;
            return;
        }
        // The same values are not requested again.
        this.whole = { change, size: Infinity };
        this.detail = { change, region: JSON.stringify(this.actions.sizes().region ?? ''), size: Infinity };
        this.actions.fail(error);
    }
}
