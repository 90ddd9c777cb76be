#define _GNU_SOURCE
#include "CChildProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Between fork and exec, and in the guard, only what is async-signal-safe is called: other threads may hold any lock.

/// Closes every descriptor from 3 on but two.
static void close_others(int kept, int also) {
    int low = kept < also ? kept : also, high = kept < also ? also : kept;
#ifdef SYS_close_range
    if ((low <= 3 || syscall(SYS_close_range, 3, low - 1, 0) == 0) && (high <= low + 1 || syscall(SYS_close_range, low + 1, high - 1, 0) == 0) &&
        syscall(SYS_close_range, high + 1, ~0U, 0) == 0)
        return;
#endif
    struct rlimit limit;
    int end = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536 ? (int)limit.rlim_cur : 65536;
    for (int descriptor = 3; descriptor < end; descriptor++)
        if (descriptor != kept && descriptor != also)
            close(descriptor);
}

/// Handlers belong to the program that set them; what is ignored stays so, but for the signal that is to end the child.
static void reset_signals(int death_signal) {
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_DFL)
            continue;
        if (action.sa_handler == SIG_IGN && number != death_signal)
            continue;
        action = (struct sigaction){.sa_handler = SIG_DFL};
        sigaction(number, &action, NULL);
    }
}

static _Noreturn void fail(int report) {
    int code = errno;
    ssize_t written = write(report, &code, sizeof code);
    _exit(written == sizeof code ? 127 : 126);
}

static _Noreturn void execute(const struct child_process_request *request, pid_t guard, int report) {
    sigset_t none;
    sigemptyset(&none);
    // Should somebody kill the guard itself. The guard has one thread, which this setting belongs to.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != guard)
        _exit(127);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(request->path, request->arguments, request->environment);
    fail(report);
}

static void on_child(int number) { (void)number; }

/// Ends as the child did.
static _Noreturn void repeat(int status) {
    if (WIFEXITED(status))
        _exit(WEXITSTATUS(status));
    int number = WTERMSIG(status);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    _exit(128 + number);
}

static _Noreturn void watch(pid_t child, int alive, int death_signal) {
    struct sigaction action = {.sa_handler = on_child};
    sigaction(SIGCHLD, &action, NULL);
    sigset_t waiting;
    sigfillset(&waiting);
    sigdelset(&waiting, SIGCHLD);
    struct timespec patience = {2, 0};
    int is_ending = 0;
    for (;;) {
        int status;
        pid_t ended;
        do
            ended = waitpid(child, &status, WNOHANG);
        while (ended < 0 && errno == EINTR);
        if (ended == child) {
            if (is_ending)
                kill(0, SIGKILL);
            repeat(status);
        }
        struct pollfd parent = {alive, POLLIN, 0};
        int count = ppoll(&parent, is_ending ? 0 : 1, is_ending ? &patience : NULL, &waiting);
        if (count == 0)
            kill(0, SIGKILL);
        if (count > 0) {
            is_ending = 1;
            kill(0, death_signal);
        }
    }
}

static _Noreturn void guard(const struct child_process_request *request, int alive, int report) {
    setpgid(0, 0);
    // One of these took the number of a standard stream that the parent had closed.
    alive = fcntl(alive, F_DUPFD_CLOEXEC, 3);
    report = fcntl(report, F_DUPFD_CLOEXEC, 3);
    int streams[3] = {request->input, request->output, request->errors};
    for (int i = 0; i < 3; i++)
        streams[i] = fcntl(streams[i], F_DUPFD_CLOEXEC, 3);
    for (int i = 0; i < 3; i++)
        if (dup2(streams[i], i) < 0)
            fail(report);
    close_others(alive, report);
    reset_signals(request->death_signal);
    pid_t own = getpid(), child = fork();
    if (child < 0)
        fail(report);
    if (child == 0)
        execute(request, own, report);
    close(report);
    // The guard holds none of the child's streams: their readers wait for the child alone.
    for (int i = 0; i < 3; i++)
        close(i);
    watch(child, alive, request->death_signal);
}

int child_process_start(const struct child_process_request *request, pid_t *started, int *alive) {
    int life[2], report[2];
    if (pipe2(life, O_CLOEXEC) != 0)
        return errno;
    if (pipe2(report, O_CLOEXEC) != 0) {
        int code = errno;
        close(life[0]);
        close(life[1]);
        return code;
    }
    // A handler of this process must not run in the guard.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    int code = child < 0 ? errno : 0;
    if (child == 0)
        guard(request, life[0], report[1]);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(life[0]);
    close(report[1]);
    ssize_t count = 0;
    if (code == 0) {
        do
            count = read(report[0], &code, sizeof code);
        while (count < 0 && errno == EINTR);
        if (count != sizeof code)
            code = 0;
        if (code != 0)
            while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
            }
    }
    close(report[0]);
    if (code != 0) {
        close(life[1]);
        return code;
    }
    *started = child;
    *alive = life[1];
    return 0;
}
