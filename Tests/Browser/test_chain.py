# SPDX-License-Identifier: Apache-2.0
"""chain: the edit stack and the history in the viewer, which the command must agree with."""
import pytest
from playwright.sync_api import expect


@pytest.fixture
def photo(library):
    """A photo with two edits: croprotate and sepia."""
    return next(id for id in library.ids() if len(library.run("history", id)) == 3)


@pytest.fixture
def page(library, photo, start, open_page):
    return open_page(start(library)).open_panel(photo, "Edits")


def authors(library, photo):
    """The last parts of the identifiers of the current edits' extensions."""
    return [row["extension"].split(".")[-1] for row in library.run("edits", "list", photo)]


def current(library, photo):
    return next(row for row in library.run("history", photo) if row["isCurrent"])


def expect_cards(page, *names):
    for index, name in enumerate(names):
        expect(page.page.locator(".card").nth(index).locator(".card-title")).to_contain_text(name)
    expect(page.page.locator(".card")).to_have_count(len(names))


def test_moved_edit_is_one_state_which_can_be_taken_back(page, library, photo, screenshot):
    expect_cards(page, "Crop and Rotate", "Sepia")
    screenshot(page, "chain")
    old = page.picture()
    page.page.get_by_role("button", name="Move up: 2, Sepia").click()
    expect_cards(page, "Sepia", "Crop and Rotate")
    page.wait_for_other_picture(old)
    assert authors(library, photo) == ["sepia", "croprotate"]
    assert current(library, photo)["state"] == 3
    page.page.locator(".toast").get_by_role("button", name="Undo").click()
    expect_cards(page, "Crop and Rotate", "Sepia")
    assert current(library, photo)["state"] == 2


def test_edits_are_disabled_enabled_and_removed(page, library, photo):
    page.page.get_by_role("button", name="Disable: 2, Sepia").click()
    expect(page.page.locator(".card.off")).to_contain_text("Disabled")
    assert [row["isEnabled"] for row in library.run("edits", "list", photo)] == [True, False]
    page.page.get_by_role("button", name="Enable: 2, Sepia").click()
    expect(page.page.locator(".card.off")).to_have_count(0)
    assert all(row["isEnabled"] for row in library.run("edits", "list", photo))
    page.page.get_by_role("button", name="Remove: 1, Crop and Rotate").click()
    expect_cards(page, "Sepia")
    assert authors(library, photo) == ["sepia"]
    page.page.get_by_role("button", name="Remove: 1, Sepia").click()
    expect(page.viewer.locator(".panel")).to_contain_text("Not edited")
    assert current(library, photo)["state"] == 0


def test_lower_edit_is_opened_again_with_its_values(page, library, photo):
    edits = "document.querySelector('photo-viewer').panel.details.edits.map(edit => edit.values)"
    expect_cards(page, "Crop and Rotate", "Sepia")
    before = page.page.evaluate(edits)
    old = page.picture()
    page.page.get_by_role("button", name="Edit…: 1, Crop and Rotate").click()
    page.wait_for_frame()
    assert page.values()["turns"] == 1
    page.page.evaluate("document.querySelector('edit-window').history.change({ turns: 2 })")
    page.wait_for_frame()
    page.finish()
    page.wait_for_other_picture(old)
    assert authors(library, photo) == ["croprotate", "sepia"]
    page.page.wait_for_function("() => document.querySelector('photo-viewer').panel.details.edits[0].values.turns === 2")
    assert page.page.evaluate(edits) == [{**before[0], "turns": 2}, before[1]]
    assert current(library, photo)["state"] == 3


def test_keyboard_moves_an_edit_and_the_focus_stays_with_it(page, library, photo):
    page.page.get_by_role("button", name="Move down: 1, Crop and Rotate").press("Enter")
    expect_cards(page, "Sepia", "Crop and Rotate")
    # It is the last one now, so that the button is off.
    button = page.page.get_by_role("button", name="Move down: 2, Crop and Rotate")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-disabled", "true")
    page.page.keyboard.press("Enter")
    page.page.keyboard.press("Shift+Tab")
    page.page.keyboard.press("Enter")
    expect_cards(page, "Crop and Rotate", "Sepia")
    assert authors(library, photo) == ["croprotate", "sepia"]
    assert current(library, photo)["state"] == 4


def test_touch_moves_an_edit(library, photo, start, open_page, screenshot):
    page = open_page(start(library), viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.open_panel(photo, "Edits")
    expect_cards(page, "Crop and Rotate", "Sepia")
    screenshot(page, "chain-phone")
    page.page.get_by_role("button", name="Move up: 2, Sepia").tap()
    expect_cards(page, "Sepia", "Crop and Rotate")
    assert authors(library, photo) == ["sepia", "croprotate"]


def test_every_state_can_be_opened_and_shows_the_values_of_the_command(page, library, photo):
    page.page.get_by_role("tab", name="History").click()
    rows = library.run("history", photo)
    for row in rows:
        if row["values"]:
            card = page.page.locator(".card").nth(len(rows) - 1 - row["state"])
            assert set(card.locator("dt").all_inner_texts()) == set(row["values"])
    for state, name in [(0, "Original"), (2, "State 2"), (1, "State 1")]:
        page.page.get_by_role("button", name=f"Go to this state: {name}").click()
        expect(page.page.locator(".card[aria-current]")).to_have_count(1)
        expect(page.page.get_by_role("button", name=f"Go to this state: {name}")).to_have_count(0)
        assert current(library, photo)["state"] == state
    assert len(library.run("history", photo)) == len(rows)


def test_edit_of_the_command_appears_and_stale_places_change_nothing(page, library, photo):
    page.expect("409", "api/assets")
    # The page has not read this change when the button is pressed.
    page.page.route("**/api/assets/*/edits/remove", lambda route: (library.run("edits", "move", photo, "2", "--to", "1"), route.continue_()))
    page.page.get_by_role("button", name="Remove: 2, Sepia").click()
    expect(page.page.locator(".toast")).to_contain_text("edited in the meantime")
    expect_cards(page, "Sepia", "Crop and Rotate")
    assert authors(library, photo) == ["sepia", "croprotate"]


def test_reader_can_look_but_not_change(library, photo, start, open_page):
    page = open_page(start(library, "--read-only")).open_panel(photo, "Edits")
    expect_cards(page, "Crop and Rotate", "Sepia")
    expect(page.page.locator(".card button")).to_have_count(0)
