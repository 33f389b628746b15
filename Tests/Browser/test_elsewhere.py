# SPDX-License-Identifier: Apache-2.0
"""elsewhere: the command edits, imports and deletes while the page is open."""
import re

import pytest
from playwright.sync_api import expect

from pictures import make_picture


@pytest.fixture
def page(library, start, open_page):
    page = open_page(start(library))
    # The server has no picture under a content key that an edit has replaced since the request.
    page.expect("404: .*/pictures/", "status of 404")
    page.ids = [row["id"] for row in library.run("list", "--sort", "date:desc")]
    return page


def test_grid_follows_an_edit_an_import_and_a_deletion(page, library, tmp_path):
    page.wait_for_pictures()
    old = page.key_of(1)
    library.run("edit", page.ids[1], "--with", "sepia", "--set", "intensity=0.3")
    page.page.wait_for_function("old => !document.querySelector('#photo-1 img').src.includes(old)", arg=old)
    library.run("import", str(make_picture(tmp_path / "new.png", 600, 400, 9)))
    page.wait_for_count(len(page.ids) + 1)
    library.run("delete", page.ids[0])
    page.wait_for_count(len(page.ids))
    for position, row in enumerate(library.run("list", "--sort", "date:desc")):
        expect(page.cell(position)).to_have_attribute("aria-label", re.compile(re.escape(row["filename"])))


def test_viewer_stays_at_its_photo_when_others_are_deleted(page, library):
    page.open_photo(2)
    library.run("delete", page.ids[0])
    expect(page.page.locator(".place")).to_have_text(f"2 of {len(page.ids) - 1}")
    assert page.page.evaluate("document.querySelector('photo-viewer').row.id") == page.ids[2]


def test_edit_of_a_photo_that_is_deleted_meanwhile_keeps_the_values(page, library):
    page.open_photo(0)
    page.edit("Sepia")
    page.field("Intensity").fill("0.4")
    page.wait_for_frame()
    library.run("delete", page.ids[0])
    page.expect("40[49]", "41", "Failed to load resource")
    page.editor.get_by_role("button", name="Done").click()
    alert = page.editor.locator(".edit-failure:not([hidden])")
    expect(alert).to_contain_text("Your values are kept")
    alert.get_by_role("button", name="Close").click()
    page.page.wait_for_selector("edit-window", state="hidden")
    assert page.ids[0] not in library.ids()
