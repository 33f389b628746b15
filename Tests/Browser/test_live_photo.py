# SPDX-License-Identifier: Apache-2.0
"""live-photo, live-photo-hevc, live-photo-edited: Live Photos and videos play, and the still returns."""
import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from extensions import build_adder
from live_photos import SIZE, difference, first_frame, from_display_p3, make_live_photo, make_video, sepia, shown_frame
from studio import Library

IDENTIFIER = "C3754624-A05F-474D-9F16-E9C47B5F892D"
CORPUS = os.environ.get("EDITHOST_CORPUS")


@pytest.fixture
def make_library(programs, tmp_path):
    """Makes a library of files."""
    def make(files):
        library = Library(programs, tmp_path / "Photos.editlibrary")
        library.run("import", *files)
        assert len(library.ids()) == 1
        return library

    return make


def playing(page, selector):
    """Waits until the motion is shown, with a picture."""
    page.page.wait_for_selector(f"{selector} live-photo.playing")
    page.page.wait_for_function(
        "selector => { const video = document.querySelector(selector); return video.videoWidth > 0 && video.currentTime > 0; }",
        arg=f"{selector} live-photo video")
    return page.page.evaluate(
        "selector => { const { videoWidth, videoHeight, muted } = document.querySelector(selector);"
        " return { size: [videoWidth, videoHeight], muted }; }", f"{selector} live-photo video")


def wait_for_still(page, selector):
    page.page.wait_for_selector(f"{selector} live-photo:not(.playing)", state="attached")
    page.page.wait_for_function(
        "selector => getComputedStyle(document.querySelector(selector)).opacity === '0'", arg=f"{selector} live-photo video")


def hover_badge(page):
    """Moves the pointer onto the badge of the first photo, as a hand does."""
    box = page.page.locator("#photo-0 .badge.live").bounding_box()
    for step in (60, 30, 0):
        page.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - step)


def press_stage(page, window="photo-viewer"):
    box = page.page.locator(f"{window} .stage").bounding_box()
    page.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.page.mouse.down()


def test_live_photo_plays_while_pressed_and_the_still_returns(make_library, start, open_page, tmp_path):
    files = make_live_photo(tmp_path, "live", "h264", IDENTIFIER)
    page = open_page(start(make_library(files)))
    page.open_photo(0)
    press_stage(page)
    shown = playing(page, "photo-viewer .stage")
    assert shown == {"size": list(SIZE), "muted": False}
    assert difference(shown_frame(page, ".stage live-photo video"), first_frame(files[1])) < 6
    page.page.mouse.up()
    wait_for_still(page, "photo-viewer .stage")
    # A press is no click.
    assert page.page.locator(".stage.zoomed").count() == 0
    # The badge plays without a pointer.
    page.page.get_by_role("button", name="Live", exact=True).press("Enter")
    playing(page, "photo-viewer .stage")
    wait_for_still(page, "photo-viewer .stage")


def test_live_photo_plays_a_hint_and_while_a_key_is_held(make_library, start, open_page, tmp_path):
    files = make_live_photo(tmp_path, "live", "h264", IDENTIFIER)
    page = open_page(start(make_library(files)))
    page.wait_for_pictures()
    hover_badge(page)
    assert playing(page, "#photo-0")["muted"]
    # A hint ends by itself.
    wait_for_still(page, "#photo-0")
    page.grid.focus()
    page.page.keyboard.press("Home")
    page.page.keyboard.down("l")
    assert not playing(page, "#photo-0")["muted"]
    page.page.keyboard.up("l")
    wait_for_still(page, "#photo-0")
    page.page.keyboard.press("Enter")
    page.wait_for_viewer()
    page.page.keyboard.down("l")
    playing(page, "photo-viewer .stage")
    page.page.keyboard.up("l")
    wait_for_still(page, "photo-viewer .stage")


