#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""browser.py BUILD WORK REPORT

The studio's page in Chromium, on a library of 100,000 photographs, and its server. Writes its section of REPORT.
Run it with .build/python/bin/python, which has Playwright.
"""
import http.client
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "Benchmarks"), str(ROOT / "Tests/Browser")]
from compare import section  # noqa: E402
from studio import Library, Studio, StudioPage  # noqa: E402

BUILD, WORK, REPORT = (Path(argument).absolute() for argument in sys.argv[1:4])
MARKER = "## The studio"
COUNT = int(os.environ.get("EDITHOST_STUDIO", "100000"))
MILLION = 1_000_000
OPENINGS, JUMPS, CHANGES = 20, 40, 40
SCROLLED_SECONDS, SPEED = 10, 4000
THUMBNAIL = 256
WEB = BUILD / "studio"
# Whether each picture on the screen is shown; the browser has painted when the next frame but one begins.
SHOWN = """() => {
    const grid = document.querySelector('.grid-scroller')?.getBoundingClientRect();
    const images = grid ? [...document.querySelectorAll('.cell img')].filter(image => {
        const box = image.getBoundingClientRect();
        return box.bottom > grid.top && box.top < grid.bottom;
    }) : [];
    return images.length > 5 && images.every(image => image.complete && image.naturalWidth > 0);
}"""
WATCH = f"""() => {{
    window.shown = new Promise(resolve => {{
        const isShown = {SHOWN};
        const look = () => isShown() ? requestAnimationFrame(() => resolve(performance.now())) : requestAnimationFrame(look);
        look();
    }});
}}"""


def pictures(count):
    """A folder of JPEGs of 360 by 240 pixels. A comment makes each different from the others."""
    folder = WORK / f"studio-{count}"
    if folder.exists() and len(os.listdir(folder)) == count:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    sources = []
    for photograph in sorted((WORK / "photographs").glob("*.jpg")):
        made = WORK / f"studio-{photograph.name}"
        subprocess.run(["vips", "thumbnail", photograph, f"{made}[Q=80,strip]", "360", "--height", "240", "--crop", "centre"],
                       check=True)
        sources.append(made.read_bytes())
        made.unlink()
    generator = random.Random(1)
    for index in range(count):
        data, comment = sources[index % len(sources)], f"copy {index}".encode()
        segment = b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment
        path = folder / f"photograph-{index:06}.jpg"
        path.write_bytes(data[:2] + segment + data[2:])
        # Photographs without a date of capture have that of their file.
        taken = generator.randrange(1_000_000_000, 1_700_000_000)
        os.utime(path, (taken, taken))
    return folder


def library(count):
    """A library of small photographs of twenty years. It is kept for the next run."""
    made = Library(BUILD, WORK / f"Studio-{count}.editlibrary")
    if not made.path.exists():
        made.run("import", str(pictures(count)))
    return made


def generated(count):
    """A library of rows without files."""
    made = Library(BUILD, WORK / f"Studio-rows-{count}.editlibrary")
    if not made.path.exists():
        Studio(made, state(), WEB).stop()
        subprocess.run([sys.executable, ROOT / "Benchmarks/generate.py", made.path, str(count)], check=True)
    return made


def state():
    """A new folder for what a server keeps between its starts."""
    return Path(tempfile.mkdtemp(dir=WORK))


class Client:
    """A program's connection to the server, with a login."""

    def __init__(self, studio):
        self.host, self.port = studio.url.split("/")[2], studio.ready["port"]
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port)
        token = re.search(r"#token=([0-9a-f]+)", Path(studio.issue()).read_text())[1]
        self.bearer = token  # Exchanged for the token of a login.
        self.bearer = json.loads(self.request("POST", "/api/login"))["bearer"]

    def request(self, method, path, body=None):
        self.connection.putrequest(method, path, skip_host=True)
        self.connection.putheader("Host", self.host)
        self.connection.putheader("Authorization", f"Bearer {self.bearer}")
        data = b"" if body is None else json.dumps(body).encode()
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
        return json.loads(self.request("POST", "/api/views", {}))

    def thumbnails(self):
        """The path of every thumbnail."""
        view = self.view()
        paths = []
        for first in range(0, view["count"], 500):
            rows = json.loads(self.request("GET", f"/api/views/{view['id']}/rows?from={first}&count=500"))["rows"]
            paths += [f"/pictures/{row['id']}/{row['key']}/current?size={THUMBNAIL}" for row in rows]
        return paths


