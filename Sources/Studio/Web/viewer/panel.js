// SPDX-License-Identifier: Apache-2.0
import { forgetChanges } from '../actions/edit-places.js';
import { attempt } from '../actions/photo-actions.js';
import { get } from '../requests/request.js';
import { element, fill, update } from '../core/element.js';
import { changeSettings, settings } from '../core/settings.js';
import { text } from '../text/text.js';
import { editsPanel } from './edits-panel.js';
import { historyPanel } from './history-panel.js';
import { infoPanel } from './info-panel.js';
import { versionsPanel } from './versions-panel.js';
/** @typedef {import('../types.js').AssetDetails} AssetDetails */

/**
 * What the contents of the panel can do.
 *
 * @typedef {object} PanelActions
 * @property {(what: string, label: string) => void} compare
 * @property {((id: string, extension: import('../edit/edit-window.js').EditWindow['extension']) => void) | null} edit Opens an
 *     edit of a photo again; `null` if the photo cannot be changed.
 * @property {((work: () => Promise<string | void>) => void) | null} change Changes the photo, and then gives the focus to the
 *     button whose key is the result, by default to the same one; `null` if the photo cannot be changed.
 */

const tabs = /** @type {const} */ (['info', 'history', 'versions', 'edits']);
const contents = { info: infoPanel, history: historyPanel, versions: versionsPanel, edits: editsPanel };

/** Facts, history, versions and edits of a photo, as tabs. */
export class Panel {
    /**
     * @param {Pick<PanelActions, 'compare' | 'edit'>} actions
     */
    constructor(actions) {
        this.allActions = { ...actions, change: (/** @type {() => Promise<string | void>} */ work) => this.change(work) };
        /** Whether the photo can only be looked at, as in a library that cannot be changed or in the trash. */
        this.isReadOnly = false;
        /** The end of the last change. @type {Promise<void>} */
        this.changed = Promise.resolve();
        this.body = element('div', { class: 'panel-body', role: 'tabpanel', id: 'panel-body', tabindex: '0' });
        this.buttons = tabs.map(name => element('button', {
            type: 'button', role: 'tab', id: `tab-${name}`, class: 'tab', 'aria-controls': 'panel-body',
            onclick: () => this.select(name),
        }, text[name]));
        const list = element('div', {
            role: 'tablist', class: 'tabs', 'aria-label': text.details,
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
        }, ...this.buttons);
        this.root = element('aside', { class: 'panel', 'aria-label': text.details, hidden: true }, list, this.body);
        /** @type {AssetDetails | null} */
        this.details = null;
        /** The photo whose facts were requested last. @type {{ id: string, key: string } | null} */
        this.photo = null;
        this.request = new AbortController();
        this.wanted = '';
        /** @type {string | undefined} The key of the button that gets the focus when the new facts have arrived. */
        this.focused = undefined;
    }

    /** @returns {PanelActions} */
    get actions() {
        return this.isReadOnly ? { ...this.allActions, edit: null, change: null } : this.allActions;
    }

    /** @param {typeof tabs[number]} tab */
    select(tab) {
        changeSettings({ tab });
        this.render();
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        const isRightToLeft = getComputedStyle(this.root).direction === 'rtl';
        const forward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight';
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
        event.preventDefault();
        event.stopPropagation();
        const index = tabs.indexOf(settings.tab) + (event.key === forward ? 1 : tabs.length - 1);
        this.select(/** @type {typeof tabs[number]} */ (tabs[index % tabs.length]));
        this.buttons[index % tabs.length]?.focus();
    }

    /**
     * Shows a photo if the panel is open. Old facts stay until the new ones have arrived.
     *
     * @param {{ id: string, key: string }} photo
     */
    async show({ id, key }) {
        this.photo = { id, key };
        if (this.root.hidden || this.wanted === `${id} ${key}`) return;
        this.wanted = `${id} ${key}`;
        this.request.abort();
        const { signal } = this.request = new AbortController();
        try {
            const details = await get(`/api/assets/${encodeURIComponent(id)}`, signal);
            if (signal.aborted) return;
            this.wanted = `${id} ${details.key}`;
            this.details = details;
            forgetChanges(details);
            this.render();
        } catch (error) {
            if (!signal.aborted) fill(this.body, element('p', { class: 'quiet' }, error instanceof Error ? error.message : text.failed));
        }
    }

    /**
     * Changes the photo after the changes that were begun before. Its facts are older then.
     *
     * @param {() => Promise<string | void>} work The result is the key of the button that has the focus afterwards; by default
     *     the same one.
     */
    change(work) {
        const { details } = this;
        if (!details) return;
        const changed = this.changed.then(async () => {
            await attempt(async () => {
                const focused = await work();
                // By then, the focus may be on the button of a later change.
                if (focused && this.changed === changed && this.body.contains(document.activeElement)) this.focused = focused;
            });
            if (this.photo?.id !== details.id) return;
            this.expire();
            this.show(this.photo);
        });
        this.changed = changed;
    }

    /** Forgets the photo. */
    clear() {
        this.details = null;
        this.photo = null;
        this.expire();
    }

    /** Requests the facts again at the next `show`. */
    expire() {
        this.wanted = '';
    }

    render() {
        this.buttons.forEach((button, index) => {
            const isSelected = tabs[index] === settings.tab;
            update(button, 'aria-selected', String(isSelected));
            update(button, 'tabindex', isSelected ? '0' : '-1');
        });
        update(this.body, 'aria-labelledby', `tab-${settings.tab}`);
        const { activeElement } = document;
        const hadFocus = activeElement instanceof HTMLElement && activeElement !== this.body && this.body.contains(activeElement);
        const key = this.focused ?? (hadFocus ? activeElement.dataset.key : undefined);
        this.focused = undefined;
        if (this.details) fill(this.body, ...contents[settings.tab](this.details, this.actions));
        else fill(this.body, element('p', { class: 'quiet' }, text.loading));
        if (hadFocus) this.focus(key);
    }

    /**
     * Focuses the button with a key; if there is none, the panel.
     *
     * @param {string | undefined} key
     */
    focus(key) {
        const buttons = [.../** @type {NodeListOf<HTMLElement>} */ (this.body.querySelectorAll('[data-key]'))];
        (buttons.find(button => button.dataset.key === key) ?? this.body).focus();
    }
}
