# cgview: one makefile for everything. `make help` tells the targets and the knobs.

# ---- knobs ----

DEBUG ?= 0
ASAN ?= 0
COVERAGE ?= 0
WERROR ?= 0
V ?= 0
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
DESTDIR ?=
CC = gcc
PLUGIN_CC ?= $(if $(findstring gcc,$(CC)),$(CC),gcc)
PLUGIN_CXX ?= $(subst gcc,g++,$(PLUGIN_CC))
RUNTIME_CC ?= $(PLUGIN_CC)
MPICC ?= mpicc
JOBS ?= 2
# The GCCs that get a plugin where they are here, by their major versions.
PLUGINS ?= $(shell seq 11 29)
setup = PLUGIN_CC='$(PLUGIN_CC)' tools/setup

VERSION := $(shell cat VERSION)

# Each variant has a build directory of its own.
variant := $(if $(filter 1,$(DEBUG)),-debug)$(if $(filter 1,$(ASAN)),-asan)$(if $(filter 1,$(COVERAGE)),-coverage)
BUILD ?= build$(variant)

# ---- flags ----

OPTIMISE := -O2 -g
ifeq ($(ASAN),1)
# qsort(NULL, 0, ...) and memcpy(p, NULL, 0) do what one thinks in glibc.
OPTIMISE := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
	-fno-sanitize=nonnull-attribute -fno-sanitize-recover=undefined
endif
ifeq ($(DEBUG),1)
OPTIMISE += -O0 -g3 -DCGVIEW_DEBUG
endif
ifeq ($(COVERAGE),1)
OPTIMISE += -O0 --coverage -DCGVIEW_COVERAGE
endif

warn := -Wall -Wextra $(if $(filter 1,$(WERROR)),-Werror)
CFLAGS ?=
ALL_CFLAGS = -std=gnu11 $(warn) $(OPTIMISE) -D_GNU_SOURCE -Isrc $(CFLAGS)
ALL_LDFLAGS = $(filter -f% --coverage,$(OPTIMISE)) $(LDFLAGS)
LIBS := -lsqlite3 -lncursesw -ltinfo -ldwarf -lelf -lexpat -liberty -lz -lzstd -lm -lpthread

# The runtime goes into other people's programs: never instrumented, whatever the knobs say.
RUNTIME_CFLAGS := -std=gnu11 $(warn) -O2 -g -D_GNU_SOURCE -Isrc -fPIC \
	-fno-stack-protector -fvisibility=hidden -U_FORTIFY_SOURCE $(RUNTIME_FLAGS)

# The headers of GCC are not clean under -Wextra, and want C++ without RTTI, as GCC itself is built.
plugin_major = $(shell $(PLUGIN_CC) -dumpversion | cut -d. -f1)
plugin_dir = $(shell $(PLUGIN_CC) -print-file-name=plugin)
plugin_flags = -x c++ -std=gnu++14 -fno-rtti -fno-exceptions -O2 -g -fPIC -D_GNU_SOURCE
PLUGIN_CXXFLAGS = $(plugin_flags) -isystem $(plugin_dir)/include -Wall $(if $(filter 1,$(WERROR)),-Werror) \
	-Wno-literal-suffix -Wno-format-diag $(PLUGIN_FLAGS)

ifeq ($(V),1)
Q :=
say = @:
else
Q := @
say = @printf '  %-7s %s\n'
endif

# ---- sources ----

rooms := util db flow collect compare solve show print tui cmd
# A room may have rooms; the plugin and the runtime in collect are programs of their own.
sources_of = $(sort $(shell find $(1:%=src/%) -name '*.c'))
cgview_src := $(wildcard src/main.c) $(filter-out src/collect/plugin/% src/collect/runtime/%,\
	$(call sources_of,$(rooms)))
