#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare.py BUILD WORK REPORT

Runs edithost against the C programs in WORK, in alternating pairs so that a change of the machine's
mood meets both, and writes medians, ranges and ratios to REPORT.

CPU is user and system time of the whole process tree: every process here waits for its children.
"""
import json
import os
import platform
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

from tables import table, write

PAIRS = 7
FIXED_COST_PAIRS = 20
START_PAIRS = 40
ISOLATION_PAIRS = 30
SLIDER_ROUNDS = 5
SLIDER_CHANGES = 40
PREVIEW_SIZE = 1600
CROP = "crop=0.1,0.1,0.8,0.8"


class Program:
    """Runs the built edithost on one fresh library."""

    def __init__(self, build, library):
        shutil.rmtree(library, ignore_errors=True)
        self.executable = str(Path(build).absolute() / "edithost")
        self.environment = {
            **os.environ, "EDITHOST_LIBRARY": str(library),
            "XDG_CONFIG_HOME": str(library) + ".configuration"}

    def command(self, *arguments):
        return [self.executable, *map(str, arguments)]

    def lines(self, *arguments):
        """What a command prints with --json."""
        output = subprocess.run(
            self.command(*arguments, "--json"), env=self.environment, check=True,
            stdout=subprocess.PIPE, text=True).stdout
        return [json.loads(line) for line in output.splitlines()]

    def imported(self, path):
        """Imports a file or folder and gives the identifiers."""
        return [line["id"] for line in self.lines("import", path)]


def measured(command, environment=None):
    """Wall and CPU seconds of one command with all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def paired(ours, theirs, pairs):
    """Runs two measurements alternately, each first in every other pair, after one round unmeasured."""
    ours(), theirs()
    results = []
    for pair in range(pairs):
        if pair % 2 == 0:
            first = ours()
            results.append((first, theirs()))
        else:
            first = theirs()
            results.append((ours(), first))
    return results


def tree(process):
    """The numbers of a process and of all that it started."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            rest = status.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents.setdefault(int(rest[1]), []).append(int(status.parent.name))
    found, waiting = [], [process]
    while waiting:
        number = waiting.pop()
        found.append(number)
        waiting += parents.get(number, [])
    return found


def peak(command, environment=None):
    """The greatest proportional share of memory that a command and all that it starts had at once, in MiB."""
    running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    most = 0
    while running.poll() is None:
        total = 0
        for number in tree(running.pid):
            try:
                for line in Path(f"/proc/{number}/smaps_rollup").read_text().splitlines():
                    if line.startswith("Pss:"):
                        total += int(line.split()[1])
            except OSError:
                continue
        most = max(most, total)
        time.sleep(0.05)
    if running.returncode:
        sys.exit(f"{command} ended with {running.returncode}")
    return most / 1024


def verify(program, photos, work, folder):
    """Fails unless both programs drew the same pictures: equal sizes, and means of equal pixels."""
    exported = work / "exported"
    shutil.rmtree(exported, ignore_errors=True)
    program.lines("export", "--all", "--to", exported)
    for photo in photos:
        pair = [str(exported / photo.name), str(folder / photo.name)]
        sizes = {subprocess.run(["vipsheader", "-f", field, path], check=True,
                                stdout=subprocess.PIPE, text=True).stdout + field
                 for path in pair for field in ("width", "height")}
        if len(sizes) != 2:
            sys.exit(f"compare: the two programs made different sizes of {photo.name}")
        difference, absolute = str(work / "difference.v"), str(work / "absolute.v")
        subprocess.run(["vips", "subtract", *pair, difference], check=True)
        subprocess.run(["vips", "abs", difference, absolute], check=True)
        mean = float(subprocess.run(["vips", "avg", absolute], check=True,
                                    stdout=subprocess.PIPE, text=True).stdout)
        # The C program's cast truncates, edithost rounds, and JPEG adds further differences.
        if mean > 2:
            sys.exit(f"compare: {photo.name} differs by {mean:.2f} of 255 in the mean")
    for scratch in ("difference.v", "absolute.v"):
        (work / scratch).unlink()
    shutil.rmtree(exported)


def batch(build, work):
    """Ten photos rendered again by edithost, and edited by the C program; a table of OpenCV's."""
    photos = sorted((work / "photographs").glob("*.jpg"))
    program = Program(build, work / "Batch.editlibrary")
    identifiers = program.imported(work / "photographs")
    program.lines("edit", *identifiers, "--with", "sepia", "--set", "intensity=1")
    program.lines("edit", *identifiers, "--with", "croprotate", "--set", CROP)

    folder = work / "plain"
    folder.mkdir(exist_ok=True)
    plain = [str(work / "plain_vips"), str(os.cpu_count()), str(folder), *map(str, photos)]
    summary = program.lines("rerender", "--all", "--force")[-1]
    if summary.get("rendered") != len(photos):
        sys.exit(f"compare: rerender answered {summary}")
    subprocess.run(plain, check=True)
    verify(program, photos, work, folder)
    def ours():
        return measured(program.command("rerender", "--all", "--force"), program.environment)

    results = paired(ours, lambda: measured(plain), PAIRS)
    python = os.environ.get("EDITHOST_OPENCV")
    if not python:
        return results, "(Not measured: `EDITHOST_OPENCV` names no Python that has OpenCV.)"
    opencv = [python, "Benchmarks/plain_opencv.py", *plain[1:]]
    return results, table(
        paired(ours, lambda: measured(opencv), PAIRS), "edithost", "OpenCV", "s")


