// SPDX-License-Identifier: Apache-2.0
import { attempt } from './actions/photo-actions.js';
import { runKey } from './actions/photo-keys.js';
import { single } from './actions/targets.js';
import { EventFeed } from './requests/event-feed.js';
import { announce } from './core/announcer.js';
import { isPopoverOpen } from './core/buttons.js';
import { element } from './core/element.js';
import { settings } from './core/settings.js';
import { EditWindow } from './edit/edit-window.js';
import { PhotoGrid } from './grid/photo-grid.js';
import { TimeScrubber } from './grid/time-scrubber.js';
import { Collections } from './model/collections.js';
import { loadExtensionNames } from './model/extension-names.js';
import { PhotoView } from './model/photo-view.js';
import { queryOf } from './model/query.js';
import { filterCount, fragmentOf, isSameView, parseRoute } from './model/route.js';
import { SelectionBar } from './side/selection-bar.js';
import { showShortcuts } from './side/shortcuts-dialog.js';
import { SideBar } from './side/side-bar.js';
import { TopBar } from './side/top-bar.js';
import { text } from './text/text.js';
import { PhotoViewer } from './viewer/photo-viewer.js';
import { handleViewerKey } from './viewer/viewer-keys.js';
/** @typedef {import('./model/route.js').Route} Route */
/** @typedef {import('./grid/photo-grid.js').Place} Place */

/** @type {Place} */
const start = { position: 0, offset: 0, active: 0 };

/** The page: side bar, grid and viewer, and what they show. The URL's fragment names it, and the history keeps it. */
export class StudioApp extends HTMLElement {
    /** @param {import('./types.js').ServerState} state */
    constructor(state) {
        super();
        this.state = state;
        this.isReader = state.role === 'reader';
        this.feed = new EventFeed(state.token);
        this.collections = new Collections();
        this.grid = new PhotoGrid();
        this.scrubber = new TimeScrubber();
        this.viewer = new PhotoViewer();
        this.viewer.isReader = this.isReader;
        this.editor = new EditWindow();
        this.viewer.editor = this.editor;
        this.sideBar = new SideBar();
        this.topBar = new TopBar(this);
        this.empty = element('div', { class: 'empty', hidden: true });
        /** @type {Route} */
        this.route = parseRoute('');
        /** @type {PhotoView | null} */
        this.view = null;
        this.opening = new AbortController();
    }

    connectedCallback() {
        if (this.main) return;
        this.selectionBar = new SelectionBar(this.grid, this.collections, {
            isReader: this.isReader,
            album: () => this.route.source === 'album' ? this.route.collection : '',
            compare: () => this.compareSelected(),
        });
        this.curtain = element('div', { class: 'curtain', onclick: () => this.closeDrawer() });
        this.main = element('div', { class: 'app' },
            this.sideBar, this.curtain,
            element('main', {}, this.topBar.root,
                element('div', { class: 'grid-area' }, this.grid, this.scrubber, this.empty)));
        this.topBar.root.append(this.selectionBar.root);
        this.append(this.main, this.viewer, this.editor);
        this.scrubber.attach(this.grid);
        this.sideBar.attach(this.collections, { isReader: this.isReader, libraryName: this.state.library.name });
        this.listen();
        this.follow(parseRoute(location.hash), history.state?.place ?? start);
        attempt(() => this.collections.load());
        loadExtensionNames().catch(() => {});
    }

    listen() {
        this.sideBar.addEventListener('choose', event => this.choose(/** @type {CustomEvent} */ (event).detail));
        this.grid.addEventListener('open', event => this.openPhoto(/** @type {CustomEvent} */ (event).detail));
        this.viewer.addEventListener('close', () => this.closePhoto());
        this.viewer.addEventListener('step', event => this.stepped(/** @type {CustomEvent} */ (event).detail));
        this.collections.addEventListener('change', () => this.topBar.show());
        addEventListener('popstate', event => this.follow(parseRoute(location.hash), event.state?.place ?? start));
        for (const type of ['scrolled', 'active']) this.grid.addEventListener(type, () => this.keepPlaceSoon());
        addEventListener('beforeunload', () => this.keepPlace());
        addEventListener('pagehide', ({ persisted }) => persisted || this.view?.close());
        addEventListener('pageshow', ({ persisted }) => persisted && this.reopen());
        addEventListener('keydown', event => this.key(event));
        this.listenToFeed();
    }

