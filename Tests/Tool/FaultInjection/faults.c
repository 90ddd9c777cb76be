// Fails one call of a program at the seam to C: the FAULT_AT-th call of FAULT_CALL, in all processes that inherit the environment, counted
// together in the file FAULT_TALLY. Preloaded by `FaultTests` and `make faults`; nothing in the product knows of it.
//
//     FAULT_CALL   a function below, or `memory`: what libavformat, libavcodec, libavutil and libswscale ask malloc and its kin for; without it
//                  every call is counted in FAULT_TALLY, and none fails
//     FAULT_AT     number of the call, from 1
//     FAULT_ERROR  errno, VkResult or AVERROR that it fails with; 0 and `short`: a write that takes one byte
//     FAULT_LASTS  whether all calls after it fail, too, as on a full disk
//     FAULT_BELOW  only files below this folder, for calls that name a file or hold its descriptor
//     FAULT_LOG    a file to which a line is written as the call fails
//
// Functions of libraries are called with eight words whatever they take: more than they read does no harm on x86-64 and arm64.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static char call[64], below[1024], journal[1024];
static size_t below_length;
static long at, failure;
static int lasts, is_short, is_on, is_of_memory;
/// Calls so far, in the file that all processes share: in the first of them those that are to fail, else each place below in one of its own.
static struct tally {
    char name[56];
    _Atomic long count;
} *tallies;
enum { TALLIES = 128 };
static struct {
    uintptr_t start, end;
} media[8];
static int media_count;

static int note_library(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size;
    (void)unused;
    // Swift's own libraries begin with "libsw", too.
    static const char *const names[] = {"/libavformat", "/libavcodec", "/libavutil", "/libswscale", "/libswresample"};
    int is_media = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is_media |= strstr(info->dlpi_name, names[i]) != NULL;
    if (!is_media)
        return 0;
    for (int i = 0; i < info->dlpi_phnum && media_count < 8; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
            continue;
        media[media_count].start = info->dlpi_addr + part->p_vaddr;
        media[media_count++].end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
    }
    return 0;
}

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("FAULT_CALL"), *file = getenv("FAULT_TALLY");
    if (!file)
        return;
    const char *error = getenv("FAULT_ERROR"), *folder = getenv("FAULT_BELOW"), *log = getenv("FAULT_LOG");
    at = name ? atol(getenv("FAULT_AT") ?: "1") : 0;
    is_of_memory = !name || strcmp(name, "memory") == 0;
    lasts = getenv("FAULT_LASTS") != NULL;
    is_short = error && strcmp(error, "short") == 0;
    failure = error ? atol(error) : EIO;
    snprintf(call, sizeof call, "%s", name ?: "");
    snprintf(below, sizeof below, "%s", folder ?: "");
    snprintf(journal, sizeof journal, "%s", log ?: "");
    below_length = strlen(below);
    dl_iterate_phdr(note_library, NULL);
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0 || syscall(SYS_ftruncate, descriptor, TALLIES * sizeof *tallies) != 0)
        return;
    void *memory = mmap(NULL, TALLIES * sizeof *tallies, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    syscall(SYS_close, descriptor);
    if (memory == MAP_FAILED)
        return;
    tallies = memory;
    is_on = 1;
}

/// Whether calls of this name count.
static int is_wanted(const char *name) { return is_on && (at == 0 || strcmp(name, call) == 0); }

