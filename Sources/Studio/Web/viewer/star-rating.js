// SPDX-License-Identifier: Apache-2.0
import { element, update } from '../core/element.js';
import { icon } from '../core/icons.js';
import { text } from '../text/text.js';

/**
 * Five stars as a group of buttons. The star that is set takes the stars away again.
 */
export class StarRating {
    /** @param {(stars: number) => void} change */
    constructor(change) {
        this.value = 0;
        this.buttons = [1, 2, 3, 4, 5].map(stars => element('button', {
            type: 'button', class: 'star', 'aria-label': text.starCount(stars), title: text.starCount(stars),
            onclick: () => change(stars === this.value ? 0 : stars),
        }, icon('star')));
        this.root = element('div', { class: 'star-rating', role: 'group', 'aria-label': text.stars }, ...this.buttons);
    }

    /** @param {number} value */
    set(value) {
        this.value = value;
        this.buttons.forEach((button, index) => {
            button.classList.toggle('on', index < value);
            update(button, 'aria-pressed', String(index + 1 === value));
        });
    }
}
