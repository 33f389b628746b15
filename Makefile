# SPDX-License-Identifier: Apache-2.0
#
# make demo       edits photos end to end, into demo/; PHOTOS=DIR: your own photos
# make test       builds and runs the tests of the release build (CONFIG=debug: of the debug build), and lists skipped tests
# make test-browser  runs all tests of the studio's page in Chromium and WebKitGTK; make test runs a selection
# make test-requests  checks the studio's server against its OpenAPI file with generated requests;
#                 SEED=2 or SEED=random: with other requests
# make test-repeat  runs them N=10 times next to two busy loops, as root and as an ordinary user
# make build      builds .build/release/edithost, its runner and its extensions; CONFIG=debug: .build/debug
# make install    installs them and the files for building extensions to PREFIX (/usr/local) below DESTDIR
# make install-host   installs all except the media runner; make install-media: only the media runner (see LICENSE)
# make deb        writes the Debian packages edithost, edithost-media and edithost-dev to .build/packages
# make uninstall  removes what make install copied to PREFIX below DESTDIR
# make setup      installs missing Debian packages; all of the above do so first, and those that test the page also
#                 install Chromium, WebKitGTK, Node.js and packages of PyPI; test-requests and torture: others of PyPI
# make bench      compares with plain libvips in C and writes docs/benchmarks.md
# make torture    attacks with the hostile extension, prints the results, and runs other tests that take minutes
# make lint       checks the style; make format: reformats the sources
# make docs       writes the API documentation of the libraries to .build/docs, from where make install copies it
# make clean      removes build products, but not downloads

CONFIG ?= release
PREFIX ?= /usr/local
DESTDIR ?=
PHOTOS ?=
N ?= 10
SEED ?= 1

BUILD = .build/$(CONFIG)
# An existing archive would keep the objects of renamed files. Archives of the other configuration are left, because
# they are not built now.
REMOVE_ARCHIVES = rm -f .build/$(1)/lib*EditingExtension*.a
SWIFT_SOURCES = $(wildcard Package.swift Sources Plugins Tests Examples Benchmarks)

.PHONY: setup setup-browser setup-requests build test test-browser test-requests test-repeat demo bench torture lint format docs install install-host install-media deb uninstall clean
.DEFAULT_GOAL = build

setup:
	@Scripts/setup

setup-browser:
	@Scripts/setup browser

setup-requests:
	@Scripts/setup requests

build: setup
	@$(call REMOVE_ARCHIVES,$(CONFIG))
	swift build --configuration $(CONFIG)
	Scripts/assemble $(CONFIG)

# The tests run the programs of `make build`: most of their time is spent in these, and users run these.
test test-browser test-repeat torture: export EDITHOST_TEST_PROGRAMS = $(CURDIR)/$(BUILD)

test: build setup-browser
	@$(call REMOVE_ARCHIVES,debug)
	swift build --build-tests
	swift build --product generate-manual
	Scripts/test
	Scripts/test-browser smoke

test-browser: build setup-browser
	Scripts/test-browser

test-requests: build setup-requests
	.build/schemathesis/bin/python Tests/Requests/check.py $(BUILD) .build/schemathesis/bin/schemathesis --seed $(SEED)

test-repeat: build
	@$(call REMOVE_ARCHIVES,debug)
	swift build --build-tests
	Scripts/test-repeat $(N)

# The torture suites, and those with random numbers, which get a random seed.
# With one arena, the soak test measures leaks instead of glibc's reserves for each thread. As many tests run at a time
# as there are processors, because they have time limits. The longest test takes about an hour.
torture: deb setup-requests
	@$(call REMOVE_ARCHIVES,debug)
	swift build --build-tests
	MALLOC_ARENA_MAX=1 SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$$(nproc) EDITHOST_TEST_SILENCE=7200 \
		EDITHOST_TORTURE=1 Scripts/test --filter 'Torture|[Rr]andom'
	$(MAKE) test-requests SEED=random

demo: build
	Scripts/demo $(BUILD) $(if $(PHOTOS),"$(PHOTOS)")

bench: build setup-browser
	Benchmarks/run $(BUILD) docs/benchmarks.md

lint: setup-browser
	swift format lint --strict --recursive $(SWIFT_SOURCES)
	tsc --project Tests/Browser/tsconfig.json

format:
	swift format --in-place --recursive $(SWIFT_SOURCES)

docs: setup
	Scripts/documentation .build/docs

install: build
	Scripts/install $(CONFIG) "$(PREFIX)" "$(DESTDIR)"

install-host install-media: build
	Scripts/install $(CONFIG) "$(PREFIX)" "$(DESTDIR)" $(@:install-%=%)

deb: build
	Scripts/make-deb $(CONFIG) .build/packages

uninstall:
	Scripts/uninstall "$(PREFIX)" "$(DESTDIR)"

clean:
	swift package clean
	rm -rf .build/docs .build/benchmarks .build/packages
