/* status.h - what a call of the harness can answer. 0 is success, errors are negative; the message has been printed to
 * stderr where the cause was known, so callers only pass the code up. exit_code() maps it for main(). */
#ifndef NARROWS_HARNESS_STATUS_H
#define NARROWS_HARNESS_STATUS_H

#include <stdarg.h>
#include <stdio.h>

enum nw_status {
    NW_OK = 0,
    NW_ENOMEM = -1,
    NW_EINPUT = -2,  /* a scenario, an argument or a data file is wrong */
    NW_EIO = -3,     /* a file, a directory or a process failed */
    NW_EDB = -4,     /* the database refused: locked too long, full, foreign, newer than this program */
    NW_ESIM = -5,    /* the simulator refused a point */
    NW_EENV = -6,    /* something this command needs is not on this machine (no GPU, no gnuplot) */
    NW_EINTR = -130, /* stopped by SIGINT or SIGTERM; what was finished is stored */
};

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_MISUSED = 2, EXIT_ENVIRONMENT = 3, EXIT_INTERRUPTED = 130 };

/* Print why to stderr, and answer the status: an error in one statement. */
static inline __attribute__((format(printf, 2, 3))) int status_error(int status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    return status;
}

/* A command that already speaks in exit codes passes through. */
static inline int exit_code(int status)
{
    if (status > 0)
        return status;
    switch (status) {
    case NW_OK: return EXIT_DONE;
    case NW_EINPUT: return EXIT_MISUSED;
    case NW_EENV: return EXIT_ENVIRONMENT;
    case NW_EINTR: return EXIT_INTERRUPTED;
    default: return EXIT_FAILED;
    }
}

#endif
