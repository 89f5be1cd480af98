# The commands of a developer. `make help` lists the targets. `make check` runs what
# CI checks at every landing, `make nightly` everything. Users need only Go:
# `go test ./...`.

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
REQUIRE ?= opencl,clang,openmpi
# `make check` and `make nightly` start with empty kernel caches in this folder. Their steps share
# PoCL's cache, so that each kernel is compiled once. skelgo's own cache is off, so
# that kernels for other devices are always built. Go's build cache is the usual
# one.
COLD    ?=
CACHES  := $(if $(COLD),GOCACHE="$$($(GO) env GOCACHE)" XDG_CACHE_HOME=$(COLD))
KERNELS := $(CACHES) SKEL_CACHE=off

# The steps of the two rings, in order; see docs/adr/0020-layers-of-tests.md. All of
# them run, even after a failure. Steps with + between them run at the same time.
CHECKS  := fmt tidy build lint+generated test test-race+test-opencl3+test-emulated+test-bare+test-ranks demo
NIGHTLY := fmt tidy build lint+generated test test-ranks-all test-all test-opencl3-all test-race-all test-emulated-all \
	test-split0 test-arm64 test-bare test-columnar fuzz fuzz-inputs fresh

.PHONY: help check nightly vet all-kernels all-rest several-suite several-rest format generate bench loc \
	gpu-check $(subst +, ,$(CHECKS) $(NIGHTLY))
.DEFAULT_GOAL := help

help: ## list the targets
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

RING = COLD=$$(mktemp -d); export COLD; trap 'rm -rf "$$COLD"' EXIT; tools/steps.sh
check: ## run what CI checks at every landing (about 27 minutes on 2 cores)
	@$(RING) check $(CHECKS)

nightly: ## run everything (hours), before an issue about codegen, skel, devices or internal/array is resolved
	@$(RING) nightly $(NIGHTLY)

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

# One skelgen generates all packages: loading what they import takes most of its time.
GENERATED = $(sort $(dir $(shell git grep -l '^//go:generate go tool skelgen' -- '*.go' ':!*/testdata/*')))
generate: ## regenerate zkernels.go, tables, and code in documents
	$(GO) tool skelgen $(patsubst %/,./%,$(GENERATED))
	$(GO) generate -skip 'go tool skelgen' ./...
	$(GO) generate ./apps/compare # again: it counts the lines of the files generated above

generated: ## check that generated files are up to date
	@state() { git diff; git ls-files -o --exclude-standard | xargs -r -d '\n' sha256sum; }; \
	before=$$(mktemp); after=$$(mktemp); trap 'rm -f $$before $$after' EXIT; \
	state >$$before; $(MAKE) --no-print-directory generate && $(MAKE) --no-print-directory loc || exit 1; state >$$after; \
	if ! cmp -s $$before $$after; then \
		echo "make generate loc changed these files; review and commit them:"; \
		git status --short; diff $$before $$after | head -60; exit 1; \
	fi

test: ## run go test ./..., on every device of this machine, and the tests of tools
	$(ROOMY) $(CACHES) SKEL_REQUIRE=$(REQUIRE) GOFLAGS="$$GOFLAGS -count=1" $(GO) test -vet=off -exec 'env -u GOGC' ./...
	cd tools && $(TEST) ./...

# subjects returns the subjects of the suite that the first ring runs on a kind of device.
# tools/coverset chooses them by coverage.
SUBJECTS := skel/skeltest/subjects.txt
subjects  = $(or $(shell sed -n 's/^$(1): //p' $(SUBJECTS)),$(error no subjects for $(1) in $(SUBJECTS)))
SUITE    := ./skel/skeltest/...
FAMILIES := $(patsubst %/,./%,$(sort $(dir $(wildcard skel/skeltest/*/suite_test.go))))
comma    := ,
# sampled returns the families that have such subjects: the others need not be compiled.
sampled   = $(patsubst %/,./%,$(sort $(dir $(shell grep -lE '^	\{Name: "($(subst $(comma),|,$(call subjects,$(1))))"' skel/skeltest/*/doc.go))))

# Packages with tests that the default omits, fully or partly.
LONG_PKGS := ./skel/... ./apps/bench ./apps/nw
ALL       := SKEL_TEST=all SKEL_REQUIRE=$(REQUIRE) $(KERNELS)
test-all: ## run the long tests that the default omits
	@$(MAKE) --no-print-directory -k -j2 all-kernels all-rest
all-kernels: # on the CPU, the default runs the same tests, except those of the next target
	SKEL_DEVICE=opencl:0 $(ALL) $(TEST) $(filter-out %/skel/gputest,$(shell $(GO) list $(LONG_PKGS)))
all-rest:
	SKEL_DEVICE=cpu $(ALL) SKEL_REQUIRE= $(TEST) -run 'TestSeveralProcessors|TestOracle' \
		-skip TestSeveralProcessors/weighted $(SUITE) ./apps/nw # make test ran weighted
	SKEL_DEVICE=opencl:0 $(ALL) $(TEST) -run 'TestBenchRows|TestScikitLearn|TestNumberOfComponents' ./apps/tmixture
	$(ALL) $(TEST) -run '^TestEmulated|OnEmulator$$' ./math32 ./math64 ./rng
	$(ALL) $(TEST) -run TestLongScripts ./codegen/skelgen
	$(ALL) $(TEST) -run TestModuleCache ./codegen/moduletest

