# SPDX-License-Identifier: Apache-2.0
"""zoom-sharp: at 100 %, each pixel of the photo is one of the screen."""
import io
import time

import numpy
import pytest
from PIL import Image

from pictures import make_detailed
from studio import PATIENCE, Library

# The stage, and the place of the picture's first pixel on the screen.
PLACE = """owner => {
    const { x, y, width, height } = document.querySelector(`${owner} .stage`).getBoundingClientRect();
    const { state = document.querySelector(owner).stage.state } = document.querySelector(owner);
    const box = state.box();
    return { scale: state.scale, x, y, width, height, left: x + box.left, top: y + box.top };
}"""


def assert_sharp(page, original, owner):
    """The middle of the stage shows the pixels of the photo, which is within one pixel of its place."""
    place = page.page.evaluate(PLACE, owner)
    assert place["scale"] == pytest.approx(1)
    x, y = (round(place[corner] + place[side] / 4) for corner, side in (("x", "width"), ("y", "height")))
    width, height = round(place["width"] / 2), round(place["height"] / 2)

    def differences():
        shot = page.page.screenshot(clip={"x": x, "y": y, "width": width, "height": height})
        shown = numpy.asarray(Image.open(io.BytesIO(shot)).convert("L"), dtype=float)
        return sorted(difference(shown, by_x, by_y) for by_x in (-1, 0, 1) for by_y in (-1, 0, 1))

    def difference(shown, by_x, by_y):
        left, top = round(x - place["left"]) + by_x, round(y - place["top"]) + by_y
        return numpy.abs(shown - numpy.asarray(original.crop((left, top, left + width, top + height)), dtype=float)).mean()

    # A blur by half a pixel is a difference of 9. A complete image is decoded and painted some time later.
    found, end = differences(), time.monotonic() + PATIENCE / 1000
    while not (found[0] < 4 and found[1] > 12):
        assert time.monotonic() < end, found
        found = differences()


# A stage with an odd number of pixels has its middle within one of them.
@pytest.mark.parametrize("size", [(1280, 800), (1281, 801)])
def test_viewer_and_editor_show_every_pixel_at_100_percent(detailed, start, open_page, tmp_path, size):
    photo, = detailed.ids()
    original = Image.open(io.BytesIO(detailed.exported(photo, tmp_path / "original"))).convert("L")
    page = open_page(start(detailed), viewport={"width": size[0], "height": size[1]})
    page.open_photo(0)
    page.viewer.get_by_role("button", name="Fit").click()
    page.page.wait_for_function(
        "() => { const detail = document.querySelector('.pane:not(.other) .detail'); return !detail.hidden && detail.complete; }")
    assert_sharp(page, original, "photo-viewer")
    page.edit("Crop and Rotate")
    page.editor.get_by_role("button", name="Fit").click()
    page.wait_for_frame()
    assert_sharp(page, original, "edit-window")


def test_editor_shows_every_pixel_if_the_picture_is_little_larger_than_the_stage(programs, start, open_page, tmp_path):
    photo = make_detailed(tmp_path / "detailed.jpg", 1200, 800, 1)
    library = Library(programs, tmp_path / "Photos.editlibrary")
    library.run("import", str(photo))
    page = open_page(start(library), viewport={"width": 1350, "height": 900})
    page.open_photo(0)
    page.edit("Crop and Rotate")
    page.page.evaluate("(({ stage }) => { stage.state.zoomTo(stage.state.actualZoom); stage.place(); })(document.querySelector('edit-window'))")
    page.wait_for_frame()
    assert_sharp(page, Image.open(photo).convert("L"), "edit-window")
