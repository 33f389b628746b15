# SPDX-License-Identifier: Apache-2.0
"""phone, forced-colours, text-200, axe: the page on other screens, and for other eyes."""
import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


def overflow(page):
    """How far the page is wider than the screen."""
    return page.page.evaluate("document.documentElement.scrollWidth - innerWidth")


def test_phone_opens_steps_and_goes_back_by_touch(library, start, open_page, screenshot):
    page = open_page(start(library), **PHONE)
    page.wait_for_pictures()
    screenshot(page, "phone-grid")
    assert overflow(page) <= 0
    page.cell(0).tap()
    page.wait_for_viewer()
    screenshot(page, "phone-viewer")
    page.page.get_by_role("button", name="Next photo").tap()
    expect(page.page.locator(".place")).to_contain_text("2 of")
    page.page.get_by_role("button", name="Details").tap()
    expect(page.page.get_by_role("tabpanel")).to_contain_text("File")
    page.page.get_by_role("button", name="Back").tap()
    page.wait_for_grid_again()


def test_phone_selects_by_touch(library, start, open_page):
    page = open_page(start(library), **PHONE)
    page.page.get_by_role("button", name="Select", exact=True).tap()
    page.cell(0).tap()
    page.cell(1).tap()
    expect(page.page.locator(".selection-count")).to_have_text("2 selected")
    page.page.get_by_role("toolbar").get_by_role("button", name="Favourite").tap()
    expect(page.page.locator(".badge.favorite")).to_have_count(2)


def test_phone_reaches_albums_in_a_drawer(library, start, open_page):
    library.run("album", "create", "Harbour")
    page = open_page(start(library), **PHONE)
    page.page.get_by_role("button", name="Library and albums").tap()
    page.page.get_by_role("button", name="Harbour").tap()
    expect(page.page.get_by_role("heading", level=1)).to_have_text("Harbour")


def test_phone_controls_are_large_enough_for_fingers(library, start, open_page):
    page = open_page(start(library), **PHONE)
    small = """() => [...document.querySelectorAll('button, [role=slider] > div')].filter(control => control.checkVisibility())
        .map(control => [control.ariaLabel ?? control.textContent, control.getBoundingClientRect()])
        .filter(([, box]) => box.width > 0 && (box.width < 24 || box.height < 24)).map(([name]) => name)"""
    assert page.page.evaluate(small) == []
    page.cell(0).tap()
    page.wait_for_viewer()
    assert page.page.evaluate(small) == []


def test_phone_names_the_extension_in_full_and_offers_no_keys(library, start, open_page):
    page = open_page(start(library), **PHONE)
    page.cell(0).tap()
    page.wait_for_viewer()
    page.viewer.get_by_role("button", name="More").tap()
    expect(page.page.get_by_role("menuitem", name="Rotate right")).to_be_visible()
    expect(page.page.locator("kbd").filter(visible=True)).to_have_count(0)
    page.page.keyboard.press("Escape")
    page.edit("Crop and Rotate")
    name = page.editor.get_by_role("heading", name="Crop and Rotate").locator("bdi").first
    assert name.evaluate("name => name.scrollWidth <= name.clientWidth")


def test_forced_colors_keep_selection_focus_and_badges_visible(library, start, open_page, screenshot):
    page = open_page(start(library), forced_colors="active")
    page.wait_for_pictures()
    page.cell(1).click()
    page.page.keyboard.press("ArrowRight")
    expect(page.cell(1)).to_have_attribute("aria-selected", "true")
    page.wait_for_active(2)
    assert page.page.evaluate("getComputedStyle(document.querySelector('#photo-1'), '::before').borderTopWidth") == "4px"
    assert page.page.evaluate("getComputedStyle(document.querySelector('.cell.active')).outlineWidth") == "4px"
    assert page.page.locator(".badge.edited").first.is_visible()
    screenshot(page, "forced-colors")


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)])
def test_text_of_200_percent_fits(library, start, open_page, screenshot, size):
    page = open_page(start(library), viewport={"width": size[0], "height": size[1]})
    page.page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.page.set_viewport_size({"width": size[0], "height": size[1] - 1})
    assert overflow(page) <= 0
    outside = """() => [...document.querySelectorAll('.top-bar button, .top-bar input, .viewer-header button')]
        .filter(control => control.checkVisibility()).map(control => [control.ariaLabel, control.getBoundingClientRect()])
        .filter(([, box]) => box.left < -1 || box.right > innerWidth + 1).map(([name]) => name)"""
    assert page.page.evaluate(outside) == []
    screenshot(page, f"text-200-{size[0]}")
    page.grid.press("Enter")
    page.wait_for_viewer()
    assert page.page.evaluate(outside) == []


