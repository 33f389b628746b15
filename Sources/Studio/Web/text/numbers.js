// SPDX-License-Identifier: Apache-2.0
import { locale } from './text.js';

const units = /** @type {const} */ (['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']);

/**
 * @param {number} value
 * @param {number} [digits]
 */
export function number(value, digits = 2) {
    return value.toLocaleString(locale, { maximumFractionDigits: digits });
}

/** @param {number} bytes */
export function fileSize(bytes) {
    const power = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
    const size = (bytes / 1000 ** power).toLocaleString(locale, {
        style: 'unit', unit: units[power], unitDisplay: 'short', maximumFractionDigits: power > 1 ? 1 : 0,
    });
    // A line does not end between a number and its unit.
    return size.replaceAll(' ', '\u00a0');
}

/** @param {number} seconds Such as 0.004, which is shown as 1/250 s. */
export function exposure(seconds) {
    return seconds > 0 && seconds < 0.4 ? `1/${number(1 / seconds, 0)} s` : `${number(seconds, 1)} s`;
}

/** @param {number} ratio Such as 0.5, which is shown as 50 %. */
export function percent(ratio) {
    return ratio.toLocaleString(locale, { style: 'percent', maximumFractionDigits: ratio < 0.1 ? 1 : 0 });
}
