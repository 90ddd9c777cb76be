// USB camera in user space, for the virtual machine of run.sh: it speaks USB/IP over a socket that the kernel's vhci_hcd holds at the other end, so that
// the kernel's own uvcvideo drives it. A UVC 1.0 camera with bulk transfer: YUYV in two sizes at 30, 15 and 10 frames a second, and controls of
// exposure (mode and time), focus, zoom, white balance, brightness and gain.
//
//     uvc-camera PORT NAME SERIAL        as root; its end is the unplugging
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define W(x) (uint8_t)(x), (uint8_t)((x) >> 8)
#define D(x) W((uint32_t)(x)), W((uint32_t)(x) >> 16)

enum { SUBMIT = 1, UNLINK = 2, SUBMITTED = 3, UNLINKED = 4, STALL = -32, RESET = -104, HEADER = 12, MOST_REQUESTS = 64 };
enum { SET_CURRENT = 1, CURRENT = 0x81, LEAST = 0x82, MOST = 0x83, STEP = 0x84, LENGTH = 0x85, INFO = 0x86 };

static const struct {
    int width, height;
} sizes[] = {{640, 480}, {320, 240}};

static const uint8_t device[] = {18, 1, W(0x200), 0xef, 2, 1, 64, W(0x1d6b), W(0x0102), W(0x100), 1, 2, 3, 1};

// Descriptor of a size: bit rates, bytes of a picture, and three frame intervals in 100 ns.
#define FRAME(n, w, h) 38, 0x24, 5, n, 0, W(w), W(h), D(w *h * 160), D(w *h * 480), D(w *h * 2), D(333333), 3, D(333333), D(666666), D(1000000)

static uint8_t configuration[] = {
    9,
    2,
    0,
    0,
    2,
    1,
    0,
    0x80,
    50,
    // association of both interfaces: video
    8,
    11,
    0,
    2,
    0x0e,
    3,
    0,
    2,
    // control interface: a camera terminal, a processing unit, an output terminal
    9,
    4,
    0,
    0,
    0,
    0x0e,
    1,
    0,
    2,
    13,
    0x24,
    1,
    W(0x100),
    W(13 + 18 + 11 + 9),
    D(48000000),
    1,
    1,
    18,
    0x24,
    2,
    1,
    W(0x201),
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    3,
    0x2a,
    0x02,
    0x02,
    11,
    0x24,
    5,
    2,
    1,
    0,
    0,
    2,
    0x41,
    0x12,
    0,
    9,
    0x24,
    3,
    3,
    W(0x101),
    0,
    2,
    0,
    // streaming interface: one uncompressed format of two sizes, bulk endpoint 1
    9,
    4,
    1,
    0,
    1,
    0x0e,
    2,
    0,
    0,
    14,
    0x24,
    1,
    1,
    W(14 + 27 + 38 * 2 + 6),
    0x81,
    0,
    3,
    0,
    0,
    0,
    1,
    0,
    27,
    0x24,
    4,
    1,
    2,
    'Y',
    'U',
    'Y',
    '2',
    0,
    0,
    0x10,
    0,
    0x80,
    0,
    0,
    0xaa,
    0,
    0x38,
    0x9b,
    0x71,
    16,
    1,
    0,
    0,
    0,
    0,
    FRAME(1, 640, 480),
    FRAME(2, 320, 240),
    6,
    0x24,
    0x0d,
    1,
    1,
    4,
    7,
    5,
    0x81,
    2,
    W(512),
    0,
};

static struct control {
    int unit, selector, bytes;
    int32_t least, most, step, standard, value;
} controls[] = {
    // Modes of exposure are bits: 1 by hand, 8 aperture priority; the step of the mode names those there are.
    {1, 2, 1, 1, 8, 9, 8, 8},
    {1, 4, 4, 1, 10000, 1, 156, 156},
    {2, 2, 2, -64, 64, 1, 0, 0},
    {2, 4, 2, 0, 255, 1, 16, 16},
    // Focus and its automatics, zoom from 1 to 4 times, colour temperature and its automatics.
    {1, 6, 2, 0, 250, 5, 0, 0},
    {1, 8, 1, 0, 1, 1, 1, 1},
    {1, 11, 2, 100, 400, 1, 100, 100},
    {2, 10, 2, 2800, 6500, 10, 4600, 4600},
    {2, 11, 1, 0, 1, 1, 1, 1},
};

