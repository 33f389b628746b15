# SPDX-License-Identifier: Apache-2.0
"""every-control, conditions, presets, languages: the form of an extension with a parameter of each type."""
import re

import pytest
from playwright.sync_api import expect

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


@pytest.fixture
def page(every, library, start, open_page):
    page = open_page(start(library))
    page.open_photo(0)
    page.edit("Every Control")
    return page


def committed(page, library):
    """Ends the session, and returns the values in the recipe."""
    photo = page.page.evaluate("document.querySelector('edit-window').row.id")
    page.finish()
    return library.run("history", photo)[-1]["values"]


def handles(page, name):
    return page.editor.get_by_role("button", name=re.compile(name))


def drag(page, handle, x, y):
    box = handle.bounding_box()
    page.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.page.mouse.down()
    page.page.mouse.move(box["x"] + box["width"] / 2 + x, box["y"] + box["height"] / 2 + y, steps=4)
    page.page.mouse.up()


def test_fields_set_exact_values(page, library):
    for name, value in {"Amount": "0.123", "Radius": "12.25", "Count": "7", "Tilt": "-3.7", "Centre, x": "12.5", "Centre, y": "75",
                        "Area, left": "10", "Area, width": "40"}.items():
        page.field(name).fill(value)
        page.page.keyboard.press("Tab")
    page.editor.get_by_role("switch", name="Grain").check()
    page.editor.get_by_role("textbox", name="Caption").fill("a “quote” & <b>")
    page.editor.get_by_role("radio", name="Hard").check()
    page.editor.get_by_role("combobox", name="Blend").select_option("d")
    page.editor.get_by_role("textbox", name="Tint, hexadecimal").fill("#01020380")
    page.wait_for_frame()
    values = committed(page, library)
    expected = {"amount": 0.123, "radius": 12.25, "count": 7, "angle": -3.7, "center": {"x": 0.125, "y": 0.75}, "grain": True,
                "caption": "a “quote” & <b>", "mode": "hard", "blend": "d", "tint": "#01020380",
                "area": {"x": 0.1, "y": 0.25, "width": 0.4, "height": 0.5}}
    assert {name: values[name] for name in expected} == expected


def test_every_control_works_by_keys(page, library):
    size = page.page.evaluate("document.querySelector('edit-window').stage.state.picture")
    page.editor.get_by_role("slider", name="Amount").press("ArrowRight")
    page.editor.get_by_role("slider", name="Tilt").press("ArrowRight")
    page.editor.get_by_role("button", name="Increase Radius").press("Enter")
    page.editor.get_by_role("switch", name="Grain").press("Space")
    page.editor.get_by_role("radio", name="soft").press("ArrowRight")
    page.editor.get_by_role("button", name="Set Centre on the picture").press("Enter") if not handles(page, "^Centre:").count() else None
    handles(page, "^Centre:").press("ArrowRight")
    handles(page, "^Centre:").press("Shift+ArrowUp")
    page.editor.get_by_role("button", name="Set Stars on the picture").press("Enter")
    handles(page, "^Point 2:").first.press("Delete")
    handles(page, r"^Point 2:").press("ArrowDown")
    values = committed(page, library)
    middle = (round(size["width"] / 2), round(size["height"] / 2))
    assert values["amount"] == 0.51 and values["angle"] == 0.1 and values["radius"] == 4.5 and values["grain"] and values["mode"] == "hard"
    assert values["center"]["x"] * size["width"] == pytest.approx(middle[0] + 1, abs=1)
    assert values["center"]["y"] * size["height"] == pytest.approx(middle[1] - 10, abs=1)
    assert values["stars"] == [[0.25, 0.25]]
    assert values["tone"][1] == pytest.approx([1, 1 - 1 / 255])


