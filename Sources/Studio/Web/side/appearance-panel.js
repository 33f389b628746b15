// SPDX-License-Identifier: Apache-2.0
import { element, fill } from '../core/element.js';
import { icon } from '../core/icons.js';
import { changeSettings, settings } from '../core/settings.js';
import { text } from '../text/text.js';

/** The size, layout and order of the grid. */
export class AppearancePanel {
    /** @param {(reopens: boolean) => void} changed Whether the view must be opened again. */
    constructor(changed) {
        this.changed = changed;
        this.root = element('div', { class: 'popover', role: 'dialog', 'aria-label': text.appearance });
        this.render();
    }

    render() {
        fill(this.root,
            this.choices('arrangement', [['rows', text.rows, 'rows'], ['squares', text.squares, 'squares']], false),
            element('label', { class: 'size-field' },
                icon('minus'),
                element('input', {
                    type: 'range', min: -2, max: 2, step: 1, value: settings.size, 'aria-label': text.larger,
                    oninput: (/** @type {Event} */ event) => {
                        changeSettings({ size: Number(/** @type {HTMLInputElement} */ (event.target).value) });
                        this.changed(false);
                    },
                }),
                icon('plus')),
            this.choices('order', [['newest', text.newestFirst], ['oldest', text.oldestFirst]], true));
    }

    /**
     * @param {'arrangement' | 'order'} name
     * @param {[string, string, import('../core/icons.js').IconName?][]} values
     * @param {boolean} reopens
     */
    choices(name, values, reopens) {
        return element('fieldset', {}, element('legend', { class: 'hidden-text' }, name === 'order' ? text.order : text.appearance),
            element('div', { class: 'choices' }, ...values.map(([value, label, image]) => element('label', { class: 'choice' },
                element('input', {
                    type: 'radio', name: `setting-${name}`, checked: settings[name] === value,
                    onchange: () => {
                        changeSettings({ [name]: value });
                        this.changed(reopens);
                    },
                }),
                element('span', {}, image ? icon(image) : '', label)))));
    }
}
