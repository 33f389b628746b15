// SPDX-License-Identifier: Apache-2.0

/** An answer of the server that is not a success. Its message is for the user. */
export class RequestError extends Error {
    /**
     * @param {number} status 0 if the server cannot be reached.
     * @param {string} code
     * @param {string} message
     * @param {Record<string, any>} [details] The other members of the error.
     */
    constructor(status, code, message, details = {}) {
        super(message);
        this.status = status;
        this.code = code;
        this.details = details;
    }
}

/** Sends `loggedout` when a request was rejected because the login has ended. */
export const login = new EventTarget();

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function get(path, signal) {
    return (await request('GET', path, undefined, signal)).json();
}

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 */
export async function getBytes(path, signal) {
    return (await request('GET', path, undefined, signal)).arrayBuffer();
}

/**
 * Sends a change. The result is `null` if the server answers without content.
 *
 * @param {'POST' | 'PATCH' | 'PUT' | 'DELETE'} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
export async function send(method, path, body = {}) {
    const response = await request(method, path, body);
    const content = await response.text();
    return content ? JSON.parse(content) : null;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} body The bytes of a file, otherwise JSON.
 * @param {AbortSignal} [signal]
 */
export async function request(method, path, body, signal) {
    const isFile = body instanceof Blob;
    const response = await fetch(path, {
        method, signal,
        body: body === undefined || isFile ? body : JSON.stringify(body),
        headers: body === undefined ? {} : { 'Content-Type': isFile ? 'application/octet-stream' : 'application/json' },
    }).catch(error => {
        if (signal?.aborted) throw error;
        throw new RequestError(0, 'unreachable', String(error));
    });
    if (response.ok) return response;
    const error = await errorOf(response);
    if (error.status === 401) login.dispatchEvent(new Event('loggedout'));
    throw error;
}

/** @param {Response} response */
async function errorOf(response) {
    const answer = await response.json().catch(() => ({}));
    return new RequestError(response.status, answer.error?.code ?? '', answer.error?.message ?? response.statusText, answer.error);
}
