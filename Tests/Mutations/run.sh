#!/bin/bash
# Puts one fault after the other into a copy of the focus puller and runs its tests: each fault must be caught.
# run.sh [NUMBER…] takes only these faults; the copy stays in .build/mutations, so that a second run is quicker.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
copy=$root/.build/mutations
mkdir -p "$copy/Sources" "$copy/Tests"
cp "$root/Tests/Mutations/Package.swift" "$copy/"
for module in CoreVideo CoreMedia Optics Pipeline; do ln -sfn "$root/Sources/$module" "$copy/Sources/$module"; done
ln -sfn "$root/Tests/FocusTests" "$copy/Tests/FocusTests"

# Leaves a file alone that is the same already, so that it is not built again.
refresh() { cmp -s "$1" "$2" || cp "$1" "$2"; }
restore() {
    local file
    mkdir -p "$copy/Sources/Focus"
    for file in "$copy"/Sources/Focus/*.swift; do [ -e "$root/Sources/Focus/${file##*/}" ] || rm -f "$file"; done
    for file in "$root"/Sources/Focus/*.swift; do refresh "$file" "$copy/Sources/Focus/${file##*/}"; done
}
build() { swift build --package-path "$copy" --build-tests </dev/null >"$copy/build.log" 2>&1 || { tail -20 "$copy/build.log" >&2; return 1; }; }
tests() { RACKFOCUS_MODEL_DEPTH=3 timeout 600 swift test --package-path "$copy" --disable-xctest --skip-build </dev/null >"$copy/test.log" 2>&1; }

restore
build
tests || { echo "the tests fail without any fault:" >&2; grep '✘' "$copy/test.log" | head -5 >&2; exit 1; }

number=0 survivors=0
while read -r head; do
    case $head in '#'* | '') continue ;; esac
    read -r right
    read -r wrong
    file=${head%%: *} meaning=${head#*: } right=${right#- } wrong=${wrong#+ }
    number=$((number + 1))
    if [ $# -gt 0 ] && [[ " $* " != *" $number "* ]]; then continue; fi
    restore
    RIGHT=$right WRONG=$wrong perl -0pi -e 's/\Q$ENV{RIGHT}\E/$ENV{WRONG}/' "$copy/Sources/Focus/$file"
    if cmp -s "$root/Sources/Focus/$file" "$copy/Sources/Focus/$file"; then echo "$file has no longer: $right" >&2; exit 1; fi
    build
    if tests; then
        survivors=$((survivors + 1))
        echo "SURVIVED $number  $file: $meaning"
    else
        caught=$(grep -c '^✘ Test .* failed' "$copy/test.log" || true)
        first=$(grep '^✘ Test .* failed' "$copy/test.log" | head -1 | sed 's/^✘ Test //; s/ failed after.*//')
        echo "caught   $number  $file: $meaning ($caught tests, $first)"
    fi
done <"$root/Tests/Mutations/faults.txt"
restore
echo "$survivors of $number faults survived"
[ "$survivors" = 0 ]
