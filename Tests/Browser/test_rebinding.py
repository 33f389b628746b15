# SPDX-License-Identifier: Apache-2.0
"""rebinding: a name of the attacker that resolves to the studio's address does not reach the studio."""
import os

import pytest

# One name is resolved by the rule, the other one by the browser itself, which adds Sec-Fetch-Site only to the latter. Chromium
# itself would block requests from the former to this machine; other browsers do not.
OPTIONS = ["--host-resolver-rules=MAP rebound.test 127.0.0.1", "--disable-features=LocalNetworkAccessChecks"]
NAMES = ["rebound.test", "rebound.localhost"]


@pytest.fixture
def rebound(browser):
    """A browser that resolves the attacker's name to the loopback address."""
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    browser = browser.browser_type.launch(
        executable_path="/usr/bin/chromium", args=[*arguments, *OPTIONS])
    yield browser
    browser.close()


@pytest.mark.parametrize("name", NAMES)
def test_rebound_name_is_refused(rebound, library, start, attacker, name):
    studio = start(library)
    before = library.run("list")
    port = studio.url.split(":")[2].strip("/")
    tab = rebound.new_context().new_page()
    # The page came from the attacker's address, before its name was bound to another one.
    origin = f"http://{name}:{port}/"
    tab.route(origin + "attack", lambda route: route.fulfill(content_type="text/html", body="<!doctype html><body></body>"))
    tab.goto(origin + "attack")
    outcomes = attacker.attack(tab, studio, library.ids()[0], "0", target=origin)
    refused = [outcome for name, outcome in outcomes.items() if name.startswith("cors ")]
    assert len(refused) > 10 and all(outcome.startswith("refused 421 ") for outcome in refused)
    # The page may read these answers. The studio's own name is a secret, because cookies ignore ports.
    secret = studio.url.split("/")[2].split(".")[0]
    assert not any(secret in outcome for outcome in outcomes.values())
    attacker.assert_nothing_received()
    assert library.run("list") == before
