# SPDX-License-Identifier: Apache-2.0
"""eight-tabs: a browser opens six connections to a host, and eight tabs work."""
import re

import pytest


@pytest.fixture
def tabs(library, start, open_page):
    """Eight tabs of one browser."""
    page = open_page(start(library))
    page.streams = []
    page.context.on("request", lambda request: "/api/events" in request.url and page.streams.append(request.frame.page))
    page.page.reload()
    page.wait_for_grid()
    page.tabs = [page.page] + [page.new_tab() for _ in range(7)]
    return page


def wait_for_count(tab, count):
    tab.wait_for_function("count => document.querySelector('.count').textContent.replace(/\\D/g, '') === String(count)", arg=count)


def test_one_stream_serves_all_tabs(tabs, library):
    count = tabs.count()
    library.run("delete", library.ids()[-1])
    for tab in tabs.tabs:
        wait_for_count(tab, count - 1)
    # Only one tab has opened streams, each for more views than the last one.
    assert set(tabs.streams) == {tabs.page}
    # When it is closed, another one takes over, and misses nothing.
    tabs.page.close()
    library.run("delete", library.ids()[-1])
    left = [tab for tab in tabs.tabs if not tab.is_closed()]
    assert len(left) == 7
    for tab in left:
        wait_for_count(tab, count - 2)
    assert len(set(tabs.streams)) == 2


def test_eighth_tab_edits_a_photo_and_the_others_show_it(tabs, library):
    tabs.expect("404: .*/pictures/", "status of 404")
    photo = library.run("list", "--sort", "date:desc")[0]["id"]
    first, tabs.page = tabs.page, tabs.tabs[-1]
    old = tabs.key_of(0)
    tabs.open_photo(0)
    tabs.edit("Sepia")
    tabs.field("Intensity").fill("0.52")
    tabs.finish()
    assert library.run("history", photo)[-1]["values"] == {"intensity": 0.52}
    first.wait_for_function("old => !document.querySelector('#photo-0 img').src.includes(old)", arg=old)


def test_tab_renews_its_session_at_the_heartbeats_of_the_stream_of_another_tab(library, start, open_page):
    page = open_page(start(library))
    page.context.route("**/api/events*", lambda route: route.fulfill(
        content_type="text/event-stream", body="event: heartbeat\ndata: {}\n\n"))
    page.page.reload()
    page.wait_for_grid()
    streams = []
    page.page = page.new_tab()
    page.context.on("request", lambda request: "/api/events" in request.url and streams.append(request.frame.page))
    page.open_photo(0)
    page.edit("Sepia")
    for _ in range(2):
        with page.page.expect_request(re.compile("/api/sessions/[^/]+/renew")):
            pass
    assert page.page not in streams
    page.editor.get_by_role("button", name="Cancel").click()
    page.page.wait_for_selector("edit-window", state="hidden")
