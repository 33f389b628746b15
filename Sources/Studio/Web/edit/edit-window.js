// SPDX-License-Identifier: Apache-2.0
import { announce } from '../core/announcer.js';
import { iconButton, textButton } from '../core/buttons.js';
import { ask } from '../core/dialogs.js';
import { element, fill, update } from '../core/element.js';
import { printable, untrusted } from '../core/printable.js';
import { RequestError } from '../requests/request.js';
import { percent } from '../text/numbers.js';
import { text } from '../text/text.js';
import { handleEditKey, releaseEditKey } from './edit-keys.js';
import { EditForm } from './edit-form.js';
import { EditSession } from './edit-session.js';
import { EditStage } from './edit-stage.js';
import { failureNotes, showChanges } from './failures.js';
import { forget, keep } from './kept-values.js';
import { PresetStrip } from './preset-strip.js';
import { PreviewLoop } from './preview-loop.js';
import { SessionMotion } from './session-motion.js';
import { ValueHistory } from './value-history.js';
/** @typedef {import('../types.js').Row} Row */

/** Statuses of values that the extension does not accept. */
const invalidValues = [400, 422];
/** The longest side of frames that are not shown. */
const smallest = 16;
/** The whole picture, in place of its crop. */
const uncropped = { x: 0, y: 0, width: 1, height: 1 };

/**
 * The window in which an extension edits a photo. Its session lives on the server.
 *
 * Sends `open` and `close`.
 */
export class EditWindow extends HTMLElement {
    constructor() {
        super();
        /** @type {'closed' | 'starting' | 'editing' | 'finishing' | 'failed'} */
        this.phase = 'closed';
        /** @type {Row | null} */
        this.row = null;
        /** @type {{ identifier: string, name: string | null, step?: number }} With the position of the edit that is opened again. */
        this.extension = { identifier: '', name: null };
        /** @type {EditSession | null} */
        this.session = null;
        this.history = new ValueHistory({});
        this.stage = new EditStage({ zoomed: () => this.zoomed(), overlayChanged: () => this.overlayChanged() });
        this.motion = new SessionMotion(this.stage, () => this.motionURL());
        /** Whether the entry of the window has left the browser's history already. */
        this.isPopped = false;
        this.isCancelling = false;
        /** Whether Done has been rejected for the values that are set. */
        this.isRefused = false;
        /** The crop that is set on the picture. */
        this.shownCrop = '';
        this.panel = element('div', { class: 'panel-body' });
        this.problem = element('p', { class: 'edit-problem', role: 'alert' });
        this.failure = element('div', { class: 'edit-failure', role: 'alert', hidden: true });
        this.progress = element('progress', { max: 1, 'aria-label': text.finishing });
        this.progressArea = element('div', { class: 'edit-failure', role: 'status', hidden: true }, text.finishing, this.progress);
        this.titleText = element('h1', { class: 'viewer-title' });
        this.undoButton = iconButton('undo', text.undoChange, () => this.history.undo());
        this.redoButton = iconButton('redo', text.redoChange, () => this.history.redo());
        this.zoomButton = element('button', { type: 'button', class: 'text-button zoom', title: text.keyZoom, onclick: () => this.stage.gestures?.toggle() });
        this.doneButton = textButton(text.done, () => this.finish(), { class: 'button primary' });
    }

    connectedCallback() {
        if (this.childElementCount > 0) return;
        this.hidden = true;
        this.tabIndex = -1;
        this.setAttribute('role', 'main');
        /** @type {HTMLElement} */
        const drawer = element('aside', { class: 'panel', 'aria-label': text.parameters },
            element('button', { type: 'button', class: 'drawer-handle', 'aria-label': text.parameters, onclick: () => drawer.classList.toggle('closed') }),
            this.problem, this.panel);
        this.stage.root.append(this.motion.root, this.failure, this.progressArea);
        this.append(this.makeHeader(), element('div', { class: 'viewer-main' }, this.stage.root, drawer));
        addEventListener('keydown', event => handleEditKey(this, event));
        addEventListener('keyup', event => releaseEditKey(this, event));
        addEventListener('popstate', event => this.popped(event));
        addEventListener('pagehide', () => this.leave());
        addEventListener('pageshow', ({ persisted }) => persisted && this.phase === 'editing' && this.fail(new RequestError(0, 'interrupted', '')));
    }

