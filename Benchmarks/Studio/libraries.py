# SPDX-License-Identifier: Apache-2.0
"""The libraries of the studio's benchmarks, and a program's connection to the server."""
import http.client
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Benchmarks"), str(ROOT / "Tests/Browser")]
from studio import Library, Studio  # noqa: E402

BUILD, WORK, REPORT = (Path(argument).absolute() for argument in sys.argv[1:4])
WEB = BUILD / "studio"
SMALL = (360, 240)


def small_pictures(count):
    """A folder of small JPEGs. A comment makes each different from the others."""
    folder = WORK / f"studio-{count}"
    if folder.exists() and len(os.listdir(folder)) == count:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    sources = []
    for photo in sorted((WORK / "photographs").glob("*.jpg")):
        made = WORK / "small-copy.jpg"
        subprocess.run(["vips", "thumbnail", photo, f"{made}[Q=80,strip]", str(SMALL[0]),
                        "--height", str(SMALL[1]), "--crop", "centre"], check=True)
        sources.append(made.read_bytes())
        made.unlink()
    generator = random.Random(1)
    for index in range(count):
        data, comment = sources[index % len(sources)], f"copy {index}".encode()
        segment = b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment
        path = folder / f"photograph-{index:06}.jpg"
        path.write_bytes(data[:2] + segment + data[2:])
        # Photos without a date of capture have that of their file.
        taken = generator.randrange(1_000_000_000, 1_700_000_000)
        os.utime(path, (taken, taken))
    return folder


def imported(count):
    """A library of small photos of twenty years. It is kept for the next run."""
    return kept(f"Studio-{count}", lambda made: made.run("import", str(small_pictures(count))))


def generated(count):
    """A library of rows without files. It is kept for the next run."""
    def make(made):
        started(made).stop()
        subprocess.run([sys.executable, ROOT / "Benchmarks/generate.py", made.path, str(count)], check=True)

    return kept(f"Studio-rows-{count}", make)


def kept(name, make):
    """A library that an earlier run has completed, or a new one."""
    path, unfinished = WORK / f"{name}.editlibrary", WORK / f"{name}-unfinished.editlibrary"
    if not path.exists():
        shutil.rmtree(unfinished, ignore_errors=True)
        make(Library(BUILD, unfinished))
        unfinished.rename(path)
    return Library(BUILD, path)


def fresh(build, name, files):
    """A new library of these files."""
    path = WORK / f"{name}.editlibrary"
    shutil.rmtree(path, ignore_errors=True)
    made = Library(build, path)
    made.run("import", *map(str, files))
    return made


def started(library):
    """A server for a library."""
    return Studio(library, WORK / "studio-state", WEB)


class Client:
    """A program's connection to the server, with a login."""

    def __init__(self, studio):
        self.host, self.port = studio.url.split("/")[2], studio.ready["port"]
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port)
        token = re.search(r"#token=([0-9a-f]+)", Path(studio.issue()).read_text())[1]
        # The token of a program is exchanged for that of a login.
        self.bearer = token
        self.bearer = json.loads(self.request("POST", "/api/login"))["bearer"]

    def request(self, method, path, body=None):
        data = b"" if body is None else json.dumps(body).encode()
        self.connection.putrequest(method, path, skip_host=True)
        self.connection.putheader("Host", self.host)
        self.connection.putheader("Authorization", f"Bearer {self.bearer}")
        self.connection.putheader("Content-Length", str(len(data)))
        if body is not None:
            self.connection.putheader("Content-Type", "application/json")
        self.connection.endheaders(data)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            sys.exit(f"{method} {path}: {answer.status} {content[:300]!r}")
        return content

    def view(self):
        """The name and the count of a view of all photos."""
        answer = json.loads(self.request("POST", "/api/views", {}))
        return answer["view"], answer["count"]

    def rows(self):
        """Every row of a view of all photos."""
        view, count = self.view()
        rows = []
        for first in range(0, count, 500):
            rows += json.loads(self.request("GET", f"/api/views/{view}/rows?from={first}&count=500"))["rows"]
        return rows


def row(what, times, limit, beside=""):
    """A line of a table: the median of milliseconds, and what 95 of 100 are within."""
    within = sorted(times)[max(0, -(-len(times) * 95 // 100) - 1)]
    return f"| {what} | **{statistics.median(times):.0f} ms** | {within:.0f} ms | {beside} | {limit} |"


def value(what, measured, limit):
    """A line of a table: one value."""
    return f"| {what} | **{measured}** | | | {limit} |"
