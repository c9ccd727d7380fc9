# sapp: filters that plan pipeline-parallel training.  GNU make.
#   make            build into build/bin        make demo    the whole workflow on the 175B example
#   make readme     the figures of the README   make html    the manual in build/html
#   make check      all tests                   make bench   speed and plan quality, as tables
#   make newcomer   the commands of the README in a bare Debian 12
#   make check-long the tests with more random draws, and tests of large cases
#   make check-busy the tests that wait or plan until a deadline, with busy loops
#   make check-san  the tests under ASan+UBSan  make lint    manual pages, scripts, compilers' warnings
#   make check-tsan the planner's tests under TSan
#   make check-aarch64  tests for another processor, by emulation
#   make valgrind   the tests under valgrind    make fuzz    the readers, FUZZ_SECONDS each
#   make adversary  random questions for SECONDS, checked against all plans by independent code
#   make fault      every tool while memory or the system fails
#   make coverage   lines and branches that the tests run
#   make ablate     the value of each mechanism of the planner
#   make mutants    small mistakes, and whether the tests detect them
#   make install    PREFIX=/usr/local DESTDIR=   make deb, make dist   packages, INSTALL.md
VERSION = 1.0
PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
DATADIR ?= $(PREFIX)/share/sapp
COMPDIR ?= $(PREFIX)/share/bash-completion/completions
DOCDIR  ?= $(PREFIX)/share/doc/sapp
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d

# The single list of Debian packages: to build and run, and additional packages for the tests.
PACKAGES       = gcc libc6-dev pkg-config libjansson-dev libyaml-dev liblapacke-dev \
	liblpsolve55-dev lp-solve libgmp-dev zlib1g-dev gnuplot-nox fonts-dejavu-core jq
PACKAGES_CHECK = perl libyaml-pp-perl patch mandoc parallel procps coinor-cbc glpk-utils strace gojq
PACKAGES_LINT  = clang shellcheck mandoc valgrind
# Packages of examples/cpu-run, which trains: 400 MB, only for make bench BENCH=run.
PACKAGES_RUN   = python3-torch libopenblas0-pthread

CFLAGS  ?= -O2 -g1
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wmissing-prototypes -Wwrite-strings
PKGS     = jansson yaml-0.1 zlib
# Searched for once, when something is compiled or linked.
PKGS_CFLAGS = $(eval PKGS_CFLAGS := $$(shell pkg-config --cflags $(PKGS)))$(PKGS_CFLAGS)
PKGS_LIBS = $(eval PKGS_LIBS := $$(shell pkg-config --libs $(PKGS)))$(PKGS_LIBS)
LPSOLVE  = $(eval LPSOLVE := $$(shell share/lpsolve "$(CC)"))$(LPSOLVE)
LAPACKE  = $(eval LAPACKE := $$(shell pkg-config --libs lapacke 2>/dev/null || echo -llapacke))$(LAPACKE)
B       ?= build
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -Itools $(WARN) $(SAN:%=-fsanitize=%) \
	$(PKGS_CFLAGS) $(CFLAGS) $(OPTIMIZE)
ALL_LDFLAGS = $(SAN:%=-fsanitize=%) $(LDFLAGS)
ALL_LDLIBS = $(PKGS_LIBS) $(LDLIBS) -lm

