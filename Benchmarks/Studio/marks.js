// SPDX-License-Identifier: Apache-2.0

/** Measures when the page has painted something. */
window.marks = {
    /** The end of the next paint: a message that is sent while a frame is prepared arrives after it. */
    painted() {
        return new Promise(resolve => requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now());
            port2.postMessage(0);
        }));
    },

    /** Waits, frame by frame, until a condition holds, and gives the time when that is on the screen. */
    async until(condition) {
        while (!condition()) await new Promise(requestAnimationFrame);
        return marks.painted();
    },

    everyPicture() {
        return marks.until(() => {
            const grid = document.querySelector('.grid-scroller')?.getBoundingClientRect();
            const cells = grid ? [...document.querySelectorAll('.cell')].filter(cell => {
                const box = cell.getBoundingClientRect();
                return box.bottom > grid.top && box.top < grid.bottom;
            }) : [];
            return cells.length > 5 && cells.every(cell => {
                const image = cell.querySelector('img');
                return image.getAttribute('src') && image.complete && image.naturalWidth > 0;
            });
        });
    },

    /** The first drawing of a canvas after now. */
    frame() {
        const count = marks.frames;
        return marks.until(() => marks.frames > count);
    },

    /** Measures from the next event of a type: sets `watched` to the milliseconds until a promise of this name. */
    watch(type, name) {
        marks.watched = new Promise(resolve => addEventListener(type, async () => {
            const start = performance.now();
            // What was shown before is not shown any more in the next frame.
            if (name !== 'frame') await new Promise(requestAnimationFrame);
            resolve(await marks[name]() - start);
        }, { capture: true, once: true }));
    },

    /** Sets `watched` to the time of the day when the label of an element has changed. */
    labelChange(selector) {
        const label = () => document.querySelector(selector)?.getAttribute('aria-label');
        const old = label();
        marks.watched = marks.until(() => label() !== old).then(time => performance.timeOrigin + time);
    },

    async scroll(seconds, speed) {
        const grid = document.querySelector('.grid-scroller');
        let longest = 0, elements = 0, blank = 0;
        const observer = new PerformanceObserver(list => {
            for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
        });
        observer.observe({ entryTypes: ['longtask'] });
        const since = new Map();
        const start = performance.now();
        for (let last = start; last - start < seconds * 1000;) {
            const now = await new Promise(requestAnimationFrame);
            grid.scrollTop += (now - last) / 1000 * speed;
            last = now;
            elements = Math.max(elements, document.querySelectorAll('*').length);
            const box = grid.getBoundingClientRect();
            const blanks = new Set();
            for (const cell of document.querySelectorAll('.cell')) {
                const place = cell.getBoundingClientRect();
                if (place.bottom <= box.top || place.top >= box.bottom) continue;
                const image = cell.querySelector('img');
                if (image.complete && image.naturalWidth > 0) continue;
                blanks.add(cell.id);
                if (!since.has(cell.id)) since.set(cell.id, now);
                blank = Math.max(blank, now - since.get(cell.id));
            }
            for (const id of since.keys()) if (!blanks.has(id)) since.delete(id);
        }
        observer.disconnect();
        return { longest, elements, blank };
    },

    frames: 0,
};

const draw = CanvasRenderingContext2D.prototype.drawImage;
CanvasRenderingContext2D.prototype.drawImage = function (...parameters) {
    if (this.canvas.classList.contains('frame-whole')) marks.frames += 1;
    return draw.apply(this, parameters);
};
