// SPDX-License-Identifier: Apache-2.0
import { element, update } from '../../core/element.js';
import { printable } from '../../core/printable.js';
import { clamp, clean } from './control.js';

/**
 * @typedef {object} NumberFieldOptions
 * @property {(value: number, isMoving: boolean) => void} change
 * @property {() => void} settle
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [step]
 * @property {boolean} [isInteger]
 * @property {string} [unit]
 * @property {number} [digits] The decimals that are shown.
 * @property {Record<string, unknown>} [attributes]
 */

/** A field with an exact number and its unit. Numbers outside the limits are not used, and become the limit afterwards. */
export class NumberField {
    /** @param {NumberFieldOptions} options */
    constructor(options) {
        this.options = options;
        const { minimum, maximum, step, unit, attributes } = options;
        this.value = 0;
        this.input = element('input', {
            type: 'number', class: 'number', inputmode: minimum !== undefined && minimum >= 0 ? 'decimal' : null,
            min: minimum, max: maximum, step: step ?? (options.isInteger ? 1 : 'any'), ...attributes,
            oninput: () => this.read(), onchange: () => this.finish(),
        });
        this.root = element('span', { class: 'number-field' }, this.input, unit && element('bdi', { class: 'unit' }, printable(unit)));
    }

    /** The number that is typed, or `null` if it cannot be used. */
    get typed() {
        const { minimum = -Infinity, maximum = Infinity, isInteger } = this.options;
        const value = this.input.valueAsNumber;
        const isValid = Number.isFinite(value) && value >= minimum && value <= maximum && (!isInteger || Number.isInteger(value));
        return isValid ? value : null;
    }

    read() {
        const { typed } = this;
        update(this.input, 'aria-invalid', typed === null ? 'true' : null);
        if (typed === null) return;
        this.value = typed;
        this.options.change(typed, true);
    }

    finish() {
        const { minimum = -Infinity, maximum = Infinity, isInteger } = this.options;
        const value = this.input.valueAsNumber;
        if (Number.isFinite(value) && this.typed === null) {
            this.value = clamp(isInteger ? Math.round(value) : value, minimum, maximum);
            this.options.change(this.value, true);
        }
        this.options.settle();
        this.show();
    }

    /** @param {number} value */
    set(value) {
        const isTyped = this.typed === value && document.activeElement === this.input;
        this.value = value;
        if (!isTyped) this.show();
    }

    show() {
        const { digits } = this.options;
        this.input.value = String(digits === undefined ? clean(this.value) : Number(this.value.toFixed(digits)));
        update(this.input, 'aria-invalid', null);
    }
}
