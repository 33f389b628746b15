#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""growth.py BUILD WORK REPORT

The CPU time and memory per photo of commands on libraries of different sizes. Writes its section of REPORT.

EDITHOST_GROWTH="2500 10000" measures these sizes only.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from compare import Program  # noqa: E402
from tables import section  # noqa: E402

BUILD, WORK, REPORT = map(Path, sys.argv[1:4])
HEADING = "## Growth with the library"
SIZES = [int(size) for size in os.environ.get("EDITHOST_GROWTH", "2500 10000 40000").split()]
TARGET = 1.15
# The limit of commands that commit at once is 100 MB for 50,000 photos.
MEMORY_TARGET = 2.0


def photos(count):
    """A folder with copies of a photo of 64 by 64 pixels. Each has a different comment, so none is a duplicate."""
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


def cost(command, environment):
    """CPU seconds and peak memory in kB of one command with all that it starts."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def measure(count):
    """Milliseconds of CPU in all, and peak memory in kB, by command."""
    program = Program(BUILD, WORK / "Growth.editlibrary")
    costs = {}
    for name, arguments in commands(photos(count)).items():
        cpu, memory = cost(program.command(*arguments), program.environment)
        costs[name] = (1000 * cpu, memory)
        os.sync()
    return costs


def main():
    # Removes the fixed cost of each command, which would hide growth in small libraries.
    fixed = measure(10)
    rounds = {size: measure(size) for size in SIZES}
    rows = []
    for name in fixed:
        costs = [(rounds[size][name][0] - fixed[name][0]) / size for size in SIZES]
        growth = costs[-1] / costs[0]
        memory = (rounds[SIZES[-1]][name][1] - rounds[SIZES[0]][name][1]) / (SIZES[-1] - SIZES[0])
        rows.append(
            f"| {name} | {' | '.join(f'{cost:.3f} ms' for cost in costs)} | **{growth:.2f}** | {memory:.1f} kB |")
    section(REPORT, HEADING, [
        HEADING, "",
        "CPU time per photo of complete commands on new libraries of photos of 64 by 64 pixels, minus the fixed cost of the",
        f"command. The growth is that from the smallest to the largest library; the target is at most {TARGET}. The memory is the",
        "difference of the peaks of the largest and the smallest library, per photo; for commands that commit at once the target",
        f"is at most {MEMORY_TARGET:.0f} kB.", "",
        f"| | {' | '.join(f'{size:,}' for size in SIZES)} | growth | memory |", "|---|" + "---|" * (len(SIZES) + 2), *rows, ""])


main()
