# SPDX-License-Identifier: Apache-2.0
"""trash: a deleted photo is in "Recently deleted", where it can only be restored."""
from playwright.sync_api import expect


def test_a_deleted_photo_is_restored(library, start, open_page):
    page = open_page(start(library))
    count = page.count()
    photo = library.run("list", "--sort", "date:desc")[0]["id"]
    page.grid.focus()
    page.page.keyboard.press("Home")
    page.page.keyboard.press("Delete")
    page.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_count(count - 1)
    page.page.locator("side-bar summary", has_text="Smart albums").click()
    page.page.locator("side-bar button", has_text="Recently deleted").click()
    page.wait_for_count(1)

    # Keys that change photos do nothing.
    page.grid.focus()
    page.page.keyboard.press("Home")
    for key in ["f", "3", "r", "Delete"]:
        page.page.keyboard.press(key)
    expect(page.page.get_by_role("dialog")).to_have_count(0)
    page.open_photo(0)
    expect(page.viewer.get_by_role("button", name="Edit")).to_be_hidden()
    page.page.keyboard.press("Escape")
    page.wait_for_grid_again()

    page.page.keyboard.press("Space")
    page.page.locator(".selection-bar").get_by_role("button", name="Restore").click()
    expect(page.cell(0)).to_have_count(0)
    assert library.run("trash", "list") == []
    restored = [row for row in library.run("list") if row["id"] == photo]
    assert len(restored) == 1 and not restored[0]["isFavorite"]


def test_the_panel_of_a_deleted_photo_offers_no_changes(library, start, open_page):
    photo = next(id for id in library.ids() if len(library.run("history", id)) == 3)
    library.run("version", "save", photo, "--name", "brown")
    library.run("undo", photo)
    library.run("delete", photo)
    page = open_page(start(library))
    page.page.locator("side-bar summary", has_text="Smart albums").click()
    page.page.locator("side-bar button", has_text="Recently deleted").click()
    page.wait_for_count(1)
    page.open_photo(0)
    page.page.keyboard.press("i")
    panel = page.viewer.locator(".panel-body")
    for tab, count in [("History", 3), ("Versions", 1), ("Edits", 1)]:
        page.page.get_by_role("tab", name=tab).click()
        expect(panel.locator(".card")).to_have_count(count)
        expect(panel.get_by_role("button").filter(has_not_text="Compare")).to_have_count(0)
