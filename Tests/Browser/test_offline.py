# SPDX-License-Identifier: Apache-2.0
"""offline: the connection is lost while a photo is edited, and comes back."""
from playwright.sync_api import expect


def sessions(page):
    return page.page.evaluate("async () => (await (await fetch('/api/sessions')).json()).sessions.map(({ id }) => id)")


def test_edit_goes_on_with_its_values(library, start, open_page):
    page = open_page(start(library))
    page.open_photo(0)
    photo = page.page.evaluate("document.querySelector('photo-viewer').row.id")
    before = library.run("history", photo)
    page.edit("Sepia")
    page.field("Intensity").fill("0.61")
    page.wait_for_frame()
    page.expect("ERR_INTERNET_DISCONNECTED")

    page.context.set_offline(True)
    page.field("Intensity").fill("0.62")
    alert = page.editor.locator(".edit-failure:not([hidden])")
    expect(alert).to_contain_text("The connection to the studio is lost")
    expect(alert).to_contain_text("Your values are kept")
    # Trying too early loses nothing.
    alert.get_by_role("button", name="Start again").click()
    expect(alert).to_contain_text("The connection to the studio is lost")
    assert library.run("history", photo) == before

    page.context.set_offline(False)
    alert.get_by_role("button", name="again").click()
    page.wait_for_frame()
    expect(page.field("Intensity")).to_have_value("0.62")
    # The session that was lost does not keep its place among the server's sessions.
    assert len(sessions(page)) == 1
    page.finish()
    assert library.run("history", photo)[-1]["values"] == {"intensity": 0.62}
    assert sessions(page) == []


def test_grid_says_that_the_connection_is_lost_and_is_up_to_date_afterwards(library, start, open_page):
    studio = start(library)
    page = open_page(studio)
    page.expect("ERR_", "Failed to load resource", "40[14]")
    left = page.count() - 1
    studio.kill()
    expect(page.page.locator(".toast")).to_contain_text("Connection lost")
    library.run("delete", library.ids()[-1])
    studio.run()
    page.page.wait_for_selector(".logged-out")
    page.page.goto(studio.login_url())
    page.wait_for_grid()
    page.wait_for_count(left)
