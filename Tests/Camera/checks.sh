#!/usr/bin/env bash
# Checks of capture, run by run.sh within the virtual machine: checks.sh webcam|hdmi|planes|faults|pair|usb|output
set -uo pipefail
part=$1 failed=0
# Hashes of vivid's grey ramp as 420v of BT.709: looked at, and equal to those of v4l2-ctl's pictures converted by another program.
readonly SMALL=28f64e1e921e1e3e339d992bb8882041019416e036222dcfdedfe277a1eb36a7
readonly MIDDLE=cdf9ae71ef9a19aac0455b41b743f1bbd6c9747e2e402f8edfdbe8eac6ad8917

# expect WHAT PATTERN TEXT: a line of the text matches the pattern.
expect() {
    if grep -qE -- "$2" <<<"$3"; then echo "ok    $part: $1"; else
        echo "FAIL  $part: $1: no line like $2 in:"
        echo "$3"
        failed=1
    fi
}
set_control() { v4l2-ctl -d "${node:-/dev/video0}" -c "$1"; }
static() { set_control test_pattern=20,osd_text_mode=2; }
state() { v4l2-ctl -d "${node:-/dev/video0}" --get-fmt-video --get-parm 2>/dev/null; }
# Whole pipeline with a tiny take: what the user is told, and what is in the file. A processor is emulated, so that most frames are lost.
record() { timeout 100 "$TOOL" record -o /tmp/take.mov --force "$@" 2>&1; echo "code $?"; }

