#!/usr/bin/env bash
# Runs a command of this machine in a virtual machine that has the kernel's own test cameras: vivid and, with -x, uvcvideo on a USB/IP port and an
# ALSA loopback. The machine sees all files read-only, and DIRECTORY for writing; the command's output, errors and exit code come back.
#
#     vm.sh [-n CAMERAS] [-i INPUTS] [-t NODES] [-p "VIVID PARAMETERS"] [-x] [-w DIRECTORY] [-l SECONDS] -- COMMAND…
#
# -n: number of vivid cameras, 1. -i: vivid's input types, 0x0 (a webcam; 0x3 is HDMI). -t: its node types, 0x1 (capture; 0x101 with an output).
# Exit code 77: this machine cannot run it, and why is said; 124: out of time; 125: the virtual machine ended without a result.
# First run: Debian's kernel is downloaded and unpacked into $CAMERA_VM, by default .build/camera-vm, 70 MB.
set -euo pipefail
cd "$(dirname "$0")/../.."

cameras=1 inputs=0x0 nodes=0x1 parameters= more= shared=$PWD/.build limit=300
while getopts n:i:t:p:xw:l: option; do
    case $option in
        n) cameras=$OPTARG ;;
        i) inputs=$OPTARG ;;
        t) nodes=$OPTARG ;;
        p) parameters=$OPTARG ;;
        x) more=1 ;;
        w) shared=$(realpath "$OPTARG") ;;
        l) limit=$OPTARG ;;
        *) exit 64 ;;
    esac
done
shift $((OPTIND - 1))
cache=${CAMERA_VM:-$PWD/.build/camera-vm}
PATH=$PATH:/usr/sbin:/sbin

skip() {
    echo "test-camera: skipped: $1" >&2
    exit 77
}
[ "$(uname -m)" = x86_64 ] || skip "the virtual machine is for x86-64"
for program in qemu-system-x86_64 busybox cpio depmod python3; do
    command -v "$program" >/dev/null || skip "$program is missing: apt-get install qemu-system-x86 busybox-static cpio kmod python3"
done

# Prints the modules that a module needs, itself last.
needed() { modprobe -d "$1" -S "$2" --show-depends "$3" | awk '$1 == "insmod" { print $2 }'; }

# Unpacks Debian's kernel, and packs a first file system with the modules.
prepare() {
    local work kernel version root
    mkdir -p "$cache"
    work=$(mktemp -d "$cache/work.XXXXXX")
    kernel=$(apt-cache depends linux-image-amd64 2>/dev/null | awk '/Depends:/ { print $2; exit }')
    [ -n "$kernel" ] && (cd "$work" && apt-get -qq download "$kernel" 2>/dev/null) || skip "Debian's kernel cannot be downloaded"
    dpkg-deb -x "$work"/linux-image-*.deb "$work/kernel"
    version=$(ls "$work/kernel/lib/modules")
    depmod -b "$work/kernel" "$version"
    # The kernel without its wrapping starts twice as fast where a processor is emulated.
    python3 - "$work/kernel/boot/vmlinuz-$version" "$work/vmlinux" <<'END'
import lzma, struct, sys
image = open(sys.argv[1], 'rb').read()
start = ((image[0x1f1] or 4) + 1) * 512
offset, length = struct.unpack_from('<II', image, 0x248)
open(sys.argv[2], 'wb').write(lzma.LZMADecompressor().decompress(image[start + offset:start + offset + length]))
END
    root=$work/root
    mkdir -p "$root"/{bin,modules,proc,sys,dev,lower,upper,new,job}
    cp "$(command -v busybox)" "$root/bin/"
    for module in virtio_pci 9pnet_virtio 9p overlay vivid; do needed "$work/kernel" "$version" $module; done | awk '!seen[$0]++' | while read -r file; do
        cp "$file" "$root/modules/"
        [ "${file##*/}" = vivid.ko ] || basename "$file" >>"$root/modules/first"
    done
    for module in uvcvideo vhci-hcd snd-aloop; do needed "$work/kernel" "$version" $module; done | awk '!seen[$0]++' | while read -r file; do
        [ -e "$root/modules/${file##*/}" ] || basename "$file" >>"$root/modules/more"
        cp "$file" "$root/modules/"
    done
    cp Tests/Camera/init.sh "$root/init"
    chmod +x "$root/init"
    (cd "$root" && find . | cpio -o -H newc 2>/dev/null | gzip -1) >"$work/initrd"
    mv "$work/vmlinux" "$work/initrd" "$cache/"
    rm -rf "$work"
}
[ -s "$cache/initrd" ] && [ "$cache/initrd" -nt Tests/Camera/init.sh ] || prepare

# Every camera has the same nodes and inputs.
each() { printf "$1,%.0s" $(seq "$cameras") | sed 's/,$//'; }
job=$(mktemp -d)
trap 'rm -rf "$job"' EXIT
echo "n_devs=$cameras node_types=$(each "$nodes") input_types=$(each "$inputs") num_inputs=$(each 1) $parameters" >"$job/vivid"
echo "$shared" >"$job/shared"
echo -n "$more" >"$job/more"
{
    for name in PATH LD_LIBRARY_PATH HOME LANG; do [ -z "${!name+set}" ] || printf 'export %s=%q\n' "$name" "${!name}"; done
    printf 'cd %q\nexec' "$PWD"
    printf ' %q' "$@"
    echo
} >"$job/run"

# An emulated processor unless there is a real one: some machines have /dev/kvm and no more. Without AVX2, whose gathers QEMU 7.2 sends to addresses that
# the registers do not hold: the software Vulkan driver fell over one in both runs of `webcam`.
accelerator="-accel tcg,thread=multi,tb-size=512 -cpu max,-erms,-fsrm,-avx2"
if grep -qwE 'vmx|svm' /proc/cpuinfo && [ -w /dev/kvm ]; then accelerator="-accel kvm -cpu host"; fi
share() { echo "-fsdev local,id=$1,path=$2,security_model=none,multidevs=remap$3 -device virtio-9p-pci,fsdev=$1,mount_tag=$1"; }
code=0
# shellcheck disable=SC2046,SC2086
timeout -k 5 "$limit" qemu-system-x86_64 -M pc $accelerator -smp 2 -m 1536 -nodefaults -no-user-config -display none -no-reboot \
    -serial file:"$job/console" -kernel "$cache/vmlinux" -initrd "$cache/initrd" \
    -append "console=ttyS0 quiet panic=-1 nokaslr mitigations=off audit=0 apparmor=0 random.trust_cpu=on cryptomgr.notests no_timer_check" \
    $(share hostroot / ,readonly=on) $(share shared "$shared" "") $(share job "$job" "") -device virtio-rng-pci || code=$?
cat "$job/out" 2>/dev/null || true
cat "$job/err" >&2 2>/dev/null || true
[ -s "$job/code" ] && exit "$(cat "$job/code")"
[ "$code" = 124 ] && exit 124
echo "vm.sh: the virtual machine gave no result (qemu: $code)" >&2
tail -20 "$job/console" >&2 2>/dev/null || true
exit 125
