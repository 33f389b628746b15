#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""batch.py BUILD WORK REPORT

The same edit on many photos, and rendering them again: one command against the other in alternating pairs, and times of
plans and of exports that have nothing to do. Writes its section of REPORT.
"""
import hashlib
import os
import secrets
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from compare import Program, measured, paired, peak, untrusting  # noqa: E402
from tables import section  # noqa: E402

BUILD, WORK, REPORT = map(Path, sys.argv[1:4])
MARKER = "## Many photos"
EDITED = int(os.environ.get("EDITHOST_BATCH", "300"))
FEW = 40
PLANNED = 100_000
PAIRS = 3
FIVE = ["sepia:intensity=0.3", "croprotate:flip=horizontal", "sepia:intensity=0.2", "croprotate:crop=0.05,0.05,0.9,0.9",
        "sepia:intensity=0.1"]


def photos(count):
    """A folder with copies of the photos of 12 megapixels, each with a comment of its own, so that none is another's double."""
    folder = WORK / f"batch-{count}"
    sources = sorted((WORK / "photographs").glob("*.jpg"))
    if len(list(folder.glob("*.jpg"))) == count:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for index in range(count):
        data = sources[index % len(sources)].read_bytes()
        comment = f"copy {index}".encode()
        segment = b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment
        (folder / f"photograph-{index:05}.jpg").write_bytes(data[:2] + segment + data[2:])
    return folder


def small(count):
    """A folder with copies of a photo of 64 by 64 pixels, each with a comment of its own."""
    folder = WORK / f"batch-small-{count}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    data = (WORK / "small.jpg").read_bytes()
    for index in range(count):
        comment = f"small {index}".encode()
        segment = b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment
        (folder / f"small-{index:04}.jpg").write_bytes(data[:2] + segment + data[2:])
    return folder


def library(name, folder, build=BUILD):
    program = Program(build, WORK / f"{name}.editlibrary")
    program.lines("import", folder)
    return program


def steps(specifications):
    """The arguments of `edit` for several steps."""
    arguments = []
    for index, specification in enumerate(specifications):
        name, value = specification.split(":")
        arguments += (["--with"] if index == 0 else ["--then"]) + [name, "--set", value]
    return arguments


def timed(program, *arguments):
    return measured(program.command(*arguments), program.environment)


def editing():
    """One command that edits many photos, beside rendering the same again."""
    program = library("Batch-edit", photos(EDITED))
    intensities = iter(range(1, 1000))

    def edit():
        return timed(program, "edit", "--all", "--with", "sepia", "--set", f"intensity={next(intensities) / 1000}")

    return paired(edit, lambda: timed(program, "rerender", "--all", "--force"), PAIRS)


def chains():
    """Five edits of a photo, beside two."""
    programs = []
    for name, specifications in (("five", FIVE), ("two", FIVE[:2])):
        program = library(f"Batch-{name}", WORK / "photographs")
        program.lines("edit", "--all", *steps(specifications))
        programs.append(program)
    return paired(*[lambda program=program: timed(program, "rerender", "--all", "--force") for program in programs], 5)


def isolation(count):
    """Untrusted extensions beside trusted ones: rendering again, and changing the edits."""
    programs = []
    for name, build in (("untrusted", untrusting(BUILD, WORK)), ("trusted", BUILD)):
        program = library(f"Batch-{name}", photos(count), build)
        program.lines("edit", "--all", "--with", "sepia", "--set", "intensity=1")
        programs.append(program)
    rendering = paired(*[lambda program=program: timed(program, "rerender", "--all", "--force") for program in programs], 5)
    intensities = iter(range(1, 1000))

    def change(program):
        return timed(program, "edit", "--all", "--with", "sepia", "--set", f"intensity={next(intensities) / 1000}")

    return rendering, paired(*[lambda program=program: change(program) for program in programs], PAIRS)


def each(few, many):
    """The cost of an additional photo, from two lists of pairs. The second list is of more photos."""
    return [tuple(tuple((more - less) / (EDITED - FEW) for less, more in zip(*sides)) for sides in zip(*pairs))
            for pairs in zip(few, many)]


