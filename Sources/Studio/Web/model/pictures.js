// SPDX-License-Identifier: Apache-2.0

/** Few sizes, so that pictures are shared between windows and the server's cache. */
const sizes = [256, 512, 1024, 2048, 4096];

/**
 * The smallest of the sizes that is not below a wanted one.
 *
 * @param {number} pixels
 */
export function sizeFor(pixels) {
    return sizes.find(size => size >= pixels) ?? 4096;
}

/**
 * The longer side of a picture that fits into a stage, in pixels of the screen. It is not enlarged.
 *
 * @param {{ width: number, height: number }} picture In pixels.
 * @param {{ width: number, height: number }} stage In CSS pixels.
 */
export function fittingSide(picture, stage) {
    const scale = Math.min(stage.width / picture.width, stage.height / picture.height) * devicePixelRatio;
    return Math.max(picture.width, picture.height) * Math.min(1, scale);
}

/**
 * The address of a picture. It contains the content key, so an edited picture has another.
 *
 * @param {{ id: string, key: string }} asset
 * @param {string} what `current`, `original`, `state/N` or `version/NAME`, escaped.
 * @param {number} size The side of the box in pixels.
 * @param {{ region?: Region, covers?: boolean }} [options] Pictures fit into the box, or cover it.
 *
 * @typedef {{ x: number, y: number, width: number, height: number }} Region In fractions of the picture.
 */
export function pictureURL({ id, key }, what, size, options) {
    const { region, covers } = options ?? {};
    const part = region ? `&region=${[region.x, region.y, region.width, region.height].map(number => +number.toFixed(7)).join(',')}` : '';
    return `/pictures/${encodeURIComponent(id)}/${encodeURIComponent(key)}/${what}?size=${size}${covers ? '&fit=cover' : ''}${part}`;
}
