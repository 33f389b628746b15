# SPDX-License-Identifier: Apache-2.0
"""missing-extension: edits of an extension that is no longer installed are taken over by another one."""
import shutil

import pytest
from playwright.sync_api import expect

from extensions import build_adder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of extensions that the command and the server search."""
    folder = tmp_path / "extensions"
    monkeypatch.setenv("EDITHOST_EXTENSION_PATH", str(folder))
    return folder


@pytest.fixture
def photo(library, folder):
    """A photo that was edited with an extension that has been removed since, and with sepia."""
    photo = next(id for id in library.ids() if len(library.run("history", id)) == 1)
    old = build_adder(folder, "old")
    library.run("edit", photo, "--with", "old", "--set", "amount=40")
    library.run("edit", photo, "--with", "sepia")
    shutil.rmtree(old)
    return photo


def extensions(library, photo):
    return [row["extension"] for row in library.run("edits", "list", photo)]


def test_missing_extension_is_named_and_replaced(library, folder, photo, start, open_page, screenshot):
    build_adder(folder, "heir", "org.example.old")
    page = open_page(start(library)).open_panel(photo, "Edits")
    first = page.page.locator(".card").first
    expect(first).to_contain_text("org.example.old")
    page.page.get_by_role("button", name="Replace extension…: 1, old").click()
    dialog = page.page.get_by_role("dialog")
    expect(dialog.get_by_role("combobox")).to_contain_text("org.example.heir")
    screenshot(page, "missing-extension")
    dialog.get_by_role("button", name="Replace").click()
    expect(first).to_contain_text("Heir")
    expect(first.locator("dd")).to_have_text("40")
    assert extensions(library, photo) == ["org.example.heir", "org.edithost.sepia"]
    assert library.run("history", photo)[-1]["isCurrent"] and len(library.run("history", photo)) == 4
    library.run("undo", photo)
    assert extensions(library, photo) == ["org.example.old", "org.edithost.sepia"]


def test_without_another_extension_for_the_recipe_the_page_says_so(library, photo, start, open_page):
    page = open_page(start(library)).open_panel(photo, "Edits")
    page.page.get_by_role("button", name="Replace extension…: 1, old").click()
    expect(page.page.locator(".toast")).to_contain_text("org.example.old")
    assert extensions(library, photo) == ["org.example.old", "org.edithost.sepia"]
