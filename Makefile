# Everything a developer runs. `make help` lists the targets; `make check` is
# all of what CI checks. A user needs only Go: `go test ./...`.

SHELL := /bin/bash
GO    ?= go
LINT  := $(GO) tool -modfile=tools/go.mod golangci-lint

# Everything is built without cgo, as a machine has it that has Go and nothing
# else, but for test-race: the race detector needs cgo. So every package is
# compiled twice, and not once more for each step that would have it otherwise.
export CGO_ENABLED ?= 0
# The compiler, go vet and the linter collect their garbage less often: a third
# less work, for some GB of memory.
ROOMY := GOGC=400

# How the steps divide the tests: docs/adr/0020-layers-of-tests.md.
#
# Lint and `make test` have vetted what go test would vet again.
TEST    := $(ROOMY) $(GO) test -count=1 -timeout 20m -vet=off -exec 'env -u GOGC'
# What a test must find: it fails, and does not skip, when one is missing.
REQUIRE ?= opencl,clang
# `make check` begins with empty caches of kernels, below this folder, and its
# steps share what PoCL keeps there: a kernel is compiled once. skelgo's own cache
# is off, so that a kernel of another device is always built. Go's own cache stays
# where it is.
COLD    ?=
CACHES  := $(if $(COLD),GOCACHE="$$($(GO) env GOCACHE)" XDG_CACHE_HOME=$(COLD))
KERNELS := $(CACHES) SKEL_CACHE=off

# What `make check` does, in order. All of them run, even after one has failed.
CHECKS := fmt tidy build lint generated test test-all test-opencl3 test-race test-bare demo

.PHONY: help check vet all-kernels all-rest several-suite several-rest $(CHECKS) format generate bench loc fuzz gpu-check
.DEFAULT_GOAL := help

help: ## list the targets
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

check: ## everything that must hold before a commit lands (about 15 minutes on 2 cores)
	@failed=; table=; COLD=$$(mktemp -d); export COLD; trap 'rm -rf "$$COLD"' EXIT; \
	for step in $(CHECKS); do \
		printf '\n=== make %s\n' $$step; begin=$$SECONDS; \
		if $(MAKE) --no-print-directory $$step; then verdict=ok; else verdict=FAILED; failed="$$failed $$step"; fi; \
		table+=$$(printf '%-14s %5d s  %s' $$step $$((SECONDS - begin)) $$verdict)$$'\n'; \
	done; \
	printf '\n%s' "$$table"; \
	if [ -n "$$failed" ]; then echo "make check: failed:$$failed"; exit 1; fi; \
	echo "make check: all passed"

fmt: ## is every Go file as gofmt writes it?
	@files=$$(git ls-files -co --exclude-standard '*.go' | grep -v /testdata/ | xargs -r ls -d 2>/dev/null | xargs -r gofmt -l); \
	if [ -n "$$files" ]; then echo "not formatted (make format mends it):"; echo "$$files"; exit 1; fi

format: ## run gofmt on every Go file
	@git ls-files -co --exclude-standard '*.go' | grep -v /testdata/ | xargs -r ls -d 2>/dev/null | xargs -r gofmt -w

tidy: ## are go.mod and go.sum as go mod tidy leaves them?
	$(GO) mod tidy -diff

build: ## does everything build without a C compiler?
	CGO_ENABLED=0 $(ROOMY) $(GO) build ./...

vet: ## go vet; make check leaves it to the linter, whose govet is the same
	$(ROOMY) $(GO) vet ./...

lint: ## golangci-lint: the import rules, and what is in .golangci.yml
	$(ROOMY) $(LINT) run ./...

generate: ## remake all that is made: zkernels.go, tables, code in documents
	$(GO) generate ./...
	$(GO) generate ./apps/compare # once more: it counts the lines of what the others made

generated: ## is all that is made as `make generate` and `make loc` make it?
	@state() { git diff; git ls-files -o --exclude-standard | xargs -r -d '\n' sha256sum; }; \
	before=$$(mktemp); after=$$(mktemp); trap 'rm -f $$before $$after' EXIT; \
	state >$$before; $(MAKE) --no-print-directory generate loc || exit 1; state >$$after; \
	if ! cmp -s $$before $$after; then \
		echo "make generate loc changed these; look at them and commit them:"; \
		git status --short; diff $$before $$after | head -60; exit 1; \
	fi

test: ## what the README says: go test ./..., on every device of this machine
	$(CACHES) SKEL_REQUIRE=$(REQUIRE) GOFLAGS="$$GOFLAGS -count=1" $(GO) test ./...

# Packages with tests that the default leaves out, in full or in part.
LONG_PKGS := ./skel/... ./apps/bench ./apps/nw
ALL       := SKEL_TEST=all SKEL_REQUIRE=$(REQUIRE) $(KERNELS)
test-all: ## what the default leaves out because it takes long
	@$(MAKE) --no-print-directory -k -j2 all-kernels all-rest
all-kernels: # by default the CPU has as much as here, but for the next target's
	SKEL_DEVICE=opencl:0 $(ALL) $(TEST) $(LONG_PKGS)
