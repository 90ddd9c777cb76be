// Definition of OBJC_CLASS_$_SwiftNativeNSObject, the superclass that the compiler gives to `actor X: NSObject`.
//
// Apple's run time has the class; on Linux the compiler names it all the same, and such an actor does not link. The symbol is the address
// point of a copy of the metadata of ActorBase, a class of Swift derived from NSObject without a field. It is copied before main, as
// metadata holds addresses that the loader alone knows. Layout: "Type Metadata" in Swift's ABI documents, class metadata without the
// Objective-C fields.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if UINTPTR_MAX != UINT64_MAX
#error "the layout below is that of Swift on 64-bit systems"
#endif

struct ClassMetadata {
    uintptr_t kind;
    const void *superclass;
    uint32_t flags;
    uint32_t instance_address_point;
    uint32_t instance_size;
    uint16_t instance_alignment_mask;
    uint16_t reserved;
    // Bytes in all, and those before the address point.
    uint32_t class_size;
    uint32_t class_address_point;
    const void *description;
};

// Room before and after the address point, bytes. Swift 6.3 needs 24 and 256.
#define BEFORE 64
#define AFTER 4096

__attribute__((aligned(16), used)) char CActorBase_metadata[BEFORE + AFTER];
__asm__(".globl OBJC_CLASS_$_SwiftNativeNSObject\n"
        ".type OBJC_CLASS_$_SwiftNativeNSObject, @object\n"
        ".set OBJC_CLASS_$_SwiftNativeNSObject, CActorBase_metadata + 64\n");
_Static_assert(BEFORE == 64, "the offset in the assembly above");

// Of Swift: the metadata of ActorBase and that of NSObject.
extern const struct ClassMetadata *CActorBase_class(void);
extern const struct ClassMetadata *CActorBase_superclass(void);

static void check(int holds, const char *what) {
    if (holds)
        return;
    fprintf(
        stderr,
        "Sources/Apple/CSwiftRuntime/SwiftNativeNSObject.c: %s, so that `actor X: NSObject` cannot work; build with Swift 6.3, or report the "
        "compiler\n",
        what);
    abort();
}

__attribute__((constructor)) static void copy_metadata(void) {
    const struct ClassMetadata *base = CActorBase_class(), *object = CActorBase_superclass();
    check(base->superclass == object, "class metadata does not hold the superclass in its second word");
    check(base->instance_size == object->instance_size, "a class without fields is larger than its superclass");
    check(base->instance_size == 2 * sizeof(void *) && base->instance_address_point == 0, "NSObject is larger than its header");
    check(base->class_address_point <= BEFORE, "class metadata has more than 64 bytes before its address point");
    check(
        base->class_size > base->class_address_point && base->class_size - base->class_address_point <= AFTER,
        "class metadata is larger than 4096 bytes");
    memcpy(CActorBase_metadata + BEFORE - base->class_address_point, (const char *)base - base->class_address_point, base->class_size);
}
