# SPDX-License-Identifier: Apache-2.0
"""hostile-extension: texts of a manifest are only ever text, and pictures of any size are shown."""
import json

import pytest
from playwright.sync_api import expect

from extensions import build_adder

MARKUP = "<img src=x onerror=document.title='attacked'><script>document.title='attacked'</script>"
BIDIRECTIONAL = "\u202egpj.exe\u2066"
LONG = "é" * 32768
TEXTS = {"markup": MARKUP, "bidirectional": BIDIRECTIONAL, "long": LONG}


def install(library, folder, monkeypatch, text):
    """Installs an extension with the text in all places of its manifest that are not limited to a name."""
    target = build_adder(folder, "hostile", parameters=[
        {"name": "mode", "type": "text", "default": "plain", "label": "Mode"},
        {"name": "kind", "type": "choice", "default": "a", "choices": [{"value": value, "label": text} for value in "abc"],
         "label": text, "help": text, "group": text},
    ])
    manifest = json.loads((target / "manifest.json").read_text())
    manifest["name"] = text[:100]
    manifest["description"] = MARKUP
    manifest["parameters"][0] |= {"label": text, "help": text, "unit": text}
    manifest["presets"] = [{"name": "one", "label": text, "values": {"amount": 20}}]
    if text == BIDIRECTIONAL:
        manifest["name"] = "Hostile"
    (target / "manifest.json").write_text(json.dumps(manifest, ensure_ascii=False), encoding="utf-8")
    monkeypatch.setenv("EDITHOST_EXTENSION_PATH", str(folder))


@pytest.fixture
def open_editor(library, tmp_path, monkeypatch, start, open_page):
    def open_editor(text):
        install(library, tmp_path / "extensions", monkeypatch, text)
        page = open_page(start(library))
        # The server has no picture under a content key that the edit has replaced since the request.
        page.expect("404: .*/pictures/", "status of 404")
        page.urls = []
        page.page.on("request", lambda request: page.urls.append(request.url))
        page.open_photo(0)
        page.page.keyboard.press("e")
        page.page.get_by_role("dialog").locator("button.extension").filter(has_text="onerror").click()
        page.wait_for_frame()
        return page

    return open_editor


@pytest.mark.parametrize("kind", TEXTS)
def test_texts_of_a_manifest_are_shown_as_text(open_editor, screenshot, kind):
    page = open_editor(TEXTS[kind])
    screenshot(page, f"hostile-extension-{kind}")
    assert page.page.title() != "attacked"
    assert page.editor.locator(".panel script, .panel img").count() == 0
    assert all(url.startswith((page.studio.url, f"blob:{page.studio.url}")) for url in page.urls)
    assert "\u202e" not in page.page.content() and "\u2066" not in page.page.content()
    # The texts are cut, and the form stays beside the picture, with its last control within reach.
    assert len(page.page.content()) < 100_000
    assert page.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.editor.locator("[data-parameter=amount]").get_by_role("spinbutton").fill("30")
    page.editor.locator("[data-parameter=kind] input, [data-parameter=kind] select").first.focus()
    page.wait_for_frame()
    photo = page.page.evaluate("document.querySelector('edit-window').row.id")
    page.finish()
    assert page.studio.library.run("history", photo)[-1]["values"]["amount"] == 30


@pytest.mark.parametrize("size", ["1x1", "30000x1"])
def test_picture_of_any_size_is_shown_and_committed(open_editor, library, size):
    page = open_editor(MARKUP)
    photo = page.page.evaluate("document.querySelector('edit-window').row.id")
    page.editor.get_by_role("textbox", name="Mode").fill(f"size-{size}")
    page.page.keyboard.press("Tab")
    page.wait_for_frame()
    shown = page.page.evaluate("(({ width, height }) => [width, height])(document.querySelector('edit-window').stage.whole)")
    assert shown[1] == 1
    expect(page.editor.locator(".edit-problem")).to_have_text("")
    page.finish()
    assert library.run("history", photo)[-1]["values"]["mode"] == f"size-{size}"
