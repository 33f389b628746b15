// SPDX-License-Identifier: Apache-2.0

/**
 * The number of a change in a change token, such as 12 in `12@…`. Later changes have larger numbers.
 *
 * @param {string | null | undefined} token
 */
export function momentOf(token) {
    return Number.parseInt(token ?? '', 10) || 0;
}