TOOLS := $(notdir $(wildcard tools/sapp-*))
OBJ   := $(patsubst tools/%.c,$(B)/%.o,$(wildcard tools/*/*.c tools/*/*/*.c))
UNIT  := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/*.c))
SCRIPTS := $(wildcard scripts/sapp scripts/sapp-*)
QUIET = @printf '  %-7s %s\n' "$(1)" "$@";

all: $(TOOLS:%=$(B)/bin/%) $(B)/bin/make-timeline

$(B)/lib/base/option.o: ALL_CFLAGS += -DVERSION='"$(VERSION)"'
$(B)/lib/base/share.o: ALL_CFLAGS += -DDATADIR='"$(DATADIR)"'
# gcc 12 for aarch64 ends with an internal error on some vectorised loops of fmax().
$(B)/sapp-lp/%.o $(B)/lib/linear/%.o: OPTIMIZE = -O3 $(if $(filter aarch64-%:12,$(COMPILER)),-fno-tree-loop-vectorize)
$(B)/sapp-lp/model/evaluator.o: OPTIMIZE = -O3
COMPILER = $(eval COMPILER := $$(shell echo $$$$($(CC) -dumpmachine):$$$$($(CC) -dumpversion)))$(COMPILER)

$(B)/%.o: tools/%.c
	@mkdir -p $(@D)
	$(call QUIET,CC) $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/libsapp.a: $(filter $(B)/lib/%,$(OBJ))
	@rm -f $@
	$(call QUIET,AR) $(AR) rcs $@ $^

$(B)/bin/sapp-lp: LDLIBS += $(LPSOLVE)
$(B)/bin/sapp-memsplit: LDLIBS += $(LPSOLVE) $(LAPACKE)
$(B)/bin/sapp-guide: LDLIBS += $(LAPACKE)
$(B)/bin/sapp-check: LDLIBS += -lgmp

# Replace a program at once: processes that run it during linking keep the previous file.
PC = %
.SECONDEXPANSION:
$(TOOLS:%=$(B)/bin/%): $(B)/bin/%: $$(filter $(B)/$$*/$$(PC),$(OBJ)) $(B)/libsapp.a
	@mkdir -p $(@D)
	$(call QUIET,LD) $(CC) $(ALL_LDFLAGS) -o $@.new $^ $(ALL_LDLIBS)
	@mv -f $@.new $@

# Makes timelines for examples and tests; not installed.
$(B)/bin/make-timeline: $(wildcard examples/make-timeline/*.c) $(B)/libsapp.a $(wildcard examples/make-timeline/*.h)
	@mkdir -p $(@D)
	$(call QUIET,CC) $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(filter %.c %.a,$^) $(ALL_LDLIBS)

# A unit test is a C file, linked with the library, that prints TAP. Only tests that try all plans are optimized:
# without optimization a file compiles in a third of the time.
UNIT_OPTIMIZE = -O0
UNIT_HEAVY := $(basename $(notdir $(shell grep -l lp_random.h tests/unit/lp_*.c)))
$(filter-out $(UNIT_HEAVY:%=$(B)/tests/%),$(UNIT)): private OPTIMIZE = $(UNIT_OPTIMIZE)
$(UNIT): $(B)/tests/%: tests/unit/%.c $(B)/libsapp.a
	@mkdir -p $(@D)
	$(call QUIET,CC) $(CC) $(ALL_CFLAGS) -MMD -MP $(ALL_LDFLAGS) -o $@ $(filter %.c %.o,$^) $(B)/libsapp.a \
		$(ALL_LDLIBS)

# Tests named lp_* are also linked with the planner, trace_* with sapp-trace.
UNIT_TRACE := $(filter $(B)/tests/trace_%,$(UNIT))
$(UNIT_TRACE): $(filter-out %/main.o,$(filter $(B)/sapp-trace/%,$(OBJ)))
UNIT_LP := $(filter $(B)/tests/lp_%,$(UNIT))
$(UNIT_LP): $(filter-out %/main.o,$(filter $(B)/sapp-lp/%,$(OBJ)))
$(UNIT_LP): LDLIBS += $(LPSOLVE)

# Tests named yaml_* are also linked with the code that writes training settings.
$(filter $(B)/tests/yaml_%,$(UNIT)): $(filter-out %/main.o,$(filter $(B)/sapp-yaml/%,$(OBJ)))

$(B)/tests/leastsquares: LDLIBS += $(LAPACKE)

# Fuzz targets without a fuzzer, linked with the files of the tool whose name they begin with; they run their corpora.
REPLAY := $(patsubst tests/fuzz/%.c,$(B)/tests/fuzz-%,$(wildcard tests/fuzz/*.c))
REPLAY_WRAP = -Wl,--wrap=fopen,--wrap=fopencookie,--wrap=fclose
FUZZED = $(filter-out %/main.o,$(filter $(B)/sapp-$(firstword $(subst _, ,$(1)))/%,$(OBJ)))
REPLAY_MAIN = $(B)/tests/replay/main.o $(B)/tests/replay/change.o
$(REPLAY_MAIN): $(B)/tests/replay/%.o: tests/fuzz/replay/%.c tests/fuzz/replay/change.h
	@mkdir -p $(@D)
	$(call QUIET,CC) $(CC) $(ALL_CFLAGS) -c -o $@ $<
$(REPLAY): private OPTIMIZE = $(UNIT_OPTIMIZE)
$(REPLAY): $(B)/tests/fuzz-%: tests/fuzz/%.c $(REPLAY_MAIN) $$(call FUZZED,$$*) $(B)/libsapp.a
	@mkdir -p $(@D)
	$(call QUIET,CC) $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(REPLAY_WRAP) -o $@ $(filter %.c %.o,$^) $(B)/libsapp.a \
		$(ALL_LDLIBS)
$(filter $(B)/tests/fuzz-lp%,$(REPLAY)): LDLIBS += $(LPSOLVE)
$(filter $(B)/tests/fuzz-check%,$(REPLAY)): LDLIBS += -lgmp

# A preloaded library that lets allocations fail.
FAULT := $(B)/tests/fault-memory.so
$(FAULT): tests/fault/memory.c
	@mkdir -p $(@D)
	$(call QUIET,CC) $(CC) -std=c11 -D_GNU_SOURCE $(WARN) -O2 -fPIC -shared -o $@ $<

setup:
	@share/packages $(PACKAGES)
setup-check:
	@share/packages $(PACKAGES) $(PACKAGES_CHECK)
setup-lint:
	@share/packages $(PACKAGES) $(PACKAGES_CHECK) $(PACKAGES_LINT)

setup-run:
	@share/packages $(PACKAGES) $(PACKAGES_RUN)

demo: setup
	@echo "  MAKE    all"; $(MAKE) --no-print-directory -s -j$(JOBS) all >/dev/null
	@PATH="$(CURDIR)/$(B)/bin:$(CURDIR)/scripts:$$PATH" examples/llama-175b/demo

EXAMPLE = examples/llama-175b

# All pages for a browser, with the pictures that README.md and the tutorial mention.
HTML = $(B)/html
HTML_PAGES := $(patsubst man/%,$(HTML)/%.html,$(wildcard man/*.[157]))
HTML_FIGURES = $(HTML)/step.svg $(HTML)/stages.svg $(HTML)/steps.html
html: $(HTML_PAGES) $(HTML)/index.html $(HTML_FIGURES)
$(HTML)/%.html: man/% share/page.css share/figures
	@mkdir -p $(@D)
	$(call QUIET,MANDOC) mandoc -Thtml -Ostyle=page.css,man=%N.%S.html $< | \
		share/figures $(<F) >$@.new && mv $@.new $@
$(HTML)/index.html: $(HTML_PAGES) $(EXAMPLE)/steps.svg share/page.css share/index
	@cp share/page.css $(EXAMPLE)/steps.svg $(HTML)
	$(call QUIET,INDEX) share/index $(wildcard man/*.[157]) >$@
$(HTML)/step.svg: PLOT = -plan planned-vpp-i3
$(HTML)/stages.svg: PLOT = -plan planned-vpp-i3 -stages
$(HTML_FIGURES): $(B)/bin/sapp-sim $(B)/bin/sapp-plot $(EXAMPLE)/plans.jsonl \
		$(wildcard share/*.gp share/*.html share/*.js)
	@mkdir -p $(@D)
	$(call QUIET,PLOT) $(TEST_ENV) sh -c 'sapp-sim -e $(EXAMPLE)/plans.jsonl | sapp-plot $(PLOT) -o $@'

# The picture of the README, drawn from the plans of the demo.
PICTURE ?= $(EXAMPLE)/steps.svg
PICTURE_TITLE = One step of 175 billion parameters on 16 stages: by hand, planned, in three chunks
picture: all
	@$(TEST_ENV) sh -c 'sapp-sim -e $(EXAMPLE)/plans.jsonl | sapp-plot -compare -o $(PICTURE) \
		-title "$(PICTURE_TITLE)"'

# The figures of the README: plans and picture of the demo, real runs if their files exist, and times of commands.
readme: demo
	@share/readme plans $(B)/demo >$(B)/demo/shown.jsonl
	@cp $(B)/demo/shown.jsonl $(EXAMPLE)/plans.jsonl
	@$(MAKE) --no-print-directory picture
	@$(TEST_ENV) share/readme

TEST_ENV = BUILD="$(CURDIR)/$(B)" PATH="$(CURDIR)/$(B)/bin:$(CURDIR)/scripts:$$PATH" LC_ALL=C
check: setup-check
	@$(MAKE) --no-print-directory run-tests
# TESTS: run only these tests: make check TESTS=tests/sapp-lp/golden.t
# Number of files at the same time: the number of processors, at least two. The longest files start first.
JOBS ?= $(shell n=$$(nproc); echo $$((n > 2 ? n : 2)))
FIRST = $(LONG_TESTS:%=tests/%.t) $(LONG_UNIT:%=$(B)/tests/%)
LONG_UNIT = lp_optimum timed_schedule
LONG_TESTS = examples security sapp-search/bound sapp-search/target fault sapp-est/measured sapp-sweep/run \
	sapp-balance/run sapp-search/run sapp-lp/export sapp-search/keys sapp-search/runs packages cpu_run \
	sapp-check/changed sapp-check/golden sapp-yaml/rewrite sapp-plot/plot sapp-lp/golden
TESTS ?= $(FIRST) $(filter-out $(FIRST),$(sort $(wildcard tests/*.t tests/*/*.t)) $(UNIT) $(REPLAY))
unit-tests: $(UNIT) $(REPLAY) $(FAULT)
# A shell goes on after a command that does not exist, and its test passes without the check: the run fails then.
run-tests: all unit-tests
	@echo 1 >$(B)/status
	@{ { $(TEST_ENV) prove $(PROVEFLAGS) -j$(JOBS) -r $(TESTS); echo $$? >$(B)/status; } 2>&1 >&3 3>&- | \
		tee $(B)/messages >&2; } 3>&1; \
	if grep -qE '^[^ ]*\.t: (line )?[0-9]+: [^ ]*: (command )?not found$$' $(B)/messages; then \
		echo "a test calls a command that does not exist: see above" >&2; exit 1; \
	fi; exit $$(cat $(B)/status)

