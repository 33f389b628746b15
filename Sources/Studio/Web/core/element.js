// SPDX-License-Identifier: Apache-2.0

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Makes an element. Strings become text, never markup.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes] Functions become listeners; `false` and `null` are omitted.
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
    node.append(...present(children));
    return node;
}

/**
 * Replaces the content of an element.
 *
 * @param {Element} parent
 * @param {Child[]} children
 */
export function fill(parent, ...children) {
    parent.replaceChildren(...present(children));
}

/**
 * Sets an attribute only if it differs, because every write costs the browser a style check.
 *
 * @param {Element} node
 * @param {string} name
 * @param {string | number | boolean | null | undefined} value
 */
export function update(node, name, value) {
    if (value === null || value === undefined || value === false) {
        if (node.hasAttribute(name)) node.removeAttribute(name);
        return;
    }
    const text = value === true ? '' : String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function present(children) {
    return /** @type {(Node | string)[]} */ (children.filter(child => child || child === ''));
}

/**
 * @param {HTMLElement} node
 * @param {string} name
 * @param {unknown} value
 */
function setAttribute(node, name, value) {
    if (typeof value === 'function') {
        node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value === true) {
        node.setAttribute(name, '');
    } else if (value !== false && value !== null && value !== undefined) {
        node.setAttribute(name, String(value));
    }
}
