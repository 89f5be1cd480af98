# The commands of a developer. `make help` lists the targets; `make check` runs
# everything that CI checks. Users need only Go: `go test ./...`.

SHELL := /bin/bash
GO    ?= go
LINT  := $(GO) tool -modfile=tools/go.mod golangci-lint

# Everything is built without cgo, as on a machine that has only Go, except in
# test-race, because the race detector needs cgo. So every package is compiled
# only twice.
export CGO_ENABLED ?= 0
# The compiler, go vet and the linter collect garbage less often, which saves a
# third of their time and takes some GB of memory.
ROOMY := GOGC=400

# docs/adr/0020-layers-of-tests.md describes how the steps divide the tests.
#
# Tests run without vet because lint has vetted everything.
TEST    := $(ROOMY) $(GO) test -count=1 -timeout 40m -vet=off -exec 'env -u GOGC'
# Tools and devices that must exist: if one is missing, its tests fail instead of
# being skipped.
REQUIRE ?= opencl,clang
# `make check` starts with empty kernel caches in this folder. Its steps share
# PoCL's cache, so that each kernel is compiled once. skelgo's own cache is off, so
# that kernels for other devices are always built. Go's build cache is the usual
# one.
COLD    ?=
CACHES  := $(if $(COLD),GOCACHE="$$($(GO) env GOCACHE)" XDG_CACHE_HOME=$(COLD))
KERNELS := $(CACHES) SKEL_CACHE=off

# The steps of `make check`, in order. All of them run, even after a failure.
CHECKS := fmt tidy build lint generated test test-all test-opencl3 test-race test-bare demo

.PHONY: help check vet all-kernels all-rest several-suite several-rest test-split0 $(CHECKS) format generate bench loc fuzz gpu-check
.DEFAULT_GOAL := help

help: ## list the targets
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

check: ## run everything that must pass before a commit (about 40 minutes on 2 cores)
	@failed=; table=; COLD=$$(mktemp -d); export COLD; trap 'rm -rf "$$COLD"' EXIT; \
	for step in $(CHECKS); do \
		printf '\n=== make %s\n' $$step; begin=$$SECONDS; \
		if $(MAKE) --no-print-directory $$step; then verdict=ok; else verdict=FAILED; failed="$$failed $$step"; fi; \
		table+=$$(printf '%-14s %5d s  %s' $$step $$((SECONDS - begin)) $$verdict)$$'\n'; \
	done; \
	printf '\n%s' "$$table"; \
	if [ -n "$$failed" ]; then echo "make check: failed:$$failed"; exit 1; fi; \
	echo "make check: all passed"

fmt: ## check that every Go file is formatted
	@files=$$(git ls-files -co --exclude-standard '*.go' | grep -v /testdata/ | xargs -r ls -d 2>/dev/null | xargs -r gofmt -l); \
	if [ -n "$$files" ]; then echo "not formatted (run make format):"; echo "$$files"; exit 1; fi

format: ## run gofmt on every Go file
	@git ls-files -co --exclude-standard '*.go' | grep -v /testdata/ | xargs -r ls -d 2>/dev/null | xargs -r gofmt -w

tidy: ## check that go.mod and go.sum are tidy
	$(GO) mod tidy -diff

build: ## build everything without a C compiler
	CGO_ENABLED=0 $(ROOMY) $(GO) build ./...

vet: ## run go vet, which make check does as part of lint
	$(ROOMY) $(GO) vet ./...

lint: ## run golangci-lint: the import rules and the rest of .golangci.yml
	$(ROOMY) $(LINT) run ./...

generate: ## regenerate zkernels.go, tables, and code in documents
	$(GO) generate ./...
	$(GO) generate ./apps/compare # again: it counts the lines of the files generated above

generated: ## check that generated files are up to date
	@state() { git diff; git ls-files -o --exclude-standard | xargs -r -d '\n' sha256sum; }; \
	before=$$(mktemp); after=$$(mktemp); trap 'rm -f $$before $$after' EXIT; \
	state >$$before; $(MAKE) --no-print-directory generate loc || exit 1; state >$$after; \
	if ! cmp -s $$before $$after; then \
		echo "make generate loc changed these files; review and commit them:"; \
		git status --short; diff $$before $$after | head -60; exit 1; \
	fi

test: ## run go test ./..., on every device of this machine
	$(CACHES) SKEL_REQUIRE=$(REQUIRE) GOFLAGS="$$GOFLAGS -count=1" $(GO) test -vet=off ./...

# Packages with tests that the default omits, fully or partly.
LONG_PKGS := ./skel/... ./apps/bench ./apps/nw
ALL       := SKEL_TEST=all SKEL_REQUIRE=$(REQUIRE) $(KERNELS)
test-all: ## run the long tests that the default omits
	@$(MAKE) --no-print-directory -k -j2 all-kernels all-rest
all-kernels: # on the CPU, the default runs the same tests, except those of the next target
	SKEL_DEVICE=opencl:0 $(ALL) $(TEST) $(LONG_PKGS)
all-rest:
	SKEL_DEVICE=cpu $(ALL) SKEL_REQUIRE= $(TEST) -run 'TestSeveralProcessors|TestOracle' \
		-skip TestSeveralProcessors/weighted ./skel/skeltest ./apps/nw # make test ran weighted
	SKEL_DEVICE=opencl:0 $(ALL) $(TEST) -run 'TestBenchRows|TestScikitLearn|TestNumberOfComponents' ./apps/tmixture
	$(ALL) $(TEST) -run '^TestEmulated|OnEmulator$$' ./math32 ./math64 ./rng
	$(ALL) $(TEST) -run TestLongScripts ./codegen/skelgen
	$(ALL) $(TEST) -run TestModuleCache ./codegen/moduletest
	SKEL_FUZZ=200 SKEL_FUZZ_SEED=101 $(ALL) $(TEST) -run TestGoAgainstDevice ./codegen/fuzz # make test ran 100
	cd tools && $(TEST) ./...

