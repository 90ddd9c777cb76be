// Parts of Objective-C's run time that Swift's for Linux lacks: the base class of `actor X: NSObject`, for which linking the module suffices, and objects of
// classes that are known by their metadata alone.

#pragma once

// Calls an allocating initializer without parameters, as it lies in a class's table of methods, for a class; returns the object, owned by the caller.
const void *CSwiftRuntime_makeObject(const void *metadata, const void *initializer);
