// SPDX-License-Identifier: Apache-2.0
import * as actions from '../actions/photo-actions.js';
import { command } from '../actions/photo-commands.js';
import { keyLabel, runKey } from '../actions/photo-keys.js';
import { single } from '../actions/targets.js';
import { iconButton } from '../core/buttons.js';
import { ask } from '../core/dialogs.js';
import { element, fill, update } from '../core/element.js';
import { attachMenu } from '../core/menu.js';
import { printable, untrusted } from '../core/printable.js';
import { changeSettings, settings } from '../core/settings.js';
import { MotionLayer } from '../live/motion-layer.js';
import { isInTrash } from '../model/collections.js';
import { fittingSide, pictureURL, sizeFor } from '../model/pictures.js';
import { Flag } from '../model/shapes.js';
import { chooseExtension } from '../edit/extension-chooser.js';
import { forget, kept } from '../edit/kept-values.js';
import { nameOfExtension } from '../model/extension-names.js';
import { captureDate } from '../text/dates.js';
import { percent } from '../text/numbers.js';
import { text } from '../text/text.js';
import { CompareView } from './compare-view.js';
import { Panel } from './panel.js';
import { StageGestures } from './stage-gestures.js';
import { StarRating } from './star-rating.js';
import { handleViewerKey } from './viewer-keys.js';
import { ZoomState } from './zoom-state.js';
/** @typedef {import('../model/photo-view.js').PhotoView} PhotoView */
/** @typedef {import('../types.js').Row} Row */

/**
 * One photo of a view, at any size, with what is known about it.
 *
 * Sends `close`, and `step` with the position that is shown now.
 */
export class PhotoViewer extends HTMLElement {
    constructor() {
        super();
        /** @type {PhotoView | null} */
        this.view = null;
        this.position = 0;
        /** Whether the library can only be looked at. */
        this.isReader = false;
        /** @type {import('../edit/edit-window.js').EditWindow | null} */
        this.editor = null;
        /** @type {Row | undefined} */
        this.row = undefined;
        /** What the photo is compared with. */
        this.reference = { what: 'original', label: text.original };
        /** @type {Row | null} Another photo to compare with. */
        this.otherPhoto = null;
        this.state = new ZoomState();
        this.stage = element('div', { class: 'stage' });
        this.compare = new CompareView(this.stage, this.state);
        this.panel = this.makePanel();
        this.stars = new StarRating(stars => this.withTarget(target => actions.rate(target, stars)));
        this.onView = () => this.refresh();
        this.motion = new MotionLayer(this.stage, this.compare.main.box);
        this.onChange = (/** @type {Event} */ event) => this.followChange(/** @type {CustomEvent} */ (event).detail);
    }

    connectedCallback() {
        if (this.header) return;
        this.hidden = true;
        this.tabIndex = -1;
        this.setAttribute('aria-label', text.viewer);
        // The grid is inert while the viewer is open.
        this.setAttribute('role', 'main');
        this.panel = this.makePanel();
        this.header = this.makeHeader();
        const isRightToLeft = getComputedStyle(this).direction === 'rtl';
        this.append(
            this.header,
            element('div', { class: 'viewer-main' },
                element('div', { class: 'stage-area' }, this.stage, this.motion.root,
                    iconButton(isRightToLeft ? 'forward' : 'back', text.previous, () => this.step(-1), { class: 'icon-button step previous' }),
                    iconButton(isRightToLeft ? 'back' : 'forward', text.next, () => this.step(1), { class: 'icon-button step next' })),
                this.panel.root));
        this.attachMenus();
        this.gestures = new StageGestures(this.stage, this.state, {
            changed: () => this.zoomed(), step: by => this.step(by), close: () => this.close(),
        });
        this.addEventListener('keydown', event => handleViewerKey(this, event));
        this.addEventListener('keyup', event => this.releaseKey(event));
        new ResizeObserver(() => !this.hidden && this.zoomed()).observe(this.stage);
    }

    makePanel() {
        return new Panel({
            compare: (what, label) => this.compareWith(what, label),
            edit: (id, extension) => void (this.row?.id === id && this.openEditor(extension)),
        });
    }

