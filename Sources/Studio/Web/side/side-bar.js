// SPDX-License-Identifier: Apache-2.0
import { attempt } from '../actions/photo-actions.js';
import { send } from '../requests/request.js';
import { iconButton } from '../core/buttons.js';
import { askForName } from '../core/dialogs.js';
import { element, fill } from '../core/element.js';
import { icon } from '../core/icons.js';
import { untrusted } from '../core/printable.js';
import { titleOf } from '../model/collections.js';
import { number } from '../text/numbers.js';
import { text } from '../text/text.js';
/** @typedef {import('../types.js').Collection} Collection */
/** @typedef {import('../model/route.js').Source} Source */

/** @type {[Source, string, import('../core/icons.js').IconName][]} */
const library = [
    ['all', text.allPhotos, 'photos'],
    ['favorites', text.favorites, 'heart'],
    ['edited', text.edited, 'edit'],
    ['videos', text.videos, 'video'],
    ['live', text.livePhotos, 'live'],
    ['hidden', text.hidden, 'hide'],
    ['missing', text.missing, 'missing'],
];

/** Moments in the list; all others are found in the timeline. */
const mostMoments = 200;

/** The parts of the library. Sends `choose` with a source and a collection. */
export class SideBar extends HTMLElement {
    constructor() {
        super();
        this.list = element('nav', { 'aria-label': text.library, class: 'side-list' });
        /** @type {import('../model/collections.js').Collections | null} */
        this.collections = null;
        /** @type {{ source: Source, collection: string }} */
        this.current = { source: 'all', collection: '' };
        this.isReader = false;
        this.libraryName = '';
        /** @type {Set<Source>} */
        this.openSections = new Set();
        /** @type {Set<string>} */
        this.closedFolders = new Set();
    }

    connectedCallback() {
        this.append(this.list);
    }

    /**
     * @param {import('../model/collections.js').Collections} collections
     * @param {{ isReader: boolean, libraryName: string }} options
     */
    attach(collections, { isReader, libraryName }) {
        this.collections = collections;
        this.isReader = isReader;
        this.libraryName = libraryName;
        collections.addEventListener('change', () => this.render());
        this.render();
    }

    /** @param {{ source: Source, collection: string }} current */
    mark(current) {
        if (current.source === this.current.source && current.collection === this.current.collection) return;
        this.current = current;
        this.render();
    }

    render() {
        if (!this.collections) return;
        const { albums, smart, moments } = this.collections;
        const focused = document.activeElement?.id;
        fill(this.list,
            element('div', { class: 'library-name' }, untrusted(this.libraryName.replace(/\.editlibrary$/, ''))),
            element('ul', {}, ...library.map(([source, label, image]) => this.entry(source, '', label, image, null))),
            this.heading(text.albums, !this.isReader && iconButton('plus', text.newAlbum, () => this.makeAlbum(), { class: 'icon-button small' })),
            this.tree(albums, null),
            smart.length > 0 && this.section('smart', text.smartAlbums, smart),
            moments.length > 0 && this.section('moment', text.moments, newest(moments)));
        if (focused) document.getElementById(focused)?.focus();
    }

    /**
     * @param {string} title
     * @param {Node | false} [button]
     */
    heading(title, button) {
        return element('div', { class: 'side-heading' }, element('h2', {}, title), button);
    }

    /**
     * @param {Collection[]} albums
     * @param {string | null} folder
     * @returns {HTMLElement}
     */
    tree(albums, folder) {
        const children = albums.filter(album => album.folder === folder);
        return element('ul', {}, ...children.map(child => child.kind === 'folder'
            ? element('li', {}, this.folder(albums, child))
            : this.collection(child, 'album', 'album')));
    }

    /**
     * @param {Collection[]} albums
     * @param {Collection} folder
     */
    folder(albums, { id, title }) {
        const details = element('details', { open: !this.closedFolders.has(id), class: 'side-folder' },
            element('summary', { class: 'side-item', id: `side-folder-${id}` }, icon('folder'), untrusted(title, 'side-label')),
            this.tree(albums, id));
        details.addEventListener('toggle', () => details.open ? this.closedFolders.delete(id) : this.closedFolders.add(id));
        return details;
    }

    /**
     * A list that is closed at first.
     *
     * @param {'smart' | 'moment'} source
     * @param {string} title
     * @param {Collection[]} collections
     */
    section(source, title, collections) {
        const details = element('details', { open: this.current.source === source || this.openSections.has(source) },
            element('summary', { class: 'side-heading', id: `side-section-${source}` }, element('h2', {}, title)),
            element('ul', {}, ...collections.map(collection => this.collection(collection, source, source))));
        details.addEventListener('toggle', () => details.open ? this.openSections.add(source) : this.openSections.delete(source));
        return details;
    }

    /**
     * @param {Collection} collection
     * @param {Source} source
     * @param {import('../core/icons.js').IconName} image
     */
    collection(collection, source, image) {
        return this.entry(source, collection.id, untrusted(titleOf(collection), 'side-label'), image, collection.count);
    }

    /**
     * @param {Source} source
     * @param {string} collection
     * @param {string | Node} label
     * @param {import('../core/icons.js').IconName} image
     * @param {number | null} count
     */
    entry(source, collection, label, image, count) {
        const isCurrent = this.current.source === source && this.current.collection === collection;
        return element('li', {}, element('button', {
            type: 'button', class: 'side-item', id: `side-${source}-${collection}`, 'aria-current': isCurrent && 'page',
            onclick: () => this.dispatchEvent(new CustomEvent('choose', { detail: { source, collection } })),
        }, icon(image), typeof label === 'string' ? element('span', { class: 'side-label' }, label) : label,
        count !== null && element('span', { class: 'side-count' }, number(count))));
    }

    async makeAlbum() {
        const title = await askForName({ title: text.newAlbum, label: text.albumName, action: text.create });
        if (!title) return;
        await attempt(async () => {
            const album = await send('POST', '/api/albums', { title });
            await this.collections?.load();
            this.dispatchEvent(new CustomEvent('choose', { detail: { source: 'album', collection: album.id } }));
        });
    }
}

/** @param {Collection[]} moments */
function newest(moments) {
    return [...moments].sort((a, b) => (b.startDate ?? '').localeCompare(a.startDate ?? '')).slice(0, mostMoments);
}

customElements.define('side-bar', SideBar);
