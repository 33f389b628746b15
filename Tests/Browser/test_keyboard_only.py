# SPDX-License-Identifier: Apache-2.0
"""keyboard-only: everything works without a mouse."""
import re

import pytest
from playwright.sync_api import expect


@pytest.fixture
def page(library, start, open_page):
    page = open_page(start(library))
    page.grid.focus()
    return page


def test_grid_is_one_tab_stop(page):
    page.page.keyboard.press("Tab")
    expect(page.grid).not_to_be_focused()
    page.page.keyboard.press("Shift+Tab")
    expect(page.grid).to_be_focused()
    assert page.page.locator(".cell[tabindex], .cell button").count() == 0


def test_every_control_can_be_reached_and_shows_its_focus(page):
    first = page.page.locator("side-bar button").first
    first.focus()
    seen = {first.inner_text()}
    for _ in range(60):
        page.page.keyboard.press("Tab")
        if page.page.evaluate("document.activeElement === document.body"):
            break  # The focus has left the page.
        name, outline = page.page.evaluate(
            "[document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent, getComputedStyle(document.activeElement).outlineStyle]")
        seen.add(name)
        assert outline != "none" or name == "Photos", f"{name} does not show its focus"
    assert {"Photos", "Filters", "Search", "Size and layout"} <= seen


def test_arrows_move_and_shift_extends_the_selection(page):
    page.page.keyboard.press("Home")
    page.page.keyboard.press("ArrowRight")
    page.wait_for_active(1)
    page.page.keyboard.press("Shift+ArrowRight")
    page.page.keyboard.press("Shift+ArrowRight")
    expect(page.page.locator(".selection-count")).to_have_text("3 selected")
    page.page.keyboard.press("Space")
    expect(page.page.locator(".selection-count")).to_have_text("2 selected")
    page.page.keyboard.press("Escape")
    expect(page.page.locator(".selection-bar")).to_be_hidden()


def test_keys_mark_turn_undo_and_redo(page, library):
    photo = library.run("list", "--sort", "date:desc")[0]["id"]
    page.page.keyboard.press("Home")
    page.page.keyboard.press("f")
    expect(page.cell(0)).to_have_attribute("aria-label", re.compile("favourite"))
    page.page.keyboard.press("4")
    expect(page.cell(0)).to_have_attribute("aria-label", re.compile("4 stars"))
    page.expect_replaced_pictures()
    for key in "rmz":
        old = page.key_of(0)
        page.page.keyboard.press(key)
        page.page.wait_for_function("old => !document.querySelector('#photo-0 img').src.includes(old)", arg=old)
    undone = page.key_of(0)
    page.page.keyboard.press("y")
    page.page.wait_for_function("old => !document.querySelector('#photo-0 img').src.includes(old)", arg=undone)
    shown = library.run("show", photo)[0]
    assert shown["isFavorite"] and shown["rating"] == 4


def test_delete_asks_and_the_focus_returns(page, library):
    count = page.count()
    page.page.keyboard.press("Home")
    page.page.keyboard.press("Delete")
    dialog = page.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Delete this photo?")
    expect(page.page.get_by_role("button", name="Cancel")).to_be_focused()
    page.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.grid).to_be_focused()
    page.page.keyboard.press("Delete")
    page.page.get_by_role("button", name="Delete").last.press("Enter")
    page.wait_for_count(count - 1)
    assert len(library.ids()) == count - 1


def test_shortcuts_are_listed_and_can_be_switched_off(page):
    page.page.keyboard.press("?")
    page.page.get_by_role("checkbox", name="Use single-key shortcuts").uncheck()
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("f")
    page.page.keyboard.press("?")
    expect(page.page.get_by_role("dialog")).to_have_count(0)
    expect(page.cell(0)).not_to_have_attribute("aria-label", re.compile("favourite"))


def test_escape_closes_a_menu_but_not_the_viewer(page):
    page.page.keyboard.press("Enter")
    page.wait_for_viewer()
    page.page.get_by_role("button", name="More", exact=True).last.press("Enter")
    expect(page.page.get_by_role("menu")).to_be_visible()
    page.page.keyboard.press("Escape")
    expect(page.page.get_by_role("menu")).to_have_count(0)
    expect(page.viewer).to_be_visible()


def test_scrubber_moves_by_keys(hundred_thousand, start, open_page):
    page = open_page(start(hundred_thousand))
    page.expect("/pictures/", "Failed to load resource")
    scrubber = page.page.get_by_role("slider", name="Timeline")
    first = scrubber.get_attribute("aria-valuetext")
    scrubber.press("PageDown")
    expect(scrubber).not_to_have_attribute("aria-valuetext", first)
    scrubber.press("Home")
    expect(scrubber).to_have_attribute("aria-valuetext", first)