    makeHeader() {
        this.titleText = element('div', { class: 'viewer-title', 'aria-live': 'polite' });
        this.zoomButton = element('button', { type: 'button', class: 'text-button zoom', title: text.keyZoom, onclick: () => this.toggleZoom() });
        this.compareButton = iconButton('compare', text.compare, () => {});
        this.favoriteButton = iconButton('heart', text.favorite, () => this.run('favorite'), { 'aria-pressed': 'false' });
        this.infoButton = iconButton('info', text.details, () => this.togglePanel(), { 'aria-pressed': 'false' });
        this.moreButton = iconButton('more', text.more, () => {});
        this.editButton = iconButton('edit', text.edit, () => this.edit());
        this.turnButton = iconButton('turnRight', text.turnRight, () => this.run('turnRight'), { class: 'icon-button wide-only' });
        this.showControls();
        return element('div', { class: 'viewer-header' },
            iconButton('back', text.back, () => this.close(), { class: 'icon-button mirrored' }),
            this.titleText,
            element('div', { class: 'viewer-tools' },
                this.zoomButton,
                this.editButton,
                this.stars.root,
                this.favoriteButton,
                this.turnButton,
                this.compareButton, this.infoButton, this.moreButton));
    }

    /** Shows the controls that change photos, unless these can only be looked at. */
    showControls() {
        const isHidden = this.isReader || this.view !== null && isInTrash(this.view);
        for (const control of [this.editButton, this.stars.root, this.favoriteButton, this.turnButton, this.moreButton]) {
            if (control) control.hidden = isHidden;
        }
        this.panel.isReadOnly = isHidden;
    }

    attachMenus() {
        attachMenu(/** @type {HTMLButtonElement} */ (this.moreButton), () => [
            element('div', { class: 'menu-stars', role: 'presentation' }, this.starsInMenu()),
            ...['turnLeft', 'turnRight', 'flip'].map(name => this.item(name)),
            ...['undo', 'redo'].map(name => this.item(name)),
            { label: text.revert, icon: 'photos', run: () => this.withTarget(actions.revert) },
            this.item('hide'),
            { ...this.item('delete'), danger: true },
        ]);
        attachMenu(/** @type {HTMLButtonElement} */ (this.compareButton), () => [
            ...(/** @type {const} */ ([['off', text.compareOff], ['split', text.compareSplit], ['side', text.compareSide]]))
                .map(([mode, label]) => ({ label, checked: this.compare.mode === mode, run: () => this.setCompare(mode) })),
            text.compareWith,
            ...this.references().map(({ what, label }) => ({
                label, checked: this.reference.what === what && !this.otherPhoto, run: () => this.compareWith(what, label),
            })),
            { label: text.previous, icon: 'back', run: () => this.compareWithNeighbour(-1) },
            { label: text.next, icon: 'forward', run: () => this.compareWithNeighbour(1) },
        ]);
    }

    /** Stars for screens that are too narrow for them in the header. */
    starsInMenu() {
        const stars = new StarRating(value => this.withTarget(target => actions.rate(target, value)));
        stars.set(this.view?.shapes.stars(this.position) ?? 0);
        return stars.root;
    }

    /** @param {string} name */
    item(name) {
        const { label, icon } = command(name);
        const isHidden = name === 'hide' && this.row?.isHidden;
        return { label: isHidden ? text.unhide : label, icon, key: keyLabel(name), run: () => this.run(name) };
    }

    /** The versions to compare with. */
    references() {
        const details = this.panel.details?.id === this.row?.id ? this.panel.details : null;
        const [history, versions] = [details?.history ?? [], details?.versions ?? []];
        return [
            { what: 'original', label: text.original },
            ...history.filter(({ state, isCurrent }) => state > 0 && !isCurrent).map(({ state }) => ({ what: `state/${state}`, label: text.state(state) })),
            ...versions.map(({ version }) => ({ what: `version/${encodeURIComponent(version)}`, label: printable(version) })),
        ].slice(0, 40);
    }

    /**
     * Opens a photo of a view.
     *
     * @param {PhotoView} view
     * @param {number} position
     */
    open(view, position) {
        this.watch(view);
        this.showControls();
        this.hidden = false;
        this.panel.root.hidden = !settings.panel || innerWidth < 700;
        update(/** @type {Element} */ (this.infoButton), 'aria-pressed', String(!this.panel.root.hidden));
        this.show(position);
        this.focus({ preventScroll: true });
    }

    /** @param {PhotoView | null} view */
    watch(view) {
        for (const type of ['rows', 'flags']) {
            this.view?.removeEventListener(type, this.onView);
            view?.addEventListener(type, this.onView);
        }
        this.view?.removeEventListener('change', this.onChange);
        view?.addEventListener('change', this.onChange);
        this.view = view;
    }

    close() {
        this.dispatchEvent(new Event('close'));
    }

