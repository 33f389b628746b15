# SPDX-License-Identifier: Apache-2.0
"""Pictures for the tests, if the photographs of the demo are missing."""
import struct
import zlib


def make_pictures(folder):
    """Writes gradients of several shapes as PNG."""
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