def verification(work, results):
    """What hashing the originals costs beside rendering again, per picture: a process for each round."""
    rounds = []
    for _ in range(PAIRS):
        output = subprocess.run(
            [".build/release/LibraryBenchmark", "verify", str(work / "Batch.editlibrary")],
            check=True, stdout=subprocess.PIPE, text=True).stdout
        rounds.append({
            line.split("\t")[0]: float(line.split("\t")[1]) for line in output.splitlines()})
    each = {name: statistics.median(round[name] for round in rounds) for name in rounds[0]}
    count = len(list((work / "photographs").glob("*.jpg")))
    render = statistics.median(1000 * ours[0] for ours, _ in results) / count
    lines = ["| | per picture |", "|---|---|", f"| size of the original | {each['bytes'] / 1e6:.1f} MB |"]
    for name, label in [
            ("not hashed", "opened without being hashed, as for a preview"),
            ("hashed", "opened and hashed, the first time in a process"),
            ("again", "opened again")]:
        lines.append(f"| {label} | {each[name]:.3f} ms |")
    lines.append(f"| rendered again, with hashing (wall, above) | {render:.1f} ms |")
    share = each["hashed"] / render
    lines.append(f"| **share of hashing, at most** | **{100 * share:.0f} %** |")
    return "\n".join(lines)


def fixed_cost(build, work):
    """One edit of a picture of 64 by 64 pixels, and the start of a process with libvips."""
    program = Program(build, work / "Small.editlibrary")
    identifier = program.imported(work / "small.jpg")[0]
    intensities = iter(range(1, 100))

    def edit():
        value = f"intensity={next(intensities) / 100}"
        return measured(program.command("edit", identifier, "--with", "sepia", "--set", value),
                        program.environment)

    return paired(edit, lambda: measured([str(work / "vips_start")]), FIXED_COST_PAIRS)


def start_of_runner(build):
    """The start of a runner until it takes requests, in its sandbox and without."""
    program = str(Path(build).absolute() / "edithost-runner")
    environment = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "VIPS_CONCURRENCY": "1"}

    def start(level):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        begin = time.perf_counter()
        # Descriptor 3 is a runner's control socket.
        process = os.posix_spawn(
            program, [program, str(os.getpid()), f"--sandbox={level}"], environment,
            file_actions=[(os.POSIX_SPAWN_DUP2, theirs.fileno(), 3)])
        theirs.close()
        if not ours.recv(1 << 16):
            sys.exit(f"compare: the runner does not start with --sandbox={level}")
        wall = time.perf_counter() - begin
        ours.close()
        _, status, used = os.wait4(process, 0)
        if status != 0:
            sys.exit(f"compare: the runner ended with status {status}")
        return wall, used.ru_utime + used.ru_stime

    return paired(lambda: start("complete"), lambda: start("none"), START_PAIRS)


def untrusting(build, work):
    """The same programs, but with extensions beside them that are untrusted."""
    copy = work / "untrusted"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(build / "extensions", copy / "extensions",
                    ignore=shutil.ignore_patterns("trusted.sha256"))
    for name in ("edithost", "edithost-runner", "edithost-media-runner"):
        shutil.copy(build / name, copy)
    return copy