def multiply(path, count):
    """Gives a library's assets so many copies, with their edits: each with files of its own, which are links to the others' bytes."""
    database = sqlite3.connect(path / "library.sqlite")
    database.execute("PRAGMA foreign_keys = OFF")
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    columns = {table: [row[1] for row in database.execute(f"PRAGMA table_info({table})")] for table in tables}
    own = [table for table in tables if "asset_id" in columns[table] and table not in ("edit", "version")]
    new = {table: [] for table in ["blob", "asset", "edit", "rendition", *own]}
    sizes = dict(database.execute("SELECT hash, size FROM blob"))
    blobs = path / "blobs"
    for shard in range(256):
        (blobs / f"{shard:02x}").mkdir(exist_ok=True)

    def copied(old):
        """A file of another name with the same bytes."""
        name = secrets.token_hex(32)
        os.link(blobs / old[:2] / old, blobs / name[:2] / name)
        new["blob"].append((name, sizes[old]))
        return name

    highest = {table: database.execute(f"SELECT max(id) FROM {table}").fetchone()[0] or 0
               for table in new if "id" in columns[table]}
    # Generated columns cannot be written.
    names = {table: ", ".join(columns[table]) for table in new}
    assets = database.execute(f"SELECT {names['asset']} FROM asset").fetchall()

    def rows(table, key, value):
        found = database.execute(f"SELECT {names[table]} FROM {table} WHERE {key} = ? ORDER BY 1", (value,))
        return [dict(zip(columns[table], row)) for row in found]

    def take(table, row):
        if "id" in row:
            highest[table] += 1
            row["id"] = highest[table]
        if "uuid" in row:
            row["uuid"] = str(uuid.uuid4()).upper()
        new[table].append(tuple(row[column] for column in columns[table]))
        return row.get("id")

    sources = []
    for values in assets:
        asset = dict(zip(columns["asset"], values))
        edits = rows("edit", "asset_id", asset["id"])
        sources.append((asset, edits, {edit["id"]: rows("rendition", "edit_id", edit["id"]) for edit in edits},
                        {table: rows(table, "asset_id", asset["id"]) for table in own}))
    for index in range(count - len(assets)):
        asset, edits, renditions, others = sources[index % len(sources)]
        identifier = take("asset", dict(asset))
        places, hashes = {}, {}
        for table in own:
            for row in others[table]:
                if row.get("blob_hash"):
                    hashes[row["blob_hash"]] = copied(row["blob_hash"])
        for edit in edits:
            copy = {**edit, "asset_id": identifier, "parent_id": places.get(edit["parent_id"])}
            places[edit["id"]] = take("edit", copy)
            for rendition in renditions[edit["id"]]:
                ingredients = rendition["ingredients"]
                for old, other in hashes.items():
                    ingredients = ingredients.replace(old.encode(), other.encode())
                take("rendition", {
                    **rendition, "edit_id": places[edit["id"]], "ingredients": ingredients,
                    "key": hashlib.sha256(ingredients).hexdigest(), "blob_hash": copied(rendition["blob_hash"])})
        for table in own:
            for row in others[table]:
                copy = {**row, "asset_id": identifier}
                if row.get("blob_hash"):
                    copy["blob_hash"] = hashes[row["blob_hash"]]
                if "tip_id" in copy:
                    copy["tip_id"] = places[copy["tip_id"]]
                take(table, copy)
    for table, values in new.items():
        marks = ", ".join("?" * len(columns[table]))
        database.executemany(f"INSERT INTO {table} ({names[table]}) VALUES ({marks})", values)
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def planning():
    """Seconds of plans of many that are up to date."""
    program = library("Batch-many", WORK / "photographs")
    program.lines("edit", "--all", "--with", "sepia", "--set", "intensity=1")
    multiply(WORK / "Batch-many.editlibrary", PLANNED)
    # Writes out the data of earlier measurements.
    os.sync()
    plans = [timed(program, "rerender", "--all")[0] for _ in range(6)]
    summary = program.lines("rerender", "--all", "--dry-run")[-1]
    if summary != {"rendered": 0, "upToDate": PLANNED, "failed": 0}:
        sys.exit(f"batch: the plan answered {summary}")
    return plans


