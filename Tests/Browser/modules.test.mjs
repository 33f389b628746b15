// SPDX-License-Identifier: Apache-2.0
// The page's arithmetic, without a browser: node --test Tests/Browser/modules.test.mjs
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en-GB'] }, configurable: true });
globalThis.devicePixelRatio = 1;
// Node.js 18 has none.
globalThis.CustomEvent ??= class extends Event {
    constructor(type, options) {
        super(type);
        this.detail = options?.detail;
    }
};

const web = new URL('../../Sources/Studio/Web/', import.meta.url);
const load = path => import(new URL(path, web));
const { PositionMap } = await load('model/position-map.js');
const { PhotoView } = await load('model/photo-view.js');
const { Selection } = await load('model/selection.js');
const { Shapes } = await load('model/shapes.js');
const { Kind, layOut } = await load('layout/lines.js');
const { ZoomState } = await load('viewer/zoom-state.js');
const { fragmentOf, parseRoute } = await load('model/route.js');
const { queryOf } = await load('model/query.js');
const { printable } = await load('core/printable.js');
const { chosenLanguage } = await load('text/text.js');
const { localized } = await load('edit/localized.js');
const { fileSize } = await load('text/numbers.js');
const { PreviewLoop } = await load('edit/preview-loop.js');
const { ToneCurve } = await load('edit/tone-curve.js');
const { ValueHistory } = await load('edit/value-history.js');
const { visibleParameters } = await load('edit/visible-parameters.js');
const { RequestError } = await load('requests/request.js');
/** The cases that are also tested in Swift. */
const vectors = JSON.parse(readFileSync(new URL('form-vectors.json', import.meta.url), 'utf8'));

/** Random numbers that are the same in every run. */
function random(seed) {
    let state = seed;
    return limit => {
        state = (state * 1103515245 + 12345) % 2147483648;
        return Math.floor(state / 2147483648 * limit);
    };
}

/** A change of a list: what the server sends, and the list afterwards. */
function randomChange(list, next) {
    const removed = list.map((_, index) => index).filter(() => next(4) === 0);
    const left = list.filter((_, index) => !removed.includes(index));
    const inserted = [];
    const result = [...left];
    for (let count = next(5); count > 0; count--) {
        const place = next(result.length + 1);
        result.splice(place, 0, `new ${count}`);
    }
    result.forEach((item, index) => item.startsWith('new') && inserted.push(index));
    const moves = [];
    if (result.length > 1 && next(2) === 0) {
        const [from, to] = [next(result.length), next(result.length)];
        moves.push([from, to]);
        result.splice(to, 0, ...result.splice(from, 1));
    }
    return { removed, inserted, moves, result };
}

test('positions follow removals, insertions and moves', () => {
    const next = random(1);
    for (let run = 0; run < 500; run++) {
        const list = Array.from({ length: next(20) }, (_, index) => `photo ${index}`);
        const change = randomChange(list, next);
        const map = new PositionMap(change);
        list.forEach((photo, position) => assert.equal(map.moved(position), change.result.indexOf(photo)));
    }
});

/** The server's answer with the shapes of photos with these flags. */
function shapesOf(flags) {
    const bytes = new ArrayBuffer(16 + 8 * flags.length);
    new Uint32Array(bytes, 0, 4).set([0x48534845, 1, flags.length, 0]);
    new Uint16Array(bytes, 16 + 6 * flags.length, flags.length).set(flags);
    return bytes;
}

test('a change of some photos requests only their shapes, and one that moves photos requests all', async () => {
    const view = new PhotoView({}, 'v', '1@x', new Shapes(shapesOf([0, 0, 0, 0, 0, 0])), 3);
    const requests = [];
    const answers = [shapesOf([1, 2, 3]), shapesOf([4, 5, 6, 7, 8]), shapesOf([9]), shapesOf([5, 6, 7, 8, 9])];
    globalThis.fetch = async path => {
        requests.push(path);
        return new Response(answers.shift());
    };
    const follow = async (change, token) => {
        const changed = new Promise(resolve => view.addEventListener('change', resolve, { once: true }));
        view.follow({ view: 'v', removed: [], inserted: [], moves: [], ...change }, token);
        await changed;
        return [...view.shapes.flags];
    };
    assert.deepEqual(await follow({ changed: [2, 4], count: 6 }, '2@x'), [0, 0, 1, 2, 3, 0]);
    assert.deepEqual(await follow({ changed: [], removed: [0], count: 5 }, '3@x'), [4, 5, 6, 7, 8]);
    assert.deepEqual(await follow({ changed: [4], count: 5 }, '4@x'), [4, 5, 6, 7, 9]);
    // Photos that are farther apart than an answer has shapes.
    assert.deepEqual(await follow({ changed: [1, 4], count: 5 }, '5@x'), [5, 6, 7, 8, 9]);
    assert.deepEqual(requests, ['?from=2&count=3', '', '?from=4&count=1', ''].map(query => `/api/views/v/shapes${query}`));
});

