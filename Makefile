# SPDX-License-Identifier: MIT
#
# The commands of the project; `make help` lists them. Each one installs what it lacks first (scripts/install-packages
# says what that is), so on a fresh Debian 12 with Swift any of them is the first command to type.

SWIFT ?= swift
JOBS ?= 2
DEMO_ARGS ?=
BENCH ?=
TEST_ARGS ?=
RETRY ?=
TSAN_TARGETS ?=
DEMO_CONFIGURATION ?= debug
export BENCH
EVENTS ?= 10000000
MODEL_CONFIGURATION ?= release
DEPTH ?= 6
SEED ?=

.DEFAULT_GOAL := help
.PHONY: help setup setup-build build demo test walk model tsan check docs bench clean

help: ## lists these commands
	@echo 'make COMMAND, where COMMAND is one of:'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo 'Variables: EVENTS=10000000 SEED=1, DEMO_ARGS="--mistake late-report", BENCH=push.cpu,push.rate, TEST_ARGS="--filter Name", TSAN_TARGETS="OffhookNetTests", JOBS=$(JOBS)'

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

test: setup ## builds everything, compares the Apple modules with Apple's API, runs all tests
	$(SWIFT) build -j $(JOBS) --build-tests
	@scripts/check-api
	@SWIFT=$(SWIFT) RETRY=$(RETRY) scripts/run-tests $(TEST_ARGS)

walk: setup-build ## random worlds judged by docs/invariants.md; EVENTS=1000000000 for a night
	OFFHOOK_ONLY=OffhookCore,OffhookWorld,call-walk $(SWIFT) build -j $(JOBS) -c release --product call-walk
	@.build/release/call-walk --events $(EVENTS) --threads $(JOBS) $(if $(SEED),--seed $(SEED))

model: setup-build ## every order of events on the server, DEPTH steps deep, judged by 15 invariants
	OFFHOOK_ONLY=OffhookCore,OffhookWorld,broker-model $(SWIFT) build -j $(JOBS) -c $(MODEL_CONFIGURATION) --product broker-model
	@.build/$(MODEL_CONFIGURATION)/broker-model --depth $(DEPTH)

tsan: setup ## runs the tests of every part that has threads under ThreadSanitizer
	@JOBS=$(JOBS) SWIFT=$(SWIFT) scripts/check-threads $(TSAN_TARGETS)

check: setup-build ## format, imports, doc comments, licence lines, Core for iOS; no build of the package
	@scripts/check

docs: setup-build ## builds Offhook's documentation with DocC; a warning is an error; writes .build/docs
	@scripts/build-docs

bench: setup-build ## measures (release build); writes bench.json
	@scripts/python-environment .venv-bench Benchmarks/peers/requirements.txt
	$(SWIFT) build -j $(JOBS) -c release --product offhook-bench
	@.build/release/offhook-bench

clean: ## removes what the commands above made, apart from installed Debian packages
	rm -rf .build .venv .venv-bench demo bench.json
