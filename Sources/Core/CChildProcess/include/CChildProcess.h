#pragma once
#include <sys/types.h>

/// A program to run, and how.
struct child_process_request {
    const char *path;
    char *const *arguments;
    char *const *environment;
    /// Standard streams of the program.
    int input, output, errors;
    /// Sent to the program, and to what it has started, when this process ends; after two seconds SIGKILL follows.
    int death_signal;
};

/// Starts a program under a guard, which leads a process group of its own, ends as the program ends, and ends it when this process is gone.
///
/// The guard is a fork that executes nothing: it waits for the program and for the end of `*alive`, which closes with this process whatever
/// ends that, and from whichever thread this was called. Gives 0 or an errno; `*guard` is to be waited for, and `*alive` to be closed after.
int child_process_start(const struct child_process_request *request, pid_t *guard, int *alive);