# The suite with the kernels for GPUs, which clang builds for an emulated one.
test-emulated: ## run a sample of the suite on an emulated GPU
	SKEL_SUBJECTS=$(call subjects,emulated) SKEL_REQUIRE=clang $(KERNELS) $(TEST) -run '^TestEmulatedSample$$' ./skel/gputest
test-emulated-all: ## run the whole suite on emulated GPUs, and kernels for GPUs on PoCL
	SKEL_TEST=nightly SKEL_REQUIRE=$(REQUIRE) $(KERNELS) $(TEST) ./skel/gputest

# Packages that use the default devices: containers are spread over all three, and
# examples and programs, which make test runs on the CPU, run on OpenCL.
APPS         := $(patsubst %/,./%,$(sort $(dir $(wildcard apps/*/*.go))))
SEVERAL_PKGS := ./devices ./devices/opencl ./vector ./matrix ./skel ./docs/tour/...
SEVERAL_APPS := ./apps/kmeans ./apps/mixtures ./apps/nw
SEVERAL := POCL_DEVICES="pthread pthread pthread" SKEL_DEVICE=opencl:all SKEL_REQUIRE=$(REQUIRE) $(KERNELS) $(TEST)
test-opencl3: ## run tests on three OpenCL devices (PoCL only): a sample
	SKEL_SUBJECTS=$(call subjects,opencl3) $(SEVERAL) $(call sampled,opencl3) $(SEVERAL_PKGS) $(SEVERAL_APPS)
test-opencl3-all: ## run all tests on three OpenCL devices
	SKEL_TEST=all $(SEVERAL) $(SUITE)
	$(SEVERAL) $(SEVERAL_PKGS) $(APPS) ./apps/nw/plain

# The suite over the ranks that mpirun starts, which must make the same calls, so that random
# inputs have a seed. On one machine, mpirun passes the environment on.
RANKS  = SKEL_REQUIRE=$(REQUIRE) $(KERNELS) $(ROOMY) $(GO) test -count=1 -timeout 40m -vet=off -run '^TestRanks$$'
MPIRUN := env -u GOGC mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none
test-ranks: ## run the suite over two ranks of the CPU device, and a sample over three of OpenCL
	SKEL_DEVICE=cpu $(RANKS) -short -exec '$(MPIRUN) -n 2' $(filter-out %/huge,$(FAMILIES)) -rapid.seed=1
	SKEL_SUBJECTS=$(call subjects,opencl3) SKEL_DEVICE=opencl:0 POCL_DEVICES=pthread \
		$(RANKS) -short -exec '$(MPIRUN) -n 3' $(call sampled,opencl3) -rapid.seed=2
test-ranks-all: ## run the suite over 2, 3 and 5 ranks of the CPU device and of OpenCL, of Open MPI and MPICH
	@for n in 2 3 5; do for device in cpu opencl:0; do \
		for run in '$(MPIRUN)' 'env -u GOGC mpiexec.mpich'; do \
			echo "$$n ranks of $$device: $$run"; \
			SKEL_DEVICE=$$device POCL_DEVICES=pthread $(RANKS) -p 1 -exec "$$run -n $$n" $(filter-out %/huge,$(FAMILIES)) -rapid.seed=$$n || exit 1; \
		done; done; done

# Every container for which no device is chosen is spread, however small: nothing that
# skeletons or applications create for themselves may depend on that.
test-split0: ## run tests with SKEL_SPLIT=0, on three OpenCL devices and on two kinds of devices
	SKEL_SPLIT=0 $(SEVERAL) $(SUITE)
	SKEL_SPLIT=0 $(SEVERAL) $(SEVERAL_PKGS) $(APPS)
	SKEL_SPLIT=0 SKEL_DEVICE=cpu,opencl:0 SKEL_REQUIRE=$(REQUIRE) $(KERNELS) $(TEST) ./rng ./skel $(SUITE) $(APPS)

# Packages that start goroutines or are called by several: the other applications,
# the tour and the hand-written OpenCL versions only call skeletons, from one.
RACE_PKGS := ./devices/... ./vector ./matrix ./skel ./apps/nw ./apps/nw/seq ./apps/internal/... ./codegen/registry/...
# The detector finds the same races without inlining, and the suite compiles in two thirds of the time.
RACE := CGO_ENABLED=1 SKEL_REQUIRE=$(REQUIRE) $(KERNELS) $(TEST) -race -short \
	-gcflags='github.com/skelgo/skelgo/skel/skeltest/...=-l'
test-race: ## run tests with the race detector: the subjects that reach different code of the host
	SKEL_SUBJECTS=$(call subjects,race) $(RACE) $(RACE_PKGS) $(call sampled,race)
test-race-all: ## run all tests with the race detector, without the long ones
	$(RACE) $(RACE_PKGS) $(SUITE)

# A module of its own, which the other steps do not see, except fmt.
test-columnar: ## check go.mod and lint of columnar, and run its tests, those of goroutines with the race detector
	cd columnar && $(GO) mod tidy -diff && $(ROOMY) $(GO) tool -modfile=../tools/go.mod golangci-lint run ./...
	cd columnar && SKEL_REQUIRE=$(REQUIRE) $(KERNELS) $(TEST) ./...
	cd columnar && CGO_ENABLED=1 SKEL_REQUIRE=$(REQUIRE) $(KERNELS) $(TEST) -race -run 'Cache|RandomReads|Paged' ./...

# Results on processors for which Go's compiler contracts x*y + z: arm64 under qemu, and
# amd64 with GOAMD64=v3. Programs with purego are linked dynamically, even without cgo, so
# they need the C library of arm64. Debian's packages are qemu-user and libc6-arm64-cross.
CONTRACT_PKGS := ./devices/cpu ./math32 ./math64 ./rng
ARM64 := CGO_ENABLED=0 GOARCH=arm64 SKEL_DEVICE=cpu
test-arm64: ## run tests of bit-identical results for arm64, under qemu-user, and for GOAMD64=v3
	@command -v qemu-aarch64 >/dev/null || { echo "qemu-aarch64 not found: install qemu-user and libc6-arm64-cross"; exit 1; }
	$(ALL) $(TEST) -run TestLongScripts/contract ./codegen/skelgen
	GOAMD64=v3 SKEL_REQUIRE=$(REQUIRE) $(KERNELS) $(TEST) -short $(CONTRACT_PKGS)
	$(ARM64) $(ROOMY) $(GO) test -count=1 -timeout 40m -vet=off -short -exec 'qemu-aarch64 -L /usr/aarch64-linux-gnu' $(CONTRACT_PKGS)

# Packages that look for OpenCL or run a C compiler, cloc or clang-format. The
# others do the same in make test.
BARE_PKGS := ./devices ./devices/opencl/... ./devices/mpi/... ./devices/devicestest ./devices/cuda/emulator ./skel ./skel/gputest ./docs/tour/... \
	./codegen/emit ./codegen/fuzz ./apps/skelgo ./apps/compare/... ./apps/nw $(wildcard ./apps/*/baseline)
test-bare: ## run tests as on a machine that has only Go
	@bin=$$(mktemp -d); trap 'rm -rf "$$bin"' EXIT; \
	ln -s "$$(command -v $(GO))" "$$bin/go"; \
	for tool in sh cat cp gzip head iconv ln ls mkfifo tr; do ln -s "$$(command -v $$tool)" "$$bin/" || exit 1; done; \
	PATH="$$bin" CGO_ENABLED=0 OCL_ICD_VENDORS=/nonexistent/ SKEL_REQUIRE= SKEL_CACHE=off go test -short -count=1 -vet=off $(BARE_PKGS)

# Test binaries for a machine with a GPU and without Go. They need the folders of
# their packages (testdata), so copy the whole tree.
GPU_PKGS := devices/cuda devices/cuda/cu devices vector matrix skel skel/severaltest $(patsubst ./%,%,$(FAMILIES)) apps/grid \
	apps/kmeans apps/mixtures apps/nw apps/nw/plain apps/pca apps/scale apps/skelgo apps/spikes apps/tmixture
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

# The clone has nothing but what is committed, and every cache is empty: modules are
# downloaded, and everything is compiled.
fresh: ## run the README's commands in a fresh clone with empty caches
	@new=$$(mktemp -d); trap 'chmod -R u+w "$$new"; rm -rf "$$new"' EXIT; \
	git clone -q . "$$new/skelgo" && cd "$$new/skelgo" && export HOME="$$new/home" GOPATH="$$new/go" \
		GOMODCACHE="$$new/modules" GOCACHE="$$new/build" XDG_CACHE_HOME="$$new/cache" && \
	time $(GO) run ./apps/skelgo demo kmeans && time SKEL_REQUIRE=$(REQUIRE) $(GO) test ./...

fuzz: ## compare Go with OpenCL on 10,000 random programs (for a night)
	SKEL_FUZZ=10000 SKEL_REQUIRE=$(REQUIRE) $(GO) test -count=1 -timeout 6h -v ./codegen/fuzz

# The tests run the committed corpora, testdata/fuzz, which have what was hard to find. A text that
# fails is added to them.
FUZZTIME ?= 2m
fuzz-inputs: ## read random tables, models, sequences, matrices and formulas, FUZZTIME each (for a night)
	@git grep -oE '^func Fuzz[A-Za-z]+' -- '*_test.go' | sed 's|/[^/]*:func | |' | while read -r dir name; do \
		echo "$$name in $$dir"; \
		$(GO) test -vet=off -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) "./$$dir" || exit 1; \
	done

loc: ## count lines of code with cloc and write docs/loc.md
	cd tools && $(GO) run ./loc
