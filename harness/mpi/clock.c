/* clock.c - what exchanges say of two clocks. */
#include "harness/mpi/clock.h"

struct clock_offset clock_offset_of(const struct clock_exchange *list, size_t n)
{
    const struct clock_exchange *best = &list[0];

    for (size_t i = 1; i < n; i++)
        if (list[i].back_ns - list[i].sent_ns < best->back_ns - best->sent_ns)
            best = &list[i];
    int64_t round_ns = best->back_ns - best->sent_ns;
    return (struct clock_offset){ .offset_ns = best->there_ns - (best->sent_ns + round_ns / 2),
                                  .error_ns = (round_ns + 1) / 2 };
}

struct clock_offset clock_offset_at(struct clock_offset before, int64_t before_ns, struct clock_offset after,
                                    int64_t after_ns, int64_t at_ns)
{
    double share = after_ns > before_ns ? (double)(at_ns - before_ns) / (double)(after_ns - before_ns) : 0;
    double drift_ns = (double)(after.offset_ns - before.offset_ns);

    return (struct clock_offset){ .offset_ns = before.offset_ns + (int64_t)(share * drift_ns),
                                  .error_ns = after.error_ns > before.error_ns ? after.error_ns : before.error_ns };
}
