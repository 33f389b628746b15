// SPDX-License-Identifier: Apache-2.0
import { element } from '../core/element.js';
import { text } from '../text/text.js';
import { get, send } from './request.js';

/** Exchanges the token in the fragment of the first URL for a cookie, and removes it from the history. */
export async function logIn() {
    const values = new URLSearchParams(location.hash.slice(1));
    const token = values.get('token');
    if (!token) return;
    values.delete('token');
    history.replaceState(null, '', values.size === 0 ? '/' : `/#${values}`);
    await send('POST', '/api/login', { token });
}

/** Explains how to log in, in place of the page. Once the browser is logged in again, the page is loaded again. */
export function showLoggedOut() {
    show(text.loggedOut, text.loggedOutNote);
}

/** Says that the server cannot be reached, in place of the page. */
export function showUnreachable() {
    show(text.unreachable, text.unreachableNote);
}

/**
 * @param {string} title
 * @param {string} note
 */
function show(title, note) {
    if (document.querySelector('.logged-out')) return;
    document.body.replaceChildren(element('main', { class: 'logged-out' }, element('h1', {}, title), element('p', {}, note)));
    for (const type of ['focus', 'visibilitychange', 'hashchange']) addEventListener(type, retry);
}

async function retry() {
    try {
        await logIn();
        await get('/api/state');
        location.reload();
    } catch {
        // The page still says why.
    }
}
