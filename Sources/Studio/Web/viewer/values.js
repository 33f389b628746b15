// SPDX-License-Identifier: Apache-2.0
import { element } from '../core/element.js';
import { printable, untrusted } from '../core/printable.js';
import { nameOfExtension } from '../model/extension-names.js';
import { number } from '../text/numbers.js';
import { text } from '../text/text.js';

/**
 * The values of an edit.
 *
 * @param {Record<string, unknown> | null} values
 */
export function valuesList(values) {
    const entries = Object.entries(values ?? {});
    return entries.length > 0 && element('dl', { class: 'values' }, ...entries.slice(0, 60).flatMap(([name, value]) => [
        element('dt', {}, untrusted(name)), element('dd', {}, element('bdi', {}, valueText(value))),
    ]));
}

/**
 * The name of an extension.
 *
 * @param {string | null} identifier
 */
export function extensionName(identifier) {
    if (!identifier) return element('bdi', {}, text.application);
    const shown = untrusted(nameOfExtension(identifier));
    shown.title = printable(identifier);
    return shown;
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function valueText(value) {
    if (typeof value === 'number') return number(value, 4);
    if (typeof value === 'string') return printable(value);
    if (Array.isArray(value)) return value.length > 8 ? `${value.length} …` : value.map(valueText).join('; ');
    if (value && typeof value === 'object') return Object.values(value).map(valueText).join(', ');
    return String(value);
}
