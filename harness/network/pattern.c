#include <assert.h>

#include "harness/network/trial.h"

const char *pattern_name(enum pattern p)
{
    static const char *const names[PATTERNS] = {
        [PATTERN_PING_PONG] = "ping-pong",
        [PATTERN_ONE_WAY] = "one-way",
        [PATTERN_TWO_WAY] = "two-way",
        [PATTERN_RING] = "ring",
        [PATTERN_INCAST] = "many-to-one",
        [PATTERN_FAN_OUT] = "one-to-many",
        [PATTERN_ALLREDUCE] = "allreduce",
        [PATTERN_ALL_GATHER] = "all-gather",
        [PATTERN_REDUCE_SCATTER] = "reduce-scatter",
        [PATTERN_BROADCAST] = "broadcast",
        [PATTERN_ALL_TO_ALL] = "all-to-all",
        [PATTERN_BARRIER] = "barrier",
    };

    return names[p];
}

int pattern_flows(enum pattern p, int members)
{
    switch (p) {
    case PATTERN_ONE_WAY: return 1;
    case PATTERN_TWO_WAY: return 2;
    case PATTERN_RING: return members;
    case PATTERN_INCAST:
    case PATTERN_FAN_OUT: return members - 1;
    default: return 0;
    }
}

struct flow pattern_flow(enum pattern p, int i, int members)
{
    assert(i >= 0 && i < pattern_flows(p, members));
    switch (p) {
    case PATTERN_INCAST: return (struct flow){ i + 1, 0 };
    case PATTERN_FAN_OUT: return (struct flow){ 0, i + 1 };
    case PATTERN_RING: return (struct flow){ i, (i + 1) % members };
    default: return (struct flow){ i, 1 - i };
    }
}

size_t trial_times(const struct trial *t, int members, int ranks)
{
    if (pattern_is_stream(t->pattern))
        return (size_t)pattern_flows(t->pattern, members);
    return (size_t)t->repetitions * (t->pattern == PATTERN_BARRIER ? (size_t)ranks : 1);
}
