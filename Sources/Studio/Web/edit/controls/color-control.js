// SPDX-License-Identifier: Apache-2.0
import { attempt } from '../../actions/photo-actions.js';
import { iconButton } from '../../core/buttons.js';
import { element, update } from '../../core/element.js';
import { percent } from '../../text/numbers.js';
import { text } from '../../text/text.js';
import { PictureOverlay } from '../picture-overlay.js';
import { naming } from './control.js';

/**
 * A picker, a field for the hexadecimal number, a slider for the opacity, and a pipette.
 *
 * @param {ControlContext} context
 * @returns {Control}
 */
export function colorControl(context) {
    const { label, labelId, change, settle, stage } = context;
    let value = '#000000ff';
    const picker = element('input', {
        type: 'color', class: 'color-picker', ...naming(context),
        oninput: () => change(picker.value + value.slice(7), true), onchange: settle,
    });
    const hex = element('input', {
        type: 'text', class: 'hex', spellcheck: 'false', maxlength: 9, dir: 'ltr', 'aria-label': `${label}, ${text.hexadecimal}`,
        oninput: () => {
            const color = parsed(hex.value);
            update(hex, 'aria-invalid', color ? null : 'true');
            if (color) change(color, true);
        },
        onchange: () => {
            settle();
            show();
        },
    });
    const opacity = element('input', {
        type: 'range', min: 0, max: 255, step: 1, 'aria-label': `${label}, ${text.opacity}`,
        oninput: () => change(value.slice(0, 7) + byte(opacity.valueAsNumber / 255), true), onchange: settle,
    });
    const share = element('span', { class: 'quiet share' });
    const pipette = pipetteOf(context, color => change(color + value.slice(7)), isOn => update(button, 'aria-pressed', String(isOn)));
    const button = iconButton('pipette', text.pipette, () => stage.use(stage.overlay === pipette ? null : pipette), {
        'aria-pressed': 'false', 'aria-describedby': labelId,
    });

    function show() {
        picker.value = value.slice(0, 7);
        if (parsed(hex.value) !== value || document.activeElement !== hex) hex.value = value;
        update(hex, 'aria-invalid', null);
        opacity.value = String(Number.parseInt(value.slice(7), 16));
        update(opacity, 'aria-valuetext', percent(opacity.valueAsNumber / 255));
        share.textContent = percent(opacity.valueAsNumber / 255);
    }

    return {
        root: element('div', { class: 'color-rows' },
            element('div', { class: 'color-row' }, picker, hex, button),
            element('div', { class: 'slider-row' }, element('span', { class: 'quiet', 'aria-hidden': 'true' }, text.opacity), opacity, share)),
        set: color => {
            value = parsed(String(color)) ?? value;
            show();
        },
    };
}

/**
 * A point on the picture that takes its color. The server samples it.
 *
 * @param {ControlContext} context
 * @param {(color: string) => void} take
 * @param {(isOn: boolean) => void} used
 */
function pipetteOf({ stage, session }, take, used) {
    const overlay = new PictureOverlay(stage);
    let point = { x: 0.5, y: 0.5 };
    const sample = () => attempt(async () => {
        const { width, height } = stage.state.picture;
        const [x, y] = [Math.min(width - 1, Math.floor(point.x * width)), Math.min(height - 1, Math.floor(point.y * height))];
        const color = await session.color({ x, y });
        take(`#${color.slice(0, 3).map(byte).join('')}`);
    });
    const handle = overlay.addHandle({
        label: text.pipette, class: 'crosshair', get: () => point, settle: sample,
        move: next => {
            point = next;
            overlay.place();
        },
    });
    overlay.tap = tapped => {
        point = tapped;
        overlay.place();
        sample();
    };
    overlay.used = isOn => {
        used(isOn);
        if (isOn) handle.focus({ preventScroll: true });
    };
    return overlay;
}

/** @param {string} color @returns {string | null} Eight digits. */
function parsed(color) {
    const digits = /^#?([0-9a-f]{6})([0-9a-f]{2})?$/i.exec(color.trim());
    return digits && `#${digits[1]}${digits[2] ?? 'ff'}`.toLowerCase();
}

/** @param {number} share */
function byte(share) {
    return Math.round(Math.max(0, Math.min(1, share)) * 255).toString(16).padStart(2, '0');
}