def test_live_photo_plays_no_hint_with_reduced_motion(make_library, start, open_page, tmp_path):
    files = make_live_photo(tmp_path, "live", "h264", IDENTIFIER)
    page = open_page(start(make_library(files)), reduced_motion="reduce")
    page.wait_for_pictures()
    hover_badge(page)
    # What is held plays, and it would not if a hint had begun.
    page.grid.focus()
    page.page.keyboard.press("Home")
    page.page.keyboard.down("l")
    assert not playing(page, "#photo-0")["muted"]
    page.page.keyboard.up("l")
    wait_for_still(page, "#photo-0")


def test_live_photo_has_both_resources_and_the_events_of_livephotoskit(make_library, start, open_page, tmp_path):
    files = make_live_photo(tmp_path, "live", "h264", IDENTIFIER)
    library = make_library(files)
    page = open_page(start(library))
    asset = library.ids()[0]
    details = page.page.evaluate("async id => (await fetch(`/api/assets/${id}`)).json()", asset)
    assert [resource["type"] for resource in details["resources"]] == ["photo", "pairedVideo"]
    events = page.page.evaluate(
        """async ({ id, key }) => {
            const photo = document.createElement('live-photo');
            const events = [];
            const ended = new Promise(resolve => photo.addEventListener('ended', resolve));
            for (const name of ['photoload', 'videoload', 'canplay', 'ended', 'error']) photo.addEventListener(name, () => events.push(name));
            photo.style.width = photo.style.height = '200px';
            photo.setAttribute('playback-style', 'hint');
            photo.setAttribute('photo-src', `/pictures/${id}/${key}/current?size=256`);
            photo.setAttribute('video-src', `/videos/${id}/${key}.mp4`);
            photo.setAttribute('proactively-loads-video', 'true');
            const canPlay = new Promise(resolve => photo.addEventListener('canplay', resolve));
            document.body.append(photo);
            await canPlay;
            await photo.play();
            await ended;
            return [...events.slice(0, 2).sort(), ...events.slice(2)];
        }""", details)
    assert events == ["photoload", "videoload", "canplay", "ended"]


def test_live_photo_hevc_is_converted_once(make_library, start, open_page, tmp_path):
    files = make_live_photo(tmp_path, "live", "hevc", IDENTIFIER)
    library = make_library(files)
    page = open_page(start(library))
    page.open_photo(0)
    for _ in range(2):
        press_stage(page)
        assert playing(page, "photo-viewer .stage")["size"] == list(SIZE)
        assert difference(shown_frame(page, ".stage live-photo video"), first_frame(files[1])) < 6
        page.page.mouse.up()
        wait_for_still(page, "photo-viewer .stage")
    state = page.page.evaluate("async id => (await fetch(`/api/assets/${id}/video`)).json()", library.ids()[0])
    assert state["state"] == "ready"
    assert len([path for path in (library.path / "cache/videos").rglob("*") if path.is_file()]) == 1


@pytest.mark.skipif(CORPUS is None, reason="EDITHOST_CORPUS names no folder")
def test_live_photo_hevc_of_a_phone(make_library, start, open_page):
    files = [str(Path(CORPUS) / "cameras" / f"iphone15promax_ios26.{kind}") for kind in ("HEIC", "MOV")]
    page = open_page(start(make_library(files)))
    page.open_photo(0)
    page.page.keyboard.down("l")
    assert playing(page, "photo-viewer .stage")["size"] == [1440, 1920]
    page.page.keyboard.up("l")
    wait_for_still(page, "photo-viewer .stage")
    page.page.evaluate(
        """() => new Promise(resolve => {
            const { video } = document.querySelector('.stage live-photo');
            video.addEventListener('seeked', resolve, { once: true });
            video.currentTime = 0.001;
        })""")
    # The phone records Display P3 with the matrix of BT.601.
    frame = from_display_p3(first_frame(files[1], (144, 192), matrix="bt601"))
    assert difference(shown_frame(page, ".stage live-photo video", (144, 192)), frame) < 8


