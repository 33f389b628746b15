# SPDX-License-Identifier: Apache-2.0
"""The studio's page in Chromium: the grid."""
import random
import time

from libraries import ROOT, imported, row, started, value
from studio import StudioPage

OPENINGS, JUMPS, CHANGES = 20, 40, 40
SCROLLED_SECONDS, SPEED = 10, 4000
MARKS = (ROOT / "Benchmarks/Studio/marks.js").read_text()


def opened_page(browser, studio, **options):
    """A page of a browser that has logged in."""
    page = StudioPage(browser.new_context(viewport={"width": 1280, "height": 800}, **options), studio)
    page.page.add_init_script(MARKS)
    return page.open()


def openings(page):
    """Milliseconds from a navigation to the frame that shows every picture on the screen."""
    times = []
    for _ in range(OPENINGS):
        page.page.goto("about:blank")
        page.page.goto(page.studio.url)
        times.append(page.page.evaluate("marks.everyPicture()"))
    return times


def jumps(page):
    """Milliseconds from a press of the scrubber at a random place to the frame that shows every picture."""
    box = page.page.locator("time-scrubber").bounding_box()
    generator = random.Random(2)
    times = []
    for _ in range(JUMPS):
        page.page.evaluate("marks.watch('pointerdown', 'everyPicture')")
        page.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * generator.uniform(0.02, 0.98))
        times.append(page.page.evaluate("marks.watched"))
    return times


def scroll(page):
    """The longest task, the most elements, and the longest time that a visible cell was blank; then the heap."""
    page.grid.focus()
    page.page.keyboard.press("Home")
    page.wait_for_pictures()
    found = page.page.evaluate("([seconds, speed]) => marks.scroll(seconds, speed)", [SCROLLED_SECONDS, SPEED])
    session = page.context.new_cdp_session(page.page)
    session.send("HeapProfiler.collectGarbage")
    return {**found, "heap": session.send("Runtime.getHeapUsage")["usedSize"] / 1e6}


def changes(page, library):
    """Milliseconds from the start, and from the end, of a command that rates the first photo to the frame that shows it."""
    page.grid.focus()
    page.page.keyboard.press("Home")
    page.wait_for_active(0)
    photo = library.run("list", "--sort", "date:desc", "--limit", "1")[0]["id"]
    starts, ends = [], []
    for number in range(CHANGES):
        page.page.evaluate("marks.labelChange('#photo-0')")
        start = time.time() * 1000
        library.run("set", photo, "--rating", str(1 + number % 5))
        end = time.time() * 1000
        seen = page.page.evaluate("marks.watched")
        starts.append(seen - start)
        ends.append(max(0, seen - end))
    return starts, ends


def rows(browser, count):
    """The rows of the table."""
    library = imported(count)
    studio = started(library)
    try:
        page = opened_page(browser, studio)
        opening = openings(page)
        jump = jumps(page)
        found = scroll(page)
        whole, after = changes(page, library)
        page.context.close()
    finally:
        studio.stop()
    return [
        row(f"opening the page of {count:,} photos, until every picture on the screen is shown", opening, "800 ms"),
        row("press on the scrubber, until every picture on the screen is shown", jump, "300 ms"),
        value(f"scrolling at {SPEED:,} px/s for {SCROLLED_SECONDS} s: longest task", f"{found['longest']:.0f} ms", "50 ms"),
        value("elements in the document meanwhile, at most", found["elements"], "700"),
        value("longest time that a visible cell was blank", f"{found['blank']:.0f} ms", "250 ms"),
        value("heap of the page afterwards", f"{found['heap']:.0f} MB", "80 MB"),
        row("from the end of `edithost set` until its change is visible", after, "100 ms",
            f"{sorted(whole)[len(whole) // 2]:.0f} ms from its start"),
    ]
