// SPDX-License-Identifier: Apache-2.0
import { iconButton } from '../core/buttons.js';
import { element, update } from '../core/element.js';
import { printable, untrusted } from '../core/printable.js';
import { text } from '../text/text.js';
import { angleControl } from './controls/angle-control.js';
import { colorControl } from './controls/color-control.js';
import { curveControl } from './controls/curve-control.js';
import { fileControl } from './controls/file-control.js';
import { numberControl } from './controls/number-control.js';
import { automaticControl, choiceControl, switchControl, textControl } from './controls/plain-controls.js';
import { pointControl, pointsControl } from './controls/point-controls.js';
import { rectangleControl } from './controls/rectangle-control.js';
import { localized } from './localized.js';
import { isEqual } from './value-history.js';

/** @type {Record<ParameterType, (context: ControlContext) => Control>} */
const makers = {
    number: numberControl, integer: numberControl, angle: angleControl, boolean: switchControl, text: textControl, choice: choiceControl,
    file: fileControl, color: colorControl, point: pointControl, points: pointsControl, rectangle: rectangleControl, curve: curveControl,
};

let lastNumber = 0;

/** The label, the help, the control and the reset button of a parameter. */
export class ParameterRow {
    /** @param {Parameter} parameter @param {FormActions} actions */
    constructor(parameter, actions) {
        this.parameter = parameter;
        this.stage = actions.stage;
        const { name } = parameter;
        const label = printable(localized(parameter.label) || name);
        const help = localized(parameter.help);
        const id = `parameter-${++lastNumber}`;
        const { stage, session } = actions;
        const isAutomatic = parameter.type === 'boolean' && parameter.role === 'automatic';
        this.control = (isAutomatic ? automaticControl : makers[parameter.type])({
            parameter, label, labelId: id, helpId: help ? `${id}-help` : null, stage, session,
            change: (value, isMoving) => actions.change({ [name]: value }, isMoving ? name : ''), settle: actions.settle,
            choose: () => actions.choose(name),
        });
        this.reset = iconButton('turnLeft', text.resetTo(label), () => actions.change({ [name]: parameter.default ?? '' }, ''), {
            class: 'icon-button small reset',
        });
        this.root = element('div', { class: `form-row type-${isAutomatic ? 'automatic' : parameter.type}`, 'data-parameter': name },
            element('div', { class: 'form-label' }, element('bdi', { id }, label), this.overlayButton(label, stage), this.reset),
            this.control.root,
            help !== '' && element('p', { class: 'quiet help', id: `${id}-help`, dir: 'auto' }, untrusted(help)));
    }

    /**
     * Shows or hides the handles on the picture. A field of the control shows them too.
     *
     * @param {string} label
     * @param {import('./edit-stage.js').EditStage} stage
     */
    overlayButton(label, stage) {
        const { overlay } = this.control;
        if (!overlay) return null;
        const button = iconButton('target', text.onPicture(label), () => stage.use(stage.overlay === overlay ? null : overlay), {
            class: 'icon-button small', 'aria-pressed': 'false',
        });
        overlay.used = isOn => update(button, 'aria-pressed', String(isOn));
        this.control.root.addEventListener('focusin', ({ target }) => {
            if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) stage.use(overlay);
        });
        return button;
    }

    /** @param {any} value @param {boolean} isVisible */
    show(value, isVisible) {
        this.root.hidden = !isVisible;
        this.control.set(value ?? this.parameter.default ?? '');
        const isDefault = isEqual(value ?? '', this.parameter.default ?? '');
        this.reset.classList.toggle('unused', isDefault);
        this.reset.disabled = isDefault;
        const { overlay } = this.control;
        if (!isVisible && overlay && this.stage.overlay === overlay) this.stage.use(null);
    }
}
