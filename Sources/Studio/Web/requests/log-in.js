// SPDX-License-Identifier: Apache-2.0
import { element } from '../core/element.js';
import { text } from '../text/text.js';
import { send } from './request.js';

/** Exchanges the token in the fragment of the first URL for a cookie, and removes it from the history. */
export async function logIn() {
    const values = new URLSearchParams(location.hash.slice(1));
    const token = values.get('token');
    if (!token) return;
    values.delete('token');
    history.replaceState(null, '', values.size === 0 ? '/' : `/#${values}`);
    await send('POST', '/api/login', { token });
}

/** Explains how to log in. It takes the place of the page. */
export function showLoggedOut() {
    if (document.querySelector('.logged-out')) return;
    document.body.replaceChildren(element('main', { class: 'logged-out' },
        element('h1', {}, text.loggedOut), element('p', {}, text.loggedOutNote)));
}
