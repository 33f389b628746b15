// SPDX-License-Identifier: Apache-2.0
import { goToState } from '../actions/edit-actions.js';
import { element } from '../core/element.js';
import { changeDate } from '../text/dates.js';
import { text } from '../text/text.js';
import { cardButton } from './card-button.js';
import { extensionName, valuesList } from './values.js';
/** @typedef {import('../types.js').AssetDetails} AssetDetails */

/**
 * The states of a photo, the newest first.
 *
 * @param {AssetDetails} details
 * @param {import('./panel.js').PanelActions} actions
 * @returns {Node[]}
 */
export function historyPanel(details, actions) {
    const states = [...details.history ?? []].reverse();
    if (states.length <= 1) return [element('p', { class: 'quiet' }, text.noEdits)];
    return [element('ol', { class: 'cards' }, ...states.map(state => card(details, state, actions)))];
}

/**
 * @param {AssetDetails} details
 * @param {import('../types.js').HistoryState} state
 * @param {import('./panel.js').PanelActions} actions
 */
function card(details, state, { compare, change }) {
    const isOriginal = state.state === 0;
    const name = isOriginal ? text.original : text.state(state.state);
    return element('li', { class: 'card', 'aria-current': state.isCurrent && 'true' },
        element('div', { class: 'card-title' },
            isOriginal ? element('span', {}, text.original) : extensionName(state.extension),
            state.isCurrent && element('span', { class: 'tag' }, text.currentState)),
        element('div', { class: 'quiet' }, changeDate(state.date)),
        valuesList(state.values),
        !state.isCurrent && element('div', { class: 'card-buttons' },
            change && cardButton(text.goToState, name, `open ${state.state}`, () => change(() => goToState(details, state.state))),
            cardButton(text.compare, name, `compare ${state.state}`,
                () => compare(isOriginal ? 'original' : `state/${state.state}`, name))));
}
