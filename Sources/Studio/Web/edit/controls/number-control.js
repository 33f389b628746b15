// SPDX-License-Identifier: Apache-2.0
import { iconButton } from '../../core/buttons.js';
import { element } from '../../core/element.js';
import { text } from '../../text/text.js';
import { clamp, clean, naming } from './control.js';
import { NumberField } from './number-field.js';

/**
 * A slider if both limits are declared, otherwise buttons for steps; and a field for the exact number.
 *
 * @param {ControlContext} context
 * @returns {Control}
 */
export function numberControl(context) {
    const { parameter: { minimum, maximum, unit, type }, change, settle } = context;
    const isInteger = type === 'integer';
    const step = stepOf(context.parameter);
    const field = new NumberField({ change, settle, minimum, maximum, step, unit, isInteger, attributes: naming(context) });
    if (minimum === undefined || maximum === undefined) return withButtons(context, field, step);
    const slider = element('input', {
        type: 'range', min: minimum, max: maximum, step, ...naming(context),
        oninput: () => change(slider.valueAsNumber, true), onchange: settle,
    });
    return {
        root: element('div', { class: 'slider-row' }, slider, field.root),
        set: value => {
            field.set(value);
            if (slider.valueAsNumber !== value) slider.value = String(value);
        },
    };
}

/** @param {ControlContext} context @param {NumberField} field @param {number} step @returns {Control} */
function withButtons({ parameter: { minimum = -Infinity, maximum = Infinity }, label, change }, field, step) {
    const by = (/** @type {number} */ steps) => change(clamp(clean(field.value + steps * step), minimum, maximum));
    return {
        root: element('div', { class: 'step-row' },
            iconButton('minus', text.less(label), () => by(-1)), field.root, iconButton('plus', text.more2(label), () => by(1))),
        set: value => field.set(value),
    };
}

/**
 * The declared step, otherwise about a hundredth of the range.
 *
 * @param {Parameter} parameter
 */
export function stepOf({ step, minimum, maximum, type }) {
    if (step) return step;
    if (type === 'integer') return 1;
    if (minimum === undefined || maximum === undefined) return 1;
    return 10 ** Math.floor(Math.log10((maximum - minimum) / 100 || 1));
}
