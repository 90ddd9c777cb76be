#pragma once

// For loops written for the compiler's vectoriser: each processor takes the widest version it can run, and all give the same bits, as nothing is fused.
// (Only arithmetic in them: what a clone instantiates of a template may be missing where nothing else does.)
#define FAST __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#pragma STDC FP_CONTRACT OFF
