// SPDX-License-Identifier: Apache-2.0
import { text } from '../text/text.js';
import * as actions from './photo-actions.js';
/** @typedef {import('./targets.js').Target} Target */

/**
 * @typedef {object} Command
 * @property {string} name
 * @property {string} label
 * @property {import('../core/icons.js').IconName} icon
 * @property {(target: Target) => Promise<void>} run
 */

/**
 * What can be done with photos, in the grid and in the viewer.
 *
 * @type {Command[]}
 */
export const commands = [
    { name: 'favorite', label: text.favorite, icon: 'heart', run: actions.toggleFavorite },
    { name: 'turnLeft', label: text.turnLeft, icon: 'turnLeft', run: (/** @type {Target} */ target) => actions.turn(target, -90) },
    { name: 'turnRight', label: text.turnRight, icon: 'turnRight', run: (/** @type {Target} */ target) => actions.turn(target, 90) },
    { name: 'flip', label: text.flip, icon: 'flip', run: actions.flip },
    { name: 'undo', label: text.undo, icon: 'undo', run: actions.undo },
    { name: 'redo', label: text.redo, icon: 'redo', run: actions.redo },
    { name: 'hide', label: text.hide, icon: 'hide', run: actions.toggleHidden },
    { name: 'delete', label: text.delete, icon: 'trash', run: actions.remove },
];

/** @param {string} name @returns {Command} */
export function command(name) {
    return /** @type {Command} */ (commands.find(command => command.name === name));
}
