#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rotate_opencv.py bilinear|bicubic FOLDER JPEG... - rotates pictures by 3.5 degrees with one thread of OpenCV, keeps the largest
rectangle of the same aspect ratio without empty corners, and writes it to FOLDER.
"""
import math
import os
import sys

import cv2
import numpy

ANGLE = math.radians(3.5)


def rotated(picture, interpolation):
    height, width = picture.shape[:2]
    cosine, sine = math.cos(ANGLE), math.sin(ANGLE)
    scale = min(width / (width * cosine + height * sine), height / (width * sine + height * cosine))
    columns, rows = int(width * scale), int(height * scale)
    # From the output to the input, about the centres.
    x, y = (width - 1) / 2, (height - 1) / 2
    u, v = (columns - 1) / 2, (rows - 1) / 2
    matrix = numpy.array([[cosine, sine, x - cosine * u - sine * v], [-sine, cosine, y + sine * u - cosine * v]])
    return cv2.warpAffine(picture, matrix, (columns, rows), flags=interpolation | cv2.WARP_INVERSE_MAP)


def main():
    interpolation = {"bilinear": cv2.INTER_LINEAR, "bicubic": cv2.INTER_CUBIC}[sys.argv[1]]
    cv2.setNumThreads(1)
    for path in sys.argv[3:]:
        result = os.path.join(sys.argv[2], os.path.basename(path))
        if not cv2.imwrite(result, rotated(cv2.imread(path), interpolation), [
                cv2.IMWRITE_JPEG_QUALITY, 92, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420]):
            sys.exit(f"rotate_opencv: {path} was not written")


main()
