#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""plain_opencv.py PROCESSES FOLDER JPEG... - the same edits as plain_vips.c, with OpenCV.

PROCESSES processes, one OpenCV thread each, take every file whose turn it is and write to FOLDER. OpenCV is imported once, before they
are forked. EDITHOST_OPENCV names a Python that has it: `pip install opencv-python-headless` in an environment of its own.
"""
import os
import sys

import cv2
import numpy

# https://www.w3.org/TR/filter-effects-1/#sepiaEquivalent, amount 1; OpenCV stores blue first.
SEPIA = numpy.array([[0.131, 0.534, 0.272], [0.168, 0.686, 0.349], [0.189, 0.769, 0.393]])


def edit(path, folder):
    sepia = cv2.transform(cv2.imread(path), SEPIA)
    height, width = sepia.shape[:2]
    crop = sepia[round(0.1 * height):round(0.9 * height), round(0.1 * width):round(0.9 * width)]
    if not cv2.imwrite(os.path.join(folder, os.path.basename(path)), crop, [
            cv2.IMWRITE_JPEG_QUALITY, 92,
            cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420]):
        sys.exit(f"plain_opencv: {path} was not written")


def main():
    processes, folder, files = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    cv2.setNumThreads(1)
    children = []
    for number in range(processes):
        child = os.fork()
        if child == 0:
            for path in files[number::processes]:
                edit(path, folder)
            os._exit(0)
        children.append(child)
    sys.exit(max(os.waitpid(child, 0)[1] for child in children) != 0)


main()
