// SPDX-License-Identifier: Apache-2.0
import { element } from '../core/element.js';
import { untrusted } from '../core/printable.js';
import { captureDate, lengthOf } from '../text/dates.js';
import { exposure, fileSize, number } from '../text/numbers.js';
import { text } from '../text/text.js';
/** @typedef {import('../types.js').AssetDetails} AssetDetails */

/**
 * What is known about a photo.
 *
 * @param {AssetDetails} details
 * @returns {Node[]}
 */
export function infoPanel(details) {
    return [
        element('dl', { class: 'facts' }, ...facts(details).flatMap(([name, value]) => value ? [
            element('dt', {}, name), element('dd', {}, value),
        ] : [])),
        element('h2', { class: 'panel-heading' }, text.files),
        element('ul', { class: 'files' }, ...(details.resources ?? []).map(file)),
    ];
}

/**
 * @param {AssetDetails} details
 * @returns {[string, Node | string | null | undefined][]}
 */
function facts(details) {
    const { original } = details;
    return [
        [text.title, details.title && untrusted(details.title)],
        [text.description, details.description && untrusted(details.description)],
        [text.creator, details.creator && untrusted(details.creator)],
        [text.copyright, details.copyright && untrusted(details.copyright)],
        [text.filename, details.filename && untrusted(details.filename)],
        [text.missing, original && original.state !== 'stored' && original.state !== 'referenced' ? text.originalMissing : null],
        [text.date, captureDate(details.creationDate)],
        [text.dimensions, size(details)],
        [text.duration, details.duration > 0 ? lengthOf(details.duration) : null],
        [text.camera, details.camera && untrusted(cameraName(details.camera))],
        [text.lens, details.lens && untrusted(details.lens)],
        [text.exposure, details.exposureTime ? exposure(details.exposureTime) : null],
        [text.codec, details.video?.codec && untrusted(details.video.codec)],
        [text.stars, (details.rating ?? 0) > 0 ? element('span', { role: 'img', 'aria-label': text.starCount(details.rating ?? 0) }, '★'.repeat(details.rating ?? 0)) : null],
        [text.label, details.label && untrusted(details.label)],
        [text.keywords, keywords(details.keywords ?? [])],
        [text.place2, details.location ? element('bdi', {}, `${number(details.location.latitude, 5)}, ${number(details.location.longitude, 5)}`) : null],
        [text.lost, details.editLoss && untrusted(details.editLoss)],
    ];
}

/** @param {AssetDetails} details */
function size({ pixelWidth, pixelHeight }) {
    const megapixels = pixelWidth * pixelHeight / 1e6;
    const side = `${number(pixelWidth)} × ${number(pixelHeight)}`;
    return megapixels < 0.1 ? side : `${side} (${number(megapixels, megapixels < 10 ? 1 : 0)} ${text.megapixels})`;
}

/** @param {{ make: string | null, model: string | null }} camera */
function cameraName({ make, model }) {
    return model && make && model.startsWith(make) ? model : [make, model].filter(Boolean).join(' ');
}

/** @param {string[]} words */
function keywords(words) {
    return words.length > 0 && element('ul', { class: 'keywords' }, ...words.slice(0, 100).map(word => element('li', {}, untrusted(word)))) || null;
}

/** @param {import('../types.js').Resource} resource */
function file({ type, filename, size }) {
    return element('li', {},
        element('span', {}, text.resourceTypes[type] ?? type),
        element('span', { class: 'quiet' }, untrusted(filename), size ? ` · ${fileSize(size)}` : ''));
}