cgview_obj := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(cgview_src))
test_obj := $(filter-out $(BUILD)/obj/main.o,$(cgview_obj))
cgcc_src := $(wildcard src/cgcc/*.c)
cgcc_obj := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(cgcc_src) $(call sources_of,util))

lib := $(BUILD)/lib/cgview
plugin_src := $(wildcard src/collect/plugin/*.c)
plugin_obj = $(patsubst src/collect/plugin/%.c,$(BUILD)/obj/plugin-$(plugin_major)/%.o,$(plugin_src))
start_src := $(wildcard src/collect/runtime/start_*.c)
runtime_src := $(filter-out $(start_src),$(wildcard src/collect/runtime/*.c))
# What it has in common with cgview is compiled for each of them.
runtime_obj := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(runtime_src)) \
	$(BUILD)/obj/collect/runtime/pattern.o $(BUILD)/obj/collect/runtime/events.o
# The library of record --space.
space_src := $(wildcard src/collect/runtime/space/*.c)
space_obj := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(space_src))
# The same for programs that it is linked into, which may be static.
space_static_obj := $(patsubst src/collect/runtime/%.c,$(BUILD)/obj/collect/runtime/static/%.o,$(space_src))
start_plain_obj := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(start_src))
start_obj := $(patsubst src/collect/runtime/start_%.c,$(lib)/cgview_%.o,$(start_src))

unit_src := $(shell find tests -name 'unit-*.c' 2>/dev/null | sort)
unit_bin := $(patsubst %.c,$(BUILD)/%,$(unit_src))
tool_bin := $(if $(wildcard tests/db/make-profile.c),$(BUILD)/tests/make-profile) \
	$(if $(wildcard tests/db/make-wide.c),$(BUILD)/tests/make-wide) \
	$(if $(wildcard tests/db/make-measures.c),$(BUILD)/tests/make-measures) \
	$(if $(wildcard tests/collect/dump-raw.c),$(BUILD)/tests/dump-raw) \
	$(if $(wildcard tests/flow/flow-solve.c),$(BUILD)/flow-solve) \
	$(if $(wildcard tests/truth/truth.c),$(BUILD)/truth)

# Programs of MPI jobs. The tests have one more of it, which sends small pieces.
mpi_reduce := $(BUILD)/cgview-mpi-reduce
mpi_bin := $(if $(shell command -v $(MPICC)),$(mpi_reduce) $(BUILD)/tests/mpi-reduce-pieces)

# What `cgcc --cgview-build-plugin` builds the plugin of, where it is installed. What it builds is for this cgview alone.
shared := $(BUILD)/share/cgview
plugin_kept := $(shared)/plugin/flags
plugin_key = $(VERSION)-$(shell cat $(plugin_src) src/collect/plugin/*.h | cksum | cut -d' ' -f1)

# What exists of the tree decides what is built.
programs := $(if $(wildcard src/main.c),$(BUILD)/cgview) \
	$(if $(cgcc_src),$(BUILD)/cgcc $(BUILD)/cgg++)
parts := $(if $(runtime_src),$(lib)/libcgview_rt.a) $(start_obj) \
	$(lib)/cgview_kernel.s $(lib)/cgview_kernel.o $(lib)/cgview_mpi_sent.c $(if $(space_obj),$(lib)/libcgview_space.so \
	$(lib)/libcgview_space.a $(lib)/cgview_space.o \
	$(lib)/cgview_text_begin.o $(lib)/cgview_text_end.o) $(plugin_kept)

man_pages := $(wildcard man/*.[157])

# ---- targets ----

all: programs plugins ## build everything (the default)

programs: $(programs) $(parts) ## build all but the compiler plugin

# cgcc-12 calls gcc-12, cgg++-12 calls g++-12.
names_for = ln -sf cgcc $(BUILD)/cgcc-$(1); ln -sf cgcc $(BUILD)/cgg++-$(1)

plugin: programs ## build the compiler plugin for PLUGIN_CC (gcc)
ifneq ($(plugin_src),)
	@test -e "$(plugin_dir)/include/gcc-plugin.h" || { \
		echo "make: the plugin headers of $(PLUGIN_CC) are missing:" \
		     "apt-get install gcc-$(plugin_major)-plugin-dev" >&2; exit 1; }
	@$(MAKE) --no-print-directory $(lib)/cgview$(plugin_major).so PLUGIN_CC='$(PLUGIN_CC)'
	@$(MAKE) --no-print-directory $(lib)/libcgview_sample.so PLUGIN_CC='$(PLUGIN_CC)'
	@$(call names_for,$(plugin_major))
endif

# The other compilers here get one too, when their plugin headers are there.
plugins: plugin ## build the plugin for every GCC here that has its plugin headers
	@for v in $(PLUGINS); do \
		g++-$$v -dumpversion > /dev/null 2>&1 && [ $$v != $(plugin_major) ] || continue; \
		[ -e "$$(gcc-$$v -print-file-name=plugin)/include/gcc-plugin.h" ] || continue; \
		$(MAKE) --no-print-directory $(lib)/cgview$$v.so PLUGIN_CC=gcc-$$v || exit; \
		$(call names_for,$$v); \
	done

mpi: $(mpi_reduce) ## build cgview-mpi-reduce, which adds up on all ranks of an MPI job (Debian: libopenmpi-dev)

help: ## this list
	@echo 'Targets:'
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | \
		awk -F'\t' '{ printf "%-20s%s\n", $$1, $$2 }'
	@echo 'Knobs:'
	@echo '  DEBUG=1       -O0 and extra checks, in build-debug'
	@echo '  ASAN=1        address and undefined-behaviour sanitizers, in build-asan'
	@echo '  COVERAGE=1    gcov instrumentation, in build-coverage'
	@echo '  WERROR=1      warnings are errors, as in CI'
	@echo '  V=1           show the commands'
	@echo '  TESTS=PATTERN run only the tests whose path contains PATTERN (make check)'
	@echo '  GENERATE=1    write the expected files of the tests anew (make check)'
	@echo '  JOBS=N        tests that run at the same time (2)'
	@echo '  CC=gcc-11     the compiler that cgview is built with, and that the plugin is for'
	@echo '  PLUGIN_CC=CC  the GCC that the plugin is for (make plugin PLUGIN_CC=gcc-11)'
	@echo '  MPICC=mpicc   the compiler of MPI programs, for make mpi'
	@echo '  PREFIX=DIR    where to install (/usr/local); DESTDIR=DIR is put before it'
	@echo '  LIBDIR=DIR    where libraries are (PREFIX/lib); ours are in its folder cgview'
	@echo '  BUILD=DIR     another build directory'
	@echo '  PLUGINS=LIST  the GCCs that get a plugin, where they are here (11 12 ... 29)'
	@echo '  CFLAGS, LDFLAGS, PLUGIN_FLAGS, PLUGIN_LDFLAGS, RUNTIME_FLAGS   flags more of the compilers'
	@echo '  SETUP=0       do not look for missing packages'

setup: ## install the Debian packages of packages.txt that are missing
	@$(setup) build test

demo: ## set up, build, profile cgview itself and open the browser on the profile
	@$(setup) build
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@BUILD=$(BUILD) tools/demo

check: ## set up, build, run all tests
	@$(setup) build test
	@$(MAKE) --no-print-directory -j$(JOBS) all tests
	@BUILD=$(BUILD) JOBS=$(JOBS) tests/run '$(TESTS)'

quick: all tests ## the tests that take a minute together, for while you work
	@QUICK=1 BUILD=$(BUILD) JOBS=$(JOBS) tests/run '$(TESTS)'

check-long: all tests ## some tests, much longer: sampling, damaged files, the solver
	FLOW_INSTANCES=20000 FLOW_TURNS=24 CGVIEW_FUZZ=5000 BUILD=$(BUILD) JOBS=$(JOBS) \
		tests/run 'unit-oracle|unit-dial|unit-fuzz'
	STRESS_SECONDS=60 KNOWN_ROUNDS=1800 BUILD=$(BUILD) JOBS=1 tests/run 'test-stress|test-known-time'

tests: $(unit_bin) $(tool_bin) $(mpi_bin) ## build the unit tests and the tools of the tests

bench: all ## measure run-time overhead (an hour; BENCH=OPTIONS: --put says what of bench/RESULTS.md is made anew)
	@$(setup) build test bench
	BUILD=$(BUILD) bench/run $(BENCH)

bench-browser: all tests ## measure the browser on a large profile, results to bench/browser.md
	@$(setup) build test bench
	BUILD=$(BUILD) bench/browser

bench-estimates: all tests ## compare estimates of calls with the truth, results to bench/RESULTS.md
	@$(setup) build test bench
	BUILD=$(BUILD) bench/estimates

bench-truth: all ## compare what is shown with perf and callgrind, results to bench/RESULTS.md (BENCH=OPTIONS)
	@$(setup) build test bench
	BUILD=$(BUILD) bench/truth --output bench/RESULTS.md $(BENCH)

bench-matching: all ## compare matching with known edits and pairs of versions, to bench/matching.md (BENCH=OPTIONS)
	@$(setup) build test bench
	BUILD=$(BUILD) bench/matching --output bench/matching.md $(BENCH)

bench-why: all ## ask diff --by cause about changes seeded into real programs; see bench/why.md (BENCH=OPTIONS)
	@$(setup) build test bench
	BUILD=$(BUILD) bench/why $(BENCH)

bench-space: all ## compare record --space with memcheck and heaptrack, and its cost, to bench/space.md (BENCH=OPTIONS)
	@$(setup) build test bench
	BUILD=$(BUILD) bench/space $(BENCH)

compare-warnings: all ## compare warnings with those of gcc on real programs (COMPARE=PACKAGES)
	@$(setup) build test warnings
	BUILD=$(BUILD) bench/warnings $(COMPARE)

compare-gcov: all ## compare counts with gcov's on real programs (an hour; COMPARE=PROGRAMS)
	@$(setup) build test
	BUILD=$(BUILD) bench/gcov/compare $(COMPARE)

screenshots: all ## draw screenshots/*.png from the real program
	@$(setup) build screenshots
	BUILD=$(BUILD) screenshots/make

viewers: all ## read exported files with the tools that they are for; installs these (Debian, npm)
	@$(setup) viewers
	npm install --silent --no-save --no-package-lock --prefix $(BUILD)/viewers playwright-core@1 speedscope@1 ajv@8 \
		@firefox-devtools/profiler-cli@0
	BUILD=$(BUILD) tests/export/viewers

coverage: ## lines and branches of src/ that the tests execute, by folder (a quarter of an hour)
	@$(setup) build test
	@$(MAKE) --no-print-directory -j$(JOBS) COVERAGE=1 all tests
	@find build-coverage -name '*.gcda' -delete
	@build-coverage/cgview --help > /dev/null; build-coverage/cgcc --version > /dev/null
	@chmod a+rw $$(find build-coverage/obj -name '*.gcda') # other users of the tests write there, too
	-@BUILD=build-coverage JOBS=$(JOBS) tests/run '$(TESTS)'
	@tools/coverage build-coverage

# ---- fuzzing: everything built with clang, in a directory of its own ----

SECONDS ?= 60
FUZZ_CC ?= clang
FUZZ_FLAGS := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=nonnull-attribute,function,pointer-overflow \
	-fno-sanitize-recover=undefined -O1 -g -fno-omit-frame-pointer -Wno-unknown-warning-option
fuzz_target_src := $(wildcard tests/fuzz/target-*.c)
fuzz_obj := $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(fuzz_target_src))

fuzz: ## coverage-guided fuzzing, each target for SECONDS=60 (FUZZ=TARGETS; needs clang)
	@command -v $(FUZZ_CC) > /dev/null || { echo "make: $(FUZZ_CC) is not installed:" \
		"tools/setup fuzz" >&2; exit 1; }
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=build-fuzz CC=$(FUZZ_CC) PLUGIN_CC=gcc WERROR=0 \
		OPTIMISE='$(FUZZ_FLAGS)' build-fuzz/fuzz
	@tests/fuzz/run build-fuzz/fuzz $(SECONDS) build-fuzz $(FUZZ)

$(BUILD)/fuzz: $(fuzz_obj) $(BUILD)/tests/fuzz/fuzz.o $(test_obj)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

check-asan: ## with sanitizers: unit tests, tests/db, the readers', ten thousand random keys
	@$(setup) build test
	@$(MAKE) --no-print-directory -j$(JOBS) ASAN=1 all tests
	@BUILD=build-asan JOBS=$(JOBS) CGVIEW_KEYS=10000 \
		tests/run '/unit-|^[^ ]*tests/db/|test-rows-hostile|test-hostile|test-random-keys|test-perf-script|test-stack-formats'

analyze: ## clang's analyzer and gcc -fanalyzer over src/ (half an hour; ANALYZE=FILES; needs clang)
	@$(setup) analyze
	@JOBS=$(JOBS) tools/analyze $(ANALYZE)

format-check: ## whitespace and line length of all sources
	@tests/test-format.sh --plain

clean: ## remove what was built, all variants
	rm -rf build build-fuzz build-gcov build-debug build-asan build-coverage build-asan-coverage build-debug-asan \
		build-debug-coverage build-debug-asan-coverage
	$(if $(filter-out build build-%,$(BUILD)),rm -rf $(BUILD)/obj $(BUILD)/tests $(BUILD)/lib)

bindir := $(DESTDIR)$(PREFIX)/bin
libdir := $(DESTDIR)$(LIBDIR)/cgview
mandir := $(DESTDIR)$(PREFIX)/share/man
schemadir := $(DESTDIR)$(PREFIX)/share/cgview
compdir := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zshdir := $(DESTDIR)$(PREFIX)/share/zsh/site-functions
fishdir := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

# Those of zsh and fish, of what cgview tells of itself.
$(BUILD)/completions/_cgview: $(BUILD)/cgview tools/completions
	$(Q)tools/completions $(BUILD)/cgview $(@D)

install: all $(BUILD)/completions/_cgview ## install programs, parts, man pages and completion below PREFIX
	install -d '$(bindir)' '$(libdir)' $(foreach n,1 5 7,'$(mandir)/man$(n)')
	install $(BUILD)/cgview $(BUILD)/cgcc '$(bindir)'
	for name in $(BUILD)/cgg++ $(BUILD)/cgcc-* $(BUILD)/cgg++-*; do \
		[ ! -L "$$name" ] || ln -sf cgcc "$(bindir)/$${name##*/}" || exit; done
	[ ! -e $(mpi_reduce) ] || install $(mpi_reduce) '$(bindir)'
	install -m 644 $(lib)/*.so $(lib)/*.a $(lib)/*.o $(lib)/*.s '$(libdir)'
	install -D -m 644 completions/cgview.bash '$(compdir)/cgview'
	install -D -m 644 $(BUILD)/completions/_cgview '$(zshdir)/_cgview'
	install -D -m 644 $(BUILD)/completions/cgview.fish '$(fishdir)/cgview.fish'
	install -D -m 644 docs/schema/cgview-1.json '$(schemadir)/cgview-1.json'
	install -d '$(schemadir)/plugin'
	install -m 644 $(shared)/plugin/* '$(schemadir)/plugin'
	install $(shared)/plugin/build '$(schemadir)/plugin'
	for page in $(man_pages); do \
		sed 's/^\.Os$$/.Os cgview $(VERSION)/' $$page > $(BUILD)/page && \
		install -m 644 $(BUILD)/page "$(mandir)/man$${page##*.}/$${page##*/}" || exit; done
	rm -f $(BUILD)/page
	for name in $(BUILD)/cgg++ $(BUILD)/cgcc-* $(BUILD)/cgg++-*; do \
		[ ! -L "$$name" ] || ln -sf cgcc.1 "$(mandir)/man1/$${name##*/}.1" || exit; done
	[ ! -e $(mpi_reduce) ] || ln -sf cgview-reduce.1 '$(mandir)/man1/cgview-mpi-reduce.1'

