# SPDX-License-Identifier: Apache-2.0
"""curve: points of a tone curve over the histogram of the picture."""
import re

import numpy
import pytest
from playwright.sync_api import expect

from committed import assert_equal_to_command

LEVELS = 255


@pytest.fixture
def page(every, detailed, start, open_page):
    page = open_page(start(detailed))
    page.open_photo(0)
    page.edit("Every Control")
    area(page).scroll_into_view_if_needed()
    return page


def area(page):
    return page.editor.locator(".curve-area")


def press(page, x, y):
    """Presses the pointer on the diagram, at an input and an output."""
    box = area(page).bounding_box()
    page.page.mouse.move(box["x"] + box["width"] * x, box["y"] + box["height"] * (1 - y))
    page.page.mouse.down()


def drag_to(page, x, y):
    box = area(page).bounding_box()
    page.page.mouse.move(box["x"] + box["width"] * x, box["y"] + box["height"] * (1 - y), steps=4)
    page.page.mouse.up()


def handle(page, number):
    return area(page).get_by_role("button", name=re.compile(f"^Point {number}:"))


def tone(page):
    return page.values()["tone"]


def near(*points):
    """A pointer hits a point within a level; the diagram has fewer pixels than levels."""
    return [pytest.approx(point, abs=1.5 / LEVELS) for point in points]


def test_points_are_added_moved_and_removed(page, detailed, imported_detailed, tmp_path):
    photo, = detailed.ids()
    press(page, 0.25, 0.25)
    drag_to(page, 0.25, 0.15)
    press(page, 0.75, 0.75)
    drag_to(page, 0.7, 0.9)
    press(page, 0.5, 0.6)
    page.page.mouse.up()
    assert tone(page) == near([0, 0], [0.25, 0.15], [0.5, 0.6], [0.7, 0.9], [1, 1])

    _, first, second, third, _ = tone(page)
    handle(page, 2).press("ArrowUp")
    handle(page, 2).press("Shift+ArrowRight")
    handle(page, 4).press("Shift+ArrowDown")
    handle(page, 3).press("Delete")
    handle(page, 1).press("Shift+ArrowUp")
    levels = [[round(value * LEVELS) for value in point] for point in (first, third)]
    expected = [[0, 10], [levels[0][0] + 10, levels[0][1] + 1], [levels[1][0], levels[1][1] - 10], [255, 255]]
    assert numpy.array(tone(page)) * LEVELS == pytest.approx(numpy.array(expected))

    page.page.keyboard.press("Control+z")
    page.page.keyboard.press("Control+z")
    assert len(tone(page)) == 5
    page.page.keyboard.press("Control+Shift+z")
    points = tone(page)
    assert len(points) == 4 and points[0] == [0, 0]
    page.editor.get_by_role("spinbutton", name="Tone, output").fill("0.05")
    page.wait_for_frame()
    values = tone(page)
    assert values == [[0, 0.05], *points[1:]]
    expect(area(page).locator(".histogram")).to_have_attribute("d", re.compile("^M0 1L.+L1 1Z$"))

    page.finish()
    committed = assert_equal_to_command(
        detailed, imported_detailed.copy(tmp_path / "Before.editlibrary"), photo, "every", tmp_path)
    assert committed["tone"] == values
