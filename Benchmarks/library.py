#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""library.py BUILD WORK REPORT

Measures libraries of ten thousand and of a million assets against plain SQL through the same SQLite, and
replaces what REPORT says under HEADING.
"""
import shutil
import sqlite3
import statistics
import subprocess
import sys
from pathlib import Path

from tables import section

HEADING = "## A library of a million assets"
SIZES = [10_000, 1_000_000]
COLUMNS = (
    "uuid, media_type, media_subtypes, source_type, pixel_width, pixel_height, original_pixel_width,"
    " original_pixel_height, creation_date, creation_offset, file_date, added_date, modification_date,"
    " latitude, longitude, duration, is_favorite, is_hidden, burst_identifier, represents_burst,"
    " burst_selection_types, original_filename, generation, adjustment_format, camera_make, camera_model,"
    " lens_model, rating, content_identifier")
ORDER = "ORDER BY sort_date, sort_file_date, id"
FILTERS = {
    "favorites": "is_listed = 1 AND is_favorite = 1",
    "edited": "is_listed = 1 AND position IS NOT NULL",
    "videos": "is_listed = 1 AND media_type = 2",
    "a month":
        "is_listed = 1 AND sort_date BETWEEN 1500000000000000 AND 1502592000000000",
    "all": "is_listed = 1",
}


class Stage:
    """A generated library, and both programs."""

    def __init__(self, build, work, count):
        self.program = str(build / "LibraryBenchmark")
        self.plain_program = str(work / "plain_sql")
        self.folder = work
        self.count = count
        self.library = work / f"Generated-{count}.editlibrary"
        self.ours = {}
        self.plain = {}
        shutil.rmtree(self.library, ignore_errors=True)
        self.run("create")
        subprocess.run(
            [sys.executable, Path(__file__).parent / "generate.py", self.library, str(count)], check=True)

    def run(self, mode, *arguments):
        """Runs a mode of our program; gives its lines, and keeps its medians."""
        output = subprocess.run(
            [self.program, mode, self.library, *map(str, arguments)], check=True, stdout=subprocess.PIPE,
            text=True).stdout
        lines = [line.split("\t") for line in output.splitlines()]
        for line in lines:
            if len(line) == 4:
                self.ours.setdefault(line[0], []).append([float(value) for value in line[1:]])
        return lines

    def sql(self, name, verb, *arguments):
        """Runs the plain program."""
        output = subprocess.run(
            [self.plain_program, self.library / "library.sqlite", verb, *map(str, arguments)], check=True,
            stdout=subprocess.PIPE, text=True).stdout
        self.plain.setdefault(name, []).append([float(value) for value in output.split("\t")])

    def reading(self):
        self.run("open")
        self.sql("open", "open", 30)
        self.run("read")
        for name, condition in FILTERS.items():
            self.sql(
                f"count {name}", "query", 30, f"SELECT count(*) FROM asset WHERE {condition}")
            self.sql(
                f"first 100 {name}", "query", 100,
                f"SELECT {COLUMNS} FROM asset WHERE {condition} {ORDER} LIMIT 100")
        self.sql("load", "query", 7, f"SELECT id FROM asset WHERE is_listed = 1 {ORDER}")
        self.sql(
            "random access", "query", 7,
            f"SELECT {COLUMNS} FROM asset WHERE is_listed = 1 {ORDER} LIMIT 1 OFFSET {self.count // 2}")
        self.sql(
            "album", "query", 30,
            f"SELECT {COLUMNS} FROM album_member JOIN asset ON asset.id = asset_id"
            f" WHERE album_id = {self.count // 1000 + 1} AND is_listed = 1 ORDER BY rank")
        self.sql(
            "moments", "query", 3,
            "SELECT id, creation_date, creation_offset, latitude, longitude FROM asset"
            " WHERE is_listed = 1 AND creation_date IS NOT NULL ORDER BY creation_date")
        with sqlite3.connect(self.library / "library.sqlite") as database:
            identifier, = database.execute(
                "SELECT uuid FROM asset WHERE id = ?", (self.count // 3,)).fetchone()
        self.sql(
            "by identifier", "query", 400, f"SELECT {COLUMNS} FROM asset WHERE uuid = '{identifier}'")

    def changing(self):
        self.run("change")
        for count, times in [(1, 40), (100, 20), (10_000, 3)]:
            self.sql(f"change {count}", "change", times, count)

    def importing(self):
        files = self.folder / f"files-{self.count}"
        blobs = self.folder / f"blobs-{self.count}"
        for folder in (files, blobs):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        for number in range(100):
            (files / f"{number}.jpg").write_bytes(f"{self.count} {number} ".encode() * 400)
        self.run("import", files)
        self.sql("import", "import", files, blobs)

    def memory(self):
        """Megabytes that a held result takes."""
        def resident(held):
            return statistics.median(int(self.run("memory", held)[0][1]) for _ in range(3))
        return (resident(1) - resident(0)) * 1024 / 1e6

    def latency(self):
        """Milliseconds from the call and from the return of a change to its delivery elsewhere."""
        watcher = subprocess.Popen(
            [self.program, "observe", self.library, "100"], stdout=subprocess.PIPE, text=True)
        watcher.stdout.readline()
        commits = self.run("commit", 100)
        told = dict(line.rstrip().split("\t") for line in watcher.stdout)
        watcher.wait()
        delays = [
            [(int(told[token]) - int(time)) / 1e6 for time in times] for token, *times in commits]
        return [sorted(column) for column in zip(*delays)]


def median(rows):
    return statistics.median(row[0] for row in rows)


NAMES = [
    ("open", "open"),
    *((f"{kind} {name}", f"{kind}, {name}") for name in FILTERS for kind in ("count", "first 100")),
    ("album", "an album of 500, all rows"), ("moments", "all moments"),
    ("load", "all identifiers in order"), ("by identifier", "an asset by identifier"),
    ("random access", "an asset at a random position in a held result"),
    ("import", "import of one file, not decoded"), ("change 1", "`performChanges` with 1 request"),
    ("change 100", "with 100"), ("change 10000", "with 10,000"),
]


def table(small, large):
    lines = [
        "| | 10,000: ms | plain SQL | ratio | 1,000,000: ms | plain SQL | ratio | growth |",
        "|---|---|---|---|---|---|---|---|"]
    for key, name in NAMES:
        values = [median(stage.ours[key]) for stage in (small, large)]
        plain = [median(stage.plain[key]) for stage in (small, large)]
        lines.append(
            f"| {name} | {values[0]:.3f} | {plain[0]:.3f} | {values[0] / plain[0]:.2f}"
            f" | {values[1]:.3f} | {plain[1]:.3f} | {values[1] / plain[1]:.2f}"
            f" | {values[1] / values[0]:.1f} |")
    return lines


def details(small, large):
    lines = ["| change details of a held result | 10,000: ms | 1,000,000: ms | growth |", "|---|---|---|---|"]
    for key in ("details 10 favorites", "details 10 dates"):
        values = [median(stage.ours[key]) for stage in (small, large)]
        lines.append(
            f"| {key.removeprefix('details ')} | {values[0]:.3f} | {values[1]:.3f}"
            f" | {values[1] / values[0]:.2f} |")
    return lines


def main():
    build, work, report = (Path(argument) for argument in sys.argv[1:4])
    stages = [Stage(build, work, count) for count in SIZES]
    for _ in range(3):
        for stage in stages:
            stage.reading()
    for stage in stages:
        stage.changing()
        stage.importing()
        stage.run("details")
    small, large = stages
    from_call, from_return = large.latency()
    memory = large.memory()
    for stage in stages:
        shutil.rmtree(stage.library)
    explanation = (Path(__file__).parent / "library.md").read_text().rstrip()
    lines = [
        *table(small, large), "", *details(small, large), "",
        f"A change by another process is reported {from_call[50]:.1f} ms (median of 100; 90 of them within "
        f"{from_call[90]:.1f} ms) after `performChanges` was called, and {from_return[50]:.1f} ms after it "
        "returned: the first includes the commit itself.", "",
        f"A held result of a million, with its index, takes {memory:.1f} MB, of which up to 16.8 MB are SQLite's page cache."]
    section(report, HEADING, [HEADING, "", explanation.replace("RESULTS", "\n".join(lines))])


main()
