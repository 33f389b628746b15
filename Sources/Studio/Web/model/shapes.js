// SPDX-License-Identifier: Apache-2.0
import { unknownDay } from '../text/dates.js';

/** Bits of a photo's flags. */
export const Flag = {
    edited: 1,
    favorite: 2,
    live: 4,
    video: 8,
    missing: 16,
    hidden: 32,
};

const headerLength = 16;
const magic = 0x48534845; // "EHSH"

/** Day, aspect and flags of every position of a view. */
export class Shapes {
    /** @param {ArrayBuffer} bytes The server's answer: a header, then one array after the other, little-endian. */
    constructor(bytes) {
        this.bytes = bytes;
        const header = new DataView(bytes);
        if (header.getUint32(0, true) !== magic || header.getUint32(4, true) !== 1) throw new Error('not shapes');
        this.count = header.getUint32(8, true);
        this.days = new Int32Array(bytes, headerLength, this.count);
        this.aspects = new Uint16Array(bytes, headerLength + this.count * 4, this.count);
        this.flags = new Uint16Array(bytes, headerLength + this.count * 6, this.count);
        /** Whether any photo has a date. */
        this.hasDays = this.days.some(day => day !== unknownDay);
    }

    static empty() {
        const bytes = new ArrayBuffer(headerLength);
        const header = new DataView(bytes);
        header.setUint32(0, magic, true);
        header.setUint32(4, 1, true);
        return new Shapes(bytes);
    }

    /**
     * These shapes with a part replaced; null if the part is longer.
     *
     * @param {number} from
     * @param {Shapes} part
     */
    replaced(from, part) {
        if (from + part.count > this.count) return null;
        const bytes = this.bytes.slice(0);
        const copy = new Shapes(bytes);
        copy.days.set(part.days, from);
        copy.aspects.set(part.aspects, from);
        copy.flags.set(part.flags, from);
        return new Shapes(bytes);
    }

    /**
     * Whether all aspects and days are equal.
     *
     * @param {Shapes} other
     */
    isLaidOutLike(other) {
        return this.count === other.count
            && this.aspects.every((aspect, position) => aspect === other.aspects[position])
            && this.days.every((day, position) => day === other.days[position]);
    }

    /**
     * Width divided by height.
     *
     * @param {number} position
     */
    aspect(position) {
        return (this.aspects[position] ?? 4096) / 4096;
    }

    /**
     * @param {number} position
     * @param {number} flag
     */
    has(position, flag) {
        return ((this.flags[position] ?? 0) & flag) !== 0;
    }

    /**
     * @param {number} position
     * @returns {number} 0 to 5
     */
    stars(position) {
        return ((this.flags[position] ?? 0) >> 8) & 7;
    }
}