# Folders that only some programs have need not stay when nothing else is in them.
uninstall: ## remove what install put there
	rm -f '$(bindir)/cgview' '$(bindir)/cgview-mpi-reduce' '$(mandir)/man1/cgview-mpi-reduce.1'
	rm -f '$(bindir)/cgcc' '$(bindir)/cgg++' '$(bindir)'/cgcc-[0-9]* '$(bindir)'/cgg++-[0-9]*
	rm -rf '$(libdir)' '$(schemadir)'
	rm -f '$(compdir)/cgview' '$(zshdir)/_cgview' '$(fishdir)/cgview.fish'
	for page in $(notdir $(man_pages)); do rm -f "$(mandir)/man$${page##*.}/$$page"; done
	rm -f '$(mandir)'/man1/cgg++.1 '$(mandir)'/man1/cgcc-[0-9]*.1 '$(mandir)'/man1/cgg++-[0-9]*.1
	rmdir -p --ignore-fail-on-non-empty '$(compdir)' '$(zshdir)' '$(fishdir)' 2> /dev/null || true

dist: ## the release's sources, of the last commit, as build/dist/cgview-VERSION.tar.gz: always the same bytes
	@BUILD=$(BUILD) tools/dist

deb: ## Debian packages of the last commit, in build/deb: cgview, and cgview-gcc-N for each GCC here
	@$(setup) build deb
	@BUILD=$(BUILD) JOBS=$(JOBS) tools/deb