    makeHeader() {
        const hide = () => this.stage.showBefore(false);
        const before = iconButton('compare', text.showBefore, () => {}, {
            onpointerdown: () => this.stage.showBefore(true), onpointerup: hide, onpointerleave: hide, onblur: hide, onkeyup: hide,
            onkeydown: ({ key }) => (key === ' ' || key === 'Enter') && this.stage.showBefore(true),
        });
        return element('div', { class: 'viewer-header' }, textButton(text.cancel, () => this.cancel()), this.titleText,
            element('div', { class: 'viewer-tools' }, this.undoButton, this.redoButton, this.zoomButton, before), this.doneButton);
    }

    // MARK: Session

    /**
     * Opens the window: the current version is shown immediately, the first preview follows.
     *
     * @param {Row} row
     * @param {EditWindow['extension']} extension
     * @param {Values} [values]
     */
    async open(row, extension, values) {
        this.row = row;
        this.extension = extension;
        this.hidden = false;
        this.isPopped = false;
        const name = printable(extension.name ?? extension.identifier);
        this.setAttribute('aria-label', text.editing(name));
        fill(this.titleText, element('bdi', {}, name), element('span', { class: 'quiet' }, untrusted(row.filename, 'filename')));
        history.pushState({ ...history.state, isEditing: true }, '');
        this.dispatchEvent(new Event('open'));
        this.focus({ preventScroll: true });
        await this.begin(values);
    }

    /** @param {Values} [values] */
    async begin(values) {
        const { row, extension } = this;
        if (!row) return;
        this.showPhase('starting');
        this.isCancelling = false;
        this.isRefused = false;
        this.history = new ValueHistory(values ?? {});
        this.stage.start(row);
        fill(this.panel, element('p', { class: 'quiet' }, text.loading));
        try {
            const session = await EditSession.start({
                asset: row.id, extension: extension.identifier, step: extension.step, values, tab: row.filename ?? row.id,
                size: this.stage.inputSide,
            });
            if (this.phase === 'starting' && this.row === row) this.adopt(session);
            else session.abandon();
        } catch (error) {
            if (this.phase === 'starting' && this.row === row) this.fail(error);
        }
    }

    /** @param {EditSession} session */
    adopt(session) {
        this.session = session;
        const { details } = session;
        this.history = new ValueHistory(details.values);
        this.history.addEventListener('change', () => this.changed());
        this.form = new EditForm(details.extension.parameters ?? [], {
            stage: this.stage, session, change: (changes, moving) => this.history.change(changes, moving), settle: () => this.history.settle(),
            choose: name => this.choose(name),
        });
        this.presets = new PresetStrip(session, {
            apply: values => this.history.change(values),
            isBusy: () => this.phase !== 'editing' || this.isCancelling || (this.loop?.isBusy ?? false),
        });
        fill(this.panel, this.presets.root, this.form.root);
        this.startLoop(session);
        this.motion.show(details.editsMotion);
        this.showPhase('editing');
        this.showValues();
        this.stage.use(this.form.firstOverlay);
        this.loop?.change();
        this.presets.load();
    }

    /** @param {EditSession} session */
    startLoop(session) {
        this.loop?.stop();
        const loop = new PreviewLoop({
            sizes: () => this.stage.sizes(),
            request: (request, signal) => session.preview(request, this.history.values, this.otherValues(), signal),
            show: (frame, request, isNewest) => {
                this.stage.show(frame, request);
                if (!this.isRefused) this.showProblem('');
                if (isNewest) this.correct(frame.changed);
            },
            fail: error => this.previewFailed(session, error),
        });
        loop.revision = this.loop?.revision ?? 0;
        loop.valueRevision = this.loop?.valueRevision ?? 0;
        this.loop = loop;
    }

    /**
     * Adopts the values that the extension changed, without requesting the same frame again.
     *
     * @param {Values} changed
     */
    correct(changed) {
        this.isCorrecting = true;
        this.history.correct(changed);
        this.isCorrecting = false;
    }

    /** The picture is shown without the crop that is set on it. */
    otherValues() {
        const crop = this.form?.openCrop;
        return crop ? { [crop.name]: uncropped } : null;
    }

    /** The motion with the values of the frame, or `null` while that is awaited. */
    motionURL() {
        const { session, loop } = this;
        return session && loop?.isCurrent ? session.motionURL(loop.valueRevision) : null;
    }

    /** The motion is not shown over the picture without its crop. */
    showMotion() {
        this.motion.enable(this.phase === 'editing' && !this.form?.openCrop);
    }

    overlayChanged() {
        const crop = this.form?.openCrop?.name ?? '';
        if (crop === this.shownCrop) return;
        this.shownCrop = crop;
        this.showMotion();
        this.loop?.change();
    }