test('rows are requested up to the limit of the server', async () => {
    const view = new PhotoView({}, 'v', '1@x', new Shapes(shapesOf([0, 0, 0, 0, 0, 0])), 3);
    const requests = [];
    globalThis.fetch = async path => {
        requests.push(path);
        return new Response('{"rows": [], "token": "1@x"}');
    };
    await view.loadRows(1, 5);
    await view.loadRows(1, 2);
    assert.deepEqual(requests, [3, 2].map(count => `/api/views/v/rows?from=1&count=${count}`));
});

test('a size and its unit stay on one line', () => {
    assert.deepEqual([17, 1_840_000, 15_200].map(fileSize), ['17\u00a0byte', '1.8\u00a0MB', '15\u00a0kB']);
});

test('the selection follows its photos, and selects no new ones', () => {
    const next = random(2);
    for (let run = 0; run < 500; run++) {
        const list = Array.from({ length: 20 }, (_, index) => `photo ${index}`);
        const selection = new Selection();
        for (let step = 0; step < 6; step++) {
            const [from, to] = [next(20), next(21)].sort((a, b) => a - b);
            if (next(3) === 0) selection.remove(from, to);
            else selection.add(from, to);
        }
        const chosen = new Set(selection.positions(100).map(position => list[position]));
        const { moves, ...change } = randomChange(list, next);
        if (moves.length > 0) continue;
        selection.follow(new PositionMap({ ...change, moves: [] }));
        const now = selection.positions(100).map(position => change.result[position]);
        assert.deepEqual(now, change.result.filter(photo => chosen.has(photo)));
    }
});

/** Shapes of photos over some days. */
function shapes(count, photosPerDay) {
    const bytes = new ArrayBuffer(16 + count * 8);
    const header = new DataView(bytes);
    header.setUint32(0, 0x48534845, true);
    header.setUint32(4, 1, true);
    header.setUint32(8, count, true);
    const next = random(3);
    const result = new Shapes(bytes);
    for (let position = 0; position < count; position++) {
        result.days[position] = 20000 - Math.floor(position / photosPerDay);
        result.aspects[position] = [2731, 4096, 5461, 6144, 7282, 65535][next(6)];
    }
    return result;
}

function finished(work) {
    for (;;) {
        const step = work.next();
        if (step.done) return step.value;
    }
}

const arrangement = { arrangement: 'rows', width: 1200, height: 200, gap: 4, headings: true, monthHeight: 60, dayHeight: 40 };

test('lines contain every photo once, fill the width and do not overlap', () => {
    for (const kind of ['rows', 'squares']) {
        const photos = shapes(5000, 9);
        const lines = finished(layOut(photos, { ...arrangement, arrangement: kind }));
        let position = 0;
        for (let line = 0; line < lines.count; line++) {
            assert.equal(lines.first(line), position);
            position = lines.end(line);
            assert.equal(lines.at(lines.top(line) + 1), line);
            if (line > 0) assert.ok(lines.top(line) >= lines.bottom(line - 1) - 1);
            if (lines.kind(line) === Kind.photos) assert.equal(lines.kind(lines.of(lines.first(line))), Kind.photos);
        }
        assert.equal(position, 5000);
    }
});

test('heights of rows are near the wanted one', () => {
    const lines = finished(layOut(shapes(20000, 100000), { ...arrangement, headings: false }));
    for (let line = 1; line < lines.count - 1; line++) {
        const height = lines.bottom(line) - lines.top(line);
        assert.ok(height > 110 && height < 380, `line ${line} is ${height} px high`);
    }
});

