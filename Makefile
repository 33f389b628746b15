# SPDX-License-Identifier: Apache-2.0
#
# make demo       edits photographs end to end, into demo/; PHOTOS=DIR takes your own
# make test       builds and runs the tests, and says at the end what was left out
# make test-repeat  runs them N=10 times beside two busy loops, as root and as an ordinary user
# make build      builds .build/release/edithost, its runner and its extensions; CONFIG=debug: .build/debug
# make install    copies them, and what plug-ins are built with, to PREFIX (/usr/local) below DESTDIR
# make install-host   installs all but the media runner, and make install-media that alone: see LICENSE
# make setup      installs the Debian packages that are missing; all of the above do so first
# make bench      compares with plain libvips in C and writes docs/benchmarks.md
# make torture    attacks with the hostile plug-in, prints what came of it, and more that takes minutes
# make lint       checks the style; make format: rewrites the sources in it
# make docs       writes the API documentation of the libraries to .build/docs
# make clean      removes what was built, but not what was fetched

CONFIG ?= release
PREFIX ?= /usr/local
DESTDIR ?=
PHOTOS ?=
N ?= 10

BUILD = .build/$(CONFIG)
# An archive keeps the objects of files that have been renamed since; without it, it is made anew.
STALE = rm -f .build/*/libEditingExtensionAPI.a
SWIFT_SOURCES = $(wildcard Package.swift Sources Plugins Tests Examples Benchmarks)

.PHONY: setup build test test-repeat demo bench torture lint format docs install install-host install-media clean
.DEFAULT_GOAL = build

setup:
	@Scripts/setup

build: setup
	@$(STALE)
	swift build --configuration $(CONFIG)
	Scripts/assemble $(CONFIG)

test: setup
	@$(STALE)
	swift build --build-tests
	swift build --product generate-manual
	Scripts/test

test-repeat: setup
	swift build --build-tests
	Scripts/test-repeat $(N)

# Suites of torture, and those with random numbers, which begin at a fresh seed there.
# One arena, so that the soak measures leaks and not what glibc keeps in reserve for each thread.
torture: setup
	swift build --build-tests
	MALLOC_ARENA_MAX=1 EDITHOST_TORTURE=1 swift test --skip-build --filter 'Torture|[Rr]andom'

demo: build
	Scripts/demo $(BUILD) $(if $(PHOTOS),"$(PHOTOS)")

bench: build
	Benchmarks/run $(BUILD) docs/benchmarks.md

lint:
	swift format lint --strict --recursive $(SWIFT_SOURCES)

format:
	swift format --in-place --recursive $(SWIFT_SOURCES)

docs: setup
	Scripts/documentation .build/docs

install: build
	Scripts/install $(CONFIG) "$(PREFIX)" "$(DESTDIR)"

install-host install-media: build
	Scripts/install $(CONFIG) "$(PREFIX)" "$(DESTDIR)" $(@:install-%=%)

clean:
	swift package clean
	rm -rf .build/docs .build/benchmarks