static int line;
static const char *words[4];
static uint8_t probe[26] = {1, 0, 1, 1};
static int size;
static uint32_t interval = 333333;
static uint8_t picture[HEADER + 640 * 480 * 2];
static uint32_t length, position;
static int parity;
static double next;
static struct {
    uint32_t number, bytes;
} waiting[MOST_REQUESTS];
static int waitingCount;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void put(const void *bytes, size_t count) {
    while (count) {
        ssize_t written = write(line, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            exit(0);
        bytes = (const char *)bytes + written, count -= written;
    }
}

static void get(void *bytes, size_t count) {
    while (count) {
        ssize_t got = read(line, bytes, count);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            exit(0);
        bytes = (char *)bytes + got, count -= got;
    }
}

static void answer(uint32_t number, int status, const void *bytes, uint32_t count, int isIn) {
    uint32_t header[12] = {htonl(SUBMITTED), htonl(number), 0, 0, 0, htonl(status), htonl(count)};
    put(header, sizeof header);
    if (isIn && count)
        put(bytes, count);
}

// Settles on a size and an interval that there are.
static void negotiate(const uint8_t *wish) {
    int number = wish[3] == 2 ? 2 : 1;
    uint32_t asked;
    memcpy(&asked, wish + 4, 4);
    asked = asked <= 333333 ? 333333 : asked <= 666666 ? 666666 : 1000000;
    uint32_t bytes = sizes[number - 1].width * sizes[number - 1].height * 2, transfer = bytes + HEADER;
    memset(probe, 0, sizeof probe);
    probe[0] = 1, probe[2] = 1, probe[3] = number;
    memcpy(probe + 4, &asked, 4);
    memcpy(probe + 18, &bytes, 4);
    memcpy(probe + 22, &transfer, 4);
}

// A ramp from left to right, as bright as brightness and exposure by hand make it.
static void paint(void) {
    int width = sizes[size].width, height = sizes[size].height;
    int base = 100 + controls[2].value + (controls[0].value == 1 ? (controls[1].value - 156) / 8 : 0);
    uint32_t stamp = (uint32_t)(now() * 48e6);
    picture[0] = HEADER, picture[1] = 0x8e | (parity ^= 1);
    memcpy(picture + 2, &stamp, 4);
    memcpy(picture + 6, &stamp, 4);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int value = base + x * 100 / width;
            picture[HEADER + 2 * (y * width + x)] = value < 16 ? 16 : value > 235 ? 235 : value;
            picture[HEADER + 2 * (y * width + x) + 1] = 128;
        }
    }
    length = HEADER + width * height * 2, position = 0;
}

// Answers the transfers that wait, as far as the pictures are due.
static void stream(void) {
    while (waitingCount) {
        if (position >= length) {
            if (now() < next)
                return;
            next += interval * 1e-7;
            if (next < now() - 0.2)
                next = now();
            paint();
        }
        uint32_t count = length - position < waiting[0].bytes ? length - position : waiting[0].bytes;
        answer(waiting[0].number, 0, picture + position, count, 1);
        position += count;
        memmove(waiting, waiting + 1, sizeof waiting[0] * --waitingCount);
    }
}

static int describe(int kind, int index, uint8_t *out) {
    if (kind == 1)
        return memcpy(out, device, sizeof device), (int)sizeof device;
    if (kind == 2)
        return memcpy(out, configuration, sizeof configuration), (int)sizeof configuration;
    if (kind != 3)
        return -1;
    if (!index)
        return memcpy(out, (uint8_t[]){4, 3, 9, 4}, 4), 4;
    if (index > 3)
        return -1;
    int count = 2 + 2 * (int)strlen(words[index]);
    out[0] = count, out[1] = 3;
    for (int i = 0; words[index][i]; i++)
        out[2 + 2 * i] = words[index][i];
    return count;
}

static int streamRequest(int request, int selector, const uint8_t *in, uint8_t *out) {
    if (selector != 1 && selector != 2)
        return -1;
    if (request == INFO)
        return out[0] = 3, 1;
    if (request == LENGTH)
        return out[0] = sizeof probe, 2;
    if (request != SET_CURRENT)
        return memcpy(out, probe, sizeof probe), (int)sizeof probe;
    negotiate(in);
    if (selector == 2) {
        size = probe[3] - 1, length = position = 0, next = now();
        memcpy(&interval, probe + 4, 4);
    }
    return 0;
}

