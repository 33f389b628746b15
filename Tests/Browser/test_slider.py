# SPDX-License-Identifier: Apache-2.0
"""slider: frames while a control moves."""
import re

import pytest
from playwright.sync_api import expect

# The mean difference per channel between the canvas and sepia by NumPy's formula on the picture that it starts from, of the same size.
DIFFERENCE = """async () => {
    const { row, stage, history } = document.querySelector('edit-window');
    const { width, height } = stage.whole;
    const size = Math.max(width, height);
    const answer = await fetch(`/pictures/${row.id}/${row.key}/current?size=${size}`);
    const original = await createImageBitmap(await answer.blob());
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(original, 0, 0, width, height);
    const input = context.getImageData(0, 0, width, height).data;
    const output = stage.whole.getContext('2d').getImageData(0, 0, width, height).data;
    const rows = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]];
    const k = history.values.intensity;
    let sum = 0;
    for (let pixel = 0; pixel < input.length; pixel += 4) {
        rows.forEach((row, band) => {
            const toned = row[0] * input[pixel] + row[1] * input[pixel + 1] + row[2] * input[pixel + 2];
            sum += Math.abs(Math.min(255, (1 - k) * input[pixel + band] + k * toned) - output[pixel + band]);
        });
    }
    return sum / (width * height * 3);
}"""


@pytest.fixture
def unedited(library, start, open_page):
    """A page with the editing window of sepia for a photo without edits, and the requests for its frames."""
    page = open_page(start(library))
    position = next(index for index in range(page.count()) if "edited" not in page.cell(index).get_attribute("aria-label"))
    page.open_photo(position)
    page.requests = []
    page.page.on("request", lambda request: "/preview" in request.url and page.requests.append(("sent", request)))
    page.page.on("requestfinished", lambda request: "/preview" in request.url and page.requests.append(("done", request)))
    page.page.on("requestfailed", lambda request: "/preview" in request.url and page.requests.append(("done", request)))
    page.edit("Sepia")
    return page


def drag(page, slider, steps):
    box = slider.bounding_box()
    page.page.mouse.move(box["x"] + box["width"] - 10, box["y"] + box["height"] / 2)
    page.page.mouse.down()
    for step in range(steps):
        page.page.mouse.move(box["x"] + box["width"] * (1 - (step + 1) / (steps + 10)), box["y"] + box["height"] / 2)
    page.page.mouse.up()


def test_frames_come_in_order_and_one_request_is_in_flight(unedited):
    page = unedited
    slider = page.editor.get_by_role("slider", name="Intensity")
    drag(page, slider, 60)
    page.wait_for_frame()
    revisions = [int(re.search(r"revision=(\d+)", request.url)[1]) for what, request in page.requests if what == "sent"]
    assert revisions == sorted(set(revisions))
    # A sharp frame that is not needed any more is cancelled.
    completed = [(what, request) for what, request in page.requests if request.failure is None]
    in_flight = 0
    for what, _ in completed:
        in_flight += 1 if what == "sent" else -1
        assert in_flight <= 1
    last = [request for what, request in page.requests if what == "sent"][-1].post_data_json
    assert last["values"]["intensity"] == float(slider.input_value())


def test_canvas_is_the_sepia_of_the_final_value(unedited, screenshot):
    page = unedited
    for value in ("0.3", "0.85"):
        page.field("Intensity").fill(value)
        page.page.keyboard.press("Tab")
        page.wait_for_frame()
        assert page.page.evaluate(DIFFERENCE) < 2
    screenshot(page, "editor")


def test_committed_value_is_exact(unedited, library):
    page = unedited
    photo = page.page.evaluate("document.querySelector('edit-window').row.id")
    page.field("Intensity").fill("0.37")
    page.finish()
    assert library.run("history", photo)[-1]["values"] == {"intensity": 0.37}
    expect(page.viewer).to_be_visible()


def test_changes_are_undone_and_redone_in_the_session(unedited):
    page = unedited
    field = page.field("Intensity")
    drag(page, page.editor.get_by_role("slider", name="Intensity"), 10)
    moved = field.input_value()
    assert moved != "1"
    page.page.keyboard.press("Control+z")
    expect(field).to_have_value("1")
    page.page.keyboard.press("Control+Shift+z")
    expect(field).to_have_value(moved)
    page.editor.get_by_role("button", name="Reset Intensity").click()
    expect(field).to_have_value("1")


def test_zoomed_region_is_sharp_and_covers_the_same_pixels(unedited):
    page = unedited
    page.editor.get_by_role("button", name="Fit").click()
    page.wait_for_frame()
    boxes = page.page.evaluate("""() => {
        const { whole, detail, state } = document.querySelector('edit-window').stage;
        if (detail.hidden) return null;
        const [a, b] = [whole, detail].map(canvas => canvas.getBoundingClientRect());
        const region = JSON.parse(document.querySelector('edit-window').loop.detail.region);
        return [b.left - a.left - region.x * state.scale, b.width - region.width * state.scale];
    }""")
    assert boxes is None or max(abs(value) for value in boxes) < 0.5
