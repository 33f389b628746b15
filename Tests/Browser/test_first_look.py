# SPDX-License-Identifier: Apache-2.0
"""first-look: what a photographer sees and does first."""
import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.smoke


def test_page_shows_every_photo_of_the_library(library, start, open_page):
    page = open_page(start(library))
    page.wait_for_pictures()
    assert page.count() == len(library.ids())


def test_dark_scheme_is_dark(library, start, open_page):
    page = open_page(start(library), color_scheme="dark")
    page.wait_for_pictures()
    color = page.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(int(part) for part in color[4:-1].split(",")) < 64


def test_login_token_leaves_the_address_and_the_history(library, start, open_page):
    page = open_page(start(library))
    assert "token" not in page.page.url
    page.page.reload()
    page.wait_for_grid()


def test_badges_show_edits_and_favourites(library, start, open_page):
    favourite = library.ids()[3]
    library.run("favorite", favourite)
    page = open_page(start(library))
    labels = [cell.get_attribute("aria-label") for cell in page.page.locator(".cell").all()]
    assert sum("edited" in label for label in labels) == 2
    assert sum("favourite" in label for label in labels) == 1
    assert page.page.locator(".badge.edited").count() == 2
    assert page.page.locator(".badge.favorite").count() == 1


def test_double_click_opens_the_viewer_which_steps_through_the_view(library, start, open_page):
    page = open_page(start(library))
    count = page.count()
    page.open_photo(0)
    expect(page.page.locator(".place")).to_have_text(f"1 of {count}")
    for place in range(2, count + 1):
        page.page.keyboard.press("ArrowRight")
        expect(page.page.locator(".place")).to_have_text(f"{place} of {count}")
    expect(page.page.get_by_role("button", name="Next photo")).to_be_disabled()


def test_zoomed_picture_is_sharp_when_movement_stops(library, start, open_page, screenshot):
    page = open_page(start(library))
    page.open_photo(0)
    page.page.keyboard.press("Space")
    page.page.wait_for_function(
        """() => {
            const [whole, detail] = document.querySelectorAll('.pane:not(.other) .picture');
            const pixels = devicePixelRatio * 0.98;
            return whole.clientWidth > 2000 && (detail.hidden
                ? whole.naturalWidth >= Math.min(whole.clientWidth * pixels, 1300)
                : detail.complete && detail.naturalWidth >= detail.clientWidth * pixels * 0.5);
        }""")
    screenshot(page, "zoom")


@pytest.mark.parametrize("mode, key", [("split", "s"), ("side", "b")])
def test_comparison_shows_the_original_beside_the_edited_picture(library, start, open_page, screenshot, mode, key):
    page = open_page(start(library))
    page.open_photo(page.positions("edited")[0])
    page.page.keyboard.press(key)
    other = page.page.locator(".pane.other")
    expect(other.locator(".pane-label")).to_have_text("Original")
    expect(other.locator(".picture").first).to_have_attribute("src", re.compile("/original"))
    screenshot(page, f"compare-{mode}")
    page.page.keyboard.press("Escape")
    expect(other).to_be_hidden()


def test_held_key_shows_the_original(library, start, open_page):
    page = open_page(start(library))
    page.open_photo(0)
    page.page.keyboard.down("c")
    expect(page.page.locator(".pane.other")).to_be_visible()
    page.page.keyboard.up("c")
    expect(page.page.locator(".pane.other")).to_be_hidden()


def test_history_panel_agrees_with_the_command(library, start, open_page):
    page = open_page(start(library))
    states = next(rows for rows in map(lambda id: library.run("history", id), library.ids()) if len(rows) == 3)
    ids = [row["id"] for row in library.run("list", "--sort", "date:desc")]
    page.open_photo(ids.index(states[0]["id"]))
    page.page.keyboard.press("i")
    page.page.get_by_role("tab", name="History").click()
    expect(page.page.locator(".card")).to_have_count(len(states))


def test_search_and_filters_are_those_of_the_command(library, start, open_page):
    page = open_page(start(library))
    page.page.get_by_role("button", name="Filters").click()
    page.page.get_by_role("checkbox", name="Edited").check()
    page.wait_for_count(len(library.run("list", "--edited")))
    page.page.get_by_role("button", name="Clear filters").click()
    page.wait_for_count(len(library.ids()))
    page.page.keyboard.press("Escape")
    name = library.run("list")[0]["filename"]
    page.page.get_by_role("searchbox").fill(name)
    page.wait_for_count(len(library.run("list", "--text", name)))


def test_german_is_chosen_from_the_languages_of_the_browser(library, start, open_page):
    page = open_page(start(library), locale="de-AT")
    assert page.page.locator("html").get_attribute("lang") == "de"
    expect(page.page.get_by_role("heading", level=1)).to_have_text("Alle Fotos")


def test_change_by_the_command_appears_without_a_reload(library, start, open_page):
    page = open_page(start(library))
    ids = [row["id"] for row in library.run("list", "--sort", "date:desc")]
    old = page.key_of(0)
    page.expect_replaced_pictures()
    library.run("edit", ids[0], "--with", "sepia", "--set", "intensity=0.3")
    page.page.wait_for_function(
        "old => document.querySelector('#photo-0 img').src.split('/')[5] !== old && document.querySelector('#photo-0 img').src", arg=old)
    expect(page.cell(0)).to_have_attribute("aria-label", re.compile("edited"))
    library.run("delete", ids[-1])
    page.wait_for_count(len(ids) - 1)
