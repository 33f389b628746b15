// SPDX-License-Identifier: Apache-2.0
import { momentOf } from './change-token.js';
import { get } from './request.js';

/**
 * @typedef {{ kind: 'who' }
 *   | { kind: 'views', tab: string, views: string[], token: string }
 *   | { kind: 'left', tab: string }
 *   | { kind: 'event', type: string, data: string, token: string }
 *   | { kind: 'online', online: boolean }} Message
 */

const types = ['view', 'assets', 'collections', 'reset', 'jobs', 'session', 'heartbeat'];

/**
 * The server's events, from one stream for all tabs of the browser: a browser opens at most six connections, and
 * every stream takes one. The tab that holds a Web Lock reads the stream and passes the events on by a
 * BroadcastChannel. When it is closed, another one gets the lock.
 *
 * Sends a CustomEvent with the data for each event of the server, and `online` or `offline`.
 */
export class EventFeed extends EventTarget {
    /** @param {string} token The change token from which to read. */
    constructor(token) {
        super();
        this.tab = crypto.randomUUID();
        this.token = token;
        /** @type {string[]} */
        this.views = [];
        this.online = true;
        /** @type {Leader | null} */
        this.leader = null;
        this.channel = new BroadcastChannel('studio-events');
        this.channel.onmessage = ({ data }) => this.receive(data);
        addEventListener('pagehide', () => this.post({ kind: 'left', tab: this.tab }));
        addEventListener('pageshow', ({ persisted }) => persisted && this.announce());
        this.waitToLead();
    }

    /**
     * Sets the views of this tab.
     *
     * @param {string[]} views
     * @param {string} token The change token of the newest view.
     */
    follow(views, token) {
        this.views = views;
        this.token = token;
        this.announce();
    }

    announce() {
        this.post({ kind: 'views', tab: this.tab, views: this.views, token: this.token });
    }

    /** @param {Message} message Is sent to all tabs, this one included. */
    post(message) {
        this.channel.postMessage(message);
        this.receive(message);
    }

    /** @param {Message} message */
    receive(message) {
        this.leader?.receive(message);
        if (message.kind === 'who') this.announce();
        if (message.kind === 'event') this.deliver(message.type, message.data, message.token);
        if (message.kind === 'online') this.setOnline(message.online);
    }

    /**
     * @param {string} type
     * @param {string} data
     * @param {string} token
     */
    deliver(type, data, token) {
        if (token) this.token = token;
        this.dispatchEvent(new CustomEvent(type, { detail: { token, ...JSON.parse(data || '{}') } }));
    }

    /** @param {boolean} online */
    setOnline(online) {
        if (online === this.online) return;
        this.online = online;
        this.dispatchEvent(new Event(online ? 'online' : 'offline'));
    }

    async waitToLead() {
        await navigator.locks.request('studio-events', () => {
            this.leader = new Leader(message => this.post(message), this.token);
            this.post({ kind: 'who' });
            return new Promise(() => {});
        });
    }
}

/** Reads the stream for all tabs. */
class Leader {
    /**
     * @param {(message: Message) => void} post
     * @param {string} token
     */
    constructor(post, token) {
        this.post = post;
        this.token = token;
        /** @type {Map<string, string[]>} */
        this.tabs = new Map();
        /** @type {EventSource | null} */
        this.source = null;
        this.url = '';
        this.timer = 0;
        this.failures = 0;
    }

    /** @param {Message} message */
    receive(message) {
        if (message.kind === 'views') this.add(message);
        else if (message.kind === 'left') this.tabs.delete(message.tab);
        else return;
        this.openIn(10);
    }

    /** @param {{ tab: string, views: string[], token: string }} message */
    add({ tab, views, token }) {
        const known = new Set([...this.tabs.values()].flat());
        this.tabs.set(tab, views);
        // The stream may be ahead of a new view. Pages ignore events that they have had.
        if (views.some(view => !known.has(view)) && momentOf(token) < momentOf(this.token)) this.token = token;
    }

    /** @param {number} delay So that several announcements open one stream. */
    openIn(delay) {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.open(), delay);
    }

    open() {
        const views = [...new Set([...this.tabs.values()].flat())].sort();
        const url = views.map(view => `view=${encodeURIComponent(view)}`).join('&');
        if (this.source && this.source.readyState !== EventSource.CLOSED && url === this.url) return;
        this.url = url;
        this.source?.close();
        const since = `since=${encodeURIComponent(this.token)}`;
        this.source = new EventSource(`/api/events?${url ? `${url}&` : ''}${since}`);
        this.listen(this.source);
    }

    /** @param {EventSource} source */
    listen(source) {
        source.onopen = () => {
            this.failures = 0;
            this.post({ kind: 'online', online: true });
        };
        source.onerror = () => this.fail(source);
        for (const type of types) {
            source.addEventListener(type, ({ data, lastEventId }) => {
                if (lastEventId) this.token = lastEventId;
                this.post({ kind: 'event', type, data, token: lastEventId });
            });
        }
    }

    /** @param {EventSource} source */
    fail(source) {
        if (source !== this.source) return;
        this.failures += 1;
        if (this.failures > 1) {
            this.post({ kind: 'online', online: false });
            // An EventSource does not report the status. This finds out whether the login has ended.
            get('/api/state').catch(() => {});
        }
        source.close();
        this.openIn(Math.min(5000, 250 * 2 ** this.failures));
    }
}
