# SPDX-License-Identifier: Apache-2.0
"""hostile-names: texts of photos, albums and files are only ever text."""
import pytest
from playwright.sync_api import expect

HOSTILE = [
    "<img src=x onerror=document.title='attacked'>",
    "\"><script>document.title='attacked'</script>",
    "javascript:document.title='attacked'",
    "\u202egpj.exe",
    "\u2067שלום\u2069 עולם",
    "zero\u200bwidth\u00ad",
    "{{7*7}} ${7*7} %s",
    "é" * 128,  # The longest title
]


@pytest.fixture
def hostile(library):
    for index, photo in enumerate(library.ids()):
        name = HOSTILE[index % len(HOSTILE)]
        library.run("set", photo, "--title", name, "--keyword", name[:60])
    for name in HOSTILE:
        library.run("album", "create", name)
    return library


def test_titles_keywords_and_albums_are_shown_as_text(hostile, start, open_page):
    page = open_page(start(hostile))
    page.wait_for_pictures()
    title = page.page.title()
    elements = page.page.locator("side-bar script, side-bar img, .panel script, .panel img")
    for index in range(page.count()):
        page.open_photo(index) if index == 0 else page.page.keyboard.press("ArrowRight")
        if index == 0:
            page.page.keyboard.press("i")
        expect(page.page.get_by_role("tabpanel")).to_contain_text("Title")
    assert elements.count() == 0
    assert page.page.title() == title


def test_bidirectional_controls_are_escaped_and_names_isolated(hostile, start, open_page):
    page = open_page(start(hostile))
    names = page.page.locator("side-bar bdi.side-label")
    expect(names.filter(has_text="gpj.exe")).to_have_text("\\u{202e}gpj.exe")
    expect(names.filter(has_text="zerowidth")).to_have_count(0)
    assert "\u202e" not in page.page.content()


def test_long_names_do_not_break_the_layout(hostile, start, open_page, screenshot):
    page = open_page(start(hostile))
    page.wait_for_pictures()
    assert page.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.open_photo(0)
    page.page.keyboard.press("i")
    page.page.wait_for_selector(".facts")
    assert page.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    screenshot(page, "hostile-names")


def test_nothing_leaves_the_server(hostile, start, open_page):
    studio = start(hostile)
    page = open_page(studio)
    urls = []
    page.page.on("request", lambda request: urls.append(request.url))
    page.page.reload()
    page.wait_for_pictures()
    page.open_photo(0)
    assert all(url.startswith((studio.url, "blob:" + studio.url)) for url in urls)
