#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""work.py BUILD WORK REPORT

Rendering with `edithost work` beside `rerender` of the same, commits in groups beside one by one, and the time of a plan.
Writes its section of REPORT.
"""
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from batch import BUILD, FIVE, REPORT, WORK, library, multiply, photos, ratios, small, steps, timed  # noqa: E402
from compare import Program, measured, paired  # noqa: E402
from tables import section  # noqa: E402

MARKER = "## Many machines"
PHOTOS = 100
SMALL = 1000
PLANNED = 10_000
SHARDS = 6
FOLDER = WORK / "work"


def updated(build):
    """A copy of a build whose Sepia is another version: its edits are stale."""
    copy = WORK / "build-updated"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for path in Path(build).iterdir():
        if path.name.startswith("edithost") and path.is_file():
            shutil.copy2(path, copy / path.name)
    shutil.copytree(build / "extensions", copy / "extensions")
    for path in (copy / "extensions").glob("Sepia*/*.so"):
        with path.open("ab") as file:
            file.write(b"\0")
    return copy


def trusted(program):
    """The program, whose user trusts the updated Sepia as they did the shipped one."""
    subprocess.run(program.command("extensions", "trust", "sepia"), env=program.environment, check=True, stdout=subprocess.DEVNULL)
    return program


def planned(program, *options):
    """Plans all that is stale, or everything with --force, and returns the hash of the plan."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    program.lines("work", "plan", FOLDER, "--all", *options)
    return subprocess.run(["sha256sum", FOLDER / "plan.json"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[0]


def forget():
    """Removes the results, so that a shard renders again."""
    for path in (FOLDER / "results").glob("*"):
        shutil.rmtree(path)


def worker(program, plan, shard):
    return timed(program, "work", "run", FOLDER, "--plan", plan, "--shard", shard, "--jobs", 1)


def working():
    """A worker beside `rerender --jobs 1`, and two workers at once beside `rerender --jobs 2`."""
    program = library("Work", photos(PHOTOS))
    program.lines("edit", "--all", "--with", "sepia", "--set", "intensity=1")
    plan = planned(program, "--force", "--shards", 1)

    def one():
        forget()
        return worker(program, plan, 0)

    single = paired(one, lambda: timed(program, "rerender", "--all", "--force", "--jobs", 1), 5)
    plan = planned(program, "--force", "--shards", 2)
    run = " ".join(program.command("work", "run", FOLDER, "--plan", plan, "--jobs", 1))
    both = ["sh", "-c", f"{run} --shard 0 & {run} --shard 1 && wait $!"]

    def two():
        forget()
        return measured(both, program.environment)

    return single, paired(two, lambda: timed(program, "rerender", "--all", "--force", "--jobs", 2), 5)


def committing(build, folder, count, *others):
    """Commits of the same results to copies of a library, in turn: for each, options and whether the library has the same bytes."""
    library("Work-stale", folder).lines("edit", "--all", "--with", "sepia", "--set", "intensity=1")
    stale = WORK / "Work-stale.editlibrary"
    copy = WORK / "Work-copy.editlibrary"
    newer = trusted(Program(build, copy))
    shutil.copytree(stale, copy)
    plan = planned(newer, "--shards", 1)
    rendering = worker(newer, plan, 0)

    def commit(options, same):
        shutil.rmtree(copy)
        shutil.copytree(stale, copy)
        for file in [] if same else (FOLDER / "results").glob("*/files/*"):
            (copy / "blobs" / file.name[:2] / file.name).unlink()
        for record in (FOLDER / "results").glob("*/committed"):
            shutil.rmtree(record)
        os.sync()
        result = timed(newer, "work", "commit", FOLDER, "--keep", *options)
        left = newer.lines("rerender", "--all", "--dry-run")[-1]
        if left.get("upToDate") != count:
            sys.exit(f"work: after the commit, the plan answered {left}")
        return result

    return rendering, paired(*[lambda other=other: commit(*other) for other in others], 3)


def planning(build):
    """Milliseconds of a plan for each stale photo, by two plans of different length."""
    path = WORK / "Work-plan.editlibrary"
    newer = trusted(Program(build, path))
    library("Work-plan", WORK / "photographs").lines("edit", "--all", "--with", "sepia", "--set", "intensity=1")

    def plan():
        shutil.rmtree(FOLDER, ignore_errors=True)
        return timed(newer, "work", "plan", FOLDER, "--all", "--probe", "off")[0]

    few = statistics.median(plan() for _ in range(5))
    multiply(path, PLANNED)
    os.sync()
    return 1000 * (statistics.median(plan() for _ in range(5)) - few) / (PLANNED - 10)


def balance():
    """The CPU time of the longest shard by the mean; photos with one edit and with five."""
    program = library("Work-shards", photos(PHOTOS))
    identifiers = [line["id"] for line in program.lines("list")]
    program.lines("edit", *identifiers[::2], *steps(FIVE[:1]))
    program.lines("edit", *identifiers[1::2], *steps(FIVE))
    plan = planned(program, "--force", "--shards", SHARDS)
    times = [worker(program, plan, shard)[1] for shard in range(SHARDS)]
    return max(times) / statistics.mean(times)


def main():
    build = updated(BUILD)
    single, both = working()
    (_, rendering), commits = committing(build, photos(PHOTOS), PHOTOS, ([], True), ([], False))
    same, different = (statistics.median(pair[side][1] for pair in commits) / rendering for side in (0, 1))
    _, groups = committing(build, small(SMALL), SMALL, (["--group", 1], True), (["--group", 100], True))
    text = [
        MARKER, "",
        f"Sepia on {PHOTOS} photos of 12 megapixels (JPEG, quality 90), all on this machine. Alternating pairs of",
        "complete commands, medians; workers also render the probes of their shards. The commits take results of another version of",
        f"Sepia into copies of one library; {SMALL:,} photos of 64 by 64 pixels for the comparison of groups.", "",
        "| | wall, first | wall, second | ratio | CPU, first | CPU, second | ratio | target |", "|---|---|---|---|---|---|---|---|",
        ratios("a worker with one job; `rerender --jobs 1`", single, "CPU 1.05"),
        ratios("two workers with one job each; `rerender --jobs 2`", both, "wall 1.1"),
        ratios(f"commits of {SMALL:,} results one by one; in groups of 100", groups, "wall at least 2"), "",
        "| | | target |", "|---|---|---|",
        f"| CPU of the commit divided by the CPU of the worker, if the library has the same bytes | {same:.3f} | 0.03 |",
        f"| the same, if it does not | {different:.3f} | 0.03 |",
        f"| plan, per stale photo, {PLANNED:,} of them | {planning(build):.2f} ms | 0.5 ms |",
        f"| CPU of the longest of {SHARDS} shards divided by the mean, half of the photos with one edit and half with five | {balance():.2f} | 1.1 |", ""]
    section(REPORT, MARKER, text)


main()
