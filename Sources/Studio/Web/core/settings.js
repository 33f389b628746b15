// SPDX-License-Identifier: Apache-2.0

/** What the user has chosen in this browser. */
const defaults = {
    /** @type {'rows' | 'squares'} */
    arrangement: 'rows',
    /** The size of the pictures in the grid, -2 to 2. */
    size: 0,
    /** @type {'newest' | 'oldest'} */
    order: 'newest',
    shortcuts: true,
    panel: false,
    /** @type {'info' | 'history' | 'versions' | 'edits'} */
    tab: 'info',
};

const name = 'studio-settings';

export const settings = { ...defaults, ...stored() };

/**
 * Changes settings and stores them.
 *
 * @param {Partial<typeof defaults>} changes
 */
export function changeSettings(changes) {
    Object.assign(settings, changes);
    try {
        localStorage.setItem(name, JSON.stringify(settings));
    } catch {
        // The settings last until the page is closed.
    }
}

/** @returns {Partial<typeof defaults>} */
function stored() {
    try {
        const value = JSON.parse(localStorage.getItem(name) ?? '{}');
        return Object.fromEntries(Object.entries(defaults)
            .filter(([key, standard]) => typeof value[key] === typeof standard)
            .map(([key]) => [key, value[key]]));
    } catch {
        return {};
    }
}