test('a million photos are laid out in slices of less than 16 ms', () => {
    const work = layOut(shapes(1_000_000, 27), arrangement);
    const times = [];
    for (let step = { done: false }; !step.done;) {
        const start = performance.now();
        step = work.next();
        times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    assert.ok(times[Math.floor(times.length * 0.99)] < 8, `99 of 100 slices take ${times[Math.floor(times.length * 0.99)]} ms`);
});

test('zooming keeps the point under the pointer', () => {
    const state = new ZoomState();
    state.stage = { width: 1000, height: 600 };
    state.picture = { width: 6000, height: 4000 };
    state.zoomTo(4, { x: 500, y: 300 });
    const before = state.box();
    const point = { x: 620, y: 250 };
    const share = (point.x - before.left) / before.width;
    state.zoomTo(7, point);
    const after = state.box();
    assert.ok(Math.abs(after.left + share * after.width - point.x) < 1e-6);
});

test('a zoomed picture covers the stage, and a fitting one is in its middle', () => {
    const state = new ZoomState();
    state.stage = { width: 1000, height: 600 };
    state.picture = { width: 6000, height: 4000 };
    const fit = state.box();
    assert.ok(Math.abs(fit.left - (1000 - fit.width) / 2) < 1e-9);
    state.zoomTo(state.actualZoom);
    state.pan(1e6, -1e6);
    const { left, top, width, height } = state.box();
    assert.equal(Math.round(width), 6000);
    assert.ok(left <= 1e-6 && top <= 1e-6 && left + width >= 1000 - 1e-6 && top + height >= 600 - 1e-6);
});

test('the fragment of a route gives the route again', () => {
    const route = {
        source: 'album', collection: 'a b&c', search: 'fig #1', photo: '3f2a',
        filter: { kind: 'live', favorite: true, edited: false, missing: false, hidden: true, stars: 4, from: '2024-05-31', to: '' },
    };
    assert.deepEqual(parseRoute(fragmentOf(route)), route);
});

test('filters become predicates', () => {
    const route = parseRoute('#in=favorites&stars=3&from=2024-05-31');
    assert.deepEqual(queryOf(route, true), {
        predicate: { and: [{ isFavorite: true }, { rating: { atLeast: 3 } }, { date: { clock: { atLeast: 1717113600 } } }] },
        sort: [{ key: 'creationDate', isAscending: false }],
    });
});

test('control characters, bidirectional controls and invisible characters are escaped', () => {
    assert.equal(printable('a\u202egpj\u0000\u200b'), 'a\\u{202e}gpj\\u{0}\\u{200b}');
    assert.equal(printable('two\nlines'), 'two lines');
    assert.equal(printable('👨‍👩‍👧 می‌خواهم'), '👨‍👩‍👧 می‌خواهم');
});

test('languages are looked up by RFC 4647', () => {
    assert.equal(chosenLanguage(['fr-CH', 'de-AT-1996', 'en']), 'de');
    assert.equal(chosenLanguage(['ja']), 'en');
});

test('curves have the values of the vectors', () => {
    for (const { name, points, values } of vectors.curves) {
        const curve = new ToneCurve(points);
        for (const [x, y] of values) assert.ok(Math.abs(curve.value(x) - y) < 1e-12, `${name}: ${curve.value(x)} at ${x}`);
    }
});

test('the visible parameters are those of the vectors', () => {
    for (const { name, parameters, cases } of vectors.conditions) {
        for (const { values, visible } of cases) {
            assert.deepEqual(visibleParameters(parameters, values).map(parameter => parameter.name), visible, name);
        }
    }
});

test('texts of a manifest are looked up by RFC 4647, then in English, then by the first tag', () => {
    const texts = { 'de': 'Stärke', 'en': 'Strength', 'zh-Hant': '強度' };
    assert.equal(localized(texts, ['de-AT-1996']), 'Stärke');
    assert.equal(localized(texts, ['zh-Hant-TW', 'de']), '強度');
    assert.equal(localized(texts, ['fr']), 'Strength');
    assert.equal(localized({ 'pt-BR': 'Força', 'fr': 'Force' }, ['ja']), 'Force');
    assert.equal(localized({ 'sl': 'Moč' }, ['sl-x-private']), 'Moč');
    assert.equal(localized('Plain', ['de']), 'Plain');
});

test('the changes of one movement are one step of undo', () => {
    const history = new ValueHistory({ a: 0, b: 0 });
    for (const value of [1, 2, 3]) history.change({ a: value }, 'a');
    history.settle();
    history.change({ b: 5 });
    history.change({ b: 5 });
    history.correct({ b: 6 });
    history.undo();
    assert.deepEqual(history.values, { a: 3, b: 0 });
    history.undo();
    assert.deepEqual(history.values, { a: 0, b: 0 });
    history.undo();
    history.redo();
    history.redo();
    assert.deepEqual(history.values, { a: 3, b: 6 });
    history.undo();
    history.change({ a: 9 });
    history.redo();
    assert.deepEqual(history.values, { a: 9, b: 0 });
});

/** A preview loop whose answers the test gives, with the clock of the test. */
function loopWith(t, sizes) {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const log = { requests: [], shown: [], failures: [] };
    const loop = new PreviewLoop({
        sizes: () => sizes,
        request: (request, signal) => new Promise((answer, fail) => {
            log.requests.push({ ...request, answer, fail, signal });
            signal.addEventListener('abort', () => fail(new Error('aborted')));
        }),
        show: (frame, { revision }, isNewest) => log.shown.push([frame, revision, isNewest]),
        fail: error => log.failures.push(error),
    });
    const turn = () => new Promise(resolve => setImmediate(resolve));
    return { loop, log, turn };
}

test('one request is in flight, only the newest waits, and the last frame is that of the final value', async t => {
    const { loop, log, turn } = loopWith(t, { moving: 1024, resting: 2048, detail: 2048, region: null });
    for (let value = 0; value < 5; value++) loop.change();
    assert.equal(log.requests.length, 1);
    log.requests[0].answer('first');
    await turn();
    assert.equal(log.requests.length, 2);
    log.requests[1].answer('second');
    await turn();
    assert.equal(log.requests.length, 2);
    t.mock.timers.tick(150);
    log.requests[2].answer('sharp');
    await turn();
    assert.deepEqual(log.requests.map(({ size }) => size), [1024, 1024, 2048]);
    assert.deepEqual(log.shown, [['first', 1, false], ['second', 2, true], ['sharp', 3, true]]);
});

test('a sharp request gives way to a movement, and its frame is not shown', async t => {
    const { loop, log, turn } = loopWith(t, { moving: 1024, resting: 2048, detail: 2048, region: null });
    loop.change();
    log.requests[0].answer('first');
    await turn();
    t.mock.timers.tick(150);
    loop.change();
    await turn();
    assert.ok(log.requests[1].signal.aborted);
    log.requests[2].answer('second');
    await turn();
    assert.deepEqual(log.shown.map(([frame]) => frame), ['first', 'second']);
});

test('at rest, a zoomed picture gets its visible region for the final value', async t => {
    const region = { x: 10, y: 20, width: 300, height: 200 };
    const { loop, log, turn } = loopWith(t, { moving: 1024, resting: 2048, detail: 2048, region });
    loop.change();
    t.mock.timers.tick(150);
    log.requests[0].answer('whole');
    await turn();
    assert.deepEqual(log.requests[1].region, region);
    log.requests[1].answer('detail');
    await turn();
    assert.equal(log.requests.length, 2);
});

test('a region is requested again when the stage shows more of its pixels', async t => {
    const sizes = { moving: 500, resting: 500, detail: 900, region: { x: 0, y: 0, width: 3000, height: 2000 } };
    const { loop, log, turn } = loopWith(t, sizes);
    loop.change();
    t.mock.timers.tick(150);
    for (const answer of ['whole', 'detail']) {
        log.requests.at(-1).answer(answer);
        await turn();
    }
    sizes.detail = 1600;
    loop.look();
    t.mock.timers.tick(150);
    log.requests.at(-1).answer('larger');
    await turn();
    assert.deepEqual(log.requests.map(({ size }) => size), [500, 900, 1600]);
    assert.equal(loop.valueRevision, 1);
});

test('after a revision that the server had seen, the next ones are larger; other errors are not repeated', async t => {
    const { loop, log, turn } = loopWith(t, { moving: 1024, resting: 1024, detail: 1024, region: null });
    loop.change();
    log.requests[0].fail(new RequestError(409, 'superseded', ''));
    await turn();
    assert.equal(log.requests[1].revision, 102);
    log.requests[1].fail(new RequestError(400, 'invalidValue', ''));
    await turn();
    t.mock.timers.tick(1000);
    assert.equal(log.requests.length, 2);
    assert.equal(log.failures.length, 1);
});
