# SPDX-License-Identifier: MIT
#
# The commands of the project; `make help` lists them. Each one installs what it lacks first (scripts/install-packages
# says what that is), so on a fresh Debian 12 with Swift any of them is the first command to type.

SWIFT ?= swift
JOBS ?= 2
DEMO_ARGS ?=
BENCH ?=
TEST_ARGS ?=
TSAN_TARGETS ?=
DEMO_CONFIGURATION ?= debug
export BENCH

.DEFAULT_GOAL := help
.PHONY: help setup setup-build build demo test tsan check bench clean

help: ## lists these commands
	@echo 'make COMMAND, where COMMAND is one of:'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo 'Variables: DEMO_ARGS="--mistake late-report", BENCH=push.cpu,push.rate, TEST_ARGS="--filter Name", TSAN_TARGETS="OffhookNetTests", JOBS=$(JOBS)'

setup: ## installs the Debian packages and the Python environment that are missing
	@scripts/install-packages
	@scripts/python-environment

# What a build needs, and nothing else: the demo waits for no Python package.
setup-build:
	@scripts/install-packages

build: setup-build ## builds the command line tool
	$(SWIFT) build -j $(JOBS) -c $(DEMO_CONFIGURATION) --product offhook

demo: build ## one phone calls another, with a real voice; writes demo/report.html
	@.build/$(DEMO_CONFIGURATION)/offhook demo $(DEMO_ARGS)

test: setup ## builds and runs all tests
	$(SWIFT) build -j $(JOBS) --build-tests
# One after the other: all at once they hold more than 1,024 descriptors, which Foundation's Process cannot wait with.
	$(SWIFT) test --skip-build --disable-xctest --no-parallel $(TEST_ARGS)

tsan: setup ## runs the tests of every part that has threads under ThreadSanitizer
	@JOBS=$(JOBS) SWIFT=$(SWIFT) scripts/check-threads $(TSAN_TARGETS)

check: setup-build ## format, imports, doc comments, licence lines, Core for iOS; no build of the package
	@scripts/check

bench: setup-build ## measures (release build); writes bench.json
	@scripts/python-environment .venv-bench Benchmarks/peers/requirements.txt
	$(SWIFT) build -j $(JOBS) -c release --product offhook-bench
	@.build/release/offhook-bench

clean: ## removes what the commands above made, apart from installed Debian packages
	rm -rf .build .venv .venv-bench demo bench.json