/// Counts a call at a place of its own; whether it is to fail.
static int fails(const char *name, int place) {
    if (!is_wanted(name))
        return 0;
    struct tally *tally = &tallies[at == 0 ? place : 0];
    // Every process writes the same.
    snprintf(tally->name, sizeof tally->name, "%s", name);
    long number = atomic_fetch_add(&tally->count, 1) + 1;
    int hit = at > 0 && (number == at || (lasts && number > at));
    if (hit && number == at && journal[0]) {
        char line[160];
        int length = snprintf(line, sizeof line, "%s %ld %ld in %d\n", name, number, failure, getpid());
        int descriptor = (int)syscall(SYS_openat, AT_FDCWD, journal, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        syscall(SYS_write, descriptor, line, (size_t)length);
        syscall(SYS_close, descriptor);
    }
    return hit;
}

static int is_path_below(const char *path) {
    if (!below_length)
        return 1;
    if (!path)
        return 0;
    if (path[0] == '/')
        return strncmp(path, below, below_length) == 0;
    char folder[1024], whole[2048];
    if (!getcwd(folder, sizeof folder))
        return 0;
    snprintf(whole, sizeof whole, "%s/%s", folder, path);
    return strncmp(whole, below, below_length) == 0;
}

static int is_below(int descriptor) {
    if (!below_length)
        return 1;
    char link[48], path[1024];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return strncmp(path, below, below_length) == 0;
}

/// The place of a call in the tally.
#define FAILS(name) fails(name, __COUNTER__)

static long fail(void) {
    errno = (int)failure;
    return -1;
}

/// The function that this one stands before.
#define NEXT(symbol) \
    static typeof(&symbol) next; \
    if (!next) \
    next = (typeof(&symbol))dlsym(RTLD_NEXT, #symbol)

// Calls that name a file, and calls that hold its descriptor.

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        NEXT(name); \
        va_list rest; \
        va_start(rest, flags); \
        int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0; \
        va_end(rest); \
        if (is_wanted("open") && is_path_below(path) && FAILS("open")) \
            return (int)fail(); \
        return next(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define NAMED(symbol, seam, parameters, arguments) \
    int symbol parameters { \
        NEXT(symbol); \
        if (is_wanted(seam) && is_path_below(path) && FAILS(seam)) \
            return (int)fail(); \
        return next arguments; \
    }
NAMED(mkdir, "mkdir", (const char *path, mode_t mode), (path, mode))
NAMED(rename, "rename", (const char *path, const char *to), (path, to))
NAMED(link, "link", (const char *path, const char *to), (path, to))

int renameat2(int from, const char *path, int in, const char *to, unsigned flags) {
    NEXT(renameat2);
    if (is_wanted("rename") && is_path_below(path) && FAILS("rename"))
        return (int)fail();
    return next(from, path, in, to, flags);
}

#define HELD(result, symbol, seam, parameters, arguments) \
    result symbol parameters { \
        NEXT(symbol); \
        if (is_wanted(seam) && is_below(descriptor) && FAILS(seam)) \
            return (result)fail(); \
        return next arguments; \
    }
HELD(int, fsync, "fsync", (int descriptor), (descriptor))
HELD(int, ftruncate, "ftruncate", (int descriptor, off_t size), (descriptor, size))
HELD(int, ftruncate64, "ftruncate", (int descriptor, off_t size), (descriptor, size))
HELD(ssize_t, read, "read", (int descriptor, void *bytes, size_t count), (descriptor, bytes, count))
HELD(ssize_t, pread, "read", (int descriptor, void *bytes, size_t count, off_t place), (descriptor, bytes, count, place))
HELD(ssize_t, pread64, "read", (int descriptor, void *bytes, size_t count, off_t place), (descriptor, bytes, count, place))

#define WRITE(symbol, parameters, arguments) \
    ssize_t symbol parameters { \
        NEXT(symbol); \
        if (is_wanted("write") && is_below(descriptor) && FAILS("write")) { \
            if (!is_short) \
                return fail(); \
            if (count > 1) \
                count = 1; \
        } \
        return next arguments; \
    }
WRITE(write, (int descriptor, const void *bytes, size_t count), (descriptor, bytes, count))
WRITE(pwrite, (int descriptor, const void *bytes, size_t count, off_t place), (descriptor, bytes, count, place))
WRITE(pwrite64, (int descriptor, const void *bytes, size_t count, off_t place), (descriptor, bytes, count, place))

// The descriptor is closed all the same, as Linux does.
int close(int descriptor) {
    NEXT(close);
    int is_hit = is_wanted("close") && is_below(descriptor) && FAILS("close"), result = next(descriptor);
    return is_hit ? (int)fail() : result;
}

// Calls without a file.

#define PLAIN(result, symbol, parameters, arguments) \
    result symbol parameters { \
        NEXT(symbol); \
        if (FAILS(#symbol)) \
            return (result)fail(); \
        return next arguments; \
    }
struct pollfd;
struct timespec;
PLAIN(pid_t, fork, (void), ())
PLAIN(int, pipe, (int ends[2]), (ends))
PLAIN(int, pipe2, (int ends[2], int flags), (ends, flags))
PLAIN(int, socketpair, (int domain, int type, int protocol, int ends[2]), (domain, type, protocol, ends))
PLAIN(int, shm_open, (const char *name, int flags, mode_t mode), (name, flags, mode))
PLAIN(int, poll, (struct pollfd * files, unsigned long count, int timeout), (files, count, timeout))
PLAIN(int, waitid, (int kind, unsigned number, void *information, int options), (kind, number, information, options))
PLAIN(pid_t, waitpid, (pid_t number, int *status, int options), (number, status, options))
PLAIN(ssize_t, send, (int socket, const void *bytes, size_t count, int flags), (socket, bytes, count, flags))
PLAIN(ssize_t, recv, (int socket, void *bytes, size_t count, int flags), (socket, bytes, count, flags))

// Memory that FFmpeg asks for.

static int is_media(void *caller) {
    for (int i = 0; i < media_count; i++)
        if ((uintptr_t)caller >= media[i].start && (uintptr_t)caller < media[i].end)
            return 1;
    return 0;
}

#define WANTS (is_on && is_of_memory && is_media(__builtin_return_address(0)) && FAILS("memory"))

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

void *malloc(size_t size) { return WANTS ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return WANTS ? NULL : __libc_calloc(count, size); }
void *realloc(void *memory, size_t size) { return WANTS ? NULL : __libc_realloc(memory, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    NEXT(posix_memalign);
    return WANTS ? ENOMEM : next(memory, alignment, size);
}

// Functions of FFmpeg and Vulkan, which give what FAULT_ERROR says; those that make something give NULL.

#define WORDS (long a, long b, long c, long d, long e, long f, long g, long h)
#define FOREIGN(symbol, result) \
    long symbol WORDS { \
        NEXT(symbol); \
        if (FAILS(#symbol)) \
            return result; \
        return next(a, b, c, d, e, f, g, h); \
    }
#define CODE(symbol) FOREIGN(symbol, failure)
#define MAKER(symbol) FOREIGN(symbol, 0)

MAKER(av_frame_alloc)
MAKER(av_packet_alloc)
MAKER(av_buffer_create)
MAKER(avcodec_alloc_context3)
MAKER(avformat_alloc_context)
MAKER(avformat_new_stream)
MAKER(avio_alloc_context)
MAKER(sws_getContext)
CODE(avformat_alloc_output_context2)
CODE(av_frame_get_buffer)
CODE(avcodec_open2)
CODE(avcodec_parameters_copy)
CODE(avcodec_parameters_from_context)
CODE(avcodec_send_frame)
CODE(avcodec_receive_packet)
CODE(avcodec_send_packet)
CODE(avcodec_receive_frame)
CODE(avformat_open_input)
CODE(avformat_find_stream_info)
CODE(av_read_frame)
CODE(avio_open)
CODE(avformat_write_header)
CODE(av_interleaved_write_frame)
CODE(av_write_frame)
CODE(av_write_trailer)
CODE(avio_closep)
CODE(sws_scale)
CODE(vkCreateInstance)
CODE(vkCreateDevice)
CODE(vkCreateBuffer)
CODE(vkCreateImage)
CODE(vkCreateImageView)
CODE(vkCreateShaderModule)
CODE(vkCreateComputePipelines)
CODE(vkCreatePipelineCache)
CODE(vkCreatePipelineLayout)
CODE(vkCreateDescriptorPool)
CODE(vkCreateDescriptorSetLayout)
CODE(vkCreateCommandPool)
CODE(vkCreateFence)
CODE(vkCreateQueryPool)
CODE(vkAllocateMemory)
CODE(vkAllocateCommandBuffers)
CODE(vkAllocateDescriptorSets)
CODE(vkBindBufferMemory)
CODE(vkBindImageMemory)
CODE(vkMapMemory)
CODE(vkBeginCommandBuffer)
CODE(vkEndCommandBuffer)
CODE(vkQueueSubmit)
CODE(vkWaitForFences)
CODE(vkResetFences)
