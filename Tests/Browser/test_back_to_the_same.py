# SPDX-License-Identifier: Apache-2.0
"""back-to-the-same: the place of the user is kept."""
import pytest
from playwright.sync_api import expect


@pytest.fixture
def far_down(hundred_thousand, start, open_page):
    """A page in the middle of 100,000 photos, and the position of the active one."""
    page = open_page(start(hundred_thousand))
    page.expect("/pictures/", "Failed to load resource")
    box = page.page.locator("time-scrubber").bounding_box()
    page.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.6)
    page.page.wait_for_function("() => [...document.querySelectorAll('.cell')].some(cell => cell.id.slice(6) > 50000 && cell.ariaLabel)")
    position = page.page.evaluate(
        """() => Number([...document.querySelectorAll('.cell')].find(cell => {
            const box = cell.getBoundingClientRect();
            return box.top > 250 && box.bottom < innerHeight - 150;
        }).id.slice(6))""")
    page.cell(position).click()
    return page, position


def test_back_returns_to_the_photo_the_scroll_position_and_the_focus(far_down):
    page, position = far_down
    top = page.top_of(position)
    page.grid.press("Enter")
    page.page.wait_for_selector("photo-viewer:not([hidden])")
    page.page.go_back()
    page.wait_for_grid_again()
    page.wait_for_active(position)
    assert page.top_of(position) == top
    expect(page.grid).to_be_focused()


def test_stepping_moves_the_place_to_which_back_returns(far_down):
    page, position = far_down
    page.grid.press("Enter")
    page.page.wait_for_selector("photo-viewer:not([hidden])")
    page.page.keyboard.press("ArrowRight")
    page.page.keyboard.press("Escape")
    page.wait_for_grid_again()
    page.wait_for_active(position + 1)
    expect(page.cell(position + 1)).to_be_in_viewport()


def test_reload_keeps_the_place(far_down):
    page, position = far_down
    page.page.keyboard.press("Escape")
    top = page.top_of(position)
    page.page.reload()
    page.page.wait_for_selector(f"#photo-{position}")
    page.wait_for_active(position)
    assert abs(page.top_of(position) - top) <= 1


def test_photo_can_be_bookmarked(far_down):
    page, position = far_down
    page.grid.press("Enter")
    page.page.wait_for_function("() => location.hash.includes('photo=')")
    url = page.page.url
    tab = page.new_tab()
    tab.goto(url)
    tab.reload()
    tab.wait_for_selector("photo-viewer:not([hidden])")
    assert tab.url == url


def test_change_elsewhere_keeps_the_photo_in_its_place(library, start, open_page):
    page = open_page(start(library), viewport={"width": 700, "height": 420})
    page.grid.focus()
    page.page.keyboard.press("End")
    last = page.count() - 1
    page.wait_for_active(last)
    top = page.top_of(last)
    newest = library.run("list", "--sort", "date:desc")[0]["id"]
    library.run("delete", newest)
    page.wait_for_active(last - 1)
    assert abs(page.top_of(last - 1) - top) <= 1
