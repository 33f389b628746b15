// SPDX-License-Identifier: Apache-2.0

/**
 * The text of a manifest in the user's language, by the lookup of RFC 4647, as `LocalizedText.text(for:)` chooses it.
 *
 * @param {LocalizedText | null | undefined} text
 * @param {readonly string[]} [languages]
 * @returns {string}
 */
export function localized(text, languages = navigator.languages) {
    if (!text || typeof text === 'string') return text ?? '';
    const tags = Object.keys(text).sort();
    const byTag = new Map(tags.reverse().map(tag => /** @type {const} */ ([tag.toLowerCase(), text[tag]])));
    const found = [...languages, 'en'].flatMap(ranges).find(range => byTag.has(range));
    return (found ? byTag.get(found) : text[tags.at(-1) ?? '']) ?? '';
}

/**
 * A language tag and its ever shorter prefixes. A subtag of one character is removed together with the one after it.
 *
 * @param {string} tag
 */
function ranges(tag) {
    const parts = tag.toLowerCase().split('-');
    const result = [];
    while (parts.length > 0) {
        result.push(parts.join('-'));
        parts.pop();
        if (parts.at(-1)?.length === 1) parts.pop();
    }
    return result;
}