# A clone, the README's commands, make check and the tutorial in a Debian 12 with only git and make. NEWCOMER_TESTS: the
# tests of its make check. If no such system can be made, a clone without this environment is used, and a message has
# the reason.
NEWCOMER_TESTS ?=
newcomer:
	@TESTS="$(NEWCOMER_TESTS)" tests/newcomer/bare.sh build/newcomer

# More random draws, and larger cases, than make check has time for.
check-long: setup-check
	@LONG=1 QUESTIONS=500 SPACES=30 FAULT_POINTS=20 CANDIDATES=200 DRAWS=200 \
		$(MAKE) --no-print-directory run-tests

# Tests that wait, send signals or plan until a deadline, BUSY_RUNS times while BUSY_LOOPS busy loops run, which end
# with their parent. Only some tests: make check-busy BUSY_TESTS=tests/sapp-dryrun/run.t; all of make check:
# make check-busy BUSY_TESTS='$(TESTS)' JOBS=16
BUSY_RUNS ?= 5
BUSY_LOOPS ?= 8
BUSY = -e '^[^\#]*(\<(kill|sleep|timeout|wait|soon) [^a-z]|\<wait$$|setsid|mkfifo|strace|sbatch|/proc/| &$$|-hosts )' \
	-e '^[^\#]*(processor_time|sapp-(lp|search|sweep|balance)\>.* -t [0-9.]{1,2}\>)'
