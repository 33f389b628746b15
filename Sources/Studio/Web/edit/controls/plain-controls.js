// SPDX-License-Identifier: Apache-2.0
import { element } from '../../core/element.js';
import { printable } from '../../core/printable.js';
import { localized } from '../localized.js';
import { naming } from './control.js';

/** More choices than these are a list. */
const mostButtons = 4;

/** @param {ControlContext} context @returns {Control} */
export function switchControl(context) {
    const input = element('input', {
        type: 'checkbox', role: 'switch', class: 'switch', ...naming(context), onchange: () => context.change(input.checked),
    });
    return { root: input, set: value => (input.checked = value === true) };
}

/**
 * A button that shows the label of the row itself. It makes the extension choose other values.
 *
 * @param {ControlContext} context @returns {Control}
 */
export function automaticControl({ label, helpId, choose }) {
    const root = element('button', { type: 'button', class: 'button', 'aria-describedby': helpId, onclick: choose },
        element('bdi', {}, label));
    return { root, set: () => {} };
}

/** @param {ControlContext} context @returns {Control} */
export function textControl(context) {
    const { parameter, change, settle } = context;
    const isLong = String(parameter.default ?? '').includes('\n');
    const attributes = { dir: 'auto', class: 'text-field', ...naming(context), oninput: () => change(input.value, true), onchange: settle };
    const input = isLong ? element('textarea', { rows: 3, ...attributes }) : element('input', { type: 'text', ...attributes });
    return {
        root: input,
        set: value => {
            if (input.value !== value) input.value = String(value ?? '');
        },
    };
}

/** @param {ControlContext} context @returns {Control} */
export function choiceControl(context) {
    const choices = (context.parameter.choices ?? []).map(choice => {
        const { value, label } = typeof choice === 'string' ? { value: choice, label: choice } : choice;
        return { value, label: printable(localized(label) || value) };
    });
    return choices.length > mostButtons ? list(context, choices) : buttons(context, choices);
}

/** @param {ControlContext} context @param {{ value: string, label: string }[]} choices @returns {Control} */
function list(context, choices) {
    const select = element('select', { class: 'select', ...naming(context), onchange: () => context.change(select.value) },
        ...choices.map(({ value, label }) => element('option', { value }, label)));
    return { root: select, set: value => (select.value = value) };
}

/** @param {ControlContext} context @param {{ value: string, label: string }[]} choices @returns {Control} */
function buttons(context, choices) {
    const inputs = choices.map(({ value }) => element('input', {
        type: 'radio', name: context.labelId, value, onchange: () => context.change(value),
    }));
    const root = element('div', { class: 'choices', role: 'radiogroup', ...naming(context) }, ...choices.map(({ label }, index) =>
        element('label', { class: 'choice' }, inputs[index], element('span', {}, element('bdi', {}, label)))));
    return { root, set: value => inputs.forEach(input => (input.checked = input.value === value)) };
}
