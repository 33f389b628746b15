// SPDX-License-Identifier: Apache-2.0
/** @typedef {{ asset: string, extension: string, step?: number, values: Values }} KeptValues */

const name = 'studio-edit';

/**
 * Keeps the values of a session in this tab, in case the page is loaded again.
 *
 * @param {KeptValues} edit
 */
export function keep(edit) {
    try {
        sessionStorage.setItem(name, JSON.stringify(edit));
    } catch {
        // The values last until the page is closed.
    }
}

export function forget() {
    sessionStorage.removeItem(name);
}

/** @returns {KeptValues | null} */
export function kept() {
    try {
        const edit = JSON.parse(sessionStorage.getItem(name) ?? 'null');
        return typeof edit?.asset === 'string' && typeof edit.extension === 'string' && edit.values ? edit : null;
    } catch {
        return null;
    }
}
