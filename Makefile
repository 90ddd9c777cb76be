SHELL := /bin/bash
# One optimised build serves the tool and the tests; an undeclared import is an error.
SWIFT_FLAGS := -c release -Xswiftc -enable-testing --explicit-target-dependency-import-check error
PREFIX ?= /usr/local

# The one list of what the project needs from Debian.
PACKAGES := pkg-config libopencv-dev opencv-data libdlib-dev liblapack-dev libvulkan-dev mesa-vulkan-drivers vulkan-validationlayers glslc \
	libavformat-dev libavcodec-dev libavfilter-dev libavutil-dev libswscale-dev libswresample-dev libyaml-dev libzstd-dev libheif-dev libjpeg-dev libpng-dev \
	libv4l-dev libasound2-dev clang-format-15

# Of `make test-camera` alone.
CAMERA_PACKAGES := qemu-system-x86 busybox-static cpio kmod python3 v4l-utils alsa-utils

# Optional: with the first the tool is a camera of PipeWire, too; with the rest its tests run.
PIPEWIRE_PACKAGES := libpipewire-0.3-dev pipewire wireplumber dbus-daemon gstreamer1.0-tools gstreamer1.0-pipewire

# OpenCV's modules that are called, rather than all sixty: the tool starts three times as fast.
export PKG_CONFIG_PATH := $(CURDIR)/Sources/Adapters/OpenCVHeaders:$(PKG_CONFIG_PATH)

# Nothing but libyaml can be found by pkg-config in here; libjpeg needs none.
YAML_ONLY := $(CURDIR)/Tests/ExampleApp/.build/pkgconfig

GRAPH_TESTS := CoreMediaTests AVFoundationTests CaptureTestingTests

.PHONY: demo test test-camera example example-tag linking detected-scenarios mutations saliency-fit deep fuzz fuzz-address faults kills sanitize sanitize-threads sanitize-addresses sanitize-c-api build install setup lint clean

## Installs missing Debian packages; silent and instant when nothing is missing.
setup:
	@missing=$$(comm -23 <(printf '%s\n' $(PACKAGES) | sort) \
		<(dpkg-query -W -f '$${db:Status-Status} $${Package}\n' $(PACKAGES) 2>/dev/null | sed -n 's/^installed //p' | sort)); \
	if [ -n "$$missing" ]; then \
		echo "installing:" $$missing; \
		as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
		$$as_root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -qq -y --no-install-recommends $$missing >/dev/null; \
	fi
	@command -v swift >/dev/null || { echo "Swift 6.3 is missing: get it from https://www.swift.org/install/linux and put its usr/bin on PATH" >&2; exit 1; }

build: setup
	swift build --product rackfocus $(SWIFT_FLAGS)

## Renders the demo scenario to a movie and says where it is.
demo: build
	@mkdir -p out
	.build/release/rackfocus render Scenarios/demo.yaml -o out/demo.mp4 --force
	@echo "the movie: $(CURDIR)/out/demo.mp4"

## Every test; what is freed is overwritten, so that none passes by reading it.
test: setup example
	swift build --build-tests $(SWIFT_FLAGS)
	MALLOC_PERTURB_=165 swift test --disable-xctest --skip-build $(SWIFT_FLAGS)

## Capture on the kernel's own drivers, vivid and uvcvideo, in a virtual machine; says so where there can be none.
test-camera: PACKAGES += $(CAMERA_PACKAGES)
test-camera: build
	swift build --product camera-check $(SWIFT_FLAGS)
	Tests/Camera/run.sh

## Tests the example app, a package of its own, as on a machine without OpenCV, Vulkan, FFmpeg and glslc.
example: setup
	@mkdir -p $(YAML_ONLY) && cp "$$(pkg-config --variable=pcfiledir yaml-0.1)/yaml-0.1.pc" $(YAML_ONLY)
	PKG_CONFIG_LIBDIR=$(YAML_ONLY) GLSLC=/nonexistent swift test --package-path Tests/ExampleApp

## An actor derived from NSObject in debug and release, with the standard library as a shared and as a static one.
linking: setup
	for flags in "" "-c release" "--static-swift-stdlib" "-c release --static-swift-stdlib"; do \
		GLSLC=/nonexistent swift build --package-path Tests/ExampleApp $$flags --product actor-check \
			&& "$$(GLSLC=/nonexistent swift build --package-path Tests/ExampleApp $$flags --show-bin-path)/actor-check" || exit 1; done