def median(values):
    return statistics.median(values)


def slow(values):
    """What 95 of 100 samples are within."""
    return sorted(values)[max(0, -(-len(values) * 95 // 100) - 1)]


def opened(browser, studio):
    """Milliseconds from the navigation to the frame that shows every picture on the screen."""
    page = StudioPage(browser.new_context(viewport={"width": 1280, "height": 800}), studio)
    page.page.add_init_script(f"({WATCH})()")
    page.open()
    times = []
    for _ in range(OPENINGS):
        page.page.goto("about:blank")
        page.page.goto(studio.url)
        times.append(page.page.evaluate("window.shown"))
    return page, times


def jumped(page):
    """Milliseconds from a press of the scrubber at a random place to the frame that shows every picture."""
    box = page.page.locator("time-scrubber").bounding_box()
    generator = random.Random(2)
    times = []
    for _ in range(JUMPS):
        page.page.evaluate("""() => addEventListener('pointerdown', event => window.pressed = event.timeStamp, { capture: true, once: true })""")
        page.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * generator.uniform(0.02, 0.98))
        # The old pictures are shown until the next frame.
        page.page.evaluate("() => new Promise(resolve => requestAnimationFrame(resolve))")
        page.page.evaluate(WATCH)
        times.append(page.page.evaluate("window.shown.then(time => time - window.pressed)"))
    return times


def scrolled(page):
    """The longest task, the most elements, the heap, and the longest time that a cell was blank, while scrolling."""
    return page.page.evaluate("""async ([seconds, speed]) => {
        const grid = document.querySelector('.grid-scroller');
        let longest = 0, elements = 0, blank = 0, last = performance.now();
        const observer = new PerformanceObserver(list => list.getEntries().forEach(entry => longest = Math.max(longest, entry.duration)));
        observer.observe({ entryTypes: ['longtask'] });
        const since = new Map(), start = last;
        while (last - start < seconds * 1000) {
            const now = await new Promise(requestAnimationFrame);
            grid.scrollTop += (now - last) / 1000 * speed;
            last = now;
            elements = Math.max(elements, document.querySelectorAll('*').length);
            const box = grid.getBoundingClientRect();
            const blanks = new Set();
            for (const cell of document.querySelectorAll('.cell')) {
                const place = cell.getBoundingClientRect();
                if (place.bottom <= box.top || place.top >= box.bottom) continue;
                const image = cell.querySelector('img');
                if (image && image.complete && image.naturalWidth > 0) continue;
                blanks.add(cell.id);
                if (!since.has(cell.id)) since.set(cell.id, now);
                blank = Math.max(blank, now - since.get(cell.id));
            }
            for (const id of since.keys()) if (!blanks.has(id)) since.delete(id);
        }
        observer.disconnect();
        return { longest, elements, blank };
    }""", [SCROLLED_SECONDS, SPEED])


def heap(page):
    session = page.context.new_cdp_session(page.page)
    session.send("HeapProfiler.collectGarbage")
    return session.send("Runtime.getHeapUsage")["usedSize"] / 1e6


def changed(page, made):
    """Milliseconds from the end of a command that marks the first photo to the frame that shows its mark."""
    page.page.locator(".grid-scroller").focus()
    page.page.keyboard.press("Home")
    page.wait_for_active(0)
    first = made.run("list", "--limit", "1")[0]["id"]
    times = []
    for number in range(CHANGES):
        page.page.evaluate("""() => { window.seen = new Promise(resolve => {
            const cell = document.querySelector('#photo-0');
            const label = cell.getAttribute('aria-label');
            const look = () => document.querySelector('#photo-0')?.getAttribute('aria-label') !== label
                ? resolve(Date.now()) : requestAnimationFrame(look);
            look();
        }); }""")
        made.run("set", first, "--rating", str(1 + number % 5))
        ended = time.time() * 1000
        times.append(max(0, page.page.evaluate("window.seen") - ended))
    return times


def shapes(client):
    times = []
    for _ in range(10):
        view = client.view()
        start = time.perf_counter()
        client.request("GET", f"/api/views/{view['id']}/shapes")
        times.append((time.perf_counter() - start) * 1000)
        client.request("DELETE", f"/api/views/{view['id']}")
    return times


def requests_per_second(client, paths, seconds=10):
    """What wrk measures for random ones of these paths."""
    script = WORK / "studio.lua"
    listed = WORK / "studio-paths.txt"
    listed.write_text("\n".join(paths))
    script.write_text(f"""
        local paths = {{}}
        for line in io.lines("{listed}") do paths[#paths + 1] = line end
        function request()
            return wrk.format("GET", paths[math.random(#paths)], {{ ["Host"] = "{client.host}", ["Authorization"] = "Bearer {client.bearer}" }})
        end""")
    output = subprocess.run(
        ["wrk", "-t1", "-c8", f"-d{seconds}s", "-s", script, f"http://127.0.0.1:{client.port}"],
        check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in output:
        sys.exit(output)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])


def memory(process):
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def requests(made):
    """The rows of the table that need no browser."""
    studio = Studio(made, state(), WEB)
    try:
        client = Client(studio)
        paths = client.thumbnails()
        for path in paths:
            client.request("GET", path)
        used = memory(studio.process.pid)
        few = shapes(client)
        rate = requests_per_second(client, paths[:2000])
    finally:
        studio.stop()
    studio = Studio(generated(MILLION), state(), WEB)
    try:
        many = shapes(Client(studio))
    finally:
        studio.stop()
    return [
        row(f"shapes of {len(paths):,} photographs", few, "60 ms"),
        row(f"shapes of {MILLION:,} photographs", many, "700 ms"),
        f"| thumbnails from the cache, a second (wrk, 8 connections) | {rate:,.0f} | | at least 10,000 |",
        f"| most memory of the server after serving all {len(paths):,} thumbnails | {used:.0f} MiB | | 250 MiB |",
    ]


def row(what, times, limit):
    return f"| {what} | {median(times):.0f} ms | {slow(times):.0f} ms | {limit} |"


def pages(made):
    """The rows of the table that are measured in a page."""
    studio = Studio(made, state(), WEB)
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments)
        try:
            page, openings = opened(browser, studio)
            jumps = jumped(page)
            scroll = scrolled(page)
            used = heap(page)
            changes = changed(page, made)
        finally:
            browser.close()
            studio.stop()
    return [
        row("opening the page, until every picture on the screen is shown", openings, "800 ms"),
        row("press on the scrubber, until every picture on the screen is shown", jumps, "300 ms"),
        f"| scrolling for {SCROLLED_SECONDS} s at {SPEED:,} px/s: longest task | {scroll['longest']:.0f} ms | | 50 ms |",
        f"| most elements | {scroll['elements']} | | 700 |",
        f"| heap of the page | {used:.0f} MB | | 80 MB |",
        f"| longest time that a visible cell was blank | {scroll['blank']:.0f} ms | | 250 ms |",
        row("end of `edithost set`, until the change is visible", changes, "100 ms"),
    ]


def main():
    made = library(COUNT)
    warm = requests(made)
    lines = [
        MARKER, "",
        f"The page in Chromium, on this machine, with a library of {COUNT:,} photographs of 360 by 240 pixels whose thumbnails are in the cache.",
        "Medians, and what 95 of 100 samples are within, which may be twice the limit.", "",
        "| | median | 95 of 100 | limit |", "|---|---|---|---|", *pages(made), *warm,
    ]
    section(REPORT, MARKER, lines, after="## Many machines")


main()
