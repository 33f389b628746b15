# SPDX-License-Identifier: Apache-2.0
"""cancel-while-finishing: until the commit, Cancel ends an edit that is being finished."""
import pytest
from playwright.sync_api import expect

from extensions import build_adder


@pytest.fixture
def page(library, tmp_path, monkeypatch, start, open_page):
    """A page with the editing window of an extension whose finish waits until it is cancelled."""
    build_adder(tmp_path / "extensions", "waiting", parameters=[{"name": "mode", "type": "text", "default": "plain"}])
    monkeypatch.setenv("EDITHOST_EXTENSION_PATH", str(tmp_path / "extensions"))
    page = open_page(start(library))
    page.open_photo(0)
    page.photo = page.page.evaluate("document.querySelector('photo-viewer').row.id")
    page.edit("Waiting")
    page.editor.get_by_role("textbox", name="mode").fill("wait")
    page.page.keyboard.press("Tab")
    page.wait_for_frame()
    return page


@pytest.mark.parametrize("way", ["button", "escape", "back"])
def test_cancel_ends_an_edit_that_is_being_finished(page, library, way):
    before = library.run("history", page.photo)
    # The request of Done is answered with an error: nothing is committed.
    page.expect("/finish$", "Failed to load resource")
    page.editor.get_by_role("button", name="Done").click()
    expect(page.editor.get_by_role("status")).to_contain_text("Finishing")
    expect(page.field("amount")).to_be_disabled()
    page.page.wait_for_function(
        "async () => (await (await fetch('/api/sessions')).json()).sessions[0].state === 'finishing'")
    if way == "button":
        page.editor.get_by_role("button", name="Cancel").click()
    elif way == "escape":
        page.page.keyboard.press("Escape")
    else:
        page.page.go_back()
    page.page.wait_for_selector("edit-window", state="hidden")
    expect(page.viewer).to_be_visible()
    expect(page.page.get_by_role("dialog")).to_have_count(0)
    assert page.page.evaluate("async () => (await (await fetch('/api/sessions')).json()).sessions") == []
    assert library.run("history", page.photo) == before
    assert library.run("check")[-1]["status"] == "clean"