    /** Hides the viewer, and ends its requests. */
    dismiss() {
        this.watch(null);
        this.hidden = true;
        this.row = undefined;
        this.otherPhoto = null;
        this.compare.clear();
        this.motion.clear();
        this.panel.clear();
    }

    /** @param {1 | -1} by */
    step(by) {
        const next = this.position + by;
        if (!this.view || next < 0 || next >= this.view.count) return;
        this.show(next);
        this.dispatchEvent(new CustomEvent('step', { detail: next }));
    }

    /** @param {number} position */
    show(position) {
        this.position = position;
        this.row = undefined;
        this.otherPhoto = null;
        this.motion.clear();
        this.state.reset();
        if (this.compare.mode === 'hold') this.compare.setMode('off');
        this.reference = { what: 'original', label: text.original };
        this.refresh();
    }

    /** Shows the photo as it is now. */
    refresh() {
        if (!this.view || this.hidden) return;
        this.view.want(this.position - 3, this.position + 4);
        const row = this.view.row(this.position);
        this.showMarks();
        if (!row) return;
        this.row = row;
        this.state.picture = { width: Math.max(1, row.pixelWidth), height: Math.max(1, row.pixelHeight) };
        this.showTitle(row);
        this.showPictures(row);
        this.panel.show(row);
        this.prefetch();
        /** @type {HTMLElement} */ (this.editButton).hidden = !this.canEdit;
        // A video always fits.
        /** @type {HTMLElement} */ (this.zoomButton).hidden = row.mediaType === 'video';
        this.offerKept(row);
    }

    /** @param {Row} row */
    showPictures(row) {
        const isCompared = this.compare.mode !== 'off';
        const alt = `${text.photo}, ${captureDate(row.creationDate)}`;
        const label = this.otherPhoto && row.filename ? printable(row.filename) : text.current;
        this.compare.show(sourceOf(row, 'current', label, alt), isCompared ? this.otherSource(row) : null);
        const has = (/** @type {number} */ flag) => this.view?.shapes.has(this.position, flag) ?? false;
        this.motion.show(row, { isLive: has(Flag.live), isMissing: has(Flag.missing), isCompared });
        this.zoomed();
    }

    /** @param {Row} row */
    otherSource(row) {
        if (this.otherPhoto) return sourceOf(this.otherPhoto, 'current', printable(this.otherPhoto.filename ?? text.photo), text.photo);
        return sourceOf(row, this.reference.what, this.reference.label, this.reference.label);
    }

    showMarks() {
        if (!this.view) return;
        const { shapes } = this.view;
        const isFavorite = shapes.has(this.position, Flag.favorite);
        update(/** @type {Element} */ (this.favoriteButton), 'aria-pressed', String(isFavorite));
        this.stars.set(shapes.stars(this.position));
        const [previous, next] = this.querySelectorAll('.step');
        update(/** @type {Element} */ (previous), 'disabled', this.position === 0);
        update(/** @type {Element} */ (next), 'disabled', this.position >= this.view.count - 1);
    }

    /** @param {Row} row */
    showTitle(row) {
        fill(/** @type {Element} */ (this.titleText),
            element('h1', { class: 'viewer-date' }, captureDate(row.creationDate)),
            element('div', { class: 'quiet' }, untrusted(row.filename, 'filename'), element('span', { class: 'place' }, text.place(this.position + 1, this.view?.count ?? 0))));
    }

    /** Loads the neighbours, so that stepping shows them at once. */
    prefetch() {
        clearTimeout(this.prefetchTimer);
        this.prefetchTimer = setTimeout(() => {
            for (const position of [this.position + 1, this.position - 1]) {
                const row = this.view?.row(position);
                if (!row || this.hidden) continue;
                const side = fittingSide({ width: row.pixelWidth, height: row.pixelHeight }, this.state.stage);
                new Image().src = pictureURL(row, 'current', sizeFor(side));
            }
        }, 250);
    }

    /** @param {import('../model/position-map.js').PositionMaps} maps */
    followChange(maps) {
        if (!this.view || this.view.count === 0) {
            this.close();
            return;
        }
        const exact = maps.moved(this.position);
        this.panel.expire();
        if (exact < 0) {
            this.show(maps.nearest(this.position));
        } else {
            this.position = exact;
            this.refresh();
        }
        this.dispatchEvent(new CustomEvent('step', { detail: this.position }));
    }

    // MARK: Zoom

