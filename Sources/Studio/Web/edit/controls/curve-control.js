// SPDX-License-Identifier: Apache-2.0
import { element, fill } from '../../core/element.js';
import { text } from '../../text/text.js';
import { PictureOverlay } from '../picture-overlay.js';
import { ToneCurve } from '../tone-curve.js';
import { clamp, clean } from './control.js';
import { NumberField } from './number-field.js';
import { axisLabel } from './point-controls.js';

/** The levels of 8 bits: one is the step of the arrow keys. */
const levels = 255;
/** The number of segments that the curve is shown with. */
const segments = 128;

/**
 * A tone curve over the histogram of the picture, with a handle for each point and fields for the chosen one.
 *
 * @param {ControlContext} context
 * @returns {Control}
 */
export function curveControl({ label, helpId, session, change, settle, parameter: { minimumCount = 2, maximumCount = 4096 } }) {
    /** @type {CurvePoint[]} */
    let points = [[0, 0], [1, 1]];
    let chosen = 0;
    const point = (/** @type {number} */ index) => points[index] ?? [0, 0];
    const [histogram, grid, line] = [shape('histogram'), shape('curve-grid', 'M.25 0V1M.5 0V1M.75 0V1M0 .25H1M0 .5H1M0 .75H1'), shape('curve-line')];
    const diagram = element('div', { class: 'curve-area', onpointerdown: event => add(event) }, picture(histogram, grid, line));
    const overlay = new PictureOverlay({
        steps: { width: levels, height: levels },
        get isDisabled() {
            return diagram.closest(':disabled') !== null;
        },
        pointAt: ({ clientX, clientY }) => {
            const { left, top, width, height } = diagram.getBoundingClientRect();
            return { x: (clientX - left) / width, y: (clientY - top) / height };
        },
    });
    diagram.append(overlay.root);
    const fields = [text.curveInput, text.curveOutput].map((name, axis) => new NumberField({
        minimum: 0, maximum: 1, step: 0.01, digits: 5, settle, attributes: { 'aria-label': `${label}, ${name}` },
        change: value => move(chosen, axis === 0 ? [value, point(chosen)[1]] : [point(chosen)[0], value]),
    }));

    /** @param {number} index @param {CurvePoint} to Is moved between its neighbours. */
    function move(index, [x, y]) {
        const gap = 1 / levels / 8;
        const low = index === 0 ? 0 : point(index - 1)[0] + gap;
        const high = index === points.length - 1 ? 1 : point(index + 1)[0] - gap;
        change(points.map((old, place) => place === index ? [clean(clamp(x, Math.min(low, high), high)), clean(clamp(y, 0, 1))] : old), true);
    }

    /** @param {number} index */
    function remove(index) {
        if (points.length > Math.max(2, minimumCount)) change(points.filter((_, place) => place !== index));
    }

    /** @param {PointerEvent} event Adds a point where the diagram is pressed, and moves it on. */
    function add(event) {
        const { x, y } = overlay.area.pointAt(event);
        const isNear = points.some(old => Math.abs(old[0] - x) < 1 / levels);
        if (event.button !== 0 || overlay.area.isDisabled || isNear || x < 0 || x > 1 || points.length >= maximumCount) return;
        chosen = points.filter(old => old[0] < x).length;
        change([...points.slice(0, chosen), [clean(x), clean(clamp(1 - y, 0, 1))], ...points.slice(chosen)], true);
        const handle = [...overlay.handles.keys()][chosen];
        if (handle) overlay.press(handle, event);
    }

    function makeHandles() {
        overlay.removeHandles();
        points.forEach((_, index) => overlay.addHandle({
            label: text.point(index + 1), settle, remove: () => remove(index),
            get: () => ({ x: point(index)[0], y: 1 - point(index)[1] }), move: ({ x, y }) => move(index, [x, 1 - y]),
        }).addEventListener('focus', () => choose(index)));
    }

    /** @param {number} index */
    function choose(index) {
        chosen = index;
        fields.forEach((field, axis) => field.set(point(chosen)[axis] ?? 0));
        [...overlay.handles.keys()].forEach((handle, place) => handle.classList.toggle('chosen', place === chosen));
    }

    session.histogram().then(counts => histogram.setAttribute('d', histogramPath(counts.luminance ?? []))).catch(() => {});
    return {
        root: element('div', { class: 'curve', role: 'group', 'aria-label': label, 'aria-describedby': helpId }, diagram,
            element('div', { class: 'pair' }, ...fields.map(({ root }, axis) => axisLabel(axis === 0 ? text.curveInput : text.curveOutput, root)))),
        set: value => {
            points = value;
            if (overlay.handles.size !== points.length) makeHandles();
            line.setAttribute('d', curvePath(points));
            overlay.place();
            choose(Math.min(chosen, points.length - 1));
        },
    };
}

/** @param {CurvePoint[]} points */
function curvePath(points) {
    const curve = new ToneCurve(points);
    return `M${Array.from({ length: segments + 1 }, (_, index) => `${index / segments} ${clean(1 - curve.value(index / segments))}`).join('L')}`;
}

/** @param {number[]} counts */
function histogramPath(counts) {
    // Single levels, such as a white border, do not flatten the others.
    const top = [...counts].sort((a, b) => b - a)[Math.floor(counts.length / 50)] || 1;
    return `M0 1${counts.map((count, level) => `L${level / (counts.length - 1)} ${1 - Math.min(1, count / top)}`).join('')}L1 1Z`;
}

/** @param {Element[]} shapes */
function picture(...shapes) {
    const image = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    image.setAttribute('viewBox', '0 0 1 1');
    image.setAttribute('aria-hidden', 'true');
    fill(image, ...shapes);
    return image;
}

/** @param {string} name @param {string} [path] */
function shape(name, path = '') {
    const node = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    node.setAttribute('class', name);
    node.setAttribute('d', path);
    return node;
}