packages-check: ## build, install, use and purge the packages in chroots of Debian 12, 13 and sid (SUITES=trixie; root)
	@BUILD=$(BUILD) JOBS=$(JOBS) tools/packages-check $(SUITES)

.PHONY: all programs plugin plugins mpi help setup demo check quick check-asan fuzz analyze tests bench \
	bench-browser bench-estimates bench-matching bench-space bench-truth bench-why compare-gcov screenshots viewers coverage format-check clean install \
	uninstall dist deb packages-check FORCE

# ---- rules ----

# A stamp that changes when the flags do: objects of other flags are never mixed in.
# -Werror makes no other object.
flags_now = $(CC) $(subst -Werror,,$(ALL_CFLAGS)) | $(RUNTIME_CC) $(subst -Werror,,$(RUNTIME_CFLAGS)) | \
	$(ALL_LDFLAGS) $(LIBS)
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(flags_now)' | cmp -s - $@ || printf '%s\n' '$(flags_now)' > $@

# Likewise for the lists of objects, so that a removed or added source links anew.
$(BUILD)/sources: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(sort $(cgview_obj) $(runtime_obj)) | cmp -s - $@ || \
		printf '%s\n' $(sort $(cgview_obj) $(runtime_obj)) > $@

# What only one object knows: the release, and where our parts are. As the program sees it, that all can be
# moved together; from what is installed elsewhere than below PREFIX it is far.
parts_path = $(if $(filter $(PREFIX)/%,$(LIBDIR)),$(LIBDIR:$(PREFIX)/%=../%),$(LIBDIR))/cgview
installed_now = $(VERSION) $(parts_path)
$(BUILD)/installed: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(installed_now)' | cmp -s - $@ || printf '%s\n' '$(installed_now)' > $@

