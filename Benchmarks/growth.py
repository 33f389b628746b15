#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""growth.py BUILD WORK REPORT

The CPU time per photograph of commands on libraries of different sizes. Writes its section of REPORT.

EDITHOST_GROWTH="2500 10000" measures these sizes only.
"""
import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from compare import Program, measured  # noqa: E402
from tables import section  # noqa: E402

BUILD, WORK, REPORT = map(Path, sys.argv[1:4])
HEADING = "## Growth with the library"
SIZES = [int(size) for size in os.environ.get("EDITHOST_GROWTH", "2500 10000 40000").split()]
TARGET = 1.15


def photographs(count):
    """A folder with copies of a photograph of 64 by 64 pixels. Each has a different comment, so none is a duplicate."""
    folder = WORK / "growth-photographs"
    shutil.rmtree(folder, ignore_errors=True)
    data = (WORK / "small.jpg").read_bytes()
    for index in range(count):
        comment = f"growth {index}".encode()
        segment = b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment
        path = folder / f"{index // 1000:03}" / f"photograph-{index:06}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data[:2] + segment + data[2:])
    return folder


def commands(folder):
    """The measured commands by name, in the order in which they run on one library."""
    exported, backup = WORK / "growth-exported", WORK / "growth-backup"
    for path in (exported, backup):
        shutil.rmtree(path, ignore_errors=True)
    return {
        "import": ["import", folder],
        "edit": ["edit", "--all", "--with", "sepia", "--set", "intensity=1"],
        "undo": ["undo", "--all"],
        "redo": ["redo", "--all"],
        "export": ["export", "--all", "--to", exported],
        "export, unchanged": ["export", "--all", "--to", exported],
        "rerender --force": ["rerender", "--all", "--force"],
        "rerender, up to date": ["rerender", "--all"],
        "set --rating": ["set", "--all", "--rating", "3"],
        "check": ["check"],
        "backup": ["backup", backup],
        "backup, unchanged": ["backup", backup],
    }


def measure(count):
    """Milliseconds of CPU per photograph by command."""
    program = Program(BUILD, WORK / "Growth.editlibrary")
    costs = {}
    for name, arguments in commands(photographs(count)).items():
        _, cpu = measured(program.command(*arguments), program.environment)
        costs[name] = 1000 * cpu / count
        os.sync()
    return costs


def main():
    # Removes the fixed cost of each command, which would hide growth in small libraries.
    fixed = measure(10)
    rounds = {size: measure(size) for size in SIZES}
    rows = []
    for name in fixed:
        costs = [rounds[size][name] - 10 * fixed[name] / size for size in SIZES]
        growth = costs[-1] / costs[0]
        rows.append(f"| {name} | {' | '.join(f'{cost:.3f} ms' for cost in costs)} | **{growth:.2f}** |")
    section(REPORT, HEADING, [
        HEADING, "",
        "CPU time per photograph of complete commands on new libraries of photographs of 64 by 64 pixels, minus the fixed cost of the",
        f"command. The growth is that from the smallest to the largest library; the target is at most {TARGET}.", "",
        f"| | {' | '.join(f'{size:,}' for size in SIZES)} | growth |", "|---|" + "---|" * (len(SIZES) + 1), *rows, ""])


main()
