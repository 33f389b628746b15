# SPDX-License-Identifier: Apache-2.0
"""Pictures for the tests."""
import struct
import zlib

import numpy
from PIL import Image


def make_detailed(path, width, height, seed):
    """Writes a JPEG with detail of every size, down to single pixels, in which a shift is seen anywhere."""
    random = numpy.random.default_rng(seed)
    layers = [
        numpy.asarray(Image.fromarray(random.integers(0, 256, (height // size + 1, width // size + 1, 3), dtype=numpy.uint8))
                      .resize((width, height), Image.Resampling.BICUBIC), dtype=numpy.float32)
        for size in (1, 3, 9, 40)]
    Image.fromarray((numpy.mean(layers, axis=0) * 1.6 - 77).clip(0, 255).astype(numpy.uint8)).save(path, quality=92)
    return path


def shift_between(one, other):
    """The mean difference of two pictures, and how far features of one lie from those of the other, in pixels.

    They must differ least where they are, compared with a shift by a pixel in any direction.
    """
    one, other = (numpy.asarray(picture.convert("L"), dtype=float) for picture in (one, other))
    inner = slice(8, -8)

    def difference(x, y):
        return numpy.abs(one[inner, inner] - numpy.roll(other, (y, x), (0, 1))[inner, inner]).mean()

    here = difference(0, 0)
    around = {(x, y): difference(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y}
    assert here < min(around.values()), around
    # The vertices of parabolas through three differences.
    return here, [abs(before - after) / (2 * (before - 2 * here + after)) for before, after in (
        (around[-1, 0], around[1, 0]), (around[0, -1], around[0, 1]))]


def make_pictures(folder):
    """Writes gradients of several shapes as PNG, in place of the photos of the demo."""
    for number, (width, height) in enumerate([(1200, 800), (800, 1200), (1600, 900), (900, 900), (2400, 800)]):
        make_picture(folder / f"gradient-{number}.png", width, height, number)
    return folder


def make_picture(path, width, height, number):
    path.write_bytes(_png(width, height, number))
    return path


def _png(width, height, number):
    rows = b"".join(
        b"\0" + bytes(
            value for x in range(width)
            for value in (x * 255 // width, y * 255 // height, (number * 50) % 256))
        for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def _chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