installed_o := $(BUILD)/obj/util/installed.o
$(installed_o): $(BUILD)/installed
$(installed_o): private ALL_CFLAGS += -DCGVIEW_VERSION='"$(VERSION)"' -DCGVIEW_PARTS='"$(parts_path)"'

cgcc_plugin_o := $(BUILD)/obj/cgcc/plugin.o
$(cgcc_plugin_o): $(plugin_src) $(wildcard src/collect/plugin/*.h) $(BUILD)/installed
$(cgcc_plugin_o): private ALL_CFLAGS += -DCGVIEW_PLUGIN_KEY='"$(plugin_key)"'

$(plugin_kept): $(plugin_src) $(wildcard src/collect/plugin/*.h) tools/build-plugin $(BUILD)/flags
	$(Q)rm -rf $(@D) && mkdir -p $(@D)
	$(Q)cp $(plugin_src) src/collect/plugin/*.h $(@D)
	$(Q)cp tools/build-plugin $(@D)/build
	$(Q)echo '$(plugin_flags)' > $@

rt := $(BUILD)/obj/collect/runtime
define compile_runtime
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(RUNTIME_CC) $(RUNTIME_CFLAGS) -MMD -MP -c -o $@ $<
endef

$(rt)/%.o: src/collect/runtime/%.c $(BUILD)/flags
	$(compile_runtime)

$(rt)/pattern.o $(rt)/events.o: $(rt)/%.o: src/collect/%.c $(BUILD)/flags
	$(compile_runtime)

# Loops that are memcpy() shall not become calls of it.
$(rt)/string.o: RUNTIME_CFLAGS += -fno-builtin -fno-tree-loop-distribute-patterns

# What is local to the runtime's files has no name in the program at all; their code has a section of
# its own, by which it is known (src/collect/import/counts/left_out.c).
# What they share must not meet the names of the program that it is linked into:
# hidden names get a prefix that nobody else uses.
$(rt)/names: $(runtime_obj) $(start_plain_obj) $(BUILD)/sources
	$(Q)readelf -Ws $(runtime_obj) $(start_plain_obj) | awk '$$5 != "LOCAL" && $$6 == "HIDDEN" && \
		$$8 !~ /^__(cgview|start|stop)_/ { print $$8, "__cgview_rt_" $$8 }' | sort -u > $@

rt_objcopy = --discard-all --rename-section .text=cgview_rt --rename-section .text.unlikely=cgview_rt \
	--rename-section .text.startup=cgview_rt --redefine-syms=$(rt)/names

$(lib)/cgview_%.o: $(rt)/start_%.o $(rt)/names
	@mkdir -p $(@D)
	$(Q)objcopy $(rt_objcopy) $< $@

$(lib)/cgview_kernel.s: src/cgcc/kernel.s
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(lib)/cgview_mpi_sent.c: src/mpi/wrappers/sent.c
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(lib)/cgview_kernel.o: src/cgcc/kernel.s
	@mkdir -p $(@D)
	$(Q)$(CC) -Wa,--noexecstack -c -o $@ $<

$(lib)/cgview_text_%.o: src/cgcc/text_%.s
	@mkdir -p $(@D)
	$(Q)$(CC) -Wa,--noexecstack -c -o $@ $<

# It stands before malloc() itself, so nothing may become a call of that; and it must know its own
# from the program's.
$(space_obj) $(space_static_obj): RUNTIME_CFLAGS += -fno-builtin

$(lib)/libcgview_space.so: $(space_obj)
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(RUNTIME_CC) -shared -Wl,-z,now -Wl,-Bsymbolic-functions -o $@ $(space_obj) -ldl

# The runtime and nothing else, for programs that were not built with cgcc. What cgcc compiles keeps the directory where
# that was, whatever -ffile-prefix-map says, so that sources are found: this is done in one that all machines have, and
# without debugging information, which names the plugin by its path.
$(lib)/libcgview_sample.so: src/cgcc/preload/sample.c $(lib)/cgview$(plugin_major).so $(BUILD)/cgcc $(parts)
	$(say) LINK $@
	$(Q)cd / && CGVIEW_CC='$(PLUGIN_CC)' CGVIEW_FLAGS= $(abspath $(BUILD)/cgcc) -x c -O2 -fPIC -shared -s $(RUNTIME_FLAGS) \
		-o $(abspath $@) - < $(abspath $<)

# What is linked into a program has a name of its own for each of its names, as the runtime has. The
# program's own allocator, if it has one, comes first.
$(rt)/space-names: $(space_obj) $(space_static_obj)
	$(Q)readelf -Ws $(space_obj) $(space_static_obj) | awk '$$5 != "LOCAL" && $$6 == "HIDDEN" && \
		$$8 !~ /^__(cgview|start|stop)_/ { print $$8, "__cgview_space_" $$8 }' | sort -u > $@

space_objcopy = --discard-all --rename-section .text=cgview_rt --rename-section .text.unlikely=cgview_rt \
	--redefine-syms=$(rt)/space-names

$(lib)/cgview_space.o: $(space_obj) $(rt)/space-names
	@mkdir -p $(@D) $(rt)/static
	$(Q)$(RUNTIME_CC) -r -nostdlib -o $(rt)/static/space-all.o $(space_obj)
	$(Q)objcopy $(space_objcopy) --weaken $(rt)/static/space-all.o $@

$(rt)/static/space/%.o: src/collect/runtime/space/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(RUNTIME_CC) $(RUNTIME_CFLAGS) -DSPACE_STATIC -MMD -MP -c -o $@ $<

$(lib)/libcgview_space.a: $(space_static_obj) $(rt)/space-names
	@mkdir -p $(@D) $(rt)/static/renamed
	$(say) AR $@
	$(Q)rm -f $@ $(rt)/static/renamed/*
	$(Q)for o in $(space_static_obj); do \
		objcopy $(space_objcopy) $$o $(rt)/static/renamed/$${o##*/} || exit; done
	$(Q)ar rcs $@ $(rt)/static/renamed/*.o

$(lib)/libcgview_rt.a: $(runtime_obj) $(rt)/names
	@mkdir -p $(@D) $(rt)/renamed
	$(say) AR $@
	$(Q)rm -f $@ $(rt)/renamed/*
	$(Q)for o in $(runtime_obj); do \
		objcopy $(rt_objcopy) $$o $(rt)/renamed/$${o##*/} || exit; done
	$(Q)ar rcs $@ $(rt)/renamed/*.o

$(BUILD)/obj/%.o: src/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# The assembler reads these, of which the compiler tells nothing.
$(BUILD)/obj/print/export/html/page_files.o: src/print/export/html/page.js src/print/export/html/page.css

$(BUILD)/cgview: $(cgview_obj) $(BUILD)/sources
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(cgview_obj) $(LIBS)

$(BUILD)/obj/mpi/%.o $(BUILD)/tests/mpi-reduce-pieces.o: CC = $(MPICC)
$(BUILD)/tests/mpi-reduce-pieces.o: ALL_CFLAGS += -DMOST_BYTES=1000
$(BUILD)/tests/mpi-reduce-pieces.o: src/mpi/mpi_reduce.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(mpi_reduce): $(BUILD)/obj/mpi/mpi_reduce.o
$(BUILD)/tests/mpi-reduce-pieces: $(BUILD)/tests/mpi-reduce-pieces.o
$(mpi_reduce) $(BUILD)/tests/mpi-reduce-pieces: $(test_obj) $(BUILD)/sources
	$(say) LINK $@
	$(Q)$(MPICC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(LIBS)

$(BUILD)/cgcc: $(cgcc_obj)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(cgcc_obj)

$(BUILD)/cgg++: $(BUILD)/cgcc
	$(Q)ln -sf cgcc $@

$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(ALL_CFLAGS) -Itests -MMD -MP -c -o $@ $<

$(unit_bin): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(test_obj) $(BUILD)/sources
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(LIBS)

# What the fuzzer calls, called with what it found.
$(BUILD)/tests/fuzz/unit-regressions $(BUILD)/tests/fuzz/unit-foreign: $(fuzz_obj)

$(BUILD)/tests/make-%: $(BUILD)/tests/db/make-%.o $(test_obj)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $< $(test_obj) $(LIBS)

$(BUILD)/truth: $(BUILD)/tests/truth/truth.o $(test_obj)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/tests/dump-raw: $(BUILD)/tests/collect/dump-raw.o $(test_obj)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $< $(test_obj) $(LIBS)

$(BUILD)/flow-solve: $(BUILD)/tests/flow/flow-solve.o $(test_obj)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $< $(test_obj) $(LIBS)

# The version of PLUGIN_CC is asked only when the plugin is wanted (make plugin calls make again).
ifneq ($(filter %.so,$(MAKECMDGOALS)),)
$(BUILD)/obj/plugin-$(plugin_major)/%.o: src/collect/plugin/%.c $(BUILD)/obj/plugin-$(plugin_major)/flags
	@mkdir -p $(@D)
	$(say) PLUGIN $<
	$(Q)$(PLUGIN_CXX) $(PLUGIN_CXXFLAGS) -MMD -MP -c -o $@ $<

# What the plugin asks of the compiler that loads it, so that it is built anew for an updated one.
plugin_identity = $(shell cat $(plugin_dir)/include/plugin-version.h $(plugin_dir)/include/configargs.h | cksum)
plugin_flags_now = $(PLUGIN_CXX) $(plugin_identity) $(subst -Werror,,$(PLUGIN_CXXFLAGS)) $(plugin_src)
$(BUILD)/obj/plugin-$(plugin_major)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(plugin_flags_now)' | cmp -s - $@ || printf '%s\n' '$(plugin_flags_now)' > $@

# As C: the little it needs of libstdc++ the compilers have in them and export.
$(lib)/cgview$(plugin_major).so: $(plugin_obj) $(BUILD)/obj/plugin-$(plugin_major)/flags
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(PLUGIN_CC) -shared -Wl,-Bsymbolic $(PLUGIN_LDFLAGS) -o $@ $(plugin_obj)
endif

.SECONDARY:
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
