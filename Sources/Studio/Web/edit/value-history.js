// SPDX-License-Identifier: Apache-2.0

/** The values of a session, with undo and redo. The changes of one movement are one step. Sends `change`. */
export class ValueHistory extends EventTarget {
    /** @param {Values} values */
    constructor(values) {
        super();
        this.values = values;
        /** @type {Values[]} */
        this.past = [];
        /** @type {Values[]} */
        this.future = [];
        /** What is moving: changes of anything else begin a new step. */
        this.moving = '';
    }

    /** @param {Values} changes @param {string} [moving] What changes continually, until `settle`. */
    change(changes, moving = '') {
        if (isPart(changes, this.values)) return;
        if (!moving || moving !== this.moving) this.past.push(this.values);
        this.moving = moving;
        this.future = [];
        this.adopt({ ...this.values, ...changes });
    }

    /** Ends a movement. */
    settle() {
        this.moving = '';
    }

    /**
     * Adopts values that the extension has changed. They are part of the last step.
     *
     * @param {Values} changes
     */
    correct(changes) {
        if (!isPart(changes, this.values)) this.adopt({ ...this.values, ...changes });
    }

    undo() {
        this.go(this.past, this.future);
    }

    redo() {
        this.go(this.future, this.past);
    }

    /** @param {Values[]} from @param {Values[]} to */
    go(from, to) {
        const values = from.pop();
        if (!values) return;
        to.push(this.values);
        this.settle();
        this.adopt(values);
    }

    /** @param {Values} values */
    adopt(values) {
        this.values = values;
        this.dispatchEvent(new Event('change'));
    }
}

/**
 * Whether values are set already.
 *
 * @param {Values} changes
 * @param {Values} values
 */
export function isPart(changes, values) {
    return Object.entries(changes).every(([name, value]) => isEqual(value, values[name]));
}

/** @param {unknown} a @param {unknown} b */
export function isEqual(a, b) {
    return a === b || JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

/** @param {unknown} value The members of points and rectangles have no order. */
function sorted(value) {
    return value && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value).sort() : value;
}
