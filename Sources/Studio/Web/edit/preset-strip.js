// SPDX-License-Identifier: Apache-2.0
import { element, fill } from '../core/element.js';
import { printable } from '../core/printable.js';
import { text } from '../text/text.js';
import { localized } from './localized.js';
import { isPart } from './value-history.js';

/** The longest side of a thumbnail in pixels. */
const side = 192;

/** The extension's presets as thumbnails of this photo. They are requested one at a time, while nothing else is. */
export class PresetStrip {
    /** @param {import('./edit-session.js').EditSession} session @param {{ apply: (values: Values) => void, isBusy: () => boolean }} actions */
    constructor(session, actions) {
        this.session = session;
        this.actions = actions;
        this.isStopped = false;
        /** @type {AbortController | undefined} */
        this.inFlight = undefined;
        /** @type {Values} */
        this.values = session.details.values;
        const presets = session.details.offeredPresets ?? [];
        this.items = presets.map(preset => {
            const canvas = element('canvas', { class: 'preset-picture', width: 1, height: 1, 'aria-hidden': 'true' });
            const button = element('button', {
                type: 'button', class: 'preset', 'aria-pressed': 'false', onclick: () => actions.apply(preset.values),
            }, canvas, element('bdi', { class: 'preset-name' }, printable(localized(preset.label) || preset.name)));
            return { preset, canvas, button };
        });
        this.root = element('div', { class: 'presets', role: 'group', 'aria-label': text.presets, hidden: presets.length === 0 });
        fill(this.root, ...this.items.map(({ button }) => button));
    }

    /** Loads the thumbnails, with the values of the other parameters. */
    async load() {
        for (const item of this.items) {
            do {
                while (this.actions.isBusy() && !this.isStopped) await new Promise(resolve => setTimeout(resolve, 50));
                if (this.isStopped) return;
                this.inFlight = new AbortController();
                await this.render(item, this.inFlight.signal);
            } while (this.inFlight.signal.aborted);
        }
    }

    /**
     * @param {{ preset: { values: Values }, canvas: HTMLCanvasElement }} item
     * @param {AbortSignal} signal
     */
    async render({ preset, canvas }, signal) {
        try {
            const { picture } = await this.session.preview({ size: side }, this.values, preset.values, signal);
            canvas.width = picture.width;
            canvas.height = picture.height;
            canvas.getContext('2d')?.drawImage(picture, 0, 0);
            picture.close();
        } catch {
            // The preset can be chosen by its name.
        }
    }

    /**
     * Marks the presets whose values are set.
     *
     * @param {Values} values
     */
    show(values) {
        this.values = values;
        for (const { preset, button } of this.items) {
            button.setAttribute('aria-pressed', String(isPart(preset.values, values)));
        }
    }

    /** @param {boolean} isDisabled */
    disable(isDisabled) {
        for (const { button } of this.items) button.disabled = isDisabled;
    }

    stop() {
        this.isStopped = true;
        this.interrupt();
    }

    /** Cancels the request in flight. It is repeated when nothing else is requested. */
    interrupt() {
        this.inFlight?.abort();
    }
}