## The example app on a clone of a tag, as an app fetches it: make example-tag TAG=0.1.0
example-tag: setup
	@rm -rf .build/tag && mkdir -p .build/tag $(YAML_ONLY) && cp "$$(pkg-config --variable=pcfiledir yaml-0.1)/yaml-0.1.pc" $(YAML_ONLY)
	git clone --quiet --branch $(TAG) . .build/tag/rackfocus
	cp -rL .build/tag/rackfocus/Tests/ExampleApp .build/tag/app
	sed -i 's|name: "rackfocus", path: "../.."|url: "file://$(CURDIR)/.build/tag/rackfocus", exact: "$(TAG)"|' .build/tag/app/Package.swift
	PKG_CONFIG_LIBDIR=$(YAML_ONLY) GLSLC=/nonexistent swift test --package-path .build/tag/app

## Every scenario painted and detected: focus from the detections goes where it goes from the truth. Lasts some ten minutes.
detected-scenarios: setup
	RACKFOCUS_DETECTED_SCENARIOS=1 swift test --disable-xctest $(SWIFT_FLAGS) --filter DetectedScenariosTests

## Puts deliberate faults into the focus puller, the tracker and the plan of the lens (MODULES), one at a time: their tests catch each.
mutations: MODULES ?= focus tracker lens
mutations: setup
	for module in $(MODULES); do Tests/Mutations/run.sh $$module || exit 1; done

## Fits the weights of saliency to 400 drawn scenes, and prints them with what they rank right.
saliency-fit: setup
	@mkdir -p .build
	RACKFOCUS_SALIENCY_FIT=$(CURDIR)/.build/saliency-fit.txt swift test --disable-xctest $(SWIFT_FLAGS) --filter SaliencyFitTests
	@cat .build/saliency-fit.txt*

## Focus puller and reference model on every sequence of five events of every kind; lasts minutes, and says how many there were.
deep: setup
	RACKFOCUS_MODEL_DEPTH=5 swift test --disable-xctest $(SWIFT_FLAGS) --filter ModelTests

# The suites that feed a parser, each in a file of its name.
FUZZERS ?= $(sort $(basename $(notdir $(shell grep -rlw FuzzRun --include=*FuzzTests.swift Tests))))

## Every parser on inputs changed by chance, each test of FUZZERS for SECONDS; an input that ends the process stays in .build/fuzz.
## RACKFOCUS_FUZZ_SEED=… begins elsewhere.
fuzz: SECONDS ?= 60
fuzz: setup
	swift build --build-tests $(SWIFT_FLAGS)
	RACKFOCUS_FUZZ_SECONDS=$(SECONDS) $(call fuzzed,release)

## The same under the address sanitizer until each parser has had COUNT inputs, or SECONDS where given; in a build of its own.
fuzz-address: COUNT ?= 1000000
fuzz-address: setup
	swift build --build-tests --sanitize=address --scratch-path .build/address-release $(SWIFT_FLAGS)
	ASAN_OPTIONS=detect_leaks=0:malloc_context_size=2:quarantine_size_mb=32 RACKFOCUS_FUZZ_COUNT=$(COUNT) \
		$(if $(SECONDS),RACKFOCUS_FUZZ_SECONDS=$(SECONDS)) $(call fuzzed,address-release/release)

# One suite after the other, each in a process; all run, and the first that fails decides the exit code. Files of inputs lie in memory where there
# is room for them: what recovery writes is waited for until a disk has it.
define fuzzed
bash -c 'code=0; [ ! -w /dev/shm ] || export TMPDIR=/dev/shm; for suite in $(FUZZERS); do RACKFOCUS_FUZZ_FOLDER=$(CURDIR)/.build/fuzz \
	.build/$(1)/rackfocusPackageTests.xctest --testing-library swift-testing --filter "$$suite/" || code=$$?; done; \
	grep -H . .build/fuzz/*.count; exit $$code'
endef

