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


def make_pictures(folder):
    """Writes gradients of several shapes as PNG, in place of the photographs of the demo."""
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