# Packages that use the default devices: containers are spread over all three, and
# examples and programs, which make test runs on the CPU, run on OpenCL. The suite
# is one process, so the rest runs concurrently.
APPS         := $(patsubst %/,./%,$(sort $(dir $(wildcard apps/*/*.go))))
SEVERAL_PKGS := ./devices ./devices/opencl ./vector ./matrix ./skel ./docs/tour/... \
	$(APPS) ./apps/nw/plain
test-opencl3: ## run tests on three OpenCL devices (PoCL only)
	@$(MAKE) --no-print-directory -k -j2 several-suite several-rest
SEVERAL := POCL_DEVICES="pthread pthread pthread" SKEL_DEVICE=opencl:all SKEL_REQUIRE=$(REQUIRE) $(KERNELS) $(TEST)
several-suite:
	SKEL_TEST=all $(SEVERAL) ./skel/skeltest
several-rest:
	$(SEVERAL) $(SEVERAL_PKGS)

# Every container for which no device is chosen is spread, however small: nothing that
# skeletons or applications create for themselves may depend on that.
test-split0: ## run tests with SKEL_SPLIT=0, on three OpenCL devices and on two kinds of devices
	SKEL_SPLIT=0 $(SEVERAL) ./skel/skeltest
	SKEL_SPLIT=0 $(SEVERAL) $(SEVERAL_PKGS)
	SKEL_SPLIT=0 SKEL_DEVICE=cpu,opencl:0 SKEL_REQUIRE=$(REQUIRE) $(KERNELS) $(TEST) ./rng ./skel ./skel/skeltest $(APPS)

# Packages that start goroutines or are called by several: the other applications,
# the tour and the hand-written OpenCL versions only call skeletons, from one.
RACE_PKGS := ./devices/... ./vector ./matrix ./skel ./skel/skeltest ./apps/nw ./apps/nw/seq \
	./apps/internal/... ./codegen/registry/...
test-race: ## run tests with the race detector, without the long ones
	CGO_ENABLED=1 SKEL_REQUIRE=$(REQUIRE) $(KERNELS) $(TEST) -race -short $(RACE_PKGS)

# Packages that look for OpenCL or run a C compiler, cloc or clang-format. The
# others do the same in make test.
BARE_PKGS := ./devices ./devices/opencl/... ./devices/devicestest ./devices/cuda/emulator ./skel ./skel/gputest ./docs/tour/... \
	./codegen/emit ./codegen/fuzz ./apps/skelgo ./apps/compare/... ./apps/nw $(wildcard ./apps/*/baseline)
test-bare: ## run tests as on a machine that has only Go
	@bin=$$(mktemp -d); trap 'rm -rf "$$bin"' EXIT; \
	ln -s "$$(command -v $(GO))" "$$bin/go"; \
	for tool in sh cat cp gzip head iconv ln ls mkfifo tr; do ln -s "$$(command -v $$tool)" "$$bin/" || exit 1; done; \
	PATH="$$bin" CGO_ENABLED=0 OCL_ICD_VENDORS=/nonexistent/ SKEL_REQUIRE= SKEL_CACHE=off go test -short -count=1 -vet=off $(BARE_PKGS)

# Test binaries for a machine with a GPU and without Go. They need the folders of
# their packages (testdata), so copy the whole tree.
GPU_PKGS := devices/cuda devices/cuda/cu devices vector matrix skel skel/skeltest apps/grid apps/kmeans \
	apps/mixtures apps/nw apps/nw/plain apps/pca apps/scale apps/skelgo apps/spikes apps/tmixture
gpu-check: ## build test binaries for a machine with an NVIDIA GPU and without Go
	@mkdir -p .build/gpu
	@for p in $(GPU_PKGS); do \
		CGO_ENABLED=0 GOOS=linux $(GO) test -ldflags="-s -w" -c -o .build/gpu/$$(echo $$p | tr / -).test ./$$p || exit 1; \
	done
	@CGO_ENABLED=0 GOOS=linux $(GO) build -ldflags="-s -w" -o .build/gpu/skelgo ./apps/skelgo
	@echo "Copy this folder to the machine with the GPU and run these commands in it:"
	@echo "  .build/gpu/skelgo devices"
	@for p in $(GPU_PKGS); do \
		echo "  (cd $$p && SKEL_TEST=all SKEL_DEVICE=cuda:0 SKEL_REQUIRE=cuda $$(echo $$p | sed 's|[^/]*|..|g')/.build/gpu/$$(echo $$p | tr / -).test -test.timeout 15m)"; \
	done
	@echo "  (cd devices/cuda && ../../.build/gpu/devices-cuda.test -test.run '^$$' -test.bench . -test.benchtime 0.3s)"

demo: ## run the README's first command
	$(GO) run ./apps/skelgo demo kmeans

BENCH ?= .
bench: ## run the benchmarks; BENCH=Map/ chooses some, benchstat reads the output
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchtime 1s ./...

fuzz: ## compare Go with OpenCL on 10,000 random programs (for a night)
	SKEL_FUZZ=10000 SKEL_REQUIRE=$(REQUIRE) $(GO) test -count=1 -timeout 6h -v ./codegen/fuzz

loc: ## count lines of code with cloc and write docs/loc.md
	cd tools && $(GO) run ./loc
