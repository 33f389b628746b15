// SPDX-License-Identifier: Apache-2.0

/** The time of a slice in milliseconds. A frame has 16. */
const slice = 8;

/**
 * Runs a generator to its end, in slices between which the browser can paint and answer.
 *
 * @template Result
 * @param {Generator<void, Result>} work
 * @param {AbortSignal} [signal]
 * @returns {Promise<Result>}
 */
export async function runInSlices(work, signal) {
    for (;;) {
        const end = performance.now() + slice;
        while (performance.now() < end) {
            const step = work.next();
            if (step.done) return step.value;
        }
        await nextTask();
        signal?.throwIfAborted();
    }
}

/** @returns {Promise<void>} */
function nextTask() {
    return new Promise(resolve => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
            port1.close();
            resolve();
        };
        port2.postMessage(null);
    });
}
