#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py LIBRARY COUNT

Fills an empty library with rows of so many assets: one in twenty is edited, one in fifty a favourite,
one in thirty a video, half have a position, and for every 500 there is an album of 500. There are no files.
"""
import functools
import random
import sqlite3
import sys
import uuid

EARLIEST, LATEST = 1_000_000_000, 1_700_000_000
FORMAT = "org.example.sepia"


def identifier():
    return str(uuid.UUID(int=random.getrandbits(128)))


def digest():
    return f"{random.getrandbits(256):064x}"


def asset(number, is_edited):
    moment = random.randrange(EARLIEST * 10**6, LATEST * 10**6)
    has_position = random.random() < 0.5
    return (
        number, identifier(), 2 if random.random() < 1 / 30 else 1, 0, 1, 4000, 3000, 4000, 3000,
        None if random.random() < 0.01 else moment, moment, LATEST * 10**6 + number,
        LATEST * 10**6 + number, random.uniform(-60, 70) if has_position else None,
        random.uniform(-180, 180) if has_position else None, 0.0,
        int(random.random() < 0.02), int(random.random() < 0.01), 0, 0, f"IMG_{number:07}.JPG", 0,
        1 if is_edited else None, FORMAT if is_edited else None)


@functools.cache
def checked(database, table, columns):
    """The names of columns, once they have been held against the schema's."""
    names = [name.strip() for name in columns.split(",")]
    known = list(database.execute(f"PRAGMA table_info({table})"))
    unknown = sorted(set(names) - {name for _, name, *_ in known})
    missing = sorted(
        name for _, name, _, not_null, default, key in known
        if not_null and default is None and not key and name not in names)
    if unknown or missing:
        sys.exit(f"generate.py does not fit the schema: {table} has no columns {unknown}, and needs {missing}")
    return names


def insert(database, table, columns, rows):
    names = checked(database, table, columns)
    places = ", ".join("?" * len(names))
    database.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})", rows)


def fill(database, count):
    edited = set(random.sample(range(1, count + 1), count // 20))
    insert(
        database, "asset",
        "id, uuid, media_type, media_subtypes, source_type, pixel_width, pixel_height,"
        "original_pixel_width, original_pixel_height, creation_date, file_date, added_date,"
        "modification_date, latitude, longitude, duration, is_favorite, is_hidden, represents_burst,"
        "burst_selection_types, original_filename, generation, position, adjustment_format",
        (asset(number, number in edited) for number in range(1, count + 1)))
    for number in range(1, count + 1):
        original = digest()
        insert(database, "blob", "hash, size", [(original, 3_000_000)])
        insert(
            database, "resource", "asset_id, type, is_primary, blob_hash, filename, format",
            [(number, 1, 1, original, "IMG.JPG", "jpeg")])
    for edit, number in enumerate(sorted(edited), 1):
        rendition = digest()
        insert(database, "blob", "hash, size", [(rendition, 2_000_000)])
        insert(
            database, "edit",
            "id, uuid, asset_id, format_identifier, format_version, adjustment_data, created",
            [(edit, identifier(), number, FORMAT, "1", b"{}", 0)])
        insert(database, "state", "asset_id, position, tip_id, created", [(number, 1, edit, 0)])
        insert(
            database, "rendition",
            "edit_id, kind, part, key, ingredients, blob_hash, pixel_width, pixel_height, format, created",
            [(edit, "current", "photo", digest(), b"\0", rendition, 4000, 3000, "jpeg", 0)])
    for album in range(1, count // 500 + 1):
        insert(
            database, "collection", "id, uuid, kind, rank, title, created, modified",
            [(album, identifier(), "album", album << 20, f"Album {album}", 0, 0)])
        members = random.sample(range(1, count + 1), min(500, count))
        insert(
            database, "album_member", "album_id, asset_id, rank",
            ((album, member, rank << 20) for rank, member in enumerate(members)))
    database.execute(
        "UPDATE library SET next_asset_id = ?, next_collection_id = ?", (count + 1, count // 500 + 1))


def main():
    random.seed(4)
    database = sqlite3.connect(sys.argv[1] + "/library.sqlite")
    with database:
        fill(database, int(sys.argv[2]))
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


main()
