# SPDX-License-Identifier: Apache-2.0
"""compare: two labelled pictures that are zoomed and moved together."""
import io
import re

import numpy
import pytest
from PIL import Image
from playwright.sync_api import expect

from pictures import make_detailed, shift_between

# The boxes of both pictures, relative to their halves, and the parts of them that are shown at full resolution.
PANES = """() => ['.pane.other', '.pane:not(.other)'].map(name => {
    const pane = document.querySelector(name);
    const [half, box] = [pane, pane.querySelector('.picture-box')].map(node => node.getBoundingClientRect());
    const detail = pane.querySelector('.detail');
    return {
        half: [half.x, half.y, half.width, half.height], box: [box.x - half.x, box.y - half.y, box.width, box.height],
        region: detail.hidden || !detail.complete ? null : new URL(detail.src).searchParams.get('region'),
    };
})"""


@pytest.fixture(scope="module")
def compared(imported_detailed, tmp_path_factory):
    """A library of a photo with two states and a named version, and of a small part of another photo. No test changes it."""
    folder = tmp_path_factory.mktemp("compared")
    library = imported_detailed.copy(folder / "Photos.editlibrary")
    photo, = library.ids()
    library.run("edit", photo, "--with", "sepia")
    library.run("version", "save", photo, "--name", "all brown")
    library.run("edit", photo, "--with", "sepia", "--set", "intensity=0.3")
    library.run("import", str(make_detailed(folder / "another.jpg", 1200, 800, 2)))
    library.photo = photo
    library.another = next(id for id in library.ids() if id != photo)
    library.run("edit", library.another, "--with", "croprotate", "--set", "crop=0.25,0.25,0.25,0.25")
    return library


@pytest.fixture
def page(compared, start, open_page):
    """The viewer with the edited photo, in a window with an odd number of pixels."""
    return open_page(start(compared), viewport={"width": 1281, "height": 801}).open_panel(compared.photo, "History")


def compare_with(page, name):
    page.viewer.locator(".viewer-tools").get_by_role("button", name="Compare", exact=True).click()
    page.page.get_by_role("menu", name="Compare").get_by_text(name, exact=True).click()


def pictured(page, x, y, width, height):
    clip = {"x": x, "y": y, "width": width, "height": height}
    return Image.open(io.BytesIO(page.page.screenshot(clip=clip))).convert("RGB")


def divider(page):
    box = page.page.locator(".divider").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 4


def tones(page):
    """How much more red than blue there is at both sides of the divider."""
    x, y = divider(page)
    sides = [numpy.asarray(pictured(page, left, y, 60, 60), dtype=float).mean((0, 1)) for left in (x - 70, x + 10)]
    return [red - blue for red, _, blue in sides]


def toned(intensity):
    """The same by the formula of sepia, for grey of the mean of the photo's pixels."""
    return intensity * 127.5 * (0.393 + 0.769 + 0.189 - 0.272 - 0.534 - 0.131)


def test_halves_are_labelled_and_divided_by_a_handle(page, compared):
    other, current = page.page.locator(".pane.other"), page.page.locator(".pane:not(.other)")
    page.page.keyboard.press("s")
    references = {"Original": ("/original", 0), "State 1": ("/state/1", 1), "all brown": ("/version/all%20brown", 1)}
    for name, (path, intensity) in references.items():
        compare_with(page, name)
        expect(other.locator(".pane-label")).to_have_text(name)
        expect(current.locator(".pane-label")).to_have_text("Current")
        expect(other.locator(".picture").first).to_have_attribute("src", re.compile(path))
        page.wait_for_other_pane()
        assert tones(page) == pytest.approx([toned(intensity), toned(0.3)], abs=5)

    stage = page.page.locator("photo-viewer .stage").bounding_box()
    x, y = divider(page)
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(stage["x"] + stage["width"] / 4, y + 30, steps=3)
    page.page.mouse.up()
    assert divider(page)[0] == pytest.approx(stage["x"] + stage["width"] / 4, abs=1)
    assert tones(page) == pytest.approx([toned(1), toned(0.3)], abs=5)
    for key, share in (("ArrowRight", 27), ("Shift+ArrowRight", 37), ("ArrowLeft", 35), ("Home", 0), ("End", 100)):
        page.page.keyboard.press(key)
        expect(page.page.get_by_role("slider", name="Divider")).to_have_attribute("aria-valuenow", str(share))

    page.page.keyboard.press("Escape")
    page.page.keyboard.down("c")
    expect(other.locator(".pane-label")).to_have_text("all brown")
    expect(current).to_be_hidden()
    page.page.keyboard.up("c")
    expect(other).to_be_hidden()

    place = page.page.locator(".place").inner_text()
    compare_with(page, "Next photo" if place.startswith("1 ") else "Previous photo")
    expect(other.locator(".pane-label")).to_have_text("another.jpg")
    expect(current.locator(".pane-label")).to_have_text("detailed.jpg")
    expect(other.locator(".picture").first).to_have_attribute("src", re.compile(f"/{compared.another}/.*/current"))


def settled(page, move):
    """The panes after a movement, when both show the same new part at full resolution."""
    old = page.page.evaluate(PANES)[0]["region"]
    move()
    page.page.wait_for_function(
        f"old => {{ const [one, other] = ({PANES})(); return one.region && one.region === other.region && one.region !== old; }}", arg=old)
    return page.page.evaluate(PANES)


def drag(page, x, y):
    stage = page.page.locator("photo-viewer .stage").bounding_box()
    middle = stage["x"] + stage["width"] / 5, stage["y"] + stage["height"] / 4
    page.page.mouse.move(*middle)
    page.page.mouse.down()
    page.page.mouse.move(middle[0] + x, middle[1] + y, steps=3)
    page.page.mouse.up()


def test_both_pictures_are_zoomed_and_moved_together(page):
    for key in ("s", "b"):
        page.page.keyboard.press(key)
        page.wait_for_other_pane()
        movements = [
            lambda: page.viewer.get_by_role("button", name="Fit").click(), lambda: drag(page, 130, -60),
            lambda: page.page.keyboard.press("ArrowRight"), lambda: page.page.keyboard.press("+")]
        for move in movements:
            one, other = settled(page, move)
            assert one["box"] == pytest.approx(other["box"], abs=0.01)
            assert one["half"][2:] == other["half"][2:]
        one, other = settled(page, lambda: page.page.keyboard.press("-"))
        assert other["box"][2] == pytest.approx(2400)
        if key == "s":
            pictures = []
            for end in ("Home", "End"):
                page.page.get_by_role("slider", name="Divider").press(end)
                x, y, width, height = one["half"]
                pictures.append(pictured(page, x + 30, y + 60, width - 60, height - 60))
        else:
            # Below the labels, and beside the line between the halves.
            pictures = [pictured(page, x + 4, y + 60, width - 8, height - 60) for x, y, width, height in (one["half"], other["half"])]
        _, shift = shift_between(*pictures)
        assert max(shift) < 0.1
        page.page.keyboard.press("Escape")
        page.viewer.locator(".zoom").click()


def test_original_of_a_cropped_photo_is_sharp_when_it_is_zoomed(compared, start, open_page):
    page = open_page(start(compared)).open_panel(compared.another, "History")
    page.page.keyboard.press("s")
    page.wait_for_other_pane()
    page.viewer.get_by_role("button", name="Fit").click()
    page.page.wait_for_function("""() => {
        const detail = document.querySelector('.pane.other .detail');
        return !detail.hidden && detail.complete && detail.naturalWidth >= Math.floor(detail.clientWidth) && detail.clientWidth >= 600;
    }""")