all-rest:
	SKEL_DEVICE=cpu $(ALL) SKEL_REQUIRE= $(TEST) -run 'TestSeveralProcessors|TestOracle' ./skel/skeltest ./apps/nw
	$(ALL) $(TEST) -run TestLongScripts ./codegen/skelgen
	$(ALL) $(TEST) -run TestModuleCache ./codegen/moduletest
	SKEL_FUZZ=200 SKEL_FUZZ_SEED=101 $(ALL) $(TEST) -run TestGoAgainstDevice ./codegen/fuzz # make test ran 100
	cd tools && $(TEST) ./...

# What uses the default devices: containers are spread over all three, and
# examples and programs run on OpenCL, which make test runs on the CPU. The suite
# is one process, so the rest runs beside it.
APPS         := $(patsubst %/,./%,$(sort $(dir $(wildcard apps/*/*.go))))
SEVERAL_PKGS := ./devices ./devices/opencl ./vector ./matrix ./skel ./docs/tour/... \
<<<<<<< HEAD
	$(addprefix ./apps/,bench compare dot heat kmeans mandelbrot matmul nw nw/plain saxpy skelgo sobel)
=======
	$(APPS) ./apps/nw/batch
>>>>>>> frame
test-opencl3: ## the tests with OpenCL, three devices (PoCL only)
	@$(MAKE) --no-print-directory -k -j2 several-suite several-rest
SEVERAL := POCL_DEVICES="pthread pthread pthread" SKEL_DEVICE=opencl:all SKEL_REQUIRE=$(REQUIRE) $(KERNELS) $(TEST)
several-suite:
	SKEL_TEST=all $(SEVERAL) ./skel/skeltest
several-rest:
	$(SEVERAL) $(SEVERAL_PKGS)

# What starts goroutines or is called by several: the other applications, the tour
# and the hand-written OpenCL versions only call skeletons, from one.
RACE_PKGS := ./devices/... ./vector ./matrix ./skel ./skel/skeltest ./apps/nw ./apps/nw/seq \
	./apps/internal/... ./codegen/registry/...
test-race: ## the tests under the race detector, the long ones left out
	CGO_ENABLED=1 SKEL_REQUIRE=$(REQUIRE) $(KERNELS) $(TEST) -race -short $(RACE_PKGS)

# What looks for OpenCL or calls a C compiler, cloc or clang-format. The others do
# in make test what they do here.
BARE_PKGS := ./devices ./devices/opencl/... ./devices/devicestest ./devices/cuda/emulator ./skel ./skel/gputest ./docs/tour/... \
	./codegen/emit ./codegen/fuzz ./apps/skelgo ./apps/compare/... ./apps/nw $(wildcard ./apps/*/baseline)
test-bare: ## the tests as a machine sees them that has Go and nothing else
	@bin=$$(mktemp -d); trap 'rm -rf "$$bin"' EXIT; \
	ln -s "$$(command -v $(GO))" "$$bin/go"; \
	for tool in sh cat cp gzip head iconv ln ls mkfifo tr; do ln -s "$$(command -v $$tool)" "$$bin/" || exit 1; done; \
	PATH="$$bin" CGO_ENABLED=0 OCL_ICD_VENDORS=/nonexistent/ SKEL_REQUIRE= SKEL_CACHE=off go test -short -count=1 -vet=off $(BARE_PKGS)

# Test binaries for a machine that has a GPU and not Go; they need the folders
# of their packages (testdata), so copy the tree.
GPU_PKGS := devices/cuda devices/cuda/cu devices vector matrix skel skel/skeltest apps/nw apps/nw/plain apps/skelgo
gpu-check: ## test binaries for a machine with an NVIDIA GPU and without Go, and how to run them
	@mkdir -p .build/gpu
	@for p in $(GPU_PKGS); do \
		CGO_ENABLED=0 GOOS=linux $(GO) test -ldflags="-s -w" -c -o .build/gpu/$$(echo $$p | tr / -).test ./$$p || exit 1; \
	done
	@CGO_ENABLED=0 GOOS=linux $(GO) build -ldflags="-s -w" -o .build/gpu/skelgo ./apps/skelgo
	@echo "Copy this folder to the machine with the GPU, and run there, from its root:"
	@echo "  .build/gpu/skelgo devices"
	@for p in $(GPU_PKGS); do \
		echo "  (cd $$p && SKEL_TEST=all SKEL_DEVICE=cuda:0 SKEL_REQUIRE=cuda $$(echo $$p | sed 's|[^/]*|..|g')/.build/gpu/$$(echo $$p | tr / -).test -test.timeout 15m)"; \
	done
	@echo "  (cd devices/cuda && ../../.build/gpu/devices-cuda.test -test.run '^$$' -test.bench . -test.benchtime 0.3s)"

demo: ## the README's first command
	$(GO) run ./apps/skelgo demo kmeans

BENCH ?= .
bench: ## the benchmarks; BENCH=Map/ chooses, benchstat reads the output
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchtime 1s ./...

fuzz: ## 10,000 random programs, Go against OpenCL (a nightly's worth)
	SKEL_FUZZ=10000 SKEL_REQUIRE=$(REQUIRE) $(GO) test -count=1 -timeout 6h -v ./codegen/fuzz

loc: ## count lines of code with cloc and write docs/loc.md
	cd tools && $(GO) run ./loc
