// Swift's calling convention: the metatype of an allocating initializer is its `self`, which has a register of its own.

#include "CSwiftRuntime.h"

typedef __attribute__((swiftcall)) const void *(*Initializer)(__attribute__((swift_context)) const void *metatype);

const void *CSwiftRuntime_makeObject(const void *metadata, const void *initializer) { return ((Initializer)initializer)(metadata); }