    listenToFeed() {
        this.feed.addEventListener('view', event => {
            const { detail } = /** @type {CustomEvent} */ (event);
            this.view?.follow(detail, detail.token);
        });
        // The events of a change begin with those of views: a view without one has not changed.
        for (const type of ['assets', 'collections']) {
            this.feed.addEventListener(type, event => this.view?.confirm(/** @type {CustomEvent} */ (event).detail.token));
        }
        this.feed.addEventListener('collections', () => this.collections.load().catch(() => {}));
        this.feed.addEventListener('heartbeat', () => this.editor.renew());
        this.feed.addEventListener('session', event => this.editor.follow(/** @type {CustomEvent} */ (event).detail));
        this.feed.addEventListener('reset', event => {
            const { view } = /** @type {CustomEvent} */ (event).detail;
            if (!view || view === this.view?.name) this.reopen();
        });
        this.feed.addEventListener('offline', () => announce(text.offline));
        this.feed.addEventListener('online', () => announce(text.online));
    }

    // MARK: Route

    /**
     * Shows a route: opens its view if another one is shown, and then its photo.
     *
     * @param {Route} route
     * @param {Place & { anchor?: string, activeID?: string }} place
     */
    async follow(route, place) {
        const isSame = this.view && isSameView(route, this.route);
        this.route = route;
        this.sideBar.mark(route);
        this.topBar.show();
        if (!isSame && !await this.openView(place)) return;
        await this.followPhoto();
    }

    /**
     * @param {Place & { anchor?: string, activeID?: string }} place
     * @returns {Promise<boolean>} Whether the view is shown; another one may have been chosen meanwhile.
     */
    async openView(place) {
        this.opening.abort();
        const { signal } = this.opening = new AbortController();
        const old = this.view;
        try {
            const view = await PhotoView.open(queryOf(this.route, settings.order === 'newest'), this.state.limits.rows, signal);
            const found = await this.placeIn(view, place);
            if (signal.aborted) {
                view.close();
                return false;
            }
            this.adopt(view);
            await this.grid.show(view, found);
            old?.close();
            return true;
        } catch (error) {
            if (!signal.aborted) announce(error instanceof Error && error.message ? error.message : text.failed);
            return false;
        }
    }

    /**
     * Finds the photos of a place again, in case the library has changed.
     *
     * @param {PhotoView} view
     * @param {Place & { anchor?: string, activeID?: string }} place
     * @returns {Promise<Place>}
     */
    async placeIn(view, place) {
        const find = async (/** @type {string | undefined} */ id, /** @type {number} */ position) => {
            const found = id ? await view.find(id).catch(() => -1) : -1;
            return found >= 0 ? found : Math.min(position, Math.max(0, view.count - 1));
        };
        return { position: await find(place.anchor, place.position), offset: place.offset, active: await find(place.activeID, place.active) };
    }

    /** @param {PhotoView} view */
    adopt(view) {
        this.view = view;
        this.grid.isSelecting = false;
        this.feed.follow([view.name], view.token);
        view.addEventListener('ended', () => this.view === view && this.reopen());
        view.addEventListener('change', () => this.showCount());
        view.selection.addEventListener('change', () => this.selectionBar?.show());
        this.showCount();
        this.selectionBar?.show();
    }

    /** Opens the view again, such as after the server was restarted. */
    async reopen() {
        const place = this.namedPlace();
        if (await this.openView(place)) await this.followPhoto();
    }

    showCount() {
        const count = this.view?.count ?? 0;
        this.topBar.show();
        this.empty.hidden = count > 0;
        const isFiltered = this.route.search !== '' || filterCount(this.route.filter) > 0 || this.route.source !== 'all';
        this.empty.replaceChildren(element('p', { class: 'empty-title' }, text.empty),
            element('p', { class: 'quiet' }, isFiltered ? text.emptyFilter : text.emptyLibrary));
    }

    /** Opens or closes the viewer as the route says. */
    async followPhoto() {
        const { view } = this;
        const id = this.route.photo;
        if (!view) return;
        if (!id) {
            this.dismissViewer();
            return;
        }
        const position = await view.find(id).catch(() => -1);
        if (this.route.photo !== id || this.view !== view) return;
        if (position < 0) this.navigate({ ...this.route, photo: '' }, { replaces: true });
        else this.showViewer(position);
    }

    /**
     * @param {Route} route
     * @param {{ replaces?: boolean, place?: Place }} [options]
     */
    navigate(route, options) {
        const { replaces = false, place = start } = options ?? {};
        clearTimeout(this.placeTimer);
        if (!replaces) this.keepPlace();
        const state = { place, isInside: replaces ? history.state?.isInside : true };
        history[replaces ? 'replaceState' : 'pushState'](state, '', fragmentOf(route));
        return this.follow(route, place);
    }

