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


def enabled(library, photo):
    return [row["isEnabled"] for row in library.run("edits", "list", photo)]


def current(library, photo):
    return next(row for row in library.run("history", photo) if row["isCurrent"])


def hold_facts(page):
    """Holds the requests of the facts, so that the panel shows the old ones."""
    return page.hold("/api/assets/[^/]+$")


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
    # These places are the current ones again.
    page.page.get_by_role("button", name="Disable: 2, Sepia").click()
    expect(page.page.locator(".card.off")).to_contain_text("Sepia")
    assert authors(library, photo) == ["croprotate", "sepia"]


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


def test_clicks_between_a_change_and_its_facts_are_for_the_edits_that_are_shown(page, library, photo):
    held = hold_facts(page)
    page.page.get_by_role("button", name="Move up: 2, Sepia").click()
    expect(page.page.locator(".toast")).to_contain_text("moved")
    expect_cards(page, "Crop and Rotate", "Sepia")
    page.page.get_by_role("button", name="Disable: 2, Sepia").click()
    expect(page.page.locator(".toast")).to_contain_text("disabled")
    # It is the first one now.
    page.page.get_by_role("button", name="Move up: 2, Sepia").click()
    page.page.get_by_role("button", name="Remove: 1, Crop and Rotate").click()
    expect(page.page.locator(".toast")).to_contain_text("removed")
    # A removed edit cannot be removed again.
    page.page.get_by_role("button", name="Remove: 1, Crop and Rotate").click()
    page.page.get_by_role("tab", name="Versions").click()
    page.page.get_by_role("button", name="Save this version").click()
    expect(page.page.get_by_role("dialog")).to_contain_text("Save")
    page.page.keyboard.press("Escape")
    held.release()
    page.page.get_by_role("tab", name="Edits").click()
    expect_cards(page, "Sepia")
    assert (authors(library, photo), enabled(library, photo)) == (["sepia"], [False])
    assert current(library, photo)["state"] == 5


def test_clicks_during_a_change_wait_for_it(page, library, photo):
    held = page.hold("/edits/move$")
    page.page.get_by_role("button", name="Move up: 2, Sepia").click()
    held.wait()
    page.page.get_by_role("button", name="Disable: 1, Crop and Rotate").click()
    page.page.get_by_role("button", name="Edit…: 2, Sepia").click()
    assert authors(library, photo) == ["croprotate", "sepia"]
    held.release()
    page.wait_for_frame()
    assert page.page.evaluate("document.querySelector('edit-window').extension.step") == 1
    page.page.keyboard.press("Escape")
    expect_cards(page, "Sepia", "Crop and Rotate")
    assert (authors(library, photo), enabled(library, photo)) == (["sepia", "croprotate"], [True, False])


def test_panel_shows_the_photo_that_was_chosen_during_a_change(page, photo):
    page.expect("409", "Failed to load resource")
    shown = "document.querySelector('photo-viewer').panel.details.id"
    held = page.hold("/edits/move$")
    page.page.get_by_role("button", name="Move up: 2, Sepia").click()
    held.wait()
    facts = hold_facts(page)
    page.page.keyboard.press("PageUp" if page.page.evaluate("document.querySelector('photo-viewer').position") else "PageDown")
    facts.wait()
    other = page.page.evaluate("document.querySelector('photo-viewer').row.id")
    assert page.page.evaluate(shown) == photo != other
    # No event follows, which would request the facts again.
    held.routes[0].fulfill(status=409, json={"error": {"code": "conflict", "message": "edited in the meantime"}})
    expect(page.page.locator(".toast")).to_contain_text("edited in the meantime")
    facts.release()
    page.page.wait_for_function(f"other => {shown} === other", arg=other)


def test_state_that_a_change_has_replaced_is_not_opened(page, library, photo):
    library.run("edit", photo, "--with", "sepia", "--set", "intensity=0.3")
    library.run("undo", photo)
    old = page.page.get_by_role("button", name="Go to this state: State 3")
    page.page.get_by_role("tab", name="History").click()
    expect(old).to_be_visible()
    page.page.get_by_role("tab", name="Edits").click()
    held = hold_facts(page)
    page.page.get_by_role("button", name="Move up: 2, Sepia").click()
    expect(page.page.locator(".toast")).to_contain_text("moved")
    page.page.get_by_role("button", name="Disable: 2, Sepia").click()
    expect(page.page.locator(".toast")).to_contain_text("disabled")
    page.page.get_by_role("tab", name="History").click()
    old.click()
    held.release()
    expect(page.page.locator(".card")).to_have_count(5)
    assert (current(library, photo)["state"], enabled(library, photo)) == (4, [False, True])


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
