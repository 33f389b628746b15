# SPDX-License-Identifier: Apache-2.0
"""versions: named versions in the viewer, which the command must agree with."""
import pytest
from playwright.sync_api import expect


@pytest.fixture
def photo(library):
    """A photo with two edits."""
    return next(id for id in library.ids() if len(library.run("history", id)) == 3)


@pytest.fixture
def page(library, photo, start, open_page):
    return open_page(start(library)).open_panel(photo, "Versions")


def names(library, photo):
    return [row["version"] for row in library.run("version", "list", photo)]


def save(page, name):
    page.page.get_by_role("button", name="Save this version").click()
    page.page.get_by_role("textbox", name="Name of the version").fill(name)
    page.page.keyboard.press("Enter")


def test_version_is_saved_used_renamed_and_removed(page, library, photo, screenshot):
    expect(page.viewer.locator(".panel")).to_contain_text("No saved versions")
    save(page, "brown & turned")
    card = page.page.locator(".card")
    expect(card).to_contain_text("brown & turned")
    expect(card).to_contain_text("Current")
    assert names(library, photo) == ["brown & turned"]
    library.run("revert", photo)
    page.page.get_by_role("button", name="Use: brown & turned").click()
    expect(card).to_contain_text("Current")
    history = library.run("history", photo)
    assert [row["isCurrent"] for row in history] == [False, True]
    assert history[1]["edits"] == library.run("version", "list", photo)[0]["edits"]
    screenshot(page, "versions")
    page.page.get_by_role("button", name="Rename: brown & turned").click()
    page.page.get_by_role("textbox", name="Name of the version").fill("brown")
    page.page.keyboard.press("Enter")
    expect(card).to_contain_text("brown")
    expect(page.page.get_by_role("button", name="Rename: brown", exact=True)).to_be_visible()
    assert names(library, photo) == ["brown"]
    page.page.get_by_role("button", name="Remove: brown").click()
    page.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert names(library, photo) == ["brown"]
    page.page.get_by_role("button", name="Remove: brown").click()
    page.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.viewer.locator(".panel")).to_contain_text("No saved versions")
    assert names(library, photo) == []


def test_another_version_of_the_name_is_replaced_only_after_a_question(page, library, photo):
    save(page, "one")
    expect(page.page.locator(".card")).to_have_count(1)
    edits = library.run("version", "list", photo)[0]["edits"]
    library.run("undo", photo)
    expect(page.page.get_by_role("button", name="Use: one")).to_be_visible()
    save(page, "ONE")
    page.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert library.run("version", "list", photo)[0]["edits"] == edits
    save(page, "ONE")
    page.page.get_by_role("dialog").get_by_role("button", name="Replace").click()
    expect(page.page.locator(".card")).to_contain_text("ONE")
    expect(page.page.locator(".card")).to_have_count(1)
    row, = library.run("version", "list", photo)
    assert row["version"] == "ONE" and row["edits"] == edits[:1]


def test_version_saved_by_the_command_appears_and_can_be_compared(page, library, photo):
    library.run("version", "save", photo, "--name", "by command")
    library.run("undo", photo)
    page.page.get_by_role("button", name="Compare: by command").click()
    expect(page.page.locator(".pane.other .pane-label")).to_have_text("by command")


def test_without_edits_there_is_nothing_to_save(library, start, open_page):
    photo = next(id for id in library.ids() if len(library.run("history", id)) == 1)
    page = open_page(start(library)).open_panel(photo, "Versions")
    expect(page.viewer.locator(".panel")).to_contain_text("No saved versions")
    expect(page.page.get_by_role("button", name="Save this version")).to_have_count(0)