    /** Stores in the history where the user is in the grid. */
    keepPlace() {
        if (this.view) history.replaceState({ ...history.state, place: this.namedPlace() }, '');
    }

    /** Browsers allow only so many changes of the history in a time. */
    keepPlaceSoon() {
        clearTimeout(this.placeTimer);
        this.placeTimer = setTimeout(() => this.keepPlace(), 300);
    }

    namedPlace() {
        const { place } = this.grid;
        return { ...place, anchor: this.view?.row(place.position)?.id, activeID: this.view?.row(place.active)?.id };
    }

    /** @param {{ source: Route['source'], collection: string }} choice */
    choose({ source, collection }) {
        this.closeDrawer();
        this.navigate({ ...parseRoute(''), source, collection });
    }

    // MARK: Viewer

    /** @param {number} position */
    async openPhoto(position) {
        const row = await this.view?.loadRow(position);
        if (!row) return;
        await this.navigate({ ...this.route, photo: row.id }, { place: this.grid.place });
    }

    /** @param {number} position */
    showViewer(position) {
        if (!this.view || !this.main) return;
        if (this.viewer.hidden) this.main.inert = true;
        if (this.viewer.hidden || this.viewer.view !== this.view) this.viewer.open(this.view, position);
        else if (this.viewer.position !== position) this.viewer.show(position);
    }

    dismissViewer() {
        if (this.viewer.hidden || !this.main) return;
        const { position } = this.viewer;
        this.viewer.dismiss();
        this.main.inert = false;
        this.grid.rangeStart = position;
        this.grid.activate(position);
        this.grid.scroller.focus({ preventScroll: true });
        this.keepPlace();
    }

    /** @param {number} position */
    async stepped(position) {
        const row = await this.view?.loadRow(position);
        if (!row || this.viewer.hidden || this.viewer.position !== position) return;
        this.route = { ...this.route, photo: row.id };
        history.replaceState(history.state, '', fragmentOf(this.route));
    }

    closePhoto() {
        if (history.state?.isInside) history.back();
        else this.navigate({ ...this.route, photo: '' }, { replaces: true, place: this.grid.place });
    }

    async compareSelected() {
        const [first, second] = this.view?.selection.positions(2) ?? [];
        if (first === undefined || second === undefined) return;
        const row = await this.view?.loadRow(second);
        await this.openPhoto(first);
        if (row) this.viewer.compareWithPhoto(row);
    }

    // MARK: Keys and drawer

    /** @param {KeyboardEvent} event */
    key(event) {
        const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
        if (event.defaultPrevented || isTyping || isPopoverOpen() || document.querySelector('dialog[open]')) return;
        if (settings.shortcuts && event.key === '?') showShortcuts();
        else if (settings.shortcuts && event.key === '/' && this.viewer.hidden) this.topBar.focusSearch();
        else if (event.key === 'Escape' && this.viewer.hidden) this.escape();
        else if (!this.viewer.hidden) return void this.viewerKey(event);
        else if (this.isReader || !runKey(event, () => this.target)) return;
        event.preventDefault();
    }

    /**
     * Passes keys on to the viewer if the focus has left it, such as from a button that was disabled.
     *
     * @param {KeyboardEvent} event
     */
    viewerKey(event) {
        if (event.target === document.body) handleViewerKey(this.viewer, event);
    }

    /** The selected photos, otherwise the active one. @returns {import('./actions/targets.js').Target | null} */
    get target() {
        const { view, grid } = this;
        if (!view || view.count === 0) return null;
        if (view.selection.count > 0) return { view, ranges: view.selection.ranges };
        return document.activeElement === grid.scroller ? single(view, grid.active) : null;
    }

    /** Closes the drawer, or ends the selection. */
    escape() {
        if (this.main?.classList.contains('drawer')) this.closeDrawer();
        else if (this.grid.isSelecting) this.selectionBar?.end();
    }

    /** Opens the side bar on narrow screens. What is behind it is out of reach meanwhile. */
    openDrawer() {
        this.main?.classList.add('drawer');
        this.querySelector('main')?.toggleAttribute('inert', true);
        /** @type {HTMLElement | null} */ (this.sideBar.querySelector('[aria-current], button'))?.focus();
    }

    closeDrawer() {
        if (!this.main?.classList.contains('drawer')) return;
        this.main.classList.remove('drawer');
        this.querySelector('main')?.removeAttribute('inert');
        this.grid.scroller.focus({ preventScroll: true });
    }
}

customElements.define('studio-app', StudioApp);