    changed() {
        this.motion.stop();
        this.showValues();
        if (!this.isCorrecting) {
            this.isRefused = false;
            this.loop?.change();
        }
        this.keep();
    }

    keep() {
        const { identifier, step } = this.extension;
        if (this.row && this.session) keep({ asset: this.row.id, extension: identifier, step, values: this.history.values });
    }

    showValues() {
        const { values, past, future } = this.history;
        this.form?.show(values);
        this.presets?.show(values);
        this.undoButton.disabled = past.length === 0 || this.phase !== 'editing';
        this.redoButton.disabled = future.length === 0 || this.phase !== 'editing';
    }

    /**
     * Has the extension choose values, as one step of the history. Nothing else can be set meanwhile.
     *
     * @param {string} name Of an automatic parameter. It is no value of the history, because it is false again afterwards.
     */
    async choose(name) {
        const { session } = this;
        if (!session || this.phase !== 'editing' || this.isCancelling) return;
        this.stopPreviews();
        this.disable(true);
        try {
            // Values that are set together with the parameter would be kept.
            await session.preview({ size: smallest }, this.history.values, null);
            const { changed } = await session.preview({ size: smallest }, { [name]: true }, null);
            delete changed[name];
            if (this.session === session && this.phase === 'editing') this.history.change(changed);
        } catch (error) {
            // The next frame does not take the message away.
            this.isRefused = true;
            await this.previewFailed(session, error);
        }
        if (this.session !== session || this.phase !== 'editing') return;
        this.disable(false);
        this.resume(session);
    }

    // MARK: Done and Cancel

    async finish() {
        const { session } = this;
        if (!session || this.phase !== 'editing') return;
        this.showPhase('finishing');
        this.stopPreviews();
        try {
            const { changed } = await session.finish(this.history.values);
            if (this.session !== session) return;
            this.end();
            announce(changed > 0 ? text.didEdit(printable(this.extension.name ?? '')) : text.didNotEdit);
        } catch (error) {
            if (this.session === session) await this.finishFailed(session, error);
        }
    }

    /** @param {EditSession} session @param {unknown} error */
    async finishFailed(session, error) {
        const isInvalid = error instanceof RequestError && invalidValues.includes(error.status);
        if (!isInvalid || this.isCancelling) {
            this.fail(error);
            return;
        }
        this.showPhase('editing');
        this.isRefused = true;
        this.showProblem(messageOf(error));
        this.resume(session);
    }

    /** Ends the session without an edit. Asks if the extension wants it. */
    async cancel() {
        const { session } = this;
        if (this.isCancelling) return;
        if (!session || this.phase === 'failed' || this.phase === 'starting') {
            this.end();
            return;
        }
        this.isCancelling = true;
        this.stopPreviews();
        try {
            const answer = await session.cancel(this.phase === 'finishing');
            if (this.session !== session) return;
            if (!answer.shouldConfirm || await this.confirmsCancel(session)) this.end();
            else this.stay(session);
        } catch {
            // The session has ended already.
            if (this.session === session) this.end();
        } finally {
            this.isCancelling = false;
        }
    }

    /** @param {EditSession} session */
    async confirmsCancel(session) {
        const question = { title: text.askDiscard, note: text.discardNote, action: text.discard, decline: text.keepEditing };
        if (!await ask(question)) return false;
        // An extension that does not answer delays the end by seconds.
        if (this.session === session) session.abandon();
        return true;
    }

    /** The session is about to end, and its previews would be errors. */
    stopPreviews() {
        this.loop?.stop();
        this.presets?.interrupt();
    }

    /**
     * Continues. Puts the window back into the browser's history, if Back was the reason to ask.
     *
     * @param {EditSession} session
     */
    stay(session) {
        if (this.isPopped) history.pushState({ ...history.state, isEditing: true }, '');
        this.isPopped = false;
        this.focus({ preventScroll: true });
        if (this.phase === 'editing') this.resume(session);
    }

    /**
     * Requests previews again, the first at once: that of the last change may have been stopped.
     *
     * @param {EditSession} session
     */
    resume(session) {
        this.startLoop(session);
        this.loop?.change();
    }

    /** @param {PopStateEvent} event */
    popped({ state }) {
        // After the end of the login, another page is shown, and the values remain for its next start.
        if (this.hidden || !this.isConnected || state?.isEditing) return;
        this.isPopped = true;
        // Back closes the question, too.
        /** @type {HTMLDialogElement | null} */ (document.querySelector('dialog[open]'))?.close();
        this.cancel();
    }