BUSY_TESTS ?= $(shell grep -lE $(BUSY) tests/*.t tests/*/*.t) $(TSAN_UNIT:%=$(B)/tests/%)
check-busy: setup-check
	@for i in $$(seq $(BUSY_LOOPS)); do while kill -0 $$$$ 2>/dev/null; do :; done & done; \
	for i in $$(seq $(BUSY_RUNS)); do \
		$(MAKE) --no-print-directory run-tests TESTS="$(BUSY_TESTS)" || exit; \
	done

check-san: setup-check
	@QUICK=1 ASAN_OPTIONS=detect_leaks=1:suppressions=$(CURDIR)/tests/asan.supp UBSAN_OPTIONS=halt_on_error=1 \
		LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0 \
		$(MAKE) --no-print-directory run-tests B=build-san SAN=address,undefined \
		OPTIMIZE= CFLAGS='-O1 -g -fno-omit-frame-pointer'

# Compare plans of small questions with all possible plans, for more questions than make check has time for.
brute: setup-check
	@$(MAKE) --no-print-directory $(B)/tests/lp_optimum
	@QUESTIONS=$(or $(QUESTIONS),2000) $(B)/tests/lp_optimum

# Put random questions to the tools for SECONDS, starting with number SEED; compare each answer with the best of all
# plans, computed by independent code.
SECONDS ?= 600
SEED ?= $(shell date +%s)
adversary: setup-check
	@$(MAKE) --no-print-directory all $(B)/tests/adversary
	@$(TEST_ENV) $(B)/tests/adversary $(SECONDS) $(SEED)

# Let the n-th allocation, write, open, rename and close of every tool fail on small inputs, for n up to FAULT_POINTS.
FAULT_POINTS ?= 200
fault: setup-check
	@$(MAKE) --no-print-directory all $(FAULT)
	@$(TEST_ENV) tests/fault/inject -n $(FAULT_POINTS)

