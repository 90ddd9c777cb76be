#!/usr/bin/env bash
# Tests capture on the kernel's own drivers in a virtual machine: `make test-camera`. One line a check; ends with 1 when one fails, and with 0 and a word
# where this machine cannot run the virtual one.
set -uo pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-$PWD/.build/release}
export CHECK=$build/camera-check TOOL=$build/rackfocus
work=$(mktemp -d .build/camera.XXXXXX)
trap 'rm -rf "$work"' EXIT
failed=0

# machine CHECKS [options of vm.sh]: runs a part of checks.sh in a machine of its own.
machine() {
    local part=$1 code=0
    shift
    Tests/Camera/vm.sh -w "$work" "$@" -- env CHECK="$CHECK" TOOL="$TOOL" WORK="$PWD/$work" bash Tests/Camera/checks.sh "$part" || code=$?
    [ "$code" != 77 ] || exit 0
    [ "$code" = 0 ] || failed=1
}

if [ -x /usr/bin/cc ]; then cc -O2 -o "$work/uvc-camera" Tests/Camera/uvc-camera.c; fi
machine webcam
machine hdmi -i 0x3
machine planes -p multiplanar=2
machine faults
machine pair -n 2
machine usb -x
machine output -l 400 -x -i 0x3 -t 0x101 -p "num_outputs=1 output_types=1"
[ "$failed" = 0 ] && echo "test-camera: passed" || echo "test-camera: FAILED"
exit "$failed"
