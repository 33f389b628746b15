# SPDX-License-Identifier: Apache-2.0
"""The page in WebKitGTK: the grid, the viewer, and an edit."""
import os
import subprocess

import pytest
from selenium.webdriver import WebKitGTK
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from studio import PATIENCE


@pytest.fixture
def display():
    """A screen without a monitor."""
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    yield f":{server.stdout.readline().strip()}"
    server.terminate()
    server.wait()


@pytest.fixture
def driver(display, tmp_path):
    environment = {**os.environ, "DISPLAY": display, "XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path), "LIBGL_ALWAYS_SOFTWARE": "1"}
    driver = WebKitGTK(options=Options(), service=Service("/usr/bin/WebKitWebDriver", env=environment))
    yield driver
    driver.quit()


def test_photo_is_shown_and_edited(library, start, driver):
    def wait(script, *arguments):
        return WebDriverWait(driver, PATIENCE / 1000).until(lambda driver: driver.execute_script(f"return {script}", *arguments))

    def click(selector, text):
        wait("[...document.querySelectorAll(arguments[0])].some(node => node.textContent.startsWith(arguments[1]))", selector, text)
        next(node for node in driver.find_elements(By.CSS_SELECTOR, selector) if node.text.startswith(text)).click()

    driver.set_window_size(1200, 900)
    driver.get(start(library).login_url())
    wait("""(images => images.length > 2 && images.every(image => image.complete && image.naturalWidth > 0))(
        [...document.querySelectorAll('.cell img')])""")
    driver.find_element(By.CSS_SELECTOR, ".grid-scroller").send_keys(Keys.HOME, Keys.ENTER)
    wait("document.querySelector('.pane:not(.other) .picture').naturalWidth > 0")
    photo = driver.execute_script("return document.querySelector('photo-viewer').row.id")
    states = len(library.run("history", photo))

    driver.find_element(By.CSS_SELECTOR, "photo-viewer").send_keys("e")
    click("dialog .extension", "Sepia")
    wait("document.querySelector('edit-window .frame-whole').width > 256 && !document.querySelector('edit-window .frame-whole').hidden")
    field = driver.find_element(By.CSS_SELECTOR, "edit-window input[type=number]")
    field.send_keys(Keys.CONTROL + "a")
    field.send_keys("0.6", Keys.TAB)
    wait("(({ loop }) => !loop.isBusy && loop.plan() === null)(document.querySelector('edit-window'))")
    click("edit-window button", "Done")
    wait("document.querySelector('edit-window').hidden")
    history = library.run("history", photo)
    assert len(history) == states + 1 and history[-1]["values"] == {"intensity": 0.6}