def exporting():
    """Seconds of the second export of a thousand photos, and how many files it opened for writing."""
    program = library("Batch-export", small(1000))
    program.lines("edit", "--all", "--with", "sepia", "--set", "intensity=1")
    folder = WORK / "batch-exported"
    shutil.rmtree(folder, ignore_errors=True)
    program.lines("export", "--all", "--to", folder)
    times = [timed(program, "export", "--all", "--to", folder)[0] for _ in range(5)]
    lines = program.lines("export", "--all", "--to", folder)
    written = sum(line["written"] for line in lines)
    return times, written


def gigapixel():
    """MiB of all processes that edit a gigapixel, by the kind of file."""
    side = 32_768
    kinds = {
        "strip TIFF": ("gigapixel-strip.tif", "[bigtiff,compression=none]"),
        "tiled TIFF": ("gigapixel-tiled.tif", "[bigtiff,tile,tile-width=256,tile-height=256,compression=none]"),
        "JPEG": ("gigapixel.jpg", "[Q=75]"),
    }
    rows = []
    for kind, (name, options) in kinds.items():
        path = WORK / name
        subprocess.run(["vips", "black", f"{path}{options}", str(side), str(side), "--bands", "3"], check=True)
        program = library("Batch-gigapixel", path)
        most = peak(program.command(
            "edit", "--all", "--with", "sepia", "--set", "intensity=1", "--then", "croprotate", "--set",
            "crop=0.1,0.1,0.8,0.8"), program.environment)
        rows.append(f"| {kind} | {most:.0f} MiB |")
        path.unlink()
        shutil.rmtree(WORK / "Batch-gigapixel.editlibrary")
    return rows


def ratios(name, results, aim, scale=1, unit="s"):
    """A row: medians of both, in a unit of which a second has so many, and of the ratios of the pairs."""
    cells = []
    for place in (0, 1):
        ours, theirs = ([pair[side][place] for pair in results] for side in (0, 1))
        quotients = [pair[0][place] / pair[1][place] for pair in results]
        cells += [f"{scale * statistics.median(ours):.1f} {unit}", f"{scale * statistics.median(theirs):.1f} {unit}",
                  f"**{statistics.median(quotients):.2f}**"]
    return f"| {name} | {' | '.join(cells)} | {aim} |"


def main():
    (few, _), (many, changed) = isolation(FEW), isolation(EDITED)
    rows = [
        ratios(f"one command edits {EDITED}; `rerender --force` of the same", editing(), "1.1"),
        ratios("five edits; two", chains(), "1.3"),
        ratios(f"untrusted; trusted, {EDITED} photos", many, "1.1"),
        ratios(f"untrusted; trusted, {FEW} photos", few, ""),
        ratios("untrusted; trusted, per additional photo", each(few, many), "1.1", 1000, "ms"),
        ratios(f"untrusted; trusted, changing the edits of {EDITED}", changed, ""),
    ]
    plans = planning()
    exports, written = exporting()
    memory = gigapixel()
    text = [
        MARKER, "",
        "Photos of 12 megapixels (JPEG, quality 90), sepia; the five edits are sepia, a flip, sepia, a crop to 90 percent, sepia.",
        "Alternating pairs of complete commands; the targets apply to the wall times. An untrusted extension takes two more processes,",
        "which have to be started. For many photos, `rerender --all` compares all keys, a thousand at a time.", "",
        "| | wall, first | wall, second | ratio | CPU, first | CPU, second | ratio | target |", "|---|---|---|---|---|---|---|---|", *rows, "",
        "| | |", "|---|---|",
        f"| `rerender --all`, {PLANNED:,} up to date, median of 6; the target is 1 s | {statistics.median(plans):.2f} s |",
        f"| `export --all`, 1,000 unchanged, median of 5; {written} files written | {statistics.median(exports):.2f} s |",
        "", "One gigapixel (32,768 by 32,768) through sepia and a crop, trusted: memory of all processes together, each page counted once.", "",
        "| | |", "|---|---|", *memory, ""]
    section(REPORT, MARKER, text)


if __name__ == "__main__":
    main()
