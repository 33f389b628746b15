// SPDX-License-Identifier: Apache-2.0
import { command } from '../actions/photo-commands.js';
import * as actions from '../actions/photo-actions.js';
import { iconButton, textButton } from '../core/buttons.js';
import { element } from '../core/element.js';
import { attachMenu } from '../core/menu.js';
import { printable } from '../core/printable.js';
import { isInTrash } from '../model/collections.js';
import { text } from '../text/text.js';
/** @typedef {import('../grid/photo-grid.js').PhotoGrid} PhotoGrid */

/** What can be done with the selected photos. It is shown while there are any. */
export class SelectionBar {
    /**
     * @param {PhotoGrid} grid
     * @param {import('../model/collections.js').Collections} collections
     * @param {{ isReader: boolean, album: () => string, compare: () => void }} options
     */
    constructor(grid, collections, { isReader, album, compare }) {
        this.grid = grid;
        this.collections = collections;
        this.album = album;
        this.count = element('span', { class: 'selection-count', role: 'status' });
        this.compareButton = iconButton('compare', text.compare, compare);
        this.more = iconButton('more', text.more, () => {});
        this.tools = isReader ? [] : [this.button('favorite'), this.button('turnRight'), this.button('hide'), this.button('delete'), this.more];
        this.restoreButton = iconButton('undo', text.restore, () => this.run(actions.restore));
        this.isReader = isReader;
        this.root = element('div', { class: 'selection-bar', role: 'toolbar', 'aria-label': text.select, hidden: true },
            iconButton('close', text.selectNone, () => this.end()), this.count,
            textButton(text.selectAll, () => this.selectAll(), { class: 'text-button' }),
            element('span', { class: 'selection-tools' }, this.compareButton, ...this.tools, this.restoreButton));
        if (!isReader) attachMenu(this.more, () => this.items());
    }

    /** @param {string} name */
    button(name) {
        const { icon, label } = command(name);
        return iconButton(icon, label, () => this.run(command(name).run));
    }

    /** @param {(target: import('../actions/targets.js').Target) => Promise<void>} work */
    run(work) {
        const { view } = this.grid;
        if (view && view.selection.count > 0) work({ view, ranges: view.selection.ranges });
    }

    items() {
        const albums = this.collections.albums.filter(({ kind }) => kind === 'album').slice(0, 100);
        const open = this.album();
        return [
            ...['turnLeft', 'flip', 'undo', 'redo'].map(name => ({ ...command(name), run: () => this.run(command(name).run) })),
            { label: text.revert, run: () => this.run(actions.revert) },
            text.stars,
            ...[5, 4, 3, 2, 1, 0].map(stars => ({ label: stars ? '★'.repeat(stars) : text.noStars, run: () => this.run(target => actions.rate(target, stars)) })),
            open ? { label: text.removeFromAlbum, run: () => this.run(target => actions.removeFromAlbum(target, open)) } : null,
            albums.length > 0 ? text.addToAlbum : null,
            ...albums.map(album => ({ label: printable(album.title ?? ''), run: () => this.run(target => actions.addToAlbum(target, album)) })),
        ];
    }

    selectAll() {
        const { view } = this.grid;
        view?.selection.set([[0, view.count]]);
    }

    end() {
        this.grid.isSelecting = false;
        this.grid.classList.remove('selecting');
        this.grid.view?.selection.clear();
        this.show();
        this.grid.scroller.focus({ preventScroll: true });
    }

    /** Begins to select, such as by touch. */
    begin() {
        this.grid.isSelecting = true;
        this.show();
    }

    /** Shows the number of selected photos. */
    show() {
        const count = this.grid.view?.selection.count ?? 0;
        this.root.hidden = count === 0 && !this.grid.isSelecting;
        this.grid.classList.toggle('selecting', this.grid.isSelecting || count > 0);
        this.count.textContent = text.selected(count);
        this.compareButton.hidden = count !== 2;
        const isTrash = this.grid.view ? isInTrash(this.grid.view) : false;
        for (const tool of this.tools) tool.hidden = isTrash;
        this.restoreButton.hidden = this.isReader || !isTrash;
    }
}