def sliders(build, work):
    """Lines of a markdown table: what a person waits for who moves a slider."""
    photo = sorted((work / "photographs").glob("*.jpg"))[0]
    builds = {"trusted": build, "untrusted": untrusting(build, work)}
    rounds = {name: {"first": [], "change": []} for name in builds}
    for _ in range(SLIDER_ROUNDS):
        for name, folder in builds.items():
            program = Program(folder, work / "Sliders.editlibrary")
            identifier = program.imported(photo)[0]
            output = subprocess.run(
                [str(build / "SessionBenchmark"), program.executable, program.environment["EDITHOST_LIBRARY"],
                 identifier, str(PREVIEW_SIZE), str(SLIDER_CHANGES)],
                env=program.environment, check=True, stdout=subprocess.PIPE, text=True).stdout
            for line in output.splitlines():
                what, *values = line.split("\t")
                rounds[name][what].append([float(value) for value in values])
    lines = ["| | first preview | after a change | range |", "|---|---|---|---|"]
    for name, found in rounds.items():
        first = statistics.median(values[0] for values in found["first"])
        change = statistics.median(values[0] for values in found["change"])
        least = min(values[1] for values in found["change"])
        most = max(values[2] for values in found["change"])
        lines.append(f"| {name} | {first:.0f} ms | **{change:.1f} ms** | {least:.1f} to {most:.1f} ms |")
    return "\n".join(lines)


def isolation(build, work):
    """Sepia over ten photos: in one process, in a trusted runner, and in an untrusted one.

    What a picture costs is the difference between ten of them and one, so that no start is in it.
    """
    photos = sorted((work / "photographs").glob("*.jpg"))
    untrusted_build = untrusting(build, work)
    folder = work / "in-process"
    folder.mkdir(exist_ok=True)
    plain = [str(work / "in_process"), str(folder)]

    def in_process(count):
        return measured(plain + [str(path) for path in photos[:count]])

    def exporter(folder, name):
        program = Program(folder, work / f"{name}.editlibrary")
        identifiers = program.imported(work / "photographs")
        program.lines("edit", *identifiers, "--with", "sepia")
        trust = {line["identifier"]: line["trust"] for line in program.lines("extensions", "list")}
        if trust["org.edithost.sepia"] != ("shipped" if name == "trusted" else "none"):
            sys.exit(f"compare: sepia is not {name}")

        def run(count, jobs):
            target = work / "exported"
            shutil.rmtree(target, ignore_errors=True)
            return measured(
                program.command("export", *identifiers[:count], "--quality", 92, "--to", target,
                                "--jobs", jobs), program.environment)
        return run

    trusted, untrusted = exporter(build, "trusted"), exporter(untrusted_build, "untrusted")
    jobs = os.cpu_count()
    ways = {
        "in one process": in_process,
        "in a trusted runner": lambda count: trusted(count, 1),
        "in an untrusted runner": lambda count: untrusted(count, 1),
        f"trusted, {jobs} in parallel": lambda count: trusted(count, jobs),
        f"untrusted, {jobs} in parallel": lambda count: untrusted(count, jobs),
    }
    rounds = []
    for number in range(ISOLATION_PAIRS):
        names = list(ways) if number % 2 == 0 else list(reversed(ways))
        costs = {}
        for name in names:
            one, ten = ways[name](1), ways[name](len(photos))
            costs[name] = [(b - a) / (len(photos) - 1) for a, b in zip(one, ten)]
        rounds.append(costs)
    return rounds


def isolation_table(rounds):
    """A markdown table: medians per picture, and the medians of the ratios of each round."""
    names = list(rounds[0])
    lines = ["| | wall | CPU | ratio, wall | ratio, CPU |", "|---|---|---|---|---|"]
    for name in names:
        cells = []
        for index in (0, 1):
            milliseconds = statistics.median(costs[name][index] for costs in rounds) * 1000
            cells.append(f"{milliseconds:.0f} ms")
        for index in (0, 1):
            ratio = statistics.median(
                costs[name][index] / costs[names[0]][index] for costs in rounds)
            cells.append("" if name == names[0] else f"**{ratio:.2f}**")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def kernels(work):
    """A markdown table: the processor time of Sepia and of kernels written in Swift."""
    labels = {"Sepia": "Sepia: `ColorMatrix`", "planar": "its arithmetic in a `PlanarPixelKernel`",
              "plain": "its arithmetic in a `PixelKernel`"}
    lines = ["| | 8 bit, RGB | RGBA | 16 bit, RGB | RGBA |", "|---|---|---|---|---|"]
    for program, suffix in (("kernels", ""), ("kernels_avx2", ", `-Xcc -mavx2`")):
        output = subprocess.run([str(work / program)], env={**os.environ, "VIPS_CONCURRENCY": "1"},
                                check=True, stdout=subprocess.PIPE, text=True).stdout
        found = {}
        for line in output.splitlines():
            name, bits, bands, time_taken = line.split("\t")
            found.setdefault(name, {})[bits, bands] = float(time_taken)
        for name, times in found.items():
            if name == "Sepia" and suffix:
                continue
            cells = [f"{times[bits, bands]:.1f} ms" for bits in ("8", "16") for bands in ("3", "4")]
            lines.append(f"| {labels[name]}{suffix} | {' | '.join(cells)} |")
    return "\n".join(lines)


