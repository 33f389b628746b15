# SPDX-License-Identifier: Apache-2.0
"""Live Photos and videos for the tests, made by ffmpeg, and their frames."""
import struct
import subprocess

import numpy

SIZE = (320, 240)
BT709 = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"]
CODECS = {
    "h264": ["-c:v", "libx264", "-preset", "ultrafast"],
    "hevc": ["-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params", "log-level=none"],
}


def ffmpeg(*arguments):
    command = ["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=True).stdout


def make_video(path, codec, *arguments):
    """Two seconds of color bars and a tone. All frames are equal, so that a comparison needs no exact time."""
    bars = f"smptebars=size={SIZE[0]}x{SIZE[1]}:rate=25:duration=2"
    ffmpeg("-f", "lavfi", "-i", bars, "-f", "lavfi", "-i", "sine=frequency=440:duration=2",
           "-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", *CODECS[codec], *BT709,
           "-c:a", "aac", *arguments, path)
    return path


def make_live_photo(folder, name, codec, identifier):
    """A white still, and a video of color bars. Both have the same content identifier."""
    key = "com.apple.quicktime.content.identifier"
    video = make_video(
        folder / f"{name}.mov", codec, "-movflags", "use_metadata_tags", "-metadata", f"{key}={identifier}")
    still = folder / f"{name}.jpg"
    ffmpeg("-f", "lavfi", "-i", f"color=white:size={SIZE[0]}x{SIZE[1]}", "-frames:v", "1", still)
    data = still.read_bytes()
    still.write_bytes(data[:2] + _exif(identifier) + data[2:])
    return [str(still), str(video)]


def _exif(identifier):
    """An EXIF segment with Apple's maker note, whose only entry is the content identifier."""
    def entry(tag, kind, count, value):
        return struct.pack(">HHII", tag, kind, count, value)

    text = identifier.encode() + b"\0"
    note = (b"Apple iOS\0\0\1MM" + struct.pack(">H", 1) + entry(17, 2, len(text), 14 + 2 + 12 + 4)
            + struct.pack(">I", 0) + text)
    tiff = (b"MM\0*" + struct.pack(">I", 8) + struct.pack(">H", 1) + entry(0x8769, 4, 1, 26) + struct.pack(">I", 0)
            + struct.pack(">H", 1) + entry(0x927C, 7, len(note), 44) + struct.pack(">I", 0) + note)
    content = b"Exif\0\0" + tiff
    return b"\xff\xe1" + struct.pack(">H", len(content) + 2) + content


def first_frame(path, size=SIZE, matrix="bt709"):
    """The first frame as ffmpeg decodes it, upright, as an array of rows, columns and channels."""
    filters = f"scale={size[0]}:{size[1]}:in_color_matrix={matrix}:flags=area,format=rgb24"
    data = ffmpeg("-i", path, "-frames:v", "1", "-vf", filters, "-f", "rawvideo", "-")
    return numpy.frombuffer(data, numpy.uint8).reshape(size[1], size[0], 3).astype(float)


def from_display_p3(frame):
    """A frame with the primaries of Display P3, in sRGB."""
    coded = frame / 255
    linear = numpy.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    matrix = numpy.array([[1.2249, -0.2247, 0], [-0.0420, 1.0419, 0], [-0.0197, -0.0786, 1.0979]])
    linear = numpy.clip(linear @ matrix.T, 0, 1)
    return 255 * numpy.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)


def sepia(frame):
    """The sepia filter at its full intensity."""
    matrix = numpy.array([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]])
    return numpy.clip(frame @ matrix.T, 0, 255)


def shown_frame(page, selector, size=SIZE):
    """The frame that a video element shows."""
    pixels = page.page.evaluate(
        """([selector, width, height]) => {
            const canvas = new OffscreenCanvas(width, height);
            const context = canvas.getContext('2d');
            context.drawImage(document.querySelector(selector), 0, 0, width, height);
            return [...context.getImageData(0, 0, width, height).data];
        }""", [selector, *size])
    return numpy.array(pixels, float).reshape(size[1], size[0], 4)[:, :, :3]


def difference(left, right):
    """The mean difference in levels of 255."""
    return float(numpy.abs(left - right).mean())
