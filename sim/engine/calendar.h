/* calendar.h - the event queue of the simulation. An event is called a notice.
 * Units      integer picoseconds of simulated time; names end in _ps. 2^63 ps is 106 days.
 * Order      earliest first; equal times come out in posting order, so a run depends on its inputs alone.
 * Ownership  a notice is copied; only the caller knows what its integers mean.
 * Errors     status; a failed call changes nothing. */
#ifndef NARROWS_SIM_ENGINE_CALENDAR_H
#define NARROWS_SIM_ENGINE_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct notice {
    int64_t at_ps;
    uint64_t sequence; /* posting order, set by calendar_post() */
    uint32_t kind;
    uint32_t subject;
    uint64_t version; /* lets a caller recognise a notice that a later one replaced */
};

struct calendar {
    struct notice *heap;
    size_t count, capacity;
    uint64_t posted;
};

int calendar_post(struct calendar *c, int64_t at_ps, uint32_t kind, uint32_t subject, uint64_t version);
bool calendar_next(struct calendar *c, struct notice *out); /* false if nothing is left */
bool calendar_peek(const struct calendar *c, int64_t *at_ps);
void calendar_clear(struct calendar *c); /* releases memory; an all-zero calendar is empty */

#endif
