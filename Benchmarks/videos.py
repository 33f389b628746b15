#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""videos.py BUILD WORK REPORT

Sepia over a video, against the `ffmpeg` command with the same encoder and settings, in alternating pairs; writes
its section of REPORT. The video is a slow ride over a photo of the demonstration, with a tone.
"""
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from compare import Program, measured, paired, peak, untrusting  # noqa: E402
from tables import section  # noqa: E402

BUILD, WORK, REPORT = map(Path, sys.argv[1:4])
MARKER = "## Videos"
PAIRS = 5
PRESET, QUALITY = "veryfast", 18
SEPIA = "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131"
# As in edithost: the same number of threads, and the same results on every processor.
ENCODER = ["-c:v", "libx264", "-preset", PRESET, "-crf", str(QUALITY), "-x264-params",
           "threads=4:cpu-independent=1", "-pix_fmt", "yuv420p"]
COLOR = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]


def make(photo, frames, width=1920, height=1080):
    """A video with 30 frames a second: a window that moves over the photo."""
    path = WORK / f"video-{frames}-{height}.mp4"
    if path.exists():
        return path
    seconds = frames / 30
    ride = (f"scale={width * 2}:-2:out_color_matrix=bt709:out_range=limited,format=yuv420p,loop=-1:1,fps=30,"
            f"crop={width}:{height}:'(iw-ow)*(0.5+0.4*sin(n/90))':'(ih-oh)*(0.5+0.4*sin(n/50))'")
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", str(photo), "-f", "lavfi", "-i",
         f"sine=frequency=440:duration={seconds}", "-vf", ride, "-frames:v", str(frames), *COLOR, "-c:v", "libx264",
         "-preset", "veryfast", "-crf", "16", "-c:a", "aac", str(path)], check=True)
    return path


def exporting(build, work, video, name):
    """A library with the edited video, and the command that encodes it from its recipe."""
    program = Program(build, work / f"{name}.editlibrary")
    identifier = program.imported(video)[0]
    program.lines("edit", identifier, "--with", "sepia")
    folder = work / f"{name}-out"

    def command():
        for old in folder.glob("*") if folder.exists() else []:
            old.unlink()
        return program.command(
            "export", identifier, "--video-codec", "h264", "--crf", QUALITY, "--encoder-preset", PRESET, "--to",
            folder)
    return program, command, identifier


def live_photo(photo):
    """Pairs: a Live Photo rendered again, still and video; and its video by ffmpeg plus its still by edithost."""
    folder = WORK / "live"
    folder.mkdir(exist_ok=True)
    still, video = folder / "live.jpg", folder / "live.mov"
    still.write_bytes(photo.read_bytes())
    video.unlink(missing_ok=True)
    make(photo, 60, 1440, 1920).rename(video)
    programs, identifiers = [], []
    for name, path in (("Live", folder), ("Still", still)):
        program = Program(BUILD, WORK / f"{name}.editlibrary")
        identifier = program.imported(path)[0]
        program.lines("edit", identifier, "--with", "sepia", "--set", "intensity=1")
        programs.append(program)
        identifiers.append(identifier)
    output = WORK / "live-ffmpeg.mov"
    slow = [option if option != PRESET else "medium" for option in ENCODER]
    ffmpeg = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", str(video), "-vf",
              f"{SEPIA},scale=out_color_matrix=bt709:out_range=limited", *slow, *COLOR, "-c:a", "copy", str(output)]

    def again(which):
        return measured(
            programs[which].command("rerender", identifiers[which], "--force"), programs[which].environment)

    def theirs():
        parts = [measured(ffmpeg), again(1)]
        return tuple(sum(part[place] for part in parts) for place in (0, 1))

    return paired(lambda: again(0), theirs, PAIRS)


def requested():
    """Milliseconds to the first and to the last answer of a request for a Live Photo."""
    files = WORK / "live-pair"
    shutil.rmtree(files, ignore_errors=True)
    program = Program(BUILD, WORK / "Live-pair.editlibrary")
    program.lines("export", program.imported(WORK / "live")[0], "--live", "pair", "--to", files)
    lines = subprocess.run(
        [BUILD / "ImageBenchmark", (BUILD / "edithost").resolve(), *sorted(files.glob("[!.]*"))], check=True, text=True,
        stdout=subprocess.PIPE, env=program.environment).stdout.splitlines()
    return dict(line.split() for line in lines)


def joining(still, count=500):
    """Milliseconds for each of `2 * count` files that joining stills and videos adds to their import."""
    still, video = still.read_bytes(), make(still, 30, 640, 360).read_bytes()
    seconds = {}
    for turn in range(6):
        is_pair = turn % 2 == 0
        folder = WORK / "joining"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for index in range(count):
            # Files with different names are not pairs. Appended bytes make the files distinct.
            (folder / f"a{index}.jpg").write_bytes(still + b"%08d" % index)
            (folder / f"{'a' if is_pair else 'b'}{index}.mov").write_bytes(video + b"\0\0\0\x10free%08d" % index)
        program = Program(BUILD, WORK / "Joining.editlibrary")
        spent = measured(program.command("import", folder, "--json"), program.environment)[0]
        seconds.setdefault(is_pair, []).append(spent)
        shutil.rmtree(folder)
    added = statistics.median(seconds[True]) - statistics.median(seconds[False])
    return added * 1000 / (2 * count)


def row(name, pairs):
    """The medians of wall and CPU, and those of the ratios."""
    def median(values):
        return statistics.median(list(values))
    return (f"| {name} | {median(a[0] for a, _ in pairs):.1f} s | {median(b[0] for _, b in pairs):.1f} s | "
            f"**{median(a[0] / b[0] for a, b in pairs):.2f}** | {median(a[1] for a, _ in pairs):.1f} s | "
            f"{median(b[1] for _, b in pairs):.1f} s | **{median(a[1] / b[1] for a, b in pairs):.2f}** |")


def main():
    photo = sorted((WORK / "photographs").glob("*.jpg"))[0]
    short = make(photo, 300)
    output = WORK / "video-ffmpeg.mp4"

    def ffmpeg(video):
        return ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", str(video), "-vf",
                f"{SEPIA},scale=out_color_matrix=bt709:out_range=limited", *ENCODER, *COLOR, "-c:a", "copy",
                str(output)]

    rows = []
    builds = {"trusted": BUILD, "untrusted": untrusting(BUILD, WORK)}
    for name, build in builds.items():
        program, command, _ = exporting(build, WORK, short, f"Video-{name}")
        rows.append(row(name, paired(
            lambda: measured(command(), program.environment), lambda: measured(ffmpeg(short)), PAIRS)))
    rows.append(row("a Live Photo, 12 megapixels and 2 s of 1440 by 1920", live_photo(photo)))
    request = requested()
    joined = joining(WORK / "small.jpg")
    program, command, identifier = exporting(BUILD, WORK, short, "Video")
    memory = [peak(command(), program.environment), peak(ffmpeg(short))]
    previews = {}
    for moment in (0, 5):
        times = []
        for _ in range(7):
            start = time.perf_counter()
            subprocess.run(program.command(
                "preview", identifier, "--with", "sepia", "--size", "1600x1600", "--output", WORK / "preview.jpg",
                "--time", moment), env=program.environment, check=True, stdout=subprocess.DEVNULL)
            times.append(time.perf_counter() - start)
            (WORK / "preview.jpg").unlink()
        previews[moment] = statistics.median(times)
    for frames in (300, 1800):
        video = make(photo, frames, 960, 540)
        program, command, _ = exporting(BUILD, WORK, video, f"Video-{frames}")
        memory.append(peak(command(), program.environment))
    text = [MARKER, "",
            f"300 frames of 1080p (H.264, AAC): decoded, sepia, encoded with x264 (`{PRESET}`, CRF {QUALITY}, four threads, with identical output on every",
            "processor), the sound copied. `edithost export --video-codec h264` from the stored recipe, compared with `ffmpeg` with `colorchannelmixer`. edithost",
            f"interpolates chroma in both directions, and hashes the exported file. The Live Photo is rendered again (`rerender --force`, preset `medium`), compared with",
            f"`ffmpeg` for its video and `rerender --force` of its still. {PAIRS} alternating pairs.", "",
            "| | edithost, wall | ffmpeg, wall | ratio | edithost, CPU | ffmpeg, CPU | ratio |", "|---|---|---|---|---|---|---|",
            *rows, "",
            "The memory of all processes together, with each page counted once; and the time to write a frame as a picture of 1600 pixels, from the start of the command to its end, for the first frame and for one that requires decoding 150 others.",
            "", "| | |", "|---|---|",
            f"| edithost, 300 frames | {memory[0]:.0f} MiB |", f"| ffmpeg, 300 frames | {memory[1]:.0f} MiB |",
            f"| **ratio** | **{memory[0] / memory[1]:.2f}** |",
            f"| edithost, 300 frames of 960 by 540 | {memory[2]:.0f} MiB |",
            f"| edithost, 1800 frames of 960 by 540 | {memory[3]:.0f} MiB |",
            *(f"| `edithost preview --time {moment}`, median of 7 | {spent * 1000:.0f} ms |"
              for moment, spent in previews.items()),
            f"| `LivePhoto.request` of the Live Photo above: the placeholder, median of 21 | {request['live-first']} ms |",
            f"| the complete Live Photo, at 1024 pixels | {request['live-whole']} ms |",
            f"| importing 1,000 files: pairing stills and videos, per file | {joined:.1f} ms |", ""]
    section(REPORT, MARKER, text)


main()