def test_live_photo_edited_plays_the_edited_motion(make_library, start, open_page, tmp_path):
    files = make_live_photo(tmp_path, "live", "h264", IDENTIFIER)
    library = make_library(files)
    library.run("edit", library.ids()[0], "--with", "sepia", "--set", "intensity=1")
    page = open_page(start(library))
    page.open_photo(0)
    press_stage(page)
    assert playing(page, "photo-viewer .stage")["size"] == list(SIZE)
    assert difference(shown_frame(page, ".stage live-photo video"), sepia(first_frame(files[1]))) < 6
    page.page.mouse.up()
    wait_for_still(page, "photo-viewer .stage")


def test_live_photo_is_a_still_while_only_that_is_edited(make_library, start, open_page, tmp_path):
    library = make_library(make_live_photo(tmp_path, "live", "h264", IDENTIFIER))
    asset, = library.ids()
    page = open_page(start(library))
    page.expect_replaced_pictures()
    page.open_photo(0)
    badge = page.page.get_by_role("button", name="Live", exact=True)
    expect(badge).to_be_visible()
    library.run("edit", asset, "--with", "sepia", "--still-only")
    expect(badge).to_be_hidden()
    library.run("undo", asset)
    expect(badge).to_be_visible()


def test_live_photo_plays_with_the_values_of_a_session(make_library, start, open_page, tmp_path):
    files = make_live_photo(tmp_path, "live", "h264", IDENTIFIER)
    library = make_library(files)
    page = open_page(start(library))
    page.open_photo(0)
    page.edit("Sepia")
    stage = "edit-window .stage"
    unedited = first_frame(files[1])

    page.page.keyboard.down("l")
    assert playing(page, stage)["size"] == list(SIZE)
    assert difference(shown_frame(page, f"{stage} video"), sepia(unedited)) < 6
    page.page.keyboard.up("l")
    wait_for_still(page, stage)

    page.field("Intensity").fill("0")
    page.page.keyboard.press("Tab")
    page.wait_for_frame()
    press_stage(page, "edit-window")
    playing(page, stage)
    assert difference(shown_frame(page, f"{stage} video"), unedited) < 6
    page.page.mouse.up()
    wait_for_still(page, stage)
    assert [state["edit"] for state in library.run("history", library.ids()[0])] == [None]


def test_motion_that_an_extension_cannot_make_is_reported(make_library, start, open_page, tmp_path, monkeypatch):
    # It declares that it edits videos, and does not.
    build_adder(tmp_path / "extensions", "failing", media=["image", "video"])
    monkeypatch.setenv("EDITHOST_EXTENSION_PATH", str(tmp_path / "extensions"))
    library = make_library(make_live_photo(tmp_path, "live", "h264", IDENTIFIER))
    page = open_page(start(library))
    page.open_photo(0)
    page.edit("Failing")
    page.expect("motion", "Failed to load resource")
    page.editor.get_by_role("button", name="Live", exact=True).click()
    expect(page.editor.locator(".motion-state")).to_have_text("This video cannot be played.")


def test_video_of_hevc_plays_in_the_viewer(make_library, start, open_page, tmp_path):
    path = make_video(tmp_path / "bars.mp4", "hevc")
    page = open_page(start(make_library([str(path)])))
    page.cell(0).dblclick()
    page.page.wait_for_selector(".viewer-video[controls]")
    expect(page.viewer.locator(".zoom")).to_be_hidden()
    page.page.keyboard.press(" ")
    page.page.wait_for_function(
        "() => { const video = document.querySelector('.viewer-video'); return video.videoWidth > 0 && video.currentTime > 0; }")
    assert difference(shown_frame(page, ".viewer-video"), first_frame(path)) < 6
    page.page.keyboard.press("Escape")
    page.wait_for_grid_again()
    assert page.page.locator(".viewer-video[src]").count() == 0
