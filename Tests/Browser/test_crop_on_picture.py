# SPDX-License-Identifier: Apache-2.0
"""crop-on-picture: the crop is set on the picture; frames of every size cover the same pixels."""
import base64
import io
import re

import numpy
import pytest
from PIL import Image

from committed import assert_equal_to_command
from pictures import shift_between

WIDTH, HEIGHT = 2400, 1600
# With two pixels for each CSS pixel, the stage shows more than the 1,024 pixels of a frame while a control moves.
SHARP = {"viewport": {"width": 1280, "height": 900}, "device_scale_factor": 2}
# Keeps the frames that are shown, and where.
RECORD = """() => {
    const { stage } = document.querySelector('edit-window');
    const show = stage.show.bind(stage);
    window.frames_shown = [];
    stage.show = (frame, request) => {
        show(frame, request);
        const { x, y, width, height } = stage.whole.getBoundingClientRect();
        frames_shown.push({ picture: stage.whole.toDataURL('image/png'), box: [x, y, width, height] });
    };
}"""


@pytest.fixture
def page(detailed, start, open_page):
    page = open_page(start(detailed), **SHARP)
    page.open_photo(0)
    page.edit("Crop and Rotate")
    return page


def grip(page, name):
    return page.editor.get_by_role("button", name=re.compile(f"^Crop, {name}:"))


def drag(page, handle, x, y):
    box = handle.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.page.mouse.move(*middle)
    page.page.mouse.down()
    page.page.mouse.move(middle[0] + x, middle[1] + y, steps=3)
    page.page.mouse.up()


def crop(page, width=WIDTH, height=HEIGHT):
    """The edges of the crop in pixels of the full size."""
    crop = page.values()["crop"]
    return {"left": crop["x"] * width, "top": crop["y"] * height,
            "right": (crop["x"] + crop["width"]) * width, "bottom": (crop["y"] + crop["height"]) * height}


def assert_not_shaded_outside(page):
    """The stage has one color around the picture: only what is cropped is darker."""
    box, stage = page.editor.locator(".overlay-box").bounding_box(), page.editor.locator(".stage-area").bounding_box()
    inside, around, far = (
        Image.open(io.BytesIO(page.page.screenshot(clip={"x": box["x"] + 9, "y": y, "width": 9, "height": 9}))).convert("RGB")
        for y in (box["y"] + 9, box["y"] - 12, stage["y"] + 9))
    assert around.tobytes() == far.tobytes() and numpy.asarray(inside).max() < 0.6 * 255


def test_crop_is_set_by_mouse_keys_ratio_and_angle(page, detailed, imported_detailed, tmp_path):
    photo, = detailed.ids()
    scale = page.page.evaluate("document.querySelector('edit-window').stage.state.scale")
    drag(page, grip(page, "top left"), 60, 40)
    edges = crop(page)
    assert edges["left"] == pytest.approx(60 / scale, abs=1 / scale) and edges["top"] == pytest.approx(40 / scale, abs=1 / scale)
    assert (edges["right"], edges["bottom"]) == pytest.approx((WIDTH, HEIGHT))
    drag(page, grip(page, "right"), -90, 25)
    assert crop(page)["right"] == pytest.approx(WIDTH - 90 / scale, abs=1 / scale) and crop(page)["bottom"] == pytest.approx(HEIGHT)

    edges = crop(page)
    corner = grip(page, "bottom right")
    for key in ("ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowUp", "ArrowUp", "ArrowDown", "ArrowUp"):
        corner.press(key)
    assert crop(page) == pytest.approx({**edges, "right": edges["right"] - 11, "bottom": edges["bottom"] - 11})
    frame = page.editor.get_by_role("button", name=re.compile("^Crop, frame: "))
    frame.press("Shift+ArrowLeft")
    frame.press("ArrowDown")
    moved = {"left": edges["left"] - 10, "top": edges["top"] + 1, "right": edges["right"] - 21, "bottom": edges["bottom"] - 10}
    assert crop(page) == pytest.approx(moved)

    page.editor.get_by_role("combobox", name="Crop, aspect ratio").select_option("3:2")
    edges = crop(page)
    assert edges["right"] - edges["left"] == pytest.approx(1.5 * (edges["bottom"] - edges["top"]))
    drag(page, grip(page, "bottom right"), -80, -10)
    edges = crop(page)
    assert edges["right"] - edges["left"] == pytest.approx(1.5 * (edges["bottom"] - edges["top"]))

    assert_not_shaded_outside(page)
    rectangle = page.values()["crop"]
    dial = page.editor.get_by_role("slider", name="Straighten")
    dial.press("PageUp")
    dial.press("ArrowLeft")
    page.field("Straighten").fill("2.3")
    page.wait_for_frame()
    page.finish()
    values = assert_equal_to_command(detailed, imported_detailed.copy(tmp_path / "Before.editlibrary"), photo, "croprotate", tmp_path)
    assert values == {"angle": 2.3, "crop": rectangle, "expand": False, "flip": "none", "turns": 0}


def picture_of(url):
    return Image.open(io.BytesIO(base64.b64decode(url.split(",")[1]))).convert("L")


def test_small_crop_is_sharp(page, detailed, tmp_path):
    photo, = detailed.ids()
    box = page.editor.locator(".overlay-box").bounding_box()
    drag(page, grip(page, "top left"), box["width"] * 0.375, box["height"] * 0.375)
    drag(page, grip(page, "bottom right"), box["width"] * -0.375, box["height"] * -0.375)
    page.editor.get_by_role("button", name="Set Crop on the picture").click()
    page.wait_for_frame()
    shown = picture_of(page.page.evaluate("document.querySelector('edit-window').stage.detail.toDataURL('image/png')"))
    page.finish()
    committed = Image.open(io.BytesIO(detailed.exported(photo, tmp_path / "committed")))
    assert max(committed.size) < WIDTH * 0.3 and shown.size == committed.size
    difference, shift = shift_between(shown, committed)
    assert difference < 5 and max(shift) < 0.1


def moving_and_settled(page, change):
    """The frames that a single change shows: at first while the control moves, then at rest."""
    page.wait_for_frame()
    page.page.evaluate("frames_shown.length = 0")
    change()
    page.wait_for_frame()
    moving, settled = page.page.evaluate("frames_shown")
    assert settled["box"] == pytest.approx(moving["box"], abs=0.01)
    return [picture_of(frame["picture"]) for frame in (moving, settled)]


def assert_not_shifted(small, large):
    """Features of a frame are in the same places as in a larger one, within a tenth of its pixels."""
    # Details that only the larger frame has are left out.
    reduced = large.resize(small.size, Image.Resampling.BOX)
    difference, shift = shift_between(*(frame.resize(large.size, Image.Resampling.BICUBIC) for frame in (small, reduced)))
    assert difference < 5 and max(shift) < 0.1


def test_features_stay_in_place_when_the_picture_settles(page):
    page.page.evaluate(RECORD)
    for name, value in (("Straighten", "7.3"), ("Quarter turns", "1")):
        moving, settled = moving_and_settled(page, lambda: page.field(name).fill(value))
        assert max(moving.size) <= 1024 < max(settled.size) <= 2048
        assert_not_shifted(moving, settled)
