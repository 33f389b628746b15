# SPDX-License-Identifier: Apache-2.0
"""ninth-session: the tabs that hold the sessions are named, and closing one of them makes room."""
from playwright.sync_api import expect

OPEN = """async ([asset, tab]) => {
    const body = JSON.stringify({ asset, extension: 'org.edithost.sepia', size: 512, tab });
    const answer = await fetch('/api/sessions', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
    const { id } = await answer.json();
    // As a tab renews its session.
    document.querySelector('studio-app').feed.addEventListener('heartbeat', () => fetch(`/api/sessions/${id}/renew`, { method: 'POST' }));
    return [answer.status, id];
}"""


def test_ninth_session_names_the_tabs_and_starts_when_one_has_ended(library, start, open_page):
    page = open_page(start(library))
    page.open_photo(0)
    photo = page.page.evaluate("document.querySelector('photo-viewer').row")
    page.edit("Sepia")
    held = [page.page.evaluate(OPEN, [photo["id"], f"Tab {number} <b>"]) for number in range(2, 9)]
    assert [status for status, _ in held] == [201] * 7

    page.expect("409", "Failed to load resource")
    tab = page.context.new_page()
    tab.goto(page.page.url)
    ninth = tab.locator("edit-window")
    tab.wait_for_selector("photo-viewer:not([hidden])")
    tab.keyboard.press("e")
    tab.get_by_role("dialog").get_by_role("button", name="Sepia").click()
    alert = ninth.locator(".edit-failure:not([hidden])")
    expect(alert).to_contain_text("Too many photos are being edited")
    expect(alert.get_by_role("listitem")).to_have_text(
        [f"{photo['filename']} – Sepia"] + [f"Tab {number} <b> – Sepia" for number in range(2, 9)])

    # The tab that is closed ends its session.
    page.page.close()
    tab.wait_for_function("async () => (await (await fetch('/api/sessions')).json()).sessions.length < 8")
    alert.get_by_role("button", name="Try again").click()
    page.page = tab
    page.wait_for_frame()
    ninth.get_by_role("button", name="Cancel").click()
    tab.wait_for_selector("edit-window", state="hidden")
