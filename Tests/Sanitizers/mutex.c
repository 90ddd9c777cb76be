// Tells ThreadSanitizer of the contended half of Swift's Mutex, which lies in a library that is not instrumented: without it every
// contended lock looks like none. Preloaded by `make sanitize`.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));

static const char lock_name[] = "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF";
static const char unlock_name[] = "$s15Synchronization12_MutexHandleV11_unlockSlowyyF";

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void unlock_slow(SELF void *mutex) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    static SWIFT void (*next)(uint32_t, SELF void *);
    if (!next)
        next = dlsym(RTLD_NEXT, lock_name);
    next(thread, mutex);
    if (__tsan_acquire)
        __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) {
    static SWIFT void (*next)(SELF void *);
    if (!next)
        next = dlsym(RTLD_NEXT, unlock_name);
    if (__tsan_release)
        __tsan_release(mutex);
    next(mutex);
}
