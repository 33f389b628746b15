# SPDX-License-Identifier: Apache-2.0
"""The studio's server, without a browser."""
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from libraries import WORK, Client, generated, imported, row, started, value

MILLION = 1_000_000
THUMBNAIL = 256
ROUNDS = 10
SECONDS = 10
CONNECTIONS = 4
# About as many as the server keeps in memory.
REQUESTED = 4000


def shapes(studio):
    """Milliseconds from the request for a view to the last byte of its shapes: the last photo can be reached then."""
    client = Client(studio)
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        view, _ = client.view()
        client.request("GET", f"/api/views/{view}/shapes")
        times.append((time.perf_counter() - start) * 1000)
        client.request("DELETE", f"/api/views/{view}")
    return times


def requests_per_second(client, paths):
    """What wrk measures for random ones of these paths."""
    script, listed = WORK / "studio.lua", WORK / "studio-paths.txt"
    listed.write_text("\n".join(paths))
    script.write_text(f"""
        local requests = {{}}
        function init()
            for line in io.lines("{listed}") do
                requests[#requests + 1] = wrk.format("GET", line, {{ ["Host"] = "{client.host}", ["Authorization"] = "Bearer {client.bearer}" }})
            end
        end
        function request() return requests[math.random(#requests)] end""")
    output = subprocess.run(
        ["wrk", "-t1", "-c8", f"-d{SECONDS}s", "-s", script, f"http://127.0.0.1:{client.port}"],
        check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in output:
        sys.exit(output)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])


def memory(process):
    """The most memory that a process has had, in MiB."""
    return int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process}/status").read_text())[1]) / 1024


def thumbnails(client):
    """The path of every thumbnail."""
    return [f"/pictures/{asset['id']}/{asset['key']}/current?size={THUMBNAIL}" for asset in client.rows()]


def fetch(studio, paths):
    """Requests all paths, a part of them by each connection."""
    def part(number):
        client = Client(studio)
        for path in paths[number::CONNECTIONS]:
            client.request("GET", path)

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(part, range(CONNECTIONS)))


def rows(count):
    """The rows of the table. Every thumbnail of the library is in its cache afterwards."""
    studio = started(imported(count))
    try:
        fetch(studio, thumbnails(Client(studio)))
    finally:
        studio.stop()
    studio = started(imported(count))
    try:
        few = shapes(studio)
        client = Client(studio)
        paths = thumbnails(client)
        fetch(studio, paths)
        used = memory(studio.process.pid)
        fetch(studio, paths[:REQUESTED])
        rate = requests_per_second(client, paths[:REQUESTED])
    finally:
        studio.stop()
    studio = started(generated(MILLION))
    try:
        many = shapes(studio)
    finally:
        studio.stop()
    return [
        row(f"a view and its shapes, {count:,} photos", few, "60 ms"),
        row(f"a view and its shapes, {MILLION:,} photos", many, "700 ms"),
        value(f"thumbnails in a second, {REQUESTED:,} different ones, `wrk` with 8 connections", f"{rate:,.0f}", "at least 10,000"),
        value(f"most memory of the server after serving all {count:,} thumbnails", f"{used:.0f} MiB", "250 MiB"),
    ]
