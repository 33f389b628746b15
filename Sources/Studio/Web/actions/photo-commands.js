// SPDX-License-Identifier: Apache-2.0
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
