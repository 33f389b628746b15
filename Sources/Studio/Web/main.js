// SPDX-License-Identifier: Apache-2.0
import { logIn, showLoggedOut, showUnreachable } from './requests/log-in.js';
import { get, login, RequestError } from './requests/request.js';
import { addAnnouncer } from './core/announcer.js';
import { StudioApp } from './studio-app.js';
import { language, text } from './text/text.js';

document.documentElement.lang = language;
document.title = text.library;
addAnnouncer();
login.addEventListener('loggedout', showLoggedOut);

/** Starts the page: logs in if the URL brings a token, and opens the library. */
async function start() {
    try {
        await logIn();
        const app = new StudioApp(await get('/api/state'));
        document.body.prepend(app);
    } catch (error) {
        if (error instanceof RequestError && error.status === 401) showLoggedOut();
        else showUnreachable();
    }
}

start();