def test_reduced_motion_has_no_animations(library, start, open_page):
    page = open_page(start(library), reduced_motion="reduce")
    page.grid.press("End")
    assert page.page.evaluate("document.getAnimations().length") == 0


def test_right_to_left_mirrors_the_page(library, start, open_page, screenshot):
    page = open_page(start(library))
    page.page.evaluate("document.documentElement.dir = 'rtl'")
    page.page.set_viewport_size({"width": 1281, "height": 800})
    page.wait_for_pictures()
    bar, grid = page.page.locator("side-bar").bounding_box(), page.grid.bounding_box()
    assert bar["x"] > grid["x"]
    page.grid.press("Home")
    page.grid.press("ArrowLeft")
    page.wait_for_active(1)
    screenshot(page, "right-to-left")


@pytest.fixture(scope="session")
def axe():
    import axe_playwright_python

    return next(Path(axe_playwright_python.__file__).parent.glob("**/axe.min.js")).read_text()


def violations(page, axe):
    """What axe finds by the rules of WCAG 2.2 AA. It is run by the debugger, which the CSP does not concern."""
    session = page.context.new_cdp_session(page.page)
    session.send("Runtime.evaluate", {"expression": axe})
    options = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    answer = session.send("Runtime.evaluate", {
        "expression": f"axe.run({json.dumps(options)}).then(result => JSON.stringify(result.violations.map("
                      "({{ id, nodes }}) => [id, nodes.slice(0, 3).map(node => node.html.slice(0, 200))])))".replace("{{", "{").replace("}}", "}"),
        "awaitPromise": True})
    return json.loads(answer["result"]["value"])


def open_edited(page):
    page.open_photo(page.positions("edited")[-1])


def crop(page):
    page.open_photo(0)
    page.edit("Crop and Rotate")
    page.editor.get_by_role("combobox", name="Crop, aspect ratio").select_option("5:4")
    page.field("Straighten").fill("-2.5")
    page.wait_for_frame()


SCREENS = {
    "grid": lambda page: page.wait_for_pictures(),
    "selection": lambda page: (page.cell(0).click(), page.page.wait_for_selector(".selection-bar:not([hidden])")),
    "filters": lambda page: page.page.get_by_role("button", name="Filters").click(),
    "appearance": lambda page: page.page.get_by_role("button", name="Size and layout").click(),
    "shortcuts": lambda page: page.page.get_by_role("button", name="Keyboard shortcuts").click(),
    "delete": lambda page: (page.grid.press("Delete"), page.page.wait_for_selector("dialog[open]")),
    "viewer": lambda page: page.open_photo(0),
    "menu": lambda page: (page.open_photo(0), page.page.get_by_role("button", name="More", exact=True).last.click()),
    "info": lambda page: (page.open_photo(0), page.page.keyboard.press("i"), page.page.wait_for_selector(".facts")),
    "history": lambda page: (page.open_photo(0), page.page.keyboard.press("i"), page.page.get_by_role("tab", name="History").click()),
    "compare": lambda page: (open_edited(page), page.page.keyboard.press("s"), page.wait_for_other_pane()),
    "extensions": lambda page: (page.open_photo(0), page.page.keyboard.press("e"), page.page.wait_for_selector(".extension")),
    "crop": crop,
    "every-control": lambda page: (page.open_photo(0), page.edit("Every Control"), page.wait_for_presets()),
}


@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing(every, library, start, open_page, axe, screenshot, screen):
    # What fades has too little contrast.
    page = open_page(start(library), reduced_motion="reduce")
    SCREENS[screen](page)
    for scheme in ("light", "dark"):
        page.page.emulate_media(color_scheme=scheme)
        screenshot(page, screen, [scheme])
        assert violations(page, axe) == [], scheme


def test_axe_finds_nothing_on_a_phone(library, start, open_page, axe):
    page = open_page(start(library), reduced_motion="reduce", **PHONE)
    page.wait_for_pictures()
    assert violations(page, axe) == []
