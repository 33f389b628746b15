// SPDX-License-Identifier: Apache-2.0
import { iconButton } from '../../core/buttons.js';
import { element } from '../../core/element.js';
import { text } from '../../text/text.js';
import { fitted, moved, resized } from '../crop-rectangle.js';
import { PictureOverlay } from '../picture-overlay.js';
import { clean } from './control.js';
import { axisLabel, percentField } from './point-controls.js';

const sides = /** @type {const} */ ([-1, 0, 1]);
const ratios = /** @type {[string, number][]} */ ([['1:1', 1], ['5:4', 5 / 4], ['4:3', 4 / 3], ['3:2', 3 / 2], ['16:9', 16 / 9]]);

/**
 * A frame on the picture with handles, and fields in percent. With the role `crop` it has ratios and a grid of thirds.
 *
 * @param {ControlContext} context
 * @returns {Control}
 */
export function rectangleControl(context) {
    const { label, stage, settle, helpId, parameter: { role } } = context;
    /** @type {Rectangle} */
    let rectangle = { x: 0, y: 0, width: 1, height: 1 };
    const change = (/** @type {Rectangle} */ next) => {
        const [x, y] = [clean(next.x), clean(next.y)];
        context.change({ x, y, width: Math.min(clean(next.width), 1 - x), height: Math.min(clean(next.height), 1 - y) }, true);
    };
    const ratio = ratioPicker(context, () => rectangle, change);
    const { overlay, place } = frame(context, () => rectangle, change, ratio);
    const field = (/** @type {keyof Rectangle} */ key, /** @type {string} */ name) => percentField(`${label}, ${name}`, helpId, value => {
        const limit = key === 'width' ? 1 - rectangle.x : key === 'height' ? 1 - rectangle.y : 1;
        const next = { ...rectangle, [key]: Math.min(value, limit) };
        if (key === 'x') next.width = Math.min(next.width, 1 - next.x);
        if (key === 'y') next.height = Math.min(next.height, 1 - next.y);
        if (next.width > 0 && next.height > 0) change(next);
    }, settle);
    const fields = { x: field('x', text.left), y: field('y', text.top), width: field('width', text.width), height: field('height', text.height) };
    return {
        overlay,
        root: element('div', { class: 'rectangle', role: 'group', 'aria-label': label }, role === 'crop' && ratio.root,
            element('div', { class: 'pair' }, axisLabel('x', fields.x.root), axisLabel('y', fields.y.root)),
            element('div', { class: 'pair' }, axisLabel('↔', fields.width.root), axisLabel('↕', fields.height.root))),
        set: value => {
            rectangle = value;
            for (const key of /** @type {(keyof Rectangle)[]} */ (['x', 'y', 'width', 'height'])) fields[key].set(clean(value[key] * 100));
            place();
        },
    };
}

/**
 * The frame on the picture.
 *
 * @param {ControlContext} context
 * @param {() => Rectangle} get
 * @param {(rectangle: Rectangle) => void} change
 * @param {ReturnType<typeof ratioPicker>} ratio
 */
function frame({ label, stage, settle, parameter: { role } }, get, change, ratio) {
    const overlay = new PictureOverlay(stage);
    const border = element('div', { class: role === 'crop' ? 'frame thirds' : 'frame' });
    overlay.root.append(element('div', { class: 'frame-clip' }, border));
    overlay.addHandle({
        label: text.frame(label), class: 'area', get: () => ({ x: get().x, y: get().y }), settle,
        move: point => change(moved(get(), point)),
    });
    for (const y of sides) {
        for (const x of sides) {
            if (x === 0 && y === 0) continue;
            overlay.addHandle({
                label: text.grip(label, x, y), class: `grip grip-${x === 0 ? 'y' : y === 0 ? 'x' : x === y ? 'down' : 'up'}`, settle,
                get: () => ({ x: get().x + get().width * (x + 1) / 2, y: get().y + get().height * (y + 1) / 2 }),
                move: point => {
                    const { width, height } = stage.state.picture;
                    change(resized(get(), { x, y }, point, ratio.value(), { width: 1 / width, height: 1 / height }));
                },
            });
        }
    }
    const area = /** @type {HTMLElement} */ (overlay.root.querySelector('.area'));
    overlay.placed = () => {
        const { x, y, width, height } = get();
        for (const node of [border, area]) {
            node.style.left = `${x * 100}%`;
            node.style.top = `${y * 100}%`;
            node.style.width = `${width * 100}%`;
            node.style.height = `${height * 100}%`;
        }
    };
    return { overlay, place: () => overlay.place() };
}

/**
 * Ratios of width to height in pixels.
 *
 * @param {ControlContext} context
 * @param {() => Rectangle} get
 * @param {(rectangle: Rectangle) => void} change
 */
function ratioPicker({ label, stage, settle }, get, change) {
    let isUpright = false;
    const select = element('select', { class: 'select', 'aria-label': `${label}, ${text.ratio}`, onchange: () => apply() },
        element('option', { value: '' }, text.freeRatio), element('option', { value: 'original' }, text.original),
        ...ratios.map(([name, value]) => element('option', { value }, name)));
    const swap = iconButton('turnRight', text.swapRatio, () => {
        isUpright = !isUpright;
        apply();
    });
    /** Width by height in fractions of the picture, or `null`. */
    const value = () => {
        const { width, height } = stage.state.picture;
        const pixels = select.value === 'original' ? width / height : Number(select.value);
        if (!pixels) return null;
        return (isUpright ? 1 / pixels : pixels) * height / width;
    };
    const apply = () => {
        const ratio = value();
        if (ratio === null) return;
        change(fitted(get(), ratio));
        settle();
    };
    return { root: element('div', { class: 'ratio-row' }, select, swap), value };
}
