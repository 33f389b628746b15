# SPDX-License-Identifier: Apache-2.0
"""killed-server: the server is killed while a photo is edited. The values are kept, and the library is undamaged."""
from playwright.sync_api import expect


def damage(library):
    """What a check finds, other than the folders that the killed server has left. They are removed."""
    return [row for row in library.run("check", "--read-data", "100", "--repair") if row.get("kind", "leftover") != "leftover"]


def test_values_are_offered_again_after_the_next_start(library, start, open_page):
    studio = start(library)
    page = open_page(studio)
    page.open_photo(0)
    photo = page.page.evaluate("document.querySelector('photo-viewer').row.id")
    before = library.run("history", photo)
    page.edit("Sepia")
    page.field("Intensity").fill("0.33")
    page.wait_for_frame()
    page.expect("ERR_", "40[14]", "Failed to load resource")

    studio.kill()
    page.field("Intensity").fill("0.34")
    alert = page.editor.locator(".edit-failure:not([hidden])")
    expect(alert).to_contain_text("The connection to the studio is lost")
    expect(alert).to_contain_text("Your values are kept")
    assert page.values()["intensity"] == 0.34
    assert damage(library) == []
    assert library.run("history", photo) == before

    # The next start has the same URL, but no logins. The page in this tab is loaded again once the browser is logged in.
    address = studio.url
    studio.run()
    assert studio.url == address
    page.page.wait_for_selector(".logged-out")
    page.page.keyboard.press("Escape")
    page.page.goto(studio.login_url())
    page.wait_for_grid()
    page.open_photo(0)
    dialog = page.page.get_by_role("dialog")
    expect(dialog).to_contain_text("The edit was interrupted")
    dialog.get_by_role("button", name="Start again").click()
    page.wait_for_frame()
    expect(page.field("Intensity")).to_have_value("0.34")
    page.finish()
    assert library.run("history", photo)[-1]["values"] == {"intensity": 0.34}
    assert damage(library) == []
