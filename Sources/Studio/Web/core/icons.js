// SPDX-License-Identifier: Apache-2.0

/** Paths on a grid of 24 by 24, drawn with a line of 1.75. */
const paths = {
    album: 'M4 7h16v12H4z M6 4h12',
    back: 'M15 5l-7 7 7 7',
    check: 'M5 12.5l4.5 4.5L19 7.5',
    close: 'M6 6l12 12 M18 6L6 18',
    compare: 'M12 3v18 M4 6h8v12H4z M15 6h5v12h-5',
    down: 'M12 5v14 M6 13l6 6 6-6',
    edit: 'M4 8h9 M17 8h3 M4 16h3 M11 16h9 M15 5.5v5 M9 13.5v5',
    filter: 'M4 6h16 M7 12h10 M10 18h4',
    flip: 'M12 3v18 M9 7L3 18h6z M15 7l6 11h-6z',
    folder: 'M3 6h6l2 2h10v11H3z',
    forward: 'M9 5l7 7-7 7',
    heart: 'M12 20C5 14.5 3.5 11.5 3.5 8.7A4.4 4.4 0 0 1 12 7a4.4 4.4 0 0 1 8.5 1.7C20.5 11.5 19 14.5 12 20z',
    help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4 M12 17.5v.2',
    hide: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6z M4 20L20 4',
    info: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z M12 11v6 M12 7.5v.2',
    live: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8z M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z',
    menu: 'M4 7h16 M4 12h16 M4 17h16',
    minus: 'M5 12h14',
    missing: 'M12 4l9 16H3z M12 10v5 M12 17.3v.2',
    moment: 'M4 6h16v14H4z M4 10h16 M8 3v4 M16 3v4',
    more: 'M5.5 12h.01 M12 12h.01 M18.5 12h.01',
    pipette: 'M4 20l1-4 8-8 3 3-8 8z M13 6l5 5 M15 8l3-3a1.8 1.8 0 0 1 2.5 2.5L17.5 10.5',
    photos: 'M4 5h16v14H4z M4 16l5-5 4 4 3-3 4 4 M15.5 9h.01',
    plus: 'M12 5v14 M5 12h14',
    redo: 'M19 9H9a5 5 0 0 0 0 10h4 M15 5l4 4-4 4',
    rows: 'M3 5h10v6H3z M16 5h5v6h-5z M3 14h5v6H3z M11 14h10v6H11z',
    search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13z M15.5 15.5L20 20',
    smart: 'M12 3v4 M12 17v4 M3 12h4 M17 12h4 M6 6l2.5 2.5 M15.5 15.5L18 18 M18 6l-2.5 2.5 M8.5 15.5L6 18',
    split: 'M4 5h16v14H4z M12 3v18 M9 10l-2 2 2 2 M15 10l2 2-2 2',
    squares: 'M4 4h7v7H4z M13 4h7v7h-7z M4 13h7v7H4z M13 13h7v7h-7z',
    star: 'M12 3.5l2.6 5.5 6 .8-4.4 4.2 1.1 6-5.3-2.9L6.7 20l1.1-6L3.4 9.8l6-.8z',
    target: 'M12 4v16 M4 12h16 M12 7a5 5 0 1 1 0 10a5 5 0 0 1 0-10z',
    trash: 'M4 7h16 M9 7V4h6v3 M6 7l1 13h10l1-13 M10 11v5 M14 11v5',
    turnLeft: 'M5 4v5h5 M5.6 9A8 8 0 1 1 4 14',
    turnRight: 'M19 4v5h-5 M18.4 9A8 8 0 1 0 20 14',
    undo: 'M5 9h10a5 5 0 0 1 0 10h-4 M9 5L5 9l4 4',
    up: 'M12 19V5 M6 11l6-6 6 6',
    video: 'M8 5l11 7-11 7z',
};

/** @typedef {keyof typeof paths} IconName */

/**
 * An icon in the color of the text. It has no name: its button has.
 *
 * @param {IconName} name
 */
export function icon(name) {
    const namespace = 'http://www.w3.org/2000/svg';
    const image = document.createElementNS(namespace, 'svg');
    image.setAttribute('viewBox', '0 0 24 24');
    image.setAttribute('class', `icon icon-${name}`);
    image.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS(namespace, 'path');
    path.setAttribute('d', paths[name]);
    image.append(path);
    return image;
}
