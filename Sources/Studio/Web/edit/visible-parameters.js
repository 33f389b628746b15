// SPDX-License-Identifier: Apache-2.0


/**
 * The parameters that the form shows for some values, as `ExtensionManifest.visibleParameters(with:)` chooses them. A
 * parameter is shown if its condition is met by a parameter that is shown itself.
 *
 * @param {Parameter[]} parameters
 * @param {Values} values Missing values are the defaults.
 */
export function visibleParameters(parameters, values) {
    const byName = new Map(parameters.map(parameter => [parameter.name, parameter]));
    /** @type {Map<string, boolean>} */
    const isVisible = new Map();
    for (const parameter of parameters) {
        // Follows the conditions to a parameter that is resolved or unconditional, then resolves the chain backwards.
        /** @type {Parameter[]} */
        const waiting = [];
        for (let next = /** @type {Parameter | undefined} */ (parameter); next && !isVisible.has(next.name);) {
            // Provisional. Parameters in a circular chain remain hidden.
            isVisible.set(next.name, false);
            waiting.push(next);
            next = next.visibleWhen ? byName.get(next.visibleWhen.parameter) : undefined;
        }
        for (const one of waiting.reverse()) isVisible.set(one.name, isMet(one));
    }

    /** @param {Parameter} parameter */
    function isMet({ visibleWhen: condition }) {
        if (!condition) return true;
        const value = values[condition.parameter] ?? byName.get(condition.parameter)?.default;
        return isVisible.get(condition.parameter) === true && condition.in.some(allowed => allowed === value);
    }

    return parameters.filter(({ name }) => isVisible.get(name));
}