# The planner's threads: unit tests, and plans that search and proof make in parallel.
TSAN_UNIT  ?= lp_parts lp_verify lp_clock
TSAN_TESTS ?= tests/sapp-lp/threads.t
check-tsan: setup-check
	@QUICK=1 TSAN_OPTIONS=halt_on_error=1:exitcode=66 $(MAKE) --no-print-directory run-tests \
		B=build-tsan SAN=thread OPTIMIZE= CFLAGS='-O1 -g -fno-omit-frame-pointer' \
		TESTS="$(TSAN_UNIT:%=build-tsan/tests/%) $(TSAN_TESTS)"

# Lines and branches run by the tests, and by all tools while memory or the system fails, by directory. COVERAGE_TESTS:
# run only these tests again. COVERAGE_RESUME=1: after an interruption, run the tests that have not passed. COVERAGE_OF:
# print the lines of these files that did not run, or whose branches did not all run.
COVERAGE_WRAP = -Wl,--wrap=execv,--wrap=execlp,--wrap=sigprocmask,--wrap=_exit
COVERAGE_FLAGS = B=build-coverage OPTIMIZE= CFLAGS='-O0 -g --coverage -fprofile-update=atomic' \
	LDFLAGS='--coverage $(COVERAGE_WRAP) build-coverage/dump.o'
COVERAGE_FAULTS ?= 25
coverage: setup-check
	@$(if $(COVERAGE_TESTS)$(COVERAGE_RESUME),,rm -rf build-coverage/runs)
	@mkdir -p build-coverage
	@$(CC) -std=c11 -D_GNU_SOURCE -O2 -c -o build-coverage/dump.o tests/coverage/dump.c
	@$(MAKE) --no-print-directory -s $(COVERAGE_FLAGS) all unit-tests
	@rm -rf build-coverage/source && mkdir build-coverage/source
	@cp -rp Makefile README.md tools tests examples share scripts man build-coverage/source
	@-QUICK=1 QUESTIONS=150 $(MAKE) --no-print-directory $(COVERAGE_FLAGS) counted-tests \
		TESTS="$(or $(COVERAGE_TESTS),tests $(patsubst $(B)/%,build-coverage/%,$(UNIT) $(REPLAY)))"
	@$(if $(COVERAGE_TESTS),,-$(MAKE) --no-print-directory $(COVERAGE_FLAGS) counted-faults)
	@tests/coverage/merge build-coverage
	@tests/coverage/report build-coverage $(COVERAGE_OF)
counted-tests:
	@$(TEST_ENV) prove $(PROVEFLAGS) --exec tests/coverage/counted -j2 -r $(TESTS)
counted-faults:
	@$(TEST_ENV) tests/coverage/counted tests/fault/inject -n $(COVERAGE_FAULTS)

# Build for aarch64 with Debian's cross compiler, and test by emulation. Skipped with a message if these are missing.
AARCH64 = build-aarch64
AARCH64_ROOT = $(AARCH64)/root
AARCH64_LIB = $(AARCH64_ROOT)/usr/lib/aarch64-linux-gnu
AARCH64_UNIT ?= schedule simulation settings yaml initfile leastsquares lp_parts lp_tolerance text
AARCH64_TESTS ?= tests/sapp-layers/run.t tests/sapp-sim/golden.t tests/sapp-lp/golden.t tests/sapp-memsplit/golden.t \
	tests/sapp-est/golden.t
AARCH64_PATH = PKG_CONFIG_LIBDIR=$(AARCH64_LIB)/pkgconfig:$(AARCH64_ROOT)/usr/share/pkgconfig \
	PKG_CONFIG_SYSROOT_DIR=$(AARCH64_ROOT)
AARCH64_FLAGS = B=$(AARCH64) CC='aarch64-linux-gnu-gcc --sysroot=$(CURDIR)/$(AARCH64_ROOT)' \
	LDFLAGS='-Wl,-rpath-link,$(CURDIR)/$(AARCH64_LIB):$(CURDIR)/$(AARCH64_ROOT)/usr/lib/lp_solve' \
	LPSOLVE='-L$(CURDIR)/$(AARCH64_ROOT)/usr/lib/lp_solve -llpsolve55'
check-aarch64: setup-check
	@if ! command -v aarch64-linux-gnu-gcc >/dev/null || ! command -v qemu-aarch64-static >/dev/null; then \
		echo "skipped: neither gcc-aarch64-linux-gnu nor qemu-user-static, or one of them"; \
	elif tests/aarch64/root $(AARCH64_ROOT); then \
		$(AARCH64_PATH) $(MAKE) --no-print-directory $(AARCH64_FLAGS) all \
			$(AARCH64_UNIT:%=$(AARCH64)/tests/%) && \
		tests/aarch64/wrap $(AARCH64) $(AARCH64_ROOT) && \
		QUICK=1 BUILD="$(CURDIR)/$(AARCH64)/run" PATH="$(CURDIR)/$(AARCH64)/run/bin:$$PATH" LC_ALL=C \
			prove $(PROVEFLAGS) $(AARCH64_UNIT:%=$(AARCH64)/run/tests/%) $(AARCH64_TESTS); \
	else \
		echo "skipped: no libraries for aarch64"; \
	fi

