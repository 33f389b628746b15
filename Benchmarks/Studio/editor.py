# SPDX-License-Identifier: Apache-2.0
"""The studio's page in Chromium: the editing window, beside a plain server with OpenCV, and Live Photos."""
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from compare import untrusting
from libraries import BUILD, ROOT, WORK, fresh, row, started
from live_photos import ffmpeg, make_live_photo
from page import MARKS, opened_page

ROUNDS, CHANGES, CLICKS, LIVE_PHOTOS = 4, 25, 20, 10
DRAG_SECONDS = 3
AT_REST = """() => {
    if (window.isAtRest) return isAtRest();
    const { loop } = document.querySelector('edit-window');
    return !loop.isBusy && loop.plan() === null;
}"""
# The frames are as large as moving ones can be.
VIEWPORT = {"width": 1600, "height": 1000}


def opencv(photo, side):
    """A plain server with OpenCV that renders the same frames, and its address. None if there is no OpenCV."""
    python = os.environ.get("EDITHOST_OPENCV")
    if not python:
        return None, None
    process = subprocess.Popen([python, ROOT / "Benchmarks/Studio/plain_opencv.py", photo, str(side)],
                               stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().strip()


class Slider:
    """A page with a slider for the intensity of sepia, and what it takes."""

    def __init__(self, page, slider):
        self.page, self.slider = page, slider
        self.times, self.rates = [], []

    def measure(self):
        """Moves the slider, each time after the last frame of the movement before; then drags it."""
        box = self.slider.bounding_box()
        middle = box["y"] + box["height"] / 2
        mouse = self.page.mouse
        mouse.move(box["x"] + box["width"] * 0.5, middle)
        mouse.down()
        for change in range(CHANGES):
            self.page.wait_for_function(AT_REST)
            self.page.evaluate("marks.watch('input', 'frame')")
            mouse.move(box["x"] + box["width"] * (0.3 + 0.016 * (1 + 7 * change % 25)), middle)
            self.times.append(self.page.evaluate("marks.watched"))
        start, frames = self.page.evaluate("[performance.now(), marks.frames]")
        end, step = start, 0
        while end - start < DRAG_SECONDS * 1000:
            step += 1
            mouse.move(box["x"] + box["width"] * (0.2 + 0.6 * abs((step % 400) / 200 - 1)), middle)
            end = self.page.evaluate("performance.now()")
        shown = self.page.evaluate("marks.frames") - frames
        mouse.up()
        self.rates.append(shown / (end - start) * 1000)


def edited(browser, studio):
    """A page with the editing window of sepia, and the times of clicks that have opened it."""
    page = opened_page(browser, studio)
    page.page.set_viewport_size(VIEWPORT)
    page.open_photo(0)
    placeholders, previews = [], []
    for _ in range(CLICKS):
        page.page.keyboard.press("e")
        button = page.page.get_by_role("dialog").get_by_role("button", name=re.compile("^Sepia "))
        button.wait_for()
        page.page.evaluate("""() => {
            const clicked = new Promise(resolve => addEventListener('click', () => resolve(performance.now()), { capture: true, once: true }));
            const { frames } = marks;
            // A preview that is as fast as the placeholder hides it.
            marks.opened = Promise.all([clicked, marks.until(() => {
                const picture = document.querySelector('edit-window .before-box .picture');
                return marks.frames > frames || picture?.naturalWidth > 0 && picture.checkVisibility({ visibilityProperty: true });
            }), marks.frame()]);
        }""")
        button.click()
        clicked, placeholder, preview = page.page.evaluate("marks.opened")
        placeholders.append(placeholder - clicked)
        previews.append(preview - clicked)
        page.wait_for_frame()
        page.page.keyboard.press("Escape")
        page.page.wait_for_selector("edit-window", state="hidden")
        page.wait_for_viewer()
    page.edit("Sepia")
    size = page.page.evaluate("document.querySelector('edit-window').stage.sizes().moving")
    if size != 1024:
        sys.exit(f"the frames of the studio have {size} px, not 1,024")
    return Slider(page.page, page.editor.get_by_role("slider", name="Intensity")), placeholders, previews


def sliders(browser):
    """The rows of the table for the editing window."""
    photo = sorted((WORK / "photographs").glob("*.jpg"))[0]
    untrusted = untrusting(BUILD, WORK)
    shutil.copy(BUILD / "edithost-studio", untrusted)
    studios, compared, clicks = [], {}, {}
    server, address = opencv(photo, 1024)
    try:
        for name, build in (("trusted", BUILD), ("untrusted", untrusted)):
            studios.append(started(fresh(build, f"Studio-{name}", [photo])))
            compared[name], *clicks[name] = edited(browser, studios[-1])
        if address:
            plain = browser.new_page(viewport=VIEWPORT)
            plain.add_init_script(MARKS)
            plain.goto(address)
            compared["OpenCV"] = Slider(plain, plain.locator("input"))
        for _ in range(ROUNDS):
            for slider in compared.values():
                slider.page.bring_to_front()
                slider.measure()
    finally:
        if server:
            server.terminate()
        for studio in studios:
            studio.stop()
    lines = []
    for name in ("trusted", "untrusted"):
        lines.append(row(f"click on Sepia, {name}: placeholder", clicks[name][0], "60 ms"))
        lines.append(row(f"click on Sepia, {name}: first preview", clicks[name][1], "300 ms"))
    for name, limit in (("trusted", "30 ms, 1.3 × OpenCV"), ("untrusted", "45 ms")):
        lines.append(row(f"slider to frame, {name}", compared[name].times, limit, beside(compared, name)))
    for name in ("trusted", "untrusted"):
        rate = statistics.median(compared[name].rates)
        lines.append(f"| frames a second while dragging, {name} | **{rate:.0f}** | | {plain_rate(compared)} | at least 25 |")
    return lines


def beside(compared, name):
    if "OpenCV" not in compared:
        return "OpenCV: not measured, because `EDITHOST_OPENCV` names no Python that has it"
    plain = statistics.median(compared["OpenCV"].times)
    return f"OpenCV: {plain:.0f} ms; {statistics.median(compared[name].times) / plain:.2f} of it"


def plain_rate(compared):
    return f"OpenCV: {statistics.median(compared['OpenCV'].rates):.0f}" if "OpenCV" in compared else ""


def live_photos(browser):
    """The rows of the table for presses of Live Photos."""
    folder = Path(tempfile.mkdtemp(dir=WORK))
    try:
        return [*presses(browser, folder, "h264", "150 ms"), *presses(browser, folder, "hevc", "1,500 ms")]
    finally:
        shutil.rmtree(folder)


def presses(browser, folder, codec, limit):
    """Presses each of several Live Photos twice, until a frame of its video is presented."""
    files = []
    for number in range(LIVE_PHOTOS):
        made = make_live_photo(folder, f"{codec}{number}", codec, f"00000000-0000-0000-0000-{number:012}")
        files += larger(folder, made, codec, number)
    studio = started(fresh(BUILD, f"Studio-{codec}", files))
    first, second = [], []
    try:
        page = opened_page(browser, studio)
        for position in range(LIVE_PHOTOS):
            page.open_photo(position)
            for times in (first, second):
                times.append(pressed(page))
            page.page.keyboard.press("Escape")
            page.wait_for_grid_again()
        page.context.close()
    finally:
        studio.stop()
    return [
        row(f"press on a Live Photo until it moves, {codec.upper()}, the first time", first, limit),
        row(f"the same, {codec.upper()}, again", second, "150 ms"),
    ]


def larger(folder, files, codec, number):
    """The same Live Photo with a moving video of 1,440 by 1,080 pixels, as phones record it."""
    still, video = files
    made = folder / f"large-{codec}{number}.mov"
    encoder = ["libx264"] if codec == "h264" else ["libx265", "-tag:v", "hvc1", "-x265-params", "log-level=none"]
    ffmpeg("-i", video, "-f", "lavfi", "-i", f"testsrc2=size=1440x1080:rate=30:duration=2,hue=h={number * 30}",
           "-map", "1:v", "-map", "0:a", "-map_metadata", "0", "-movflags", "use_metadata_tags", "-c:v", *encoder,
           "-preset", "veryfast", "-pix_fmt", "yuv420p", "-c:a", "copy", made)
    Path(video).unlink()
    named = Path(video)
    made.rename(named)
    return [still, str(named)]


def pressed(page):
    """Milliseconds from a press of the picture until a frame of its video is presented."""
    box = page.page.locator("photo-viewer .stage").bounding_box()
    page.page.evaluate("""() => {
        const started = new Promise(resolve => addEventListener('pointerdown', () => resolve(performance.now()), { capture: true, once: true }));
        const moving = async () => {
            for (;;) {
                const video = document.querySelector('photo-viewer .stage live-photo.playing video');
                if (video?.videoWidth > 0 && video.currentTime > 0) return marks.painted();
                await new Promise(requestAnimationFrame);
            }
        };
        marks.watched = started.then(async start => await moving() - start);
    }""")
    page.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.page.mouse.down()
    time = page.page.evaluate("marks.watched")
    page.page.mouse.up()
    page.page.wait_for_selector("photo-viewer .stage live-photo:not(.playing)", state="attached")
    return time


def rows(browser):
    return [*sliders(browser), *live_photos(browser)]
