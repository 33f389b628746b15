// SPDX-License-Identifier: Apache-2.0
import { iconButton, textButton } from '../../core/buttons.js';
import { element, fill } from '../../core/element.js';
import { text } from '../../text/text.js';
import { PictureOverlay } from '../picture-overlay.js';
import { clean } from './control.js';
import { NumberField } from './number-field.js';

/** Fields for more points would make the form slow. All points have handles. */
const mostFields = 50;

/**
 * A handle on the picture, and fields in percent of the picture.
 *
 * @param {ControlContext} context
 * @returns {Control}
 */
export function pointControl(context) {
    const { label, stage, change, settle } = context;
    const overlay = new PictureOverlay(stage);
    let point = { x: 0, y: 0 };
    const move = (/** @type {Point} */ to) => change({ x: clean(to.x), y: clean(to.y) }, true);
    overlay.addHandle({ label, get: () => point, move, settle });
    overlay.tap = tapped => {
        move(overlay.snap(tapped));
        settle();
    };
    const fields = pointFields(context, label, () => point, move);
    return {
        overlay, root: fields.root,
        set: value => {
            point = value;
            fields.set(value);
            overlay.place();
        },
    };
}

/**
 * A handle for each point. A click beside them adds a point, and Delete removes one.
 *
 * @param {ControlContext} context
 * @returns {Control}
 */
export function pointsControl(context) {
    const { label, stage, change, settle, parameter: { minimumCount = 0, maximumCount = 4096 } } = context;
    const overlay = new PictureOverlay(stage);
    const list = element('ol', { class: 'point-list' });
    const more = element('p', { class: 'quiet' });
    const add = textButton(text.addPoint, () => insert({ x: 0.5, y: 0.5 }));
    /** @type {[number, number][]} */
    let points = [];
    /** @type {ReturnType<typeof pointFields>[]} */
    let fields = [];
    const at = (/** @type {number} */ index) => ({ x: points[index]?.[0] ?? 0, y: points[index]?.[1] ?? 0 });
    const move = (/** @type {number} */ index, /** @type {Point} */ { x, y }) =>
        change(points.map((point, place) => place === index ? [clean(x), clean(y)] : point), true);
    const remove = (/** @type {number} */ index) => {
        if (points.length > minimumCount) change(points.filter((_, place) => place !== index));
    };
    const insert = (/** @type {Point} */ { x, y }) => {
        if (points.length < maximumCount) change([...points, [clean(x), clean(y)]]);
    };
    overlay.tap = tapped => insert(overlay.snap(tapped));

    function rebuild() {
        overlay.removeHandles();
        points.forEach((_, index) => overlay.addHandle({
            label: text.point(index + 1), get: () => at(index), move: to => move(index, to), settle, remove: () => remove(index),
        }));
        fields = points.slice(0, mostFields).map((_, index) => pointFields(context, text.point(index + 1), () => at(index), to => move(index, to)));
        fill(list, ...fields.map(({ root }, index) => element('li', {}, root,
            iconButton('close', text.removePoint(index + 1), () => remove(index), { disabled: points.length <= minimumCount }))));
        more.hidden = points.length <= mostFields;
        more.textContent = text.morePoints(points.length - mostFields);
        add.disabled = points.length >= maximumCount;
    }

    return {
        overlay, root: element('div', { class: 'points', role: 'group', 'aria-label': label }, list, more, add),
        set: value => {
            const isResized = value.length !== points.length || overlay.handles.size !== value.length;
            points = value;
            if (isResized) rebuild();
            fields.forEach((field, index) => field.set(at(index)));
            overlay.place();
        },
    };
}

/**
 * The coordinates of a point in percent.
 *
 * @param {ControlContext} context
 * @param {string} label
 * @param {() => Point} get
 * @param {(point: Point) => void} move
 */
function pointFields({ settle, helpId }, label, get, move) {
    const field = (/** @type {'x' | 'y'} */ axis) => percentField(`${label}, ${axis}`, helpId, value => move({ ...get(), [axis]: value }), settle);
    const [x, y] = [field('x'), field('y')];
    return {
        root: element('div', { class: 'pair' }, axisLabel('x', x.root), axisLabel('y', y.root)),
        set: (/** @type {Point} */ point) => {
            x.set(clean(point.x * 100));
            y.set(clean(point.y * 100));
        },
    };
}

/** @param {string} label @param {string | null} helpId @param {(fraction: number) => void} change @param {() => void} settle */
export function percentField(label, helpId, change, settle) {
    return new NumberField({
        change: value => change(clean(value / 100)), settle, minimum: 0, maximum: 100, step: 0.1, digits: 4, unit: '%',
        attributes: { 'aria-label': label, 'aria-describedby': helpId },
    });
}

/** @param {string} name @param {Element} field */
export function axisLabel(name, field) {
    return element('span', { class: 'axis' }, element('span', { class: 'quiet', 'aria-hidden': 'true' }, name), field);
}