def machine():
    """What the numbers depend on."""
    processor = platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            processor = line.split(":", 1)[1].strip()
            break
    vips = subprocess.run(["vips", "--version"], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.strip()
    return (f"{processor}, {os.cpu_count()} cores, Linux {platform.release()}, {vips}, "
            f"{time.strftime('%Y-%m-%d')}")


REPORT = """# Benchmarks

Written by `make bench`. {machine}.

## Rendering ten photos again

`edithost rerender --all --force` of ten 12-megapixel JPEGs (4000 by 3000, 4:2:0, quality 90), each edited
with sepia (intensity 1) and then CropRotate (`{crop}`), compared with `Benchmarks/plain_vips.c`, which does the same in C
with libvips' `recomb`, `cast` and `extract_area`, JPEG at the same quality and chroma subsampling, a process
per core. The benchmark first checks that both produce the same pictures. edithost also plans, hashes, and commits
durably; the C program does not. {pairs} alternating pairs; a ratio below 1 means that edithost is
faster.

{batch}

The same comparison with OpenCV in Python (`Benchmarks/plain_opencv.py`), also with a process per core. Both times include starting the processes.

{opencv}

## The cost of detecting damage

Stored files are read and hashed before they are rendered or exported, once per process
([decision 19](design/decisions/0019-verified-output.md)). The originals of the pictures above were opened through the library's
public interface: medians of {pairs} processes, with a warm page cache. The rendering times above include hashing, which overlaps
with the rendering of other pictures.

{verification}

## Functions over pixels

The processor time for 12 megapixels in memory, on one thread, minus the time for copying them; the minimum of forty rounds.
`Benchmarks/kernels.swift` is compiled like an extension, and again for AVX2 ([decision 27](design/decisions/0027-vector-kernels.md)). The benchmark
checks that all give the same results.

{kernels}

## The fixed cost of one edit

`edithost edit` with sepia on a 64 by 64 JPEG, from start to exit (library opened, runner started, extension
loaded, rendered, committed), compared with a C program that only calls `vips_init`. {fixed_pairs} alternating pairs.

{fixed}

## The start of a runner

Wall time until the first message of the process; CPU time until it has exited. With the sandbox (namespaces, limits,
Landlock, seccomp), compared with `--no-sandbox`. {start_pairs} alternating pairs; the sandbox adds {start_wall:.1f} ms of
wall time and {start_cpu:.1f} ms of CPU time (the medians of the differences).

{start}

## What isolation costs

Sepia on a 12-megapixel JPEG, including decoding and encoding: with the same code compiled into one process
(`Benchmarks/in_process.swift`), in a runner for trusted extensions, which is one pipeline, and in one for untrusted
extensions: another runner decodes and encodes, and pixels are passed between them in memory. `edithost export
--quality 92` renders from the recipe. The time per picture is the difference between ten pictures and one: medians of
{isolation_pairs} alternating rounds.

{isolation}

## The cost of moving a slider

An editing session with sepia on a 12-megapixel JPEG, with previews of {preview_size} pixels, in one process that uses the Swift API
(`Benchmarks/SessionBenchmark`). The first preview includes opening the session, with a runner that is already running: the
photo is decoded. After a change, nothing is decoded: the runner receives parameters and returns pixels. Medians of {slider_rounds}
rounds of {slider_changes} changes each.

{sliders}
"""


def difference(results, index):
    """The median of the pairs' differences, in milliseconds."""
    return statistics.median(1000 * (ours[index] - theirs[index]) for ours, theirs in results)


def main():
    build, work, report = (Path(argument) for argument in sys.argv[1:4])
    work = work.absolute()
    start = start_of_runner(build)
    results, opencv = batch(build, work)
    text = REPORT.format(
        machine=machine(), crop=CROP, pairs=PAIRS, fixed_pairs=FIXED_COST_PAIRS,
        batch=table(results, "edithost", "plain libvips", "s"), opencv=opencv,
        verification=verification(work, results), kernels=kernels(work),
        fixed=table(fixed_cost(build, work), "edithost edit", "vips_init", "ms"),
        start_pairs=START_PAIRS, start_wall=difference(start, 0), start_cpu=difference(start, 1),
        start=table(start, "sandboxed", "not sandboxed", "ms"),
        isolation_pairs=ISOLATION_PAIRS, isolation=isolation_table(isolation(build, work)),
        preview_size=PREVIEW_SIZE, slider_rounds=SLIDER_ROUNDS, slider_changes=SLIDER_CHANGES,
        sliders=sliders(build.absolute(), work))
    write(report, text)
    print(text)


if __name__ == "__main__":
    main()