case $part in
    webcam)
        static
        compliance() { v4l2-compliance -d /dev/video0 2>/dev/null | grep -E '^Total|FAIL'; }
        compliant=$(compliance)
        static
        before=$(state)
        list=$($CHECK list)
        expect "a camera by its place on the bus" '^platform:vivid-000#0 \| vivid \| vivid \| /dev/video0$' "$list"
        expect "sizes and rates" '^  320x180: .*NV12 1-60' "$list"
        for want in "320x180@25 $SMALL" "640x360@15 $MIDDLE"; do
            text=$($CHECK stream vivid "${want% *}" 10)
            expect "${want% *} has all frames" '^frames 10 dropped [0-9]+ damaged 0 restarts 0$' "$text"
            expect "${want% *} equals the golden" "^every picture: ${want#* }$" "$text"
        done
        [ "$before" = "$(state)" ] && expect "format and rate are as before" . same || expect "format and rate are as before" same "$before, $(state)"
        moving=$(set_control osd_text_mode=0; $CHECK stream vivid 320x180@25 10)
        expect "pictures move" '^different pictures: ([2-9]|10)$' "$moving"
        expect "a camera in use is refused" 'is in use by another program' "$(
            $CHECK stream vivid 320x180@25 60 >/dev/null &
            sleep 2
            $CHECK stream vivid 640x360@15 2
            wait
        )"
        expect "the tool lists it" 'cinematic: yes' "$("$TOOL" record --list 2>&1)"
        after=$(compliance)
        [ "$compliant" = "$after" ] && expect "v4l2-compliance finds what it found before" . same || expect "v4l2-compliance as before" same "$compliant, $after"
        ;;
    hdmi)
        v4l2-ctl -d /dev/video0 --set-dv-bt-timings index=1 >/dev/null
        static
        expect "an HDMI input has the rate of its signal" '^  [0-9]+x[0-9]+: .*(60|50)-(60|50)' "$($CHECK list)"
        size=$(state | sed -n 's|.*Width/Height *: *\([0-9]*\)/\([0-9]*\).*|\1x\2|p')
        expect "it streams" '^frames 10 ' "$($CHECK stream vivid "$size@60" 10)"
        ;;
    planes)
        static
        text=$($CHECK stream vivid 320x180@25 10)
        expect "planes in memory of their own stream" '^frames 10 .*damaged 0 restarts 0$' "$text"
        expect "they equal the golden" "^every picture: $SMALL$" "$text"
        ;;
    faults)
        static
        set_control percentage_of_dropped_buffers=40
        expect "dropped buffers are counted" '^frames 20 dropped [1-9]' "$($CHECK stream vivid 320x180@25 20)"
        set_control percentage_of_dropped_buffers=0
        set_control wrap_sequence_number=1
        expect "a sequence number that wraps loses nothing" '^frames 150 dropped [0-9]{1,3} ' "$($CHECK stream vivid 320x180@40 150)"
        set_control wrap_sequence_number=0
        set_control wrap_timestamp=1
        expect "times that wrap go on" '^times increase: true$' "$($CHECK stream vivid 320x180@25 40)"
        set_control wrap_timestamp=0
        during() {
            $CHECK stream vivid 320x180@25 120 &
            sleep 3
            set_control "$1"
            wait
        }
        expect "a flagged buffer is left out" 'damaged [1-9]' "$(during inject_v4l2_buf_flag_error=1)"
        expect "a stream that fails is started anew" '^frames 120 .* restarts [1-9]' "$(during inject_fatal_streaming_error=1)"
        set_control inject_vidioc_streamon_error=1
        expect "a start that fails is said" '^error: /dev/video0: cannot start streaming' "$($CHECK stream vivid 320x180@25 5)"
        set_control inject_vidioc_reqbufs_error=1
        expect "buffers that cannot be had are said" '^error: /dev/video0: cannot get buffers' "$($CHECK stream vivid 320x180@25 5)"
        expect "a camera pulled out in mid-stream" '^error: /dev/video0: was unplugged' "$(during disconnect=1)"
        ;;
    pair)
        text=$($CHECK pair platform:vivid-000#0 platform:vivid-001#0 320x180@25 40)
        expect "two cameras are one" '^pairs 40 with both eyes 40$' "$text"
        expect "their clocks are measured" '^40 pairs of frames: the second camera [0-9.]+ ms (ahead|behind), drifting by [-+][0-9]+ millionths, jitter [0-9.]+ ms$' "$text"
        ;;
    usb)
        [ -x "$WORK/uvc-camera" ] || { echo "test-camera: skipped: the USB cameras need a C compiler" >&2; exit 0; }
        "$WORK/uvc-camera" 0 "Camera L" 0001 & left=$!
        "$WORK/uvc-camera" 1 "Camera R" 0002 & right=$!
        for _ in $(seq 50); do [ "$($CHECK list | grep -c '| uvcvideo |')" = 2 ] && break; sleep 0.2; done
        list=$($CHECK list)
        expect "two cameras by their serial numbers" '^usb-1d6b-0102-0001#0 \| Camera L' "$list"
        expect "the other one" '^usb-1d6b-0102-0002#0 \| Camera R' "$list"
        expect "it streams" '^frames 10 .* restarts 0$' "$($CHECK stream usb-1d6b-0102-0001#0 320x240@15 10)"
        expect "exposure is held and reported" '^exposure: 0.05 s, ISO' "$($CHECK hold usb-1d6b-0102-0001#0 320x240@15 0.05)"
        node=$($CHECK list | sed -n 's/^usb-1d6b-0102-0001#0.*| //p')
        expect "and automatic again afterwards" 'auto_exposure.*value=8|auto_exposure.*value=3' "$(v4l2-ctl -d "$node" -L | grep auto_exposure)"
        expect "what it can be set to by hand is listed" 'set by hand: exposure, white balance, white-balance gains, focus, zoom$' "$("$TOOL" record --list 2>&1)"
        values() { v4l2-ctl -d "$node" -C auto_exposure,zoom_absolute,focus_automatic_continuous,focus_absolute,white_balance_automatic,white_balance_temperature; }
        before=$(values)
        held=$(
            $CHECK hold usb-1d6b-0102-0001#0 320x240@15 0.05 zoom=2 lens=0.2 kelvin=3200 >/dev/null &
            for _ in $(seq 100); do values | grep -q 'zoom_absolute: 200' && break; sleep 0.1; done
            values
            wait
        )
        expect "zoom in the units of the driver" '^zoom_absolute: 200$' "$held"
        expect "focus in the units of the driver" '^focus_absolute: 200$' "$held"
        expect "white balance in the units of the driver" '^white_balance_temperature: 3200$' "$held"
        [ "$before" = "$(values)" ] && expect "its controls are as before" . same || expect "its controls are as before" same "$before, $(values)"
        text=$(
            (sleep 25; kill $left) &
            record --camera usb-1d6b-0102-0001#0 --format 240p15
        )
        expect "unplugged in mid-take" '^rackfocus: the camera was unplugged; what was written is whole$' "$text"
        expect "the code says so" '^code 3$' "$text"
        expect "the movie is whole" '320x240' "$("$TOOL" inspect /tmp/take.mov 2>&1)"
        "$WORK/uvc-camera" 2 "Camera L" 0001 & left=$!
        for _ in $(seq 50); do $CHECK list | grep -q 0001#0 && break; sleep 0.2; done
        expect "plugged in again it is the same camera" '^frames 5 ' "$($CHECK stream usb-1d6b-0102-0001#0 320x240@15 5)"
        # eventually COMMAND: polls for 60 s until it succeeds.
        eventually() { for _ in $(seq 300); do "$@" && return; sleep 0.2; done; }
        rm -rf /tmp/take.*
        "$TOOL" record -o /tmp/take.mov --wait --camera usb-1d6b-0102-0001#0 --format 240p15 >/tmp/said 2>&1 & recording=$!
        eventually test -s /tmp/take.mov
        sleep 8
        kill $left
        eventually grep -q 'waiting for a camera' /tmp/said
        "$WORK/uvc-camera" 0 "Camera L" 0001 & left=$!
        eventually test -s /tmp/take-2.mov
        sleep 8
        kill -INT $recording
        wait $recording
        text="$(cat /tmp/said) code $?"
        expect "unplugged with --wait it is told" 'the camera was unplugged; what was written is whole' "$text"
        expect "and waited for" 'waiting for a camera' "$text"
        expect "plugged in again it is filmed on" 'in /tmp/take-2.mov' "$text"
        expect "and ends as asked" 'code 0$' "$text"
        for movie in take take-2; do expect "$movie.mov is whole" '320x240' "$("$TOOL" inspect /tmp/$movie.mov 2>&1)"; done
        kill $left $right
        head -c 8000000 /dev/urandom | aplay -q -D hw:0,0,0 -t raw -f S16_LE -c 4 -r 48000 & player=$!
        sleep 2
        expect "four channels through the loopback" '^sound: 4 channels, 4 heard' "$($CHECK sound plughw:0,1,0 4 1)"
        kill $player
        expect "a microphone that is not there" '^error: hw:9: there is no such microphone' "$($CHECK sound hw:9 1 1)"
        ;;
    output)
        # First node whose own capabilities, not its hardware's, are of a kind.
        first() {
            for node in /dev/video*; do
                v4l2-ctl -d "$node" -D | sed '1,/Device Caps/d' | grep -q "^[[:space:]]*Video $1$" && echo "$node" && return
            done
        }
        capture=$(first Capture) output=$(first Output)
        v4l2-ctl -d "$output" --set-dv-bt-timings index=1 >/dev/null 2>&1
        expect "a node that takes no pictures is refused" 'takes no pictures; v4l2loopback' "$($CHECK sink "$capture" 640x480@30 5)"
        v4l2-ctl -d "$capture" --set-dv-bt-timings index=1 >/dev/null 2>&1
        size=$(v4l2-ctl -d "$output" --get-fmt-video-out | sed -n 's|.*Width/Height *: *\([0-9]*\)/\([0-9]*\).*|\1x\2|p')
        expect "an output device takes pictures" '^shown 20 ' "$($CHECK sink "$output" "$size@30" 20)"
        command -v ffmpeg >/dev/null || exit "$failed"
        # The output's signal goes to the input, where another program reads it; each picture is of one grey.
        v4l2-ctl -d "$capture" -c loop_video=1,osd_text_mode=2
        $CHECK sink "$output" "$size@30" 500 >/dev/null & sink=$!
        sleep 2
        ffmpeg -v error -f v4l2 -input_format nv12 -i "$capture" -frames:v 2 -f rawvideo -pix_fmt gray /tmp/seen
        kill $sink
        expect "a stranger sees what was shown" '^greys 1 1$' "$(
            python3 -c 'b = open("/tmp/seen", "rb").read(); n = len(b) // 2; print("greys", len(set(b[:n])), len(set(b[n:])))'
        )"
        # The whole tool: a USB camera that shows a ramp from dark to light, mirrored, in the output, whose signal another program reads. Without it the
        # input is black. The lens is compiled first, for which an emulated processor takes a minute or two.
        [ -x "$WORK/uvc-camera" ] || exit "$failed"
        for device in "$output" "$capture"; do v4l2-ctl -d "$device" --set-dv-bt-timings index=0 >/dev/null 2>&1; done
        v4l2-ctl -d "$capture" -c test_pattern=5 --set-fmt-video=width=640,height=480,pixelformat=NV12
        "$WORK/uvc-camera" 0 "Camera L" 0001 & camera=$!
        for _ in $(seq 50); do $CHECK list | grep -q 0001#0 && break; sleep 0.2; done
        ramp() {
            python3 -c '
b = open("/tmp/seen", "rb").read()
row = b[640 * 240:640 * 241]
steps = [row[x] - row[x + 64] for x in range(32, 544, 64)]
print("ramp", len(b) >= 640 * 480 and min(steps) > 2 and max(steps) < 40, row[32], row[608])' 2>&1
        }
        "$TOOL" webcam --camera usb-1d6b-0102-0001#0 --format 480p10 --to "$output" --mirror --aperture 4 --lens-quality preview >/tmp/said 2>&1 & webcam=$!
        for _ in $(seq 60); do
            sleep 2
            kill -0 $webcam 2>/dev/null || break
            v4l2-ctl -d "$capture" --stream-mmap=2 --stream-count=1 --stream-to=/tmp/seen >/dev/null 2>&1
            grep -q 'ramp True' <<<"$(ramp)" && break
        done
        timeout 60 ffmpeg -v error -y -f v4l2 -input_format nv12 -i "$capture" -frames:v 1 -f rawvideo -pix_fmt gray /tmp/seen
        expect "a stranger sees the camera, mirrored" '^ramp True' "$(ramp)"
        [ -z "${KEEP:-}" ] || cp /tmp/seen "$WORK/webcam.gray"
        kill -INT $webcam
        wait $webcam
        text="$(cat /tmp/said) code $?"
        expect "the virtual camera ends as asked" ' code 0$' "$text"
        expect "and says what it has shown" '^[1-9][0-9]* of [0-9]+ pictures shown' "$text"
        kill $camera
        ;;
esac
exit $failed
