// SPDX-License-Identifier: Apache-2.0
import { settings } from '../core/settings.js';
import { isInTrash } from '../model/collections.js';
import * as actions from './photo-actions.js';
import { commands } from './photo-commands.js';
/** @typedef {import('./targets.js').Target} Target */

/**
 * The keys of the commands by name, as in KeyboardEvent.key. The digits set the stars.
 *
 * @type {Record<string, string>}
 */
export const photoKeys = {
    favorite: 'f', turnLeft: 'R', turnRight: 'r', flip: 'm', undo: 'z', redo: 'y', hide: 'h', delete: 'Delete',
};

/**
 * Returns the text on the key of a command.
 *
 * @param {string} name
 */
export function keyLabel(name) {
    const key = /** @type {string} */ (photoKeys[name]);
    if (key === 'Delete') return 'Del';
    return key === key.toUpperCase() ? `⇧ ${key}` : key.toUpperCase();
}

/**
 * Runs the command of a key.
 *
 * @param {KeyboardEvent} event
 * @param {() => Target | null} target
 * @returns {boolean} Whether there is one.
 */
export function runKey(event, target) {
    const run = actionOf(event);
    const photos = run && target();
    if (!run || !photos || photos.ranges.length === 0 || isInTrash(photos.view)) return false;
    event.preventDefault();
    run(photos);
    return true;
}

/**
 * @param {KeyboardEvent} event
 * @returns {((target: Target) => Promise<void>) | undefined}
 */
function actionOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
    if (altKey) return undefined;
    if (ctrlKey || metaKey) {
        if (key.toLowerCase() === 'z') return shiftKey ? actions.redo : actions.undo;
        return key === 'y' ? actions.redo : undefined;
    }
    if (key === 'Delete' || key === 'Backspace') return actions.remove;
    if (!settings.shortcuts) return undefined;
    if (/^[0-5]$/.test(key)) return target => actions.rate(target, Number(key));
    return commands.find(command => photoKeys[command.name] === key)?.run;
}