    zoomed() {
        this.compare.place();
        this.stage.classList.toggle('zoomed', !this.state.isFit);
        const share = this.state.scale * devicePixelRatio;
        /** @type {Element} */ (this.zoomButton).textContent = this.state.isFit ? text.fit : percent(share);
    }

    toggleZoom() {
        this.gestures?.toggle();
    }

    /** @param {number} factor */
    zoomBy(factor) {
        this.state.zoomTo(this.state.zoom * factor);
        this.zoomed();
    }

    // MARK: Comparison

    /** @param {import('./compare-view.js').CompareMode} mode */
    setCompare(mode) {
        const isOnDivider = this.compare.divider === document.activeElement;
        this.compare.setMode(mode);
        // A hidden divider loses the focus, and with it the keys.
        if (isOnDivider && mode !== 'split') this.focus({ preventScroll: true });
        if (this.row) this.showPictures(this.row);
    }

    /**
     * @param {string} what
     * @param {string} label
     */
    compareWith(what, label) {
        this.otherPhoto = null;
        this.reference = { what, label };
        this.setCompare(this.compare.mode === 'off' ? 'split' : this.compare.mode);
    }

    /** @param {1 | -1} by */
    async compareWithNeighbour(by) {
        const row = await this.view?.loadRow(this.position + by);
        if (row) this.compareWithPhoto(row);
    }

    /** @param {Row} row */
    compareWithPhoto(row) {
        this.otherPhoto = row;
        this.setCompare('side');
    }

    /** @param {KeyboardEvent} event */
    releaseKey(event) {
        if (event.key.toLowerCase() === 'l') this.motion.releaseKey();
        if (event.key.toLowerCase() === 'c' && this.compare.mode === 'hold') this.setCompare('off');
    }

    // MARK: Editing

    get canEdit() {
        return !this.isReader && !(this.view && isInTrash(this.view)) && this.row?.mediaType === 'image';
    }

    /** Lets the user choose an extension, and opens its window. */
    async edit() {
        const { row } = this;
        if (!row || !this.canEdit) return;
        const extension = await chooseExtension(row.id);
        if (extension && this.row?.id === row.id && !this.hidden) this.openEditor(extension);
    }

    /**
     * @param {import('../edit/edit-window.js').EditWindow['extension']} extension
     * @param {import('../types.js').Values} [values]
     */
    openEditor(extension, values) {
        const { editor, row } = this;
        if (!editor || !row) return;
        this.inert = true;
        editor.addEventListener('close', () => {
            this.inert = false;
            this.focus({ preventScroll: true });
        }, { once: true });
        editor.open(row, extension, values);
    }

    /**
     * Offers the values of an edit that was interrupted because the page was loaded again.
     *
     * @param {Row} row
     */
    async offerKept({ id }) {
        const edit = kept();
        if (!edit || edit.asset !== id || !this.canEdit || !this.editor?.hidden || this.isOffering) return;
        this.isOffering = true;
        const isWanted = await ask({ title: text.interrupted, note: text.interruptedNote, action: text.startAgain, isSafe: true });
        this.isOffering = false;
        forget();
        if (isWanted && this.row?.id === id) {
            this.openEditor({ identifier: edit.extension, name: nameOfExtension(edit.extension), step: edit.step }, edit.values);
        }
    }

    // MARK: Panel and commands

    togglePanel() {
        this.panel.root.hidden = !this.panel.root.hidden;
        changeSettings({ panel: !this.panel.root.hidden });
        update(/** @type {Element} */ (this.infoButton), 'aria-pressed', String(!this.panel.root.hidden));
        this.panel.render();
        if (this.row) this.panel.show(this.row);
    }

    /** The photo that is shown. @returns {import('../actions/targets.js').Target | null} */
    get target() {
        return this.view && single(this.view, this.position);
    }

    /** @param {string} name */
    run(name) {
        this.withTarget(command(name).run);
    }

    /** @param {(target: import('../actions/targets.js').Target) => Promise<void>} work */
    withTarget(work) {
        if (this.target) work(this.target);
    }

    /** @param {KeyboardEvent} event */
    runKey(event) {
        return !this.isReader && runKey(event, () => this.target);
    }
}

/**
 * @param {Row} row
 * @param {string} what
 * @param {string} label
 * @param {string} alt
 * @returns {import('./picture-pane.js').Source}
 */
function sourceOf({ id, key, pixelWidth, pixelHeight }, what, label, alt) {
    return { id, key, what, label, alt, width: Math.max(1, pixelWidth), height: Math.max(1, pixelHeight) };
}

customElements.define('photo-viewer', PhotoViewer);