static int controlRequest(int request, int unit, int selector, const uint8_t *in, uint8_t *out) {
    if (!unit && selector == 2)
        return 1;
    for (struct control *control = controls; control < controls + sizeof controls / sizeof *controls; control++) {
        if (control->unit != unit || control->selector != selector)
            continue;
        if (request == SET_CURRENT) {
            // The time of exposure is the camera's own while that is automatic.
            if (control == controls + 1 && controls[0].value != 1)
                return -1;
            int32_t value = 0;
            memcpy(&value, in, control->bytes);
            control->value = control->bytes == 2 ? (int16_t)value : value;
            return 0;
        }
        if (request == INFO)
            return out[0] = 3, 1;
        int32_t value = request == CURRENT ? control->value
            : request == LEAST             ? control->least
            : request == MOST              ? control->most
            : request == STEP              ? control->step
                                           : control->standard;
        memcpy(out, &value, control->bytes);
        return control->bytes;
    }
    return -1;
}

// Answers a request on endpoint 0, of the eight bytes `setup`.
static void control(uint32_t number, const uint8_t *setup, const uint8_t *in, uint32_t inCount) {
    static uint8_t out[512];
    memset(out, 0, sizeof out);
    int value = setup[2] | setup[3] << 8, index = setup[4] | setup[5] << 8, most = setup[6] | setup[7] << 8, count = -1;
    if ((setup[0] & 0x60) == 0x20) {
        count = (index & 255) == 1 ? streamRequest(setup[1], value >> 8, in, out) : controlRequest(setup[1], index >> 8, value >> 8, in, out);
    } else if (setup[0] == 0x80 && setup[1] == 6) {
        count = describe(value >> 8, value & 255, out);
    } else if (!(setup[0] & 0x80)) {
        count = 0;
    } else if (setup[1] == 0) {
        count = 2;
    } else if (setup[1] == 10) {
        count = 1;
    }
    if (count < 0) {
        answer(number, STALL, NULL, 0, 1);
    } else if (setup[0] & 0x80) {
        answer(number, 0, out, count < most ? count : most, 1);
    } else {
        answer(number, 0, NULL, inCount, 0);
    }
}

static void withdraw(uint32_t number, uint32_t other) {
    int status = 0;
    for (int i = 0; i < waitingCount; i++) {
        if (waiting[i].number != other)
            continue;
        memmove(waiting + i, waiting + i + 1, sizeof waiting[0] * (--waitingCount - i));
        status = RESET;
        break;
    }
    uint32_t header[12] = {htonl(UNLINKED), htonl(number), 0, 0, 0, htonl(status)};
    put(header, sizeof header);
}

static void serve(void) {
    uint32_t header[12];
    static uint8_t in[4096];
    get(header, sizeof header);
    uint32_t command = ntohl(header[0]), number = ntohl(header[1]), isIn = ntohl(header[3]), endpoint = ntohl(header[4]);
    if (command == UNLINK)
        return withdraw(number, ntohl(header[5]));
    if (command != SUBMIT)
        return;
    uint32_t count = ntohl(header[6]);
    if (!isIn && count) {
        if (count > sizeof in)
            exit(1);
        get(in, count);
    }
    if (!endpoint) {
        control(number, (const uint8_t *)(header + 10), in, count);
    } else if (isIn && waitingCount < MOST_REQUESTS) {
        waiting[waitingCount].number = number, waiting[waitingCount++].bytes = count;
    } else {
        answer(number, STALL, NULL, 0, 1);
    }
}

int main(int count, char **arguments) {
    if (count != 4)
        return fprintf(stderr, "uvc-camera PORT NAME SERIAL\n"), 64;
    int port = atoi(arguments[1]), pair[2];
    words[1] = "rackfocus", words[2] = arguments[2], words[3] = arguments[3];
    configuration[2] = sizeof configuration & 255, configuration[3] = sizeof configuration >> 8;
    negotiate((uint8_t[26]){1, 0, 1, 1});
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return perror("socketpair"), 1;
    int attach = open("/sys/devices/platform/vhci_hcd.0/attach", O_WRONLY);
    if (attach < 0)
        return perror("vhci_hcd"), 1;
    char text[64];
    // The last number is the speed: high.
    int bytes = snprintf(text, sizeof text, "%d %d %d 3", port, pair[1], 0x10002 + port);
    if (write(attach, text, bytes) != bytes)
        return perror("attach"), 1;
    close(attach);
    close(pair[1]);
    line = pair[0];
    while (1) {
        struct pollfd wanted = {line, POLLIN, 0};
        int rest = !waitingCount ? -1 : position < length ? 0 : (int)((next - now()) * 1000) + 1;
        if (poll(&wanted, 1, waitingCount && rest < 0 ? 0 : rest) > 0)
            serve();
        stream();
    }
}
