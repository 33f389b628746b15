// SPDX-License-Identifier: Apache-2.0
import { attempt } from '../../actions/photo-actions.js';
import { textButton } from '../../core/buttons.js';
import { element, fill } from '../../core/element.js';
import { printable, untrusted } from '../../core/printable.js';
import { text } from '../../text/text.js';
import { naming } from './control.js';

/**
 * One of the extension's files, or a file from this machine, which the server stores by its hash.
 *
 * @param {ControlContext} context
 * @returns {Control}
 */
export function fileControl(context) {
    const { session, change } = context;
    const { hashedFiles = [] } = session.details.extension;
    /** @type {Map<string, string>} The names of files that were chosen here, by their hashes. */
    const names = new Map();
    const shown = element('span', { class: 'file-name' });
    const input = element('input', {
        type: 'file', class: 'hidden-text', tabindex: '-1', 'aria-hidden': 'true',
        onchange: () => {
            const file = input.files?.[0];
            input.value = '';
            if (file) attempt(() => store(file));
        },
    });
    const choose = textButton(text.chooseFile, () => input.click(), { 'aria-describedby': context.labelId });
    const remove = textButton(text.removeFile, () => change(''), { class: 'text-button' });
    const select = hashedFiles.length > 0 && element('select', { class: 'select', ...naming(context), onchange: () => change(select && select.value) },
        element('option', { value: '' }, text.noFile), ...hashedFiles.map(name => element('option', { value: name }, printable(name))));

    /** @param {File} file */
    async function store(file) {
        choose.disabled = true;
        try {
            const name = await session.store(file);
            names.set(name, file.name);
            change(name);
        } finally {
            choose.disabled = false;
        }
    }

    return {
        root: element('div', { class: 'file-row', role: 'group', ...naming(context) }, select, shown, choose, remove, input),
        set: value => {
            const name = String(value ?? '');
            if (select) select.value = hashedFiles.includes(name) ? name : '';
            shown.hidden = hashedFiles.includes(name) || (name === '' && hashedFiles.length > 0);
            fill(shown, name ? untrusted(names.get(name) ?? name.split('/').pop()) : element('span', { class: 'quiet' }, text.noFile));
            remove.hidden = name === '';
        },
    };
}
