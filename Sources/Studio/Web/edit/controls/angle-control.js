// SPDX-License-Identifier: Apache-2.0
import { element, update } from '../../core/element.js';
import { number } from '../../text/numbers.js';
import { drag } from '../drag.js';
import { clamp, clean, naming } from './control.js';
import { NumberField } from './number-field.js';

/** @type {Record<string, number>} */
const keySteps = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity };

/**
 * A dial and a field in degrees. While the dial is used, a level is shown on the picture.
 *
 * @param {ControlContext} context
 * @returns {Control}
 */
export function angleControl(context) {
    const { parameter: { minimum = -360, maximum = 360, step = 0.1 }, change, settle, stage } = context;
    const field = new NumberField({ change, settle, minimum, maximum, step, unit: '°', attributes: naming(context) });
    const needle = element('span', { class: 'needle' });
    const dial = element('div', {
        class: 'dial', role: 'slider', tabindex: '0', 'aria-valuemin': minimum, 'aria-valuemax': maximum, ...naming(context),
        onpointerdown: event => turn(event), onkeydown: event => key(event),
        onfocus: () => stage.showLevel(true), onblur: () => stage.showLevel(false),
    }, needle);

    /** @param {number} value */
    const to = value => change(clamp(clean(Math.round(value / step) * step), minimum, maximum), true);

    /** @param {PointerEvent} event */
    function turn(event) {
        if (stage.isDisabled || event.button !== 0) return;
        let [last, value] = [directionOf(dial, event), field.value];
        drag(dial, event, moved => {
            const now = directionOf(dial, moved);
            // The shorter way around.
            value = clamp(value + ((now - last + 540) % 360) - 180, minimum, maximum);
            last = now;
            to(value);
        }, settle);
    }

    /** @param {KeyboardEvent} event */
    function key(event) {
        const steps = keySteps[event.key];
        if (!steps || stage.isDisabled) return;
        to(clamp(field.value + steps * step, minimum, maximum));
        settle();
        event.preventDefault();
        event.stopPropagation();
    }

    return {
        root: element('div', { class: 'dial-row' }, dial, field.root),
        set: value => {
            field.set(value);
            needle.style.rotate = `${value}deg`;
            update(dial, 'aria-valuenow', value);
            update(dial, 'aria-valuetext', `${number(value, 3)}°`);
        },
    };
}

/**
 * The direction from the middle of the dial, in degrees, clockwise.
 *
 * @param {Element} dial
 * @param {PointerEvent} event
 */
function directionOf(dial, { clientX, clientY }) {
    const { left, top, width, height } = dial.getBoundingClientRect();
    return Math.atan2(clientY - top - height / 2, clientX - left - width / 2) * 180 / Math.PI;
}
