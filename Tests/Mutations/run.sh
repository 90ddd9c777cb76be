#!/bin/bash
# Puts one fault after the other into a copy of a module and runs its tests until one fails: each fault must be caught.
# run.sh MODULE [NUMBER…] takes the faults of MODULE.txt beside this script, or only these numbers; the copy stays in .build/mutations/MODULE, so
# that a second run is quicker. run.sh --stale names the faults whose line has changed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) root=$(cd "$(dirname "$0")/../.." && pwd)

# The module with the faults, its tests, and those of their suites that need neither footage nor a device.
describe() {
    case $1 in
    focus) faulty=Core/Focus tests=FocusTests suites=FocusTests ;;
    lens) faulty=Adapters/Bokeh tests=BokehTests suites='LensPlanTests|LightFinderTests' ;;
    tracker) faulty=Adapters/Vision tests=VisionTests suites='LifecycleTests|AssociationTests|BodyTrackerTests' ;;
    *) return 1 ;;
    esac
}
modules=$(cd "$here" && echo *.txt | sed 's/\.txt//g')

# Reads the next fault from standard input: number, file, meaning, the text that is right and the one that is wrong.
number=0
next_fault() {
    local head
    while read -r head; do
        case $head in '#'* | '') continue ;; esac
        read -r right && read -r wrong
        file=${head%%: *} meaning=${head#*: } right=${right#- } wrong=${wrong#+ } number=$((number + 1))
        return 0
    done
    return 1
}

# Whether the sources still have what each fault replaces; takes no build.
if [ "${1:-}" = --stale ]; then
    stale=0
    for module in $modules; do
        describe "$module"
        while next_fault; do
            TEXT=$right perl -0ne 'exit(index($_, $ENV{TEXT}) < 0)' "$root/Sources/$faulty/$file" && continue
            echo "Tests/Mutations/$module.txt: Sources/$faulty/$file has no longer: $right" >&2
            stale=1
        done <"$here/$module.txt"
    done
    exit $stale
fi

if ! describe "${1:-}"; then
    echo "usage: $0 MODULE [NUMBER…] | --stale; MODULE is one of: $modules" >&2
    exit 64
fi
module=$1 copy=$root/.build/mutations/$1
shift
export PKG_CONFIG_PATH=$root/Sources/Adapters/OpenCVHeaders:${PKG_CONFIG_PATH:-}

# The package, its folders links to the real ones but that of the module.
mkdir -p "$copy/Sources/$faulty"
cp "$root/Package.swift" "$copy/"
for folder in Tests Shaders; do ln -sfn "$root/$folder" "$copy/$folder"; done
for folder in "$root"/Sources/*/*; do
    folder=${folder#"$root/Sources/"}
    mkdir -p "$copy/Sources/${folder%/*}"
    [ "$folder" = "$faulty" ] || ln -sfn "$root/Sources/$folder" "$copy/Sources/$folder"
done

# Makes the copy what the module is. A file that is the same already is left alone, so that it is not built again.
restore() {
    local file
    while read -r file; do [ -e "$root/Sources/$faulty/$file" ] || rm -f "$copy/Sources/$faulty/$file"; done < <(cd "$copy/Sources/$faulty" && find . -type f)
    while read -r file; do
        cmp -s "$root/Sources/$faulty/$file" "$copy/Sources/$faulty/$file" && continue
        mkdir -p "$(dirname "$copy/Sources/$faulty/$file")"
        cp "$root/Sources/$faulty/$file" "$copy/Sources/$faulty/$file"
    done < <(cd "$root/Sources/$faulty" && find . -type f)
}

# Optimised, and file by file: after a fault one file is compiled. A fault may leave a variable unused.
build() {
    RACKFOCUS_ONLY=$tests swift build --package-path "$copy" --build-tests -Xswiftc -O -Xswiftc -no-warnings-as-errors </dev/null \
        >"$copy/build.log" 2>&1 || { tail -20 "$copy/build.log" >&2; return 1; }
}

# All tests, those of the focus puller on sequences of two events; ends with the first failure.
tests() {
    local began=$SECONDS
    : >"$copy/test.log"
    RACKFOCUS_MODEL_DEPTH=2 "$copy/.build/debug/rackfocusPackageTests.xctest" --testing-library swift-testing --filter "$suites" \
        </dev/null >"$copy/test.log" 2>&1 &
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
grep -q 'Test run with [1-9]' "$copy/test.log" || { echo "no test of $suites ran; see $copy/test.log" >&2; exit 1; }

tried=0 survivors=0
while next_fault; do
    if [ $# -gt 0 ] && [[ " $* " != *" $number "* ]]; then continue; fi
    tried=$((tried + 1))
    restore
    RIGHT=$right WRONG=$wrong perl -0pi -e 's/\Q$ENV{RIGHT}\E/$ENV{WRONG}/' "$copy/Sources/$faulty/$file"
    if cmp -s "$root/Sources/$faulty/$file" "$copy/Sources/$faulty/$file"; then
        echo "$file has no longer: $right" >&2
        exit 1
    fi
    build || { echo "fault $number of $module.txt does not compile: mend its line with +" >&2; exit 1; }
    if tests; then
        survivors=$((survivors + 1))
        echo "SURVIVED $number  $file: $meaning"
    elif first=$(grep -m1 '^✘ Test' "$copy/test.log"); then
        echo "caught   $number  $file: $meaning (${first#✘ Test })" | cut -c 1-250
    else
        echo "the tests neither passed nor failed with fault $number; see $copy/test.log" >&2
        exit 1
    fi
done <"$here/$module.txt"
restore
echo "$survivors of $tried faults of $module survived"
[ "$survivors" = 0 ]