def test_handles_and_curve_are_set_by_mouse(page, library, screenshot):
    page.editor.get_by_role("button", name="Set Area on the picture").click()
    drag(page, handles(page, "Area, bottom right"), 40, 30)
    box = page.page.evaluate("(({ width, height }) => ({ width, height }))(document.querySelector('edit-window').stage.state.box())")
    assert page.values()["area"]["width"] * box["width"] == pytest.approx(0.5 * box["width"] + 40, abs=2)
    page.editor.get_by_role("button", name="Set Stars on the picture").click()
    stage = page.editor.locator(".overlay-box").bounding_box()
    page.page.mouse.click(stage["x"] + stage["width"] * 0.5, stage["y"] + stage["height"] * 0.75)
    assert len(page.values()["stars"]) == 3
    area = page.editor.locator(".curve-area")
    area.scroll_into_view_if_needed()
    drawn = area.bounding_box()
    page.page.mouse.click(drawn["x"] + drawn["width"] * 0.5, drawn["y"] + drawn["height"] * 0.25)
    page.field("Tone, output").scroll_into_view_if_needed()
    page.wait_for_frame()
    screenshot(page, "curve")
    values = committed(page, library)
    assert values["stars"][2] == pytest.approx([0.5, 0.75], abs=0.01)
    assert values["tone"][1] == pytest.approx([0.5, 0.75], abs=0.02) and len(values["tone"]) == 3


def test_pipette_takes_a_color_of_the_picture(page):
    page.editor.get_by_role("button", name="Pipette").first.click()
    stage = page.editor.locator(".overlay-box").bounding_box()
    with page.page.expect_response(re.compile("/color")) as sampled:
        page.page.mouse.click(stage["x"] + 20, stage["y"] + 20)
    red, green, blue, _ = sampled.value.json()["color"]
    hexadecimal = "#" + "".join(f"{int(value * 255 + 0.5):02x}" for value in (red, green, blue)) + "ff"
    expect(page.editor.get_by_role("textbox", name="Tint, hexadecimal")).to_have_value(hexadecimal)


def test_file_of_this_machine_is_stored_by_its_hash(page, library, tmp_path):
    import hashlib

    table = tmp_path / "film.cube"
    table.write_bytes(b"LUT_3D_SIZE 2\n")
    page.page.locator("edit-window input[type=file]").set_input_files(table)
    expect(page.editor.locator(".file-name")).to_have_text("film.cube")
    assert hashlib.sha256(table.read_bytes()).hexdigest() in committed(page, library)["table"]


def test_phone_sets_values_by_touch(every, library, start, open_page, screenshot):
    page = open_page(start(library), **PHONE)
    page.cell(0).tap()
    page.wait_for_viewer()
    page.page.get_by_role("button", name="Edit", exact=True).tap()
    page.page.get_by_role("button", name=re.compile("^Every Control")).tap()
    page.wait_for_frame()
    page.wait_for_presets()
    screenshot(page, "phone-editor")
    assert page.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    small = """() => [...document.querySelectorAll('.handle')].map(handle => handle.getBoundingClientRect())
        .filter(box => box.width < 44 || box.height < 44).length"""
    assert page.page.evaluate(small) == 0
    page.editor.get_by_role("switch", name="Grain").tap()
    page.editor.get_by_role("radio", name="wild").tap()
    values = committed(page, library)
    assert values["grain"] and values["mode"] == "wild"


def test_conditions_show_and_hide_parameters(page):
    caption, blend = page.editor.locator("[data-parameter=caption]"), page.editor.locator("[data-parameter=blend]")
    expect(caption).to_be_hidden()
    expect(blend).to_be_hidden()
    page.editor.get_by_role("switch", name="Grain").check()
    page.editor.get_by_role("radio", name="Hard").check()
    expect(caption).to_be_visible()
    expect(blend).to_be_visible()
    page.page.keyboard.press("Control+z")
    expect(blend).to_be_hidden()


def test_presets_are_thumbnails_that_set_their_values(page):
    warm = page.editor.get_by_role("button", name="Warm")
    page.wait_for_presets()
    page.field("Radius").fill("9")
    warm.click()
    expect(warm).to_have_attribute("aria-pressed", "true")
    values = page.values()
    assert (values["amount"], values["tint"], values["radius"]) == (0.8, "#ff8800ff", 9)


@pytest.mark.parametrize("locale, amount", [("de-AT", "Betrag"), ("fr-FR", "Amount"), ("ar-EG", "المقدار")])
def test_labels_are_in_the_language_of_the_browser(every, library, start, open_page, locale, amount):
    page = open_page(start(library), locale=locale)
    page.open_photo(0)
    page.edit("Every Control")
    label = page.editor.locator("[data-parameter=amount] .form-label bdi")
    expect(label).to_have_text(amount)
    direction = label.evaluate("node => getComputedStyle(node).direction")
    assert direction == ("rtl" if locale.startswith("ar") else "ltr")
