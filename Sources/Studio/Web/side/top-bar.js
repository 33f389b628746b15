// SPDX-License-Identifier: Apache-2.0
import { attempt } from '../actions/photo-actions.js';
import { send } from '../requests/request.js';
import { attachPopover, iconButton } from '../core/buttons.js';
import { ask, askForName } from '../core/dialogs.js';
import { element, fill, update } from '../core/element.js';
import { icon } from '../core/icons.js';
import { attachMenu } from '../core/menu.js';
import { printable, untrusted } from '../core/printable.js';
import { titleOf } from '../model/collections.js';
import { filterCount } from '../model/route.js';
import { text } from '../text/text.js';
import { AppearancePanel } from './appearance-panel.js';
import { FilterPanel } from './filter-panel.js';
import { showShortcuts } from './shortcuts-dialog.js';
/** @typedef {import('../studio-app.js').StudioApp} StudioApp */

/** How long the user does not type before the search begins, in milliseconds. */
const pause = 250;

const titles = {
    all: text.allPhotos, favorites: text.favorites, videos: text.videos, live: text.livePhotos, edited: text.edited,
    hidden: text.hidden, missing: text.missing, album: text.album, smart: text.album, moment: text.moments,
};

/** The title of the view, search, filters and the appearance of the grid. */
export class TopBar {
    /** @param {StudioApp} app */
    constructor(app) {
        this.app = app;
        this.title = element('h1', {});
        this.count = element('span', { class: 'quiet count', role: 'status' });
        this.albumButton = iconButton('more', text.album, () => {}, { class: 'icon-button small' });
        this.search = element('input', {
            type: 'search', placeholder: text.searchHint, 'aria-label': text.search, maxlength: 200, dir: 'auto', enterkeyhint: 'search',
            oninput: () => this.searchSoon(), onkeydown: (/** @type {KeyboardEvent} */ event) => this.searchKey(event),
        });
        this.filterBadge = element('span', { class: 'count-badge', 'aria-hidden': 'true', hidden: true });
        this.filterButton = iconButton('filter', text.filters, () => {});
        this.filterButton.append(this.filterBadge);
        this.filters = new FilterPanel(filter => app.navigate({ ...app.route, filter }));
        this.appearanceButton = iconButton('squares', text.appearance, () => {});
        this.appearance = new AppearancePanel(reopens => reopens ? app.reopen() : app.grid.layOutAgain());
        this.root = element('header', { class: 'top-bar' },
            iconButton('menu', text.menu, () => app.openDrawer(), { class: 'icon-button menu-button' }),
            element('div', { class: 'view-title' }, this.title, this.count),
            element('span', { class: 'album-tools' }, this.albumButton),
            element('div', { class: 'search', role: 'search' }, icon('search'), this.search),
            element('div', { class: 'top-tools' },
                this.filterButton, this.filters.root, this.appearanceButton, this.appearance.root,
                iconButton('check', text.select, () => app.selectionBar?.begin()),
                iconButton('help', text.help, () => showShortcuts(), { class: 'icon-button wide-only' })));
        attachPopover(this.filterButton, this.filters.root);
        attachPopover(this.appearanceButton, this.appearance.root);
        attachMenu(this.albumButton, () => [
            { label: text.renameAlbum, run: () => this.renameAlbum() },
            { label: text.deleteAlbum, icon: 'trash', danger: true, run: () => this.deleteAlbum() },
        ]);
    }

    /** Shows what the page shows now. */
    show() {
        const { route, collections, view, isReader } = this.app;
        const collection = collections.named(route.collection);
        const name = collection && titleOf(collection);
        fill(this.title, name ? untrusted(name) : titles[route.source]);
        document.title = name ? printable(name) : titles[route.source];
        this.count.textContent = view ? text.photos(view.count) : '';
        this.albumButton.hidden = route.source !== 'album' || isReader;
        if (document.activeElement !== this.search) this.search.value = route.search;
        const count = filterCount(route.filter);
        this.filterBadge.hidden = count === 0;
        this.filterBadge.textContent = String(count);
        update(this.filterButton, 'aria-label', count > 0 ? `${text.filters} (${count})` : text.filters);
        this.filters.show(route.filter);
    }

    focusSearch() {
        this.search.focus();
        this.search.select();
    }

    searchSoon() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.searchNow(), pause);
    }

    searchNow() {
        clearTimeout(this.timer);
        const search = this.search.value.trim();
        const { route } = this.app;
        if (search !== route.search) this.app.navigate({ ...route, search }, { replaces: route.search !== '' });
    }

    /** @param {KeyboardEvent} event */
    searchKey(event) {
        if (event.key === 'Enter') {
            this.searchNow();
            this.app.grid.scroller.focus();
        } else if (event.key === 'Escape' && this.search.value) {
            this.search.value = '';
            this.searchNow();
        } else {
            return;
        }
        event.preventDefault();
    }

    async renameAlbum() {
        const { collection } = this.app.route;
        const old = this.app.collections.named(collection)?.title ?? '';
        const title = await askForName({ title: text.renameAlbum, label: text.albumName, value: old, action: text.rename });
        if (title) await attempt(() => send('PATCH', `/api/albums/${encodeURIComponent(collection)}`, { title }));
        await this.app.collections.load();
    }

    async deleteAlbum() {
        const { collection } = this.app.route;
        const title = printable(this.app.collections.named(collection)?.title ?? '');
        if (!await ask({ title: text.askDeleteAlbum(title), note: text.deleteAlbumNote, action: text.delete })) return;
        await attempt(async () => {
            await send('DELETE', `/api/albums/${encodeURIComponent(collection)}`);
            this.app.choose({ source: 'all', collection: '' });
            await this.app.collections.load();
        });
    }
}