    /** Closes the window. */
    end() {
        forget();
        this.clear();
        this.hidden = true;
        this.row = null;
        this.phase = 'closed';
        if (!this.isPopped && history.state?.isEditing) history.back();
        this.dispatchEvent(new Event('close'));
    }

    clear() {
        this.loop?.stop();
        this.loop = undefined;
        this.presets?.stop();
        this.motion.show(false);
        this.form = undefined;
        this.session = null;
        this.stage.clear();
        fill(this.panel);
        this.failure.hidden = true;
        this.showProblem('');
    }

    /** The page is left, which is Cancel. The values remain for its next start in this tab. */
    leave() {
        if (this.phase === 'editing' || this.phase === 'finishing') this.session?.abandon();
    }

    // MARK: Failures

    /** @param {EditSession} session @param {unknown} error */
    async previewFailed(session, error) {
        if (this.session !== session) return;
        const isInvalid = error instanceof RequestError && invalidValues.includes(error.status);
        const isAlive = isInvalid || await session.isAlive().catch(() => false);
        if (this.session !== session || this.phase !== 'editing') return;
        if (isAlive) this.showProblem(messageOf(error));
        else this.fail(error);
    }

    /** Renews the lease of the session, at each heartbeat of the server's events. Timers of hidden pages are too slow. */
    async renew() {
        const { session } = this;
        if (!session || this.phase !== 'editing') return;
        try {
            await session.renew();
        } catch (error) {
            if (this.session === session && this.phase === 'editing') this.fail(error);
        }
    }

    /**
     * Follows an event of a session.
     *
     * @param {{ id: string, state: string, progress?: number, reason?: { code: string, message: string } }} event
     */
    follow({ id, state, progress, reason }) {
        if (this.session?.details.id !== id) return;
        if (progress !== undefined) this.progress.value = progress;
        if (state === 'ended' && reason && this.phase === 'editing') this.fail(new RequestError(409, reason.code, reason.message));
    }

    /**
     * Ends the session, and offers to start again with its values.
     *
     * @param {unknown} error
     */
    fail(error) {
        if (this.phase === 'failed' || this.phase === 'closed') return;
        const { session, failure } = this;
        this.loop?.stop();
        this.presets?.stop();
        const { status } = error instanceof RequestError ? error : { status: 500 };
        // Without a connection, the server still has the session.
        if (status === 0) session?.abandon();
        this.showPhase('failed');
        const { title, notes } = failureNotes(error);
        const more = element('div', { class: 'failure-more' });
        // Values with which no session can start are of no use.
        const values = session || !invalidValues.includes(status) ? this.history.values : {};
        const isAgain = Object.keys(values).length > 0;
        fill(failure, element('h2', {}, title), ...notes, more,
            element('div', { class: 'dialog-buttons' },
                textButton(text.close, () => this.end()),
                textButton(isAgain ? text.startAgain : text.tryAgain, () => this.restart(values), { class: 'button primary' })));
        failure.hidden = false;
        /** @type {HTMLElement | null} */ (failure.querySelector('.primary'))?.focus();
        if (error instanceof RequestError && error.code === 'conflict' && this.row) {
            showChanges(more, this.row.id);
        }
    }

    /** @param {Values} [values] */
    restart(values) {
        this.clear();
        this.focus({ preventScroll: true });
        this.begin(values);
    }

    // MARK: Appearance

    /** @param {EditWindow['phase']} phase */
    showPhase(phase) {
        this.phase = phase;
        this.dataset.phase = phase;
        this.disable(phase !== 'editing');
        this.showMotion();
        this.progressArea.hidden = phase !== 'finishing';
        this.progress.removeAttribute('value');
        update(this.panel, 'aria-busy', phase === 'starting' ? 'true' : null);
        this.showValues();
    }

    /** @param {boolean} isDisabled */
    disable(isDisabled) {
        this.doneButton.disabled = isDisabled;
        this.form?.disable(isDisabled);
        this.presets?.disable(isDisabled);
        this.stage.disable(isDisabled);
    }

    /** @param {string} message */
    showProblem(message) {
        const label = message && this.form?.labelOf(message);
        const shown = message ? `${label ? `${label}: ` : ''}${printable(message)}` : '';
        if (this.problem.textContent !== shown) this.problem.textContent = shown;
    }

    zoomed() {
        const { state } = this.stage;
        this.zoomButton.textContent = state.isFit ? text.fit : percent(state.scale * devicePixelRatio);
        this.loop?.look();
    }
}

/** @param {unknown} error */
function messageOf(error) {
    return error instanceof Error && error.message ? error.message : text.failed;
}

customElements.define('edit-window', EditWindow);