## Every call to the file system, FFmpeg and Vulkan of each of COMMANDS (render, lens, footage, test, merge, recover, recording, cinematic), short ones,
## failed one by one; prints what was failed how often (command, call and error, calls there are, calls failed, wrong).
faults: COMMANDS ?= all
faults: setup
	swift build --build-tests $(SWIFT_FLAGS)
	@mkdir -p .build/faults && rm -f .build/faults/*
	RACKFOCUS_FAULTS="$(COMMANDS)" RACKFOCUS_FAULT_TABLE=$(CURDIR)/.build/faults/table \
		swift test --disable-xctest --skip-build $(SWIFT_FLAGS) --filter FaultTests; status=$$?; cat .build/faults/*; exit $$status

## SIGKILL at COUNT random times to each command and to recordings of every fragment interval; prints what was left and lost.
## RACKFOCUS_FUZZ_SEED=… draws other times.
kills: COUNT ?= 200
kills: setup
	swift build --build-tests $(SWIFT_FLAGS)
	@mkdir -p .build/kills && rm -f .build/kills/*
	RACKFOCUS_KILLS=$(COUNT) RACKFOCUS_KILL_TABLE=$(CURDIR)/.build/kills/table \
		swift test --disable-xctest --skip-build $(SWIFT_FLAGS) --filter KillTableTests; status=$$?; cat .build/kills/*; exit $$status

## Runs the tests of the capture graph under the thread sanitizer, then under those for addresses and leaks, and 10,000 sessions under the latter.
## The sanitizers are the Swift toolchain's own.
sanitize: sanitize-threads sanitize-addresses

sanitize-threads: setup
	RACKFOCUS_ONLY='$(GRAPH_TESTS) session-bench' swift build --build-tests --sanitize=thread --scratch-path .build/thread
	"$$(dirname "$$(readlink -f "$$(command -v swift)")")/clang" -shared -fPIC -O1 -Wall -o .build/thread/mutex.so Tests/Sanitizers/mutex.c
	setarch -R env LD_PRELOAD=$(CURDIR)/.build/thread/mutex.so .build/thread/debug/rackfocusPackageTests.xctest --testing-library swift-testing --filter '$(subst $() ,|,$(GRAPH_TESTS))'

sanitize-addresses: setup
	RACKFOCUS_ONLY='$(GRAPH_TESTS) session-bench' swift build --build-tests --sanitize=address --scratch-path .build/address
	LSAN_OPTIONS=suppressions=Tests/Sanitizers/leaks.txt .build/address/debug/rackfocusPackageTests.xctest --testing-library swift-testing --filter '$(subst $() ,|,$(GRAPH_TESTS))'
	LSAN_OPTIONS=suppressions=Tests/Sanitizers/leaks.txt .build/address/debug/session-bench 1000 10000

## Random pictures, maps and boxes through the C functions of the kernels, OpenCV and dlib under the sanitizers for addresses and undefined behaviour;
## OpenCV itself never frees all.
sanitize-c-api: setup
	@mkdir -p .build/c-api
	CXX="$$(dirname "$$(readlink -f "$$(command -v swift)")")/clang++"; \
	for file in Sources/Adapters/COpenCV/*.cpp Sources/Adapters/CVisionKernels/*/*.cpp Tests/Sanitizers/c-api.cpp; do \
		"$$CXX" -std=c++17 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -ISources/Adapters/COpenCV/include \
			-ISources/Adapters/CVisionKernels/include $$(pkg-config --cflags opencv4) -c $$file -o .build/c-api/$$(basename $$file .cpp).o || exit 1; \
	done; "$$CXX" -fsanitize=address,undefined .build/c-api/*.o -o .build/c-api/c-api $$(pkg-config --libs opencv4) -ldlib -llapack -lblas
	ASAN_OPTIONS=detect_leaks=0 .build/c-api/c-api 300

## The shaders lie beside the program, so both go to lib and a link to bin.
install: build
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/rackfocus
	install .build/release/rackfocus $(DESTDIR)$(PREFIX)/lib/rackfocus/
	cp -r .build/release/rackfocus_Shaders.resources $(DESTDIR)$(PREFIX)/lib/rackfocus/
	install -d $(DESTDIR)$(PREFIX)/share/rackfocus/shaders
	install -m 644 Shaders/Examples/*.comp $(DESTDIR)$(PREFIX)/share/rackfocus/shaders/
	ln -sf ../lib/rackfocus/rackfocus $(DESTDIR)$(PREFIX)/bin/rackfocus

## Format of the Swift, C, C++ and GLSL sources, and their language: documentation, what comments open with, retired words. Syntax of the scripts, and
## whether the mutations fit the sources and targets name what they import.
lint: setup
	@for script in .ci/* Tests/*/*.sh; do bash -n $$script || exit 1; done
	swift format lint --strict --recursive Package.swift Sources Tests Shaders
	find Sources Tests Shaders -not -path '*/.build/*' -regextype egrep -regex '.*\.(c|h|cpp|hpp|comp|glsl)' | xargs clang-format-15 --dry-run --Werror
	.ci/language
	.ci/imports
	Tests/Mutations/run.sh --stale

clean:
	rm -rf .build out Tests/ExampleApp/.build
