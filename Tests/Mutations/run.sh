#!/bin/bash
# Puts one fault after the other into a copy of the focus puller and runs its tests until one fails: each fault must be caught.
# run.sh [NUMBER…] takes only these faults; the copy stays in .build/mutations, so that a second run is quicker.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
copy=$root/.build/mutations
mkdir -p "$copy/Sources" "$copy/Tests"
cp "$root/Tests/Mutations/Package.swift" "$copy/"
for module in Apple/CoreVideo Apple/CoreMedia Core/Optics Core/Pipeline; do ln -sfn "$root/Sources/$module" "$copy/Sources/${module#*/}"; done
for tests in ReferenceModel FocusTests; do ln -sfn "$root/Tests/Core/$tests" "$copy/Tests/$tests"; done

# Leaves a file alone that is the same already, so that it is not built again.
refresh() { cmp -s "$1" "$2" || cp "$1" "$2"; }
restore() {
    local file
    mkdir -p "$copy/Sources/Focus"
    for file in "$copy"/Sources/Focus/*.swift; do [ -e "$root/Sources/Core/Focus/${file##*/}" ] || rm -f "$file"; done
    for file in "$root"/Sources/Core/Focus/*.swift; do refresh "$file" "$copy/Sources/Focus/${file##*/}"; done
}
build() { swift build --package-path "$copy" --build-tests </dev/null >"$copy/build.log" 2>&1 || { tail -20 "$copy/build.log" >&2; return 1; }; }

# All tests, on sequences of two events; ends with the first failure.
tests() {
    local began=$SECONDS
    : >"$copy/test.log"
    RACKFOCUS_MODEL_DEPTH=2 "$copy/.build/debug/mutationsPackageTests.xctest" --testing-library swift-testing </dev/null >"$copy/test.log" 2>&1 &
    local process=$!
    while kill -0 $process 2>/dev/null; do
        if grep -q '^✘ Test' "$copy/test.log" || [ $((SECONDS - began)) -gt 300 ]; then kill $process 2>/dev/null || true; fi
        sleep 0.2
    done
    wait $process 2>/dev/null
}

restore
build
tests || { echo "the tests fail without any fault:" >&2; grep '✘' "$copy/test.log" | head -5 >&2; exit 1; }

number=0 tried=0 survivors=0
while read -r head; do
    case $head in '#'* | '') continue ;; esac
    read -r right
    read -r wrong
    file=${head%%: *} meaning=${head#*: } right=${right#- } wrong=${wrong#+ }
    number=$((number + 1))
    if [ $# -gt 0 ] && [[ " $* " != *" $number "* ]]; then continue; fi
    tried=$((tried + 1))
    restore
    RIGHT=$right WRONG=$wrong perl -0pi -e 's/\Q$ENV{RIGHT}\E/$ENV{WRONG}/' "$copy/Sources/Focus/$file"
    if cmp -s "$root/Sources/Core/Focus/$file" "$copy/Sources/Focus/$file"; then echo "$file has no longer: $right" >&2; exit 1; fi
    build
    if tests; then
        survivors=$((survivors + 1))
        echo "SURVIVED $number  $file: $meaning"
    elif first=$(grep -m1 '^✘ Test' "$copy/test.log"); then
        echo "caught   $number  $file: $meaning (${first#✘ Test })" | cut -c 1-250
    else
        echo "the tests neither passed nor failed with fault $number; see $copy/test.log" >&2
        exit 1
    fi
done <"$root/Tests/Mutations/faults.txt"
restore
echo "$survivors of $tried faults survived"
[ "$survivors" = 0 ]
