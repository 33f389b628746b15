# SPDX-License-Identifier: Apache-2.0
"""hundred-thousand: a library of 100,000 photos, whose originals are missing."""
import pytest
from playwright.sync_api import expect

COUNT = 100_000


@pytest.fixture
def page(hundred_thousand, start, open_page):
    page = open_page(start(hundred_thousand))
    # The generated rows have no files: their pictures cannot be rendered.
    page.expect("/pictures/", "Failed to load resource")
    return page


def listed(page):
    """The number of photos that the grid lists: hidden ones are left out."""
    count = page.count()
    assert COUNT * 0.97 < count < COUNT
    return count


def test_first_middle_and_last_can_be_reached(page, screenshot):
    count = listed(page)
    page.grid.focus()
    page.page.keyboard.press("Home")
    page.wait_for_active(0)
    expect(page.cell(0)).to_be_in_viewport()
    page.page.keyboard.press("End")
    page.wait_for_active(count - 1)
    expect(page.cell(count - 1)).to_be_in_viewport()
    box = page.page.locator("time-scrubber").bounding_box()
    page.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.page.wait_for_function(
        """count => [...document.querySelectorAll('.cell')].some(cell => Math.abs(cell.id.slice(6) - count / 2) < count / 20
            && cell.getAttribute('aria-label'))""", arg=count)
    screenshot(page, "hundred-thousand")


def test_document_holds_only_what_is_near_the_screen(page):
    for _ in range(5):
        page.page.mouse.move(600, 400)
        page.page.mouse.wheel(0, 3000)
        page.page.wait_for_function("() => document.querySelectorAll('.cell').length > 0")
        assert page.page.evaluate("document.querySelectorAll('*').length") <= 700


def test_height_in_the_document_stays_far_below_the_limit_of_browsers(page):
    page.grid.focus()
    page.page.keyboard.press("End")
    page.wait_for_active(listed(page) - 1)
    assert page.page.evaluate("document.querySelector('.grid-content').offsetHeight") <= 2_000_000


def test_rows_are_counted_for_assistive_technology(page):
    rows = int(page.grid.get_attribute("aria-rowcount"))
    assert rows > COUNT / 20
    page.grid.focus()
    page.page.keyboard.press("End")
    page.wait_for_active(listed(page) - 1)
    last = page.page.locator("[role=row]").evaluate_all("rows => Math.max(...rows.map(row => row.ariaRowIndex))")
    assert last == rows


def test_all_photos_are_sent_as_a_fetch_and_many_as_positions(page):
    count = listed(page)
    page.grid.focus()
    page.page.keyboard.press("Control+a")
    expect(page.page.locator(".selection-count")).to_have_text(f"{count:,} selected")
    assert sent_by(page, "f")["query"] == {"sort": [{"key": "creationDate", "isAscending": False}]}
    page.page.keyboard.press("Home")
    page.page.keyboard.press("Space")
    assert sent_by(page, "f")["positions"] == [[1, count - 1]]


def sent_by(page, key):
    """The selection that a key sends. The server does not get it."""
    page.page.route("**/api/assets", lambda route: route.fulfill(json={"changed": 0}))
    with page.page.expect_request("**/api/assets") as request:
        page.page.keyboard.press(key)
    return request.value.post_data_json
