/* events.h - the objects of a large JSON list, one after another, without the list in memory: the events of a trace.
 * Form       the list itself, or an object with a key "traceEvents" that holds it; its other keys are skipped.
 * Memory     that of the largest object, which is MOST_EVENT_B at most.
 * Errors     0 or a negative nw_status, the reason written to 'err' as "NAME: byte N: what was expected, what was
 *            found". What each() answers ends the reading if it is not 0, and is returned. */
#ifndef NARROWS_HARNESS_IMPORT_KINETO_EVENTS_H
#define NARROWS_HARNESS_IMPORT_KINETO_EVENTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { MOST_EVENT_B = 1 << 26 };

/* Where bytes come from: so many at most into 'into'; 0 at the end, negative after an error, whose message was
 * printed. */
struct byte_source {
    const char *name;
    void *context;
    long (*read)(void *context, char *into, size_t n);
};

struct event_text {
    const char *text; /* from its { to its } */
    size_t size;
    int64_t number, offset; /* from 0; of its first byte */
};

int events_read(const struct byte_source *from, int (*each)(void *context, const struct event_text *e), void *context,
                FILE *err);

/* The same of a file, which may be packed by gzip; "-" is standard input. NW_EIO if it cannot be read. */
int events_read_file(const char *path, int (*each)(void *context, const struct event_text *e), void *context,
                     FILE *err);

#endif
