// SPDX-License-Identifier: Apache-2.0
import { de } from './de.js';
import { en } from './en.js';

const languages = { en, de };

/**
 * The first of the user's languages that the page has, by the lookup of RFC 4647: `de-AT` finds `de`.
 *
 * @param {readonly string[]} wanted
 * @returns {keyof typeof languages}
 */
export function chosenLanguage(wanted) {
    for (const tag of wanted) {
        const subtags = tag.toLowerCase().split('-');
        for (; subtags.length > 0; subtags.pop()) {
            const candidate = subtags.join('-');
            if (candidate in languages) return /** @type {keyof typeof languages} */ (candidate);
        }
    }
    return 'en';
}

export const language = chosenLanguage(navigator.languages);

/** The texts in the user's language. */
export const text = languages[language];

/** The locale for dates and numbers: the user's own variant of the language, if there is one. */
export const locale = navigator.languages.find(tag => tag.toLowerCase().split('-')[0] === language) ?? language;
