// SPDX-License-Identifier: Apache-2.0

/** @param {ControlContext} context @returns The attributes that name a control. */
export function naming({ labelId, helpId }) {
    return { 'aria-labelledby': labelId, 'aria-describedby': helpId };
}

/** @param {number} value @returns The number without the noise of binary fractions, such as 0.30000000000000004. */
export function clean(value) {
    return Math.abs(value) < 1e-12 ? 0 : Number(value.toPrecision(12));
}

/** @param {number} value @param {number} minimum @param {number} maximum */
export function clamp(value, minimum, maximum) {
    return Math.max(minimum, Math.min(maximum, value));
}
