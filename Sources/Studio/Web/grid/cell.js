// SPDX-License-Identifier: Apache-2.0
import { element, fill, update } from '../core/element.js';
import { printable } from '../core/printable.js';
import { Flag } from '../model/shapes.js';
import { captureDate, dateName, lengthOf, unknownDay } from '../text/dates.js';
import { text } from '../text/text.js';
/** @typedef {import('../model/photo-view.js').PhotoView} PhotoView */

/** One photo of the grid. */
export class Cell {
    constructor() {
        this.image = element('img', { alt: '', draggable: 'false', decoding: 'async' });
        this.badges = element('span', { class: 'badges', 'aria-hidden': 'true' });
        this.root = element('div', { role: 'gridcell', class: 'cell' }, this.image, this.badges);
        this.position = -1;
        /** Whether the cell has to be refreshed. */
        this.isNew = true;
        this.badgeKey = '';
        /** @type {import('../types.js').Row | undefined} */
        this.row = undefined;
    }

    /**
     * @param {number} position
     * @param {number} column
     */
    place(position, column) {
        this.position = position;
        this.isNew = true;
        this.root.id = `photo-${position}`;
        update(this.root, 'aria-colindex', column + 1);
    }

    /**
     * Shows marks, selection and label.
     *
     * @param {PhotoView} view
     * @param {number} active
     */
    refresh(view, active) {
        this.row = view.row(this.position) ?? this.row;
        this.isNew = false;
        update(this.root, 'aria-selected', String(view.selection.has(this.position)));
        this.root.classList.toggle('active', this.position === active);
        this.showBadges(view);
        update(this.root, 'aria-label', label(view, this.position, this.row));
    }

    /** @param {PhotoView} view */
    showBadges({ shapes }) {
        const flags = shapes.flags[this.position] ?? 0;
        const key = `${flags} ${this.row?.duration ?? ''}`;
        if (key === this.badgeKey) return;
        this.badgeKey = key;
        fill(this.badges, ...badgesFor(shapes, this.position, this.row));
    }

    /** Prepares the cell for another photo. */
    recycle() {
        this.image.removeAttribute('src');
        delete this.image.dataset.url;
        this.image.className = '';
        this.row = undefined;
        this.position = -1;
        this.root.remove();
    }
}

/**
 * @param {import('../model/shapes.js').Shapes} shapes
 * @param {number} position
 * @param {import('../types.js').Row | undefined} row
 */
function badgesFor(shapes, position, row) {
    const marks = /** @type {const} */ (['missing', 'favorite', 'edited', 'live', 'hidden'])
        .filter(name => shapes.has(position, Flag[name]))
        .map(name => element('span', { class: `badge ${name}` }));
    const stars = shapes.stars(position);
    const isVideo = shapes.has(position, Flag.video);
    return [
        ...marks,
        stars > 0 && element('span', { class: 'badge-text stars' }, '★'.repeat(stars)),
        isVideo && element('span', { class: 'badge-text length' }, row && row.duration > 0 ? lengthOf(row.duration) : '▶'),
    ];
}

/**
 * @param {PhotoView} view
 * @param {number} position
 * @param {import('../types.js').Row | undefined} row
 */
function label({ shapes }, position, row) {
    const has = (/** @type {number} */ flag) => shapes.has(position, flag);
    const day = shapes.days[position] ?? unknownDay;
    const stars = shapes.stars(position);
    return [
        has(Flag.video) ? text.video : has(Flag.live) ? text.livePhoto : text.photo,
        row?.filename ? printable(row.filename).slice(0, 80) : '',
        row?.creationDate ? captureDate(row.creationDate) : dateName(day),
        has(Flag.video) && row && row.duration > 0 ? lengthOf(row.duration) : '',
        has(Flag.favorite) ? text.isFavorite : '',
        has(Flag.edited) ? text.isEdited : '',
        stars > 0 ? text.starCount(stars) : '',
        has(Flag.missing) ? text.isMissing : '',
        has(Flag.hidden) ? text.isHidden : '',
    ].filter(Boolean).join(', ');
}
