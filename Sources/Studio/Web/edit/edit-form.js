// SPDX-License-Identifier: Apache-2.0
import { element } from '../core/element.js';
import { printable, untrusted } from '../core/printable.js';
import { text } from '../text/text.js';
import { ParameterRow } from './parameter-row.js';
import { localized } from './localized.js';
import { visibleParameters } from './visible-parameters.js';

const onPicture = ['point', 'points', 'rectangle'];

/** The controls of an extension's parameters, made from its manifest. */
export class EditForm {
    /** @param {Parameter[]} parameters @param {FormActions} actions */
    constructor(parameters, actions) {
        this.parameters = parameters;
        this.stage = actions.stage;
        this.rows = new Map(parameters.map(parameter => [parameter.name, new ParameterRow(parameter, actions)]));
        this.groups = groupsOf(parameters).map(({ title, members }) => {
            const rows = members.map(({ name }) => /** @type {ParameterRow} */ (this.rows.get(name)));
            const root = element('fieldset', { class: 'form-group' },
                title !== '' && element('legend', {}, untrusted(title)), ...rows.map(row => row.root));
            return { root, rows };
        });
        this.root = element('fieldset', { class: 'edit-form', 'aria-label': text.parameters }, ...this.groups.map(({ root }) => root),
            parameters.length === 0 && element('p', { class: 'quiet' }, text.noParameters));
    }

    /** @param {Values} values */
    show(values) {
        const visible = new Set(visibleParameters(this.parameters, values).map(({ name }) => name));
        for (const [name, row] of this.rows) row.show(values[name], visible.has(name));
        for (const { root, rows } of this.groups) root.hidden = rows.every(row => row.root.hidden);
    }

    /** @param {boolean} isDisabled */
    disable(isDisabled) {
        this.root.disabled = isDisabled;
    }

    /** The control whose handles are shown first: that of the crop, otherwise the first one. */
    get firstOverlay() {
        const visible = this.parameters.filter(({ name, type }) => onPicture.includes(type) && !this.rows.get(name)?.root.hidden);
        const first = visible.find(({ role }) => role === 'crop') ?? visible[0];
        return first ? this.rows.get(first.name)?.control.overlay ?? null : null;
    }

    /** The crop that is set on the picture now: it is shown without it. */
    get openCrop() {
        return this.parameters.find(({ name, type, role }) => {
            const overlay = this.rows.get(name)?.control.overlay;
            return type === 'rectangle' && role === 'crop' && overlay && this.stage.overlay === overlay;
        });
    }

    /**
     * Shows where a problem is, if the message names a parameter.
     *
     * @param {string} message
     */
    labelOf(message) {
        const named = this.parameters.find(({ name }) => message.includes(`"${name}"`));
        return named ? printable(localized(named.label) || named.name) : '';
    }
}

/**
 * First the parameters without a group, then the groups in the order of their first use. Groups with the same English
 * title are one.
 *
 * @param {Parameter[]} parameters
 */
function groupsOf(parameters) {
    /** @type {Map<string, { title: string, members: Parameter[] }>} */
    const groups = new Map([['', { title: '', members: [] }]]);
    for (const parameter of parameters) {
        const key = parameter.group ? `group ${localized(parameter.group, [])}` : '';
        const group = groups.get(key) ?? { title: localized(parameter.group), members: [] };
        groups.set(key, group);
        group.members.push(parameter);
    }
    return [...groups.values()].filter(({ members }) => members.length > 0);
}
