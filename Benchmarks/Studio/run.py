#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py BUILD WORK REPORT

The studio's server, and its page in Chromium. Writes its section of REPORT. Run it with .build/python/bin/python, which has
Playwright.
"""
import os

from libraries import REPORT
from playwright.sync_api import sync_playwright

import editor
import page
import server
from tables import section

MARKER = "## The studio"
COUNT = 100_000


def in_browser(measure):
    """Measures in a browser of its own."""
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments)
        try:
            return measure(browser)
        finally:
            browser.close()


def main():
    # Afterwards, all thumbnails are in the cache.
    served = server.rows(COUNT)
    shown = in_browser(lambda browser: page.rows(browser, COUNT))
    edited = in_browser(editor.rows)
    section(REPORT, MARKER, [
        MARKER, "",
        f"The server, and the page in headless Chromium on the same machine; {COUNT:,} photos of 360 by 240 pixels with their",
        "thumbnails in the cache, and one of 12 megapixels in the editing window. Medians and 95th percentiles;",
        "a percentile may be twice the limit. Each measurement ends when the browser has painted.", "",
        "| | median | 95 of 100 | beside | limit |", "|---|---|---|---|---|", *shown, *edited, *served,
    ], after="## Many machines")


main()
