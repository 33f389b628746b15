// SPDX-License-Identifier: Apache-2.0
import { get } from '../requests/request.js';

/** How often the progress of a conversion is requested, in milliseconds. */
const interval = 400;

/**
 * The address of a video, or of the motion of a Live Photo. It contains the content key, so an edited one has another.
 *
 * @param {{ id: string, key: string }} asset
 */
export function videoURL({ id, key }) {
    return `/videos/${encodeURIComponent(id)}/${encodeURIComponent(key)}.mp4`;
}

/**
 * Reports the progress of a conversion until the signal ends it.
 *
 * @param {string} id The asset.
 * @param {AbortSignal} signal
 * @param {(progress: number) => void} report Called with the completed fraction.
 * @returns {Promise<void>}
 */
export async function followConversion(id, signal, report) {
    while (!signal.aborted) {
        await pause(signal);
        if (signal.aborted) return;
        const { state, progress } = await get(`/api/assets/${encodeURIComponent(id)}/video`, signal);
        if (!signal.aborted && state === 'converting') report(progress);
    }
}

/** @param {AbortSignal} signal @returns {Promise<void>} */
function pause(signal) {
    return new Promise(resolve => {
        const timer = setTimeout(resolve, interval);
        signal.addEventListener('abort', () => {
            clearTimeout(timer);
            resolve();
        }, { once: true });
    });
}
