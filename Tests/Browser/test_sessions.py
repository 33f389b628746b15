# SPDX-License-Identifier: Apache-2.0
"""cancel-asks, conflict, crash: sessions that end without an edit."""
import re

import pytest
from playwright.sync_api import expect


@pytest.fixture
def page(every, library, start, open_page):
    page = open_page(start(library))
    page.open_photo(0)
    page.photo = page.page.evaluate("document.querySelector('photo-viewer').row.id")
    return page


def states(page):
    return [row["state"] for row in page.studio.library.run("history", page.photo)]


def closed(page):
    page.page.wait_for_selector("edit-window", state="hidden")
    expect(page.viewer).to_be_visible()


def test_c13_placeholder_is_shown_before_the_first_preview(page):
    """C-13: the current version is shown while the extension has not rendered its first preview."""
    preview = re.compile("/api/sessions/[^/]+/preview")
    held, released = [], []
    page.page.route(preview, lambda route: route.continue_() if released else held.append(route))
    shown = page.picture().split("?")[0]
    page.page.keyboard.press("e")
    with page.page.expect_request(preview):
        page.page.get_by_role("dialog").get_by_role("button", name=re.compile("^Sepia ")).click()
    placeholder = page.editor.locator(".before-box .picture")
    page.page.wait_for_function(
        "() => document.querySelector('edit-window .before-box .picture').naturalWidth > 0")
    expect(placeholder).to_be_visible()
    assert placeholder.get_attribute("src").split("?")[0] == shown
    expect(page.editor.locator(".frame-whole")).to_be_hidden()
    released.append(True)
    for route in held:
        route.continue_()
    page.wait_for_frame()
    expect(page.editor.locator(".frame-whole")).to_be_visible()


@pytest.mark.parametrize("way", ["button", "escape", "back"])
def test_sepia_never_asks(page, way):
    before = states(page)
    page.edit("Sepia")
    page.field("Intensity").fill("0.2")
    page.wait_for_frame()
    if way == "button":
        page.editor.get_by_role("button", name="Cancel").click()
    elif way == "escape":
        page.page.keyboard.press("Escape")
    else:
        page.page.go_back()
    closed(page)
    expect(page.page.get_by_role("dialog")).to_have_count(0)
    assert states(page) == before


@pytest.mark.parametrize("way", ["escape", "back"])
def test_crop_asks_before_it_discards(page, way):
    before = states(page)
    page.edit("Crop and Rotate")
    leave = (lambda: page.page.keyboard.press("Escape")) if way == "escape" else page.page.go_back
    leave()
    dialog = page.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Discard the changes?")
    expect(dialog.get_by_role("button", name="Keep editing")).to_be_focused()
    page.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.editor).to_be_visible()
    # The window returns to the browser's history after the dialog is gone.
    page.page.wait_for_function("() => history.state?.isEditing && !document.querySelector('edit-window').isCancelling")
    leave()
    dialog.get_by_role("button", name="Discard").click()
    closed(page)
    assert states(page) == before


def test_conflict_keeps_the_values_and_shows_what_has_changed(page, screenshot):
    page.edit("Sepia")
    page.field("Intensity").fill("0.21")
    page.wait_for_frame()
    page.studio.library.run("edit", page.photo, "--with", "croprotate", "--set", "turns=1")
    edited = states(page)
    # The old picture of the grid is not available any more.
    page.expect("409", "404.*/pictures/", "Failed to load resource")
    page.editor.get_by_role("button", name="Done").click()
    alert = page.editor.locator(".edit-failure:not([hidden])")
    expect(alert).to_contain_text("The photo has been changed in the meantime")
    expect(alert).to_contain_text("Crop and Rotate")
    expect(alert).not_to_contain_text(page.photo)
    screenshot(page, "conflict")
    assert states(page) == edited
    alert.get_by_role("button", name="Start again").click()
    page.wait_for_frame()
    expect(page.field("Intensity")).to_have_value("0.21")
    page.finish()
    assert page.studio.library.run("history", page.photo)[-1]["values"] == {"intensity": 0.21}


def test_crash_keeps_the_values_and_commits_nothing(page):
    before = states(page)
    page.edit("Every Control")
    page.field("Amount").fill("0.77")
    page.editor.get_by_role("switch", name="Grain").check()
    page.expect("preview", "Failed to load resource", "404", "renew")
    page.editor.get_by_role("textbox", name="Caption").fill("crash")
    shown = page.editor.locator(".edit-failure:not([hidden]), .edit-problem:not(:empty)").first
    expect(shown).to_be_visible()
    assert page.values()["amount"] == 0.77
    page.page.keyboard.press("Escape")
    closed(page)
    assert states(page) == before


def test_reload_keeps_the_values(page):
    before = states(page)
    page.edit("Sepia")
    page.field("Intensity").fill("0.44")
    page.wait_for_frame()
    page.page.reload()
    dialog = page.page.get_by_role("dialog")
    expect(dialog).to_contain_text("The edit was interrupted")
    dialog.get_by_role("button", name="Start again").click()
    page.wait_for_frame()
    expect(page.field("Intensity")).to_have_value("0.44")
    assert states(page) == before


def test_values_that_are_refused_at_done_are_shown_with_the_reason(page):
    before = states(page)
    page.edit("Sepia")
    canvas = page.editor.locator(".frame-whole")
    old = canvas.screenshot()
    # Done is chosen before the frame of the last change has arrived.
    held = page.hold("/preview")
    page.field("Intensity").fill("0.1")
    held.wait()
    refusal = {"error": {"code": "badParameter", "message": 'the extension does not accept "intensity"'}}
    page.page.route("**/finish", lambda route: route.fulfill(status=400, json=refusal))
    page.expect("400: .*/finish", "status of 400")
    page.editor.get_by_role("button", name="Done").click()
    problem = page.editor.locator(".edit-problem")
    expect(problem).not_to_be_empty()
    assert canvas.screenshot() == old
    held.release()
    page.wait_for_frame()
    assert canvas.screenshot() != old
    expect(problem).to_have_text('Intensity: the extension does not accept "intensity"')
    assert states(page) == before
    page.page.unroute("**/finish")
    page.field("Intensity").fill("0.2")
    page.wait_for_frame()
    expect(problem).to_have_text("")
    page.finish()
    assert page.studio.library.run("history", page.photo)[-1]["values"] == {"intensity": 0.2}


def test_discarded_session_closes_at_once(page):
    before = states(page)
    page.edit("Crop and Rotate")
    # An extension that does not answer delays the answer of the server.
    page.page.route(re.compile("/api/sessions/"), lambda route: route.continue_() if route.request.post_data == '{"force":false}' else None)
    page.page.keyboard.press("Escape")
    page.page.get_by_role("dialog").get_by_role("button", name="Discard").click()
    closed(page)
    assert states(page) == before
