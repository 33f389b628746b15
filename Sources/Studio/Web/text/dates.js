// SPDX-License-Identifier: Apache-2.0
import { locale, text } from './text.js';

const millisecondsPerDay = 86_400_000;

/** The day of photos without a date. */
export const unknownDay = -2147483648;

const monthFormat = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayFormat = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
const momentFormat = new Intl.DateTimeFormat(locale, {
    weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit', timeZone: 'UTC',
});
const changeFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** @param {number} day Days since 1970. */
export const monthName = day => named(day, monthFormat);

/** @param {number} day */
export const dayName = day => named(day, dayFormat);

/** @param {number} day */
export const dateName = day => named(day, dateFormat);

/** @param {number} day */
export const yearOf = day => new Date(day * millisecondsPerDay).getUTCFullYear();

/**
 * The day of the first of the next month, and that of the first of this one.
 *
 * @param {number} day
 * @returns {[number, number]}
 */
export function monthAround(day) {
    const date = new Date(day * millisecondsPerDay);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    return [Date.UTC(year, month) / millisecondsPerDay, Date.UTC(year, month + 1) / millisecondsPerDay];
}

/**
 * A capture date, which is local time of the camera: its offset is not applied.
 *
 * @param {string | null | undefined} date
 */
export function captureDate(date) {
    const clock = date?.slice(0, 19);
    const value = clock ? new Date(`${clock}Z`) : null;
    return value && !isNaN(value.getTime()) ? momentFormat.format(value) : text.noDate;
}

/**
 * A date of the library, in the time zone of the browser.
 *
 * @param {string | null | undefined} date
 */
export function changeDate(date) {
    const value = date ? new Date(date) : null;
    return value && !isNaN(value.getTime()) ? changeFormat.format(value) : '';
}

/** @param {number} seconds */
export function lengthOf(seconds) {
    const whole = Math.round(seconds);
    const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
    const tail = String(whole % 60).padStart(2, '0');
    return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

/**
 * @param {number} day
 * @param {Intl.DateTimeFormat} format
 */
function named(day, format) {
    return day === unknownDay ? text.noDate : format.format(day * millisecondsPerDay);
}
