# SPDX-License-Identifier: Apache-2.0
"""cancel-without-answer: Cancel asks if the extension does not say within 5 s whether it must, and the session waits."""
from playwright.sync_api import expect

from extensions import build_adder

STATES = "async () => (await (await fetch('/api/sessions')).json()).sessions.map(({ state }) => state)"


def test_cancel_asks_without_an_answer_of_the_extension(library, tmp_path, monkeypatch, start, open_page):
    build_adder(tmp_path / "extensions", "silent", parameters=[{"name": "mode", "type": "text", "default": "plain"}])
    monkeypatch.setenv("EDITHOST_EXTENSION_PATH", str(tmp_path / "extensions"))
    page = open_page(start(library))
    page.open_photo(0)
    photo = page.page.evaluate("document.querySelector('photo-viewer').row.id")
    before = library.run("history", photo)
    page.edit("Silent")
    page.editor.get_by_role("textbox", name="mode").fill("hang-confirm")
    page.page.keyboard.press("Tab")
    page.wait_for_frame()
    page.page.keyboard.press("Escape")
    dialog = page.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Discard the changes?")
    assert page.page.evaluate(STATES) == ["editing"]
    dialog.get_by_role("button", name="Discard").click()
    page.page.wait_for_selector("edit-window", state="hidden")
    assert page.page.evaluate(STATES) == []
    assert library.run("history", photo) == before
