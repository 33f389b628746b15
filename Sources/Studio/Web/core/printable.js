// SPDX-License-Identifier: Apache-2.0
import { element } from './element.js';

/** Longer texts are cut, so that a name of 64 kB does not cover the page. */
const longest = 400;

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/**
 * The text with control characters, bidirectional controls and invisible characters escaped as `\u{202e}`, as at
 * the terminal. Line breaks and tabs become spaces.
 *
 * @param {string} text
 * @returns {string}
 */
export function printable(text) {
    const scalars = [...text.slice(0, longest * 2)];
    const shown = scalars.slice(0, longest).map((scalar, index) => escaped(scalar, scalars[index - 1], scalars[index + 1]));
    return shown.join('') + (scalars.length > longest ? '…' : '');
}

/**
 * An untrusted text, isolated from the direction of the text around it.
 *
 * @param {string | null | undefined} text
 * @param {string} [className]
 */
export function untrusted(text, className) {
    return element('bdi', { class: className }, printable(text ?? ''));
}

/**
 * @param {string} scalar
 * @param {string | undefined} before
 * @param {string | undefined} after
 */
function escaped(scalar, before, after) {
    if (scalar === '\n' || scalar === '\r' || scalar === '\t') return ' ';
    if (!hidden.test(scalar)) return scalar;
    if (isJoiner(scalar) && isJoined(before) && isJoined(after)) return scalar;
    if (/[\ufe00-\ufe0f]/.test(scalar) && before && !hidden.test(before) && (before > '\x7f' || /\p{Emoji}/u.test(before))) return scalar;
    return `\\u{${(scalar.codePointAt(0) ?? 0).toString(16)}}`;
}

/** @param {string} scalar */
function isJoiner(scalar) {
    return scalar === '\u200c' || scalar === '\u200d';
}

/** @param {string | undefined} scalar */
function isJoined(scalar) {
    return scalar !== undefined && scalar > '\x7f' && /[\p{Alphabetic}\p{Emoji}\p{Mn}\ufe00-\ufe0f]/u.test(scalar);
}