# Insert MUTANTS small mistakes into the library and the planner, and count those that the tests detect. For each
# mistake the tests run that cover its line, according to make coverage; this takes about five seconds. The results are
# in build-mutants/fates; MUTANTS_AGAIN=-again repeats undetected mistakes.
MUTANTS ?= 300
MUTANTS_SEED ?= 1
mutants: setup-check
	@[ -d build-coverage/runs ] || $(MAKE) --no-print-directory coverage
	@tests/mutants/run -n $(MUTANTS) -seed $(MUTANTS_SEED) $(MUTANTS_AGAIN)
# A fixed list of mistakes that the tests must detect; NAMED: only those whose names match.
named-mutants: setup-check
	@tests/mutants/named '$(NAMED)'

# Each target is linked with the library and the files of the tool whose name it begins with. It starts from
# tests/fuzz/corpus, and from real files if any; new inputs are kept in build-fuzz/corpus. A single target: make fuzz
# FUZZ=yaml_edit
FUZZ_SECONDS ?= 30
FUZZ ?= $(notdir $(basename $(wildcard tests/fuzz/*.c)))
FUZZ_FLAGS = CC=clang B=build-fuzz SAN=address,undefined,fuzzer-no-link OPTIMIZE= \
	CFLAGS='-O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=undefined'
fuzz: setup-lint
	@$(MAKE) -s $(FUZZ_FLAGS) build-fuzz/libsapp.a
	@for f in $(FUZZ); do \
		clang -std=c11 -D_GNU_SOURCE -Itools $(WARN) -Werror -O1 -g -fsanitize=fuzzer,address,undefined \
			-fno-sanitize-recover=undefined \
			-Wl,--wrap=fopen,--wrap=fopencookie,--wrap=fclose -o build-fuzz/$$f tests/fuzz/$$f.c \
			tests/fuzz/replay/change.c tests/fuzz/replay/mutator.c \
			$$(find tools/sapp-$${f%%_*} -name '*.c' ! -name main.c 2>/dev/null) \
			build-fuzz/libsapp.a $(ALL_LDLIBS) $(LPSOLVE) -lgmp && \
		mkdir -p build-fuzz/corpus/$$f tests/fuzz/corpus/$$f && echo "  FUZZ    $$f" && \
		tests/fuzz/seeds $$f build-fuzz/corpus/$$f && \
		SAPP_SHARE=share ASAN_OPTIONS=detect_leaks=0 build-fuzz/$$f -max_total_time=$(FUZZ_SECONDS) \
			-max_len=32768 -len_control=0 -rss_limit_mb=1024 -timeout=10 \
			-detect_leaks=0 -close_fd_mask=3 -print_final_stats=1 -artifact_prefix=build-fuzz/$$f- \
			build-fuzz/corpus/$$f tests/fuzz/corpus/$$f 2>build-fuzz/$$f.log || \
			{ tail -n 40 build-fuzz/$$f.log; exit 1; }; \
		grep -h 'stat::number_of_executed_units' build-fuzz/$$f.log; \
	done

# Print tables; the same data are JSON lines in build/bench-NAME.jsonl. A single bench: make bench BENCH=plan. BENCH=run
# trains a network on this machine, see tests/bench/run.sh. BENCH=micro is about recomputation by micro-batch, which is
# not planned. LAUNCHES=FOLDER is for BENCH=launch (scripts of repositories) and BENCH=written (YAMLs of Primus).
BENCH ?= sim orders plan hard drawn stages trace guide balance truth search published experts small operators deadline \
	proof
bench: setup-check $(if $(filter run loop,$(BENCH)),setup-run)
	@$(MAKE) --no-print-directory all $(if $(filter orders,$(BENCH)),$(B)/tests/job_bound)
	@for b in $(BENCH); do echo "== $$b"; $(TEST_ENV) tests/bench/$$b.sh $(B)/bench-$$b.jsonl || exit 1; done

# The value of each mechanism of the planner: results with it disabled; see tests/bench/ablate.sh.
ablate: setup-check
	@$(MAKE) --no-print-directory all
	@$(TEST_ENV) tests/bench/ablate.sh $(B)/bench-ablate.jsonl

# Memory errors and leaks that sanitizers cannot see, on the quick tests.
VALGRIND = valgrind -q --error-exitcode=99
LEAKS    = --leak-check=full --errors-for-leak-kinds=definite
VALGRIND_UNIT ?= settings yaml initfile peaklog schedule lp_parts
valgrind: setup-lint
	@$(MAKE) --no-print-directory B=build-valgrind OPTIMIZE= CFLAGS='-O1 -g' all \
		$(VALGRIND_UNIT:%=build-valgrind/tests/%)
	@for u in $(VALGRIND_UNIT); do echo "  MEMCHECK $$u"; \
		$(VALGRIND) build-valgrind/tests/$$u >/dev/null 2>build-valgrind/$$u.log || \
		{ cat build-valgrind/$$u.log; exit 1; }; done
	@BIN=build-valgrind/bin VALGRIND="$(VALGRIND) $(LEAKS)" tests/valgrind.sh

# Only compile, without linking, the files that changed.
LINTED := $(OBJ) $(patsubst tests/%.c,$(B)/tests/%.o,$(wildcard tests/unit/*.c))
$(B)/tests/unit/%.o: tests/unit/%.c
	@mkdir -p $(@D)
	$(call QUIET,CC) $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
objects: $(LINTED)

# No warning under two compilers, none from shellcheck, none from the manual pages' linter.
# The longest targets come first. -O1 takes six tenths of the time of -O2, whose warnings the build itself shows.
lint: setup-lint
	@$(MAKE) --no-print-directory -s -j$(JOBS) lint-tests lint-gcc lint-clang lint-scripts lint-fuzz lint-columns \
		lint-pages
lint-gcc:
	@$(MAKE) --no-print-directory -s B=build-gcc CC=gcc CFLAGS='-O1 -Werror' OPTIMIZE= objects >/dev/null
lint-clang:
	@$(MAKE) --no-print-directory -s B=build-clang CC=clang OPTIMIZE= objects >/dev/null \
		CFLAGS='-O0 -Werror -Wmissing-variable-declarations'
lint-fuzz:
	clang -std=c11 -D_GNU_SOURCE -Itools $(WARN) -Werror -fsyntax-only tests/fuzz/*.c
lint-scripts:
	shellcheck -x -a $(SCRIPTS)
	shellcheck -x share/figures share/readme tests/newcomer/bare.sh \
		share/launch.bash share/packages share/lpsolve share/deb \
		.ci/run examples/*/demo examples/*/run tests/bench/*.sh tests/valgrind.sh \
		tests/coverage/counted tests/coverage/merge tests/fuzz/seeds tests/aarch64/root tests/aarch64/wrap
lint-tests:
	shellcheck -S warning -e SC2034,SC2120,SC2154 tests/lib.sh tests/*/instance.sh \
		$$(awk 'FNR == 1 && /^#!\/bin\/.*sh/ { print FILENAME }' tests/*.t tests/*/*.t)
lint-pages:
	mandoc -Tlint -Wwarning man/*

# Check the files of COLUMNS_OF for lines over 120 columns; a tab counts 8.
COLUMNS_OF ?= Makefile scripts tools tests examples $(wildcard share/*.bash) share/packages share/lpsolve share/deb \
	share/readme $(wildcard share/*.js)
lint-columns:
	@find $(COLUMNS_OF) -type f ! -path '*/corpus/*' ! -path '*/data/*' ! -path tests/mutants/equal \
		! -name '*.jsonl' ! -name '*.svg' ! -name '*.log' -exec perl -CS -Mopen=IN,:utf8 -ne 'chomp; '\
	'1 while s/\t/" " x (8 - length($$`) % 8)/e; $$bad |= length > 120 && '\
	'print "$$ARGV:$$.: ", length, " columns\n"; close ARGV if eof; END { exit $$bad // 0 }' {} +

install: all
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(MANDIR)/man5 $(DESTDIR)$(MANDIR)/man7 \
		$(DESTDIR)$(DATADIR) $(DESTDIR)$(COMPDIR)
	install -m 755 $(TOOLS:%=$(B)/bin/%) $(SCRIPTS) $(DESTDIR)$(BINDIR)
	for s in 1 5 7; do for f in man/*.$$s; do \
		[ ! -e "$$f" ] || install -m 644 "$$f" $(DESTDIR)$(MANDIR)/man$$s; done; done
	install -m 644 $(wildcard share/*.gp share/*.html share/*.js) share/launch.bash share/arguments \
		$(DESTDIR)$(DATADIR)
	install -d $(DESTDIR)$(DATADIR)/lib
	install -m 644 $(wildcard scripts/lib/*) $(DESTDIR)$(DATADIR)/lib
	install -d $(DESTDIR)$(DATADIR)/clusters
	install -m 644 $(wildcard share/clusters/*.json) $(DESTDIR)$(DATADIR)/clusters
	install -d $(DESTDIR)$(DATADIR)/operators
	install -m 644 $(wildcard share/operators/*.jsonl) $(DESTDIR)$(DATADIR)/operators
	install -d $(DESTDIR)$(DATADIR)/runs
	install -m 644 $(wildcard share/runs/*.jsonl) $(DESTDIR)$(DATADIR)/runs
	install -d $(DESTDIR)$(DATADIR)/classes
	install -m 644 $(wildcard share/classes/*.yaml) $(DESTDIR)$(DATADIR)/classes
	install -m 644 share/sapp.bash $(DESTDIR)$(COMPDIR)/sapp
	install -d $(DESTDIR)$(ZSHDIR) $(DESTDIR)$(FISHDIR)
	install -m 644 share/sapp.zsh $(DESTDIR)$(ZSHDIR)/_sapp
	install -m 644 share/sapp.fish $(DESTDIR)$(FISHDIR)/sapp.fish
	for t in $(TOOLS) $(filter-out sapp,$(notdir $(SCRIPTS))); do \
		ln -sf sapp.fish $(DESTDIR)$(FISHDIR)/$$t.fish; done
	for t in $(TOOLS) $(filter-out sapp,$(notdir $(SCRIPTS))); do ln -sf sapp $(DESTDIR)$(COMPDIR)/$$t; done
	find examples -type f ! -name '*.[ch]' | while read -r f; do \
		install -D -m $$([ -x "$$f" ] && echo 755 || echo 644) "$$f" "$(DESTDIR)$(DOCDIR)/$$f" || exit; done
	install -D $(B)/bin/make-timeline $(DESTDIR)$(DOCDIR)/examples/make-timeline/make-timeline

# A Debian package, and the sources of the last commit; both have the same bytes for the same commit.
DIST = sapp-$(VERSION)
COMMIT_TIME = $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
deb: all
	@rm -rf $(B)/deb
	@$(MAKE) --no-print-directory -s install DESTDIR=$(B)/deb PREFIX=/usr >/dev/null
	@SOURCE_DATE_EPOCH=$(COMMIT_TIME) share/deb $(B)/deb $(VERSION) \
		$(B)/sapp_$(VERSION)_$$(dpkg --print-architecture).deb
dist:
	@mkdir -p $(B)
	@git archive --format=tar --prefix=$(DIST)/ HEAD | gzip -9n >$(B)/$(DIST).tar.gz.new
	@mv $(B)/$(DIST).tar.gz.new $(B)/$(DIST).tar.gz
	@echo "  $(B)/$(DIST).tar.gz"

uninstall:
	rm -f $(TOOLS:%=$(DESTDIR)$(BINDIR)/%) $(patsubst scripts/%,$(DESTDIR)$(BINDIR)/%,$(SCRIPTS))
	rm -f $(foreach s,1 5 7,$(patsubst man/%,$(DESTDIR)$(MANDIR)/man$(s)/%,$(wildcard man/*.$(s))))
	rm -rf $(DESTDIR)$(DATADIR) $(DESTDIR)$(DOCDIR)/examples
	rm -f $(patsubst %,$(DESTDIR)$(COMPDIR)/%,sapp $(TOOLS) $(notdir $(SCRIPTS)))
	rm -f $(DESTDIR)$(ZSHDIR)/_sapp $(patsubst %,$(DESTDIR)$(FISHDIR)/%.fish,sapp $(TOOLS) $(notdir $(SCRIPTS)))

clean:
	rm -rf build build-san build-gcc build-clang build-fuzz build-valgrind build-tsan build-coverage build-mutants \
		build-aarch64

.PHONY: ablate check-aarch64 newcomer html picture brute counted-faults counted-tests coverage deb dist fuzz fault \
	adversary mutants readme \
	named-mutants objects unit-tests all setup setup-check setup-lint setup-run demo \
	check run-tests check-busy check-san check-tsan \
	lint lint-columns lint-gcc lint-clang lint-fuzz lint-scripts lint-tests lint-pages bench \
	valgrind install uninstall clean
-include $(LINTED:.o=.d) $(UNIT:%=%.d)
