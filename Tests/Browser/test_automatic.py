# SPDX-License-Identifier: Apache-2.0
"""automatic: the button of an extension that chooses values for the picture."""
from playwright.sync_api import expect


def opened(library, start, open_page):
    """The editing window of Light and Color, and its photo."""
    page = open_page(start(library))
    ids = [row["id"] for row in library.run("list", "--sort", "date:desc")]
    position = next(index for index in range(page.count()) if "edited" not in page.cell(index).get_attribute("aria-label"))
    page.open_photo(position)
    page.edit("Light and Color")
    return page, ids[position]


def button(page):
    return page.editor.get_by_role("button", name="Auto", exact=True)


def test_button_sets_values_as_one_step_and_keeps_the_others(library, start, open_page):
    page, _ = opened(library, start, open_page)
    page.field("Warmth").fill("0.4")
    page.field("Exposure").fill("-3")
    page.field("Exposure").press("Enter")
    button(page).click()
    page.wait_for_frame()
    values = page.values()
    assert values["auto"] is False
    assert values["warmth"] == 0.4
    assert -0.4 <= values["exposure"] <= 1.5
    assert values["vibrance"] == 0.15
    expect(page.field("Vibrance")).to_have_value("0.15")
    # The same again changes nothing, and makes no step.
    button(page).click()
    page.wait_for_frame()
    assert page.values() == values
    page.page.keyboard.press("Control+z")
    page.wait_for_frame()
    assert page.values()["exposure"] == -3 and page.values()["vibrance"] == 0


def test_done_right_after_the_button_commits_what_was_chosen(library, start, open_page):
    page, photo = opened(library, start, open_page)
    button(page).click()
    page.finish()
    state = library.run("history", photo)[-1]
    assert state["extension"] == "org.edithost.lightandcolor"
    assert state["values"]["vibrance"] == 0.15 and state["values"]["auto"] is False
