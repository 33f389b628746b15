// SPDX-License-Identifier: Apache-2.0
import { settings } from '../core/settings.js';
import { isInTrash } from '../model/collections.js';
import { text } from '../text/text.js';
import * as actions from './photo-actions.js';
/** @typedef {import('./targets.js').Target} Target */

/**
 * @typedef {object} Command
 * @property {string} name
 * @property {string} label
 * @property {import('../core/icons.js').IconName} icon
 * @property {string} key The key, as in KeyboardEvent.key.
 * @property {(target: Target) => Promise<void>} run
 */

/**
 * What can be done with photos, in the grid and in the viewer.
 *
 * @type {Command[]}
 */
export const commands = [
    { name: 'favorite', label: text.favorite, icon: 'heart', key: 'f', run: actions.toggleFavorite },
    { name: 'turnLeft', label: text.turnLeft, icon: 'turnLeft', key: 'R', run: (/** @type {Target} */ target) => actions.turn(target, -90) },
    { name: 'turnRight', label: text.turnRight, icon: 'turnRight', key: 'r', run: (/** @type {Target} */ target) => actions.turn(target, 90) },
    { name: 'flip', label: text.flip, icon: 'flip', key: 'm', run: actions.flip },
    { name: 'undo', label: text.undo, icon: 'undo', key: 'z', run: actions.undo },
    { name: 'redo', label: text.redo, icon: 'redo', key: 'y', run: actions.redo },
    { name: 'hide', label: text.hide, icon: 'hide', key: 'h', run: actions.toggleHidden },
    { name: 'delete', label: text.delete, icon: 'trash', key: 'Delete', run: actions.remove },
];

/** @param {string} name @returns {Command} */
export function command(name) {
    return /** @type {Command} */ (commands.find(command => command.name === name));
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
    return commands.find(command => command.key === key)?.run;
}
