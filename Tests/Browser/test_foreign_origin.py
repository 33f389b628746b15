# SPDX-License-Identifier: Apache-2.0
"""foreign-origin, other-port: pages of other servers neither read nor change anything."""
import pytest
from playwright.sync_api import expect

HOSTS = {
    "foreign-origin": "attacker.localhost",
    "other-port-of-the-address": "127.0.0.1",
    "other-port-of-localhost": "localhost",
}


def state_of(library):
    """What an attack could change."""
    return [library.run("list"), library.run("album", "list"), library.run("history", library.ids()[0])]


@pytest.fixture
def page(library, start, open_page):
    page = open_page(start(library))
    page.photo = library.ids()[0]
    row = next(index for index, row in enumerate(library.run("list", "--sort", "date:desc")) if row["id"] == page.photo)
    page.wait_for_pictures()
    page.key = page.key_of(row)
    assert page.unexpected == []
    # The attack fails in many ways, each of which the browser reports.
    page.expect("")
    return page


def assert_logged_in(page):
    page.page.reload()
    page.wait_for_grid()


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS.keys())
def test_page_of_another_host_is_blocked(page, attacker, library, host):
    before = state_of(library)
    tab = page.context.new_page()
    tab.goto(attacker.url(host))
    attacker.attack(tab, page.studio, page.photo, page.key)
    attacker.assert_nothing_received("/")
    assert attacker.cookies() == []
    assert state_of(library) == before
    assert_logged_in(page)


def test_page_of_another_port_of_the_same_name_is_blocked(page, attacker, library):
    # The browser adds the cookie to these requests: cookies ignore ports, and the two origins are of one site.
    before = state_of(library)
    tab = page.context.new_page()
    tab.goto(attacker.url(page.studio.url.split("/")[2].split(":")[0]))
    sent = []
    tab.on("request", lambda request: sent.append(request.url))
    attacker.attack(tab, page.studio, page.photo, page.key)
    assert len(sent) > 40
    attacker.assert_nothing_received("/")
    assert state_of(library) == before
    assert_logged_in(page)


def test_opened_window_is_out_of_reach(page, attacker):
    tab = page.context.new_page()
    tab.goto(attacker.url("attacker.localhost"))
    with page.context.expect_page() as opened:
        tab.evaluate("url => void (window.studio = open(url))", page.studio.url)
    opened.value.wait_for_selector(".cell")
    # The policy of openers gives the page a browsing context group of its own.
    tab.wait_for_function("() => window.studio.closed")
    assert opened.value.evaluate("window.opener") is None
    attacker.assert_nothing_received("/")


def test_names_of_the_library_do_not_make_the_page_ask_another_server(page, attacker, library):
    url = attacker.url("127.0.0.1")
    library.run("set", page.photo, "--title", f"<img src={url}title>", "--keyword", f"<link rel=stylesheet href={url}word>")
    library.run("album", "create", f"<script src={url}album></script>")
    page.page.reload()
    page.wait_for_grid()
    page.open_panel(page.photo, "Info")
    expect(page.page.get_by_role("tabpanel")).to_contain_text("title>")
    # Nor does a script of the page reach it.
    assert page.page.evaluate("url => fetch(url, { mode: 'no-cors' }).then(() => 'sent', () => 'blocked')", url) == "blocked"
    attacker.assert_nothing_received()
