// SPDX-License-Identifier: Apache-2.0
import { textButton } from '../core/buttons.js';
import { element, fill } from '../core/element.js';
import { noFilter } from '../model/route.js';
import { text } from '../text/text.js';
/** @typedef {import('../model/route.js').Filter} Filter */

/** The filters of the view, as a form. Every change applies at once. */
export class FilterPanel {
    /** @param {(filter: Filter) => void} change */
    constructor(change) {
        this.change = change;
        this.root = element('div', { class: 'popover filter-panel', role: 'dialog', 'aria-label': text.filters });
        /** @type {Filter} */
        this.filter = noFilter;
        this.shown = '';
    }

    /** @param {Filter} filter */
    show(filter) {
        const shown = JSON.stringify(filter);
        // Fields in which the user is typing stay as they are.
        if (shown === this.shown) return;
        this.shown = shown;
        this.filter = filter;
        const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.name;
        fill(this.root,
            this.choices(text.kind, 'kind', [['', text.anyKind], ['image', text.images], ['video', text.videos], ['live', text.livePhotos]]),
            element('fieldset', {}, element('legend', {}, text.marks),
                this.check('favorite', text.favorite), this.check('edited', text.edited),
                this.check('missing', text.missing), this.check('hidden', text.showHidden)),
            this.choices(text.stars, 'stars', [[0, text.anyStars], ...[1, 2, 3, 4, 5].map(stars => /** @type {[number, string]} */ ([stars, text.atLeastStars(stars)]))], stars => stars ? '★'.repeat(Number(stars)) : text.anyStars),
            element('fieldset', { class: 'dates' }, element('legend', {}, text.taken), this.day('from', text.from), this.day('to', text.to)),
            textButton(text.clearFilters, () => this.set(noFilter), { 'data-name': 'clear' }));
        if (focused) /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-name="${CSS.escape(focused)}"]`))?.focus();
    }

    /** @param {Partial<Filter>} changes */
    set(changes) {
        this.change({ ...this.filter, ...changes });
    }

    /**
     * @param {string} title
     * @param {'kind' | 'stars'} name
     * @param {[string | number, string][]} values
     * @param {(value: string | number) => string} [shown]
     */
    choices(title, name, values, shown) {
        return element('fieldset', {}, element('legend', {}, title), element('div', { class: 'choices' },
            ...values.map(([value, label]) => element('label', { class: 'choice' },
                element('input', {
                    type: 'radio', name, checked: this.filter[name] === value, 'aria-label': label, 'data-name': `${name}-${value}`,
                    onchange: () => this.set({ [name]: value }),
                }),
                element('span', { 'aria-hidden': 'true' }, shown ? shown(value) : label)))));
    }

    /**
     * @param {'favorite' | 'edited' | 'missing' | 'hidden'} name
     * @param {string} label
     */
    check(name, label) {
        return element('label', { class: 'check' },
            element('input', { type: 'checkbox', checked: this.filter[name], 'data-name': name, onchange: () => this.set({ [name]: !this.filter[name] }) }),
            element('span', {}, label));
    }

    /**
     * @param {'from' | 'to'} name
     * @param {string} label
     */
    day(name, label) {
        return element('label', { class: 'field' }, element('span', {}, label), element('input', {
            type: 'date', value: this.filter[name], 'data-name': name,
            onchange: (/** @type {Event} */ event) => this.set({ [name]: /** @type {HTMLInputElement} */ (event.target).value }),
        }));
    }
}
