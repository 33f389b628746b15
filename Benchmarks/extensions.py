#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""extensions.py BUILD WORK REPORT

The shipped extensions: processor time for each of ten photos of 12 megapixels, which is `rerender --all --force` of ten, less
that of two, in alternating pairs. Writes its section of REPORT.
"""
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from compare import Program, measured, paired  # noqa: E402
from tables import section  # noqa: E402

BUILD, WORK, REPORT = map(Path, sys.argv[1:4])
HEADING = "## Shipped extensions"
PAIRS = 5
GLOBAL = ["exposure=0.4", "contrast=0.3", "brightness=0.1", "blackPoint=0.2", "saturation=0.1", "vibrance=0.4", "warmth=0.2",
          "tint=0.1"]
LOCAL = ["brilliance=0.3", "highlights=-0.5", "shadows=0.5"]
LENS = ["Make=Canon", "Model=Canon EOS 5D Mark III", "LensModel=EF24-105mm f/4L IS USM", "FocalLength=24", "FNumber=5.6"]
PHOTOS = sorted((WORK / "photographs").glob("*.jpg"))


class Edited:
    """Libraries with ten and with two photos that have the same edit, and perhaps other EXIF tags."""

    def __init__(self, name, extension, values, tags=()):
        self.programs = [self.library(f"{name}-{count}", count, extension, values, tags) for count in (10, 2)]

    def library(self, name, count, extension, values, tags):
        folder = WORK / f"extensions-{count}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for path in PHOTOS[:count]:
            shutil.copy(path, folder / path.name)
        if tags:
            subprocess.run(["exiftool", "-q", "-n", "-overwrite_original", *[f"-EXIF:{tag}" for tag in tags], folder], check=True)
        program = Program(BUILD, WORK / f"{name}.editlibrary")
        program.lines("edit", *program.imported(folder), "--with", extension, *[word for value in values for word in ("--set", value)])
        return program

    def __call__(self):
        """Wall and processor time for each photo, in seconds."""
        many, few = (measured(p.command("rerender", "--all", "--force"), p.environment) for p in self.programs)
        return tuple((a - b) / 8 for a, b in zip(many, few))


class OpenCV:
    """Decoding, rotation and encoding of the same photos by OpenCV with one thread."""

    def __init__(self, interpolation):
        folder = WORK / "rotated"
        folder.mkdir(exist_ok=True)
        self.command = [os.environ["EDITHOST_OPENCV"], "Benchmarks/rotate_opencv.py", interpolation, str(folder)]

    def __call__(self):
        many, few = (measured([*self.command, *map(str, PHOTOS[:count])]) for count in (10, 2))
        return tuple((a - b) / 8 for a, b in zip(many, few))


def cube():
    """A table of 33 points that bends each channel."""
    path = WORK / "bent.cube"
    values = [f"{(step / 32) ** 0.8:.6f} {(step / 32) ** 1.1:.6f}" for step in range(33)]
    rows = [f"{values[red].split()[0]} {values[green].split()[1]} {values[blue].split()[0]}"
            for blue in range(33) for green in range(33) for red in range(33)]
    path.write_text("LUT_3D_SIZE 33\n" + "\n".join(rows) + "\n")
    return path


def row(name, other, limit, results):
    ours, theirs = (statistics.median(pair[side][1] for pair in results) * 1000 for side in (0, 1))
    ratio = statistics.median(pair[0][1] / pair[1][1] for pair in results)
    return f"| {name} | {other} | {ours:.0f} ms | {theirs:.0f} ms | **{ratio:.2f}** | {limit} |"


def main():
    sepia = Edited("extensions-sepia", "sepia", ["intensity=1"])
    sliders = Edited("extensions-global", "lightandcolor", GLOBAL)
    everything = Edited("extensions-all", "lightandcolor", GLOBAL + LOCAL)
    table = Edited("extensions-lut", "colorlut", [f"lut={cube()}"])
    straight = Edited("extensions-straight", "croprotate", ["angle=3.5"])
    lens = Edited("extensions-lens", "lenscorrection", [], LENS)
    bent = Edited("extensions-bent", "lenscorrection", ["lateralColor=false", "vignetting=false"], LENS)
    turned = Edited("extensions-perspective", "perspective", ["vertical=0.5"])
    rows = [
        row("Light and Color, eight global sliders", "Sepia", 1.3, paired(sliders, sepia, PAIRS)),
        row("Light and Color, all eleven sliders", "Sepia", 1.6, paired(everything, sepia, PAIRS)),
        row("Color LUT, 33 points", "Sepia", 1.35, paired(table, sepia, PAIRS)),
        row("Lens Correction", "straightening", 1.2, paired(lens, straight, PAIRS)),
        row("Lens Correction of distortion alone", "straightening", "–", paired(bent, straight, PAIRS)),
        row("Perspective", "straightening", "–", paired(turned, straight, PAIRS)),
    ]
    missing = []
    if os.environ.get("EDITHOST_OPENCV"):
        rows += [
            row("straightening by 3.5 degrees", f"OpenCV, {name}", limit, paired(straight, OpenCV(name), PAIRS))
            for name, limit in (("bilinear", 1.2), ("bicubic", 0.85))]
    else:
        missing = ["Straightening: not measured, because `EDITHOST_OPENCV` names no Python that has OpenCV.", ""]
    section(REPORT, HEADING, [
        HEADING, "",
        "Processor time for each 12-megapixel JPEG: that of `rerender --all --force` of ten, less that of two, divided by eight. OpenCV decodes,",
        "rotates (`warpAffine`) and encodes the same files with one thread.", "",
        "| what | compared with | edithost | the other | ratio | at most |", "|---|---|---|---|---|---|", *rows, "", *missing])


main()
