// SPDX-License-Identifier: Apache-2.0
import { get } from '../requests/request.js';

/** @type {Map<string, string>} */
const names = new Map();

/** Requests the names of the installed extensions. Without them, identifiers are shown. */
export async function loadExtensionNames() {
    const { extensions } = await get('/api/extensions');
    for (const { identifier, name } of extensions) if (name) names.set(identifier, name);
}

/**
 * The name of an extension. That of a missing one is the last part of its identifier.
 *
 * @param {string} identifier
 */
export function nameOfExtension(identifier) {
    return names.get(identifier) ?? identifier.split('.').pop() ?? identifier;
}
