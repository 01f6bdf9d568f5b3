#include "sim/method/report.h"

#include <string.h>

#include "model/status.h"

void report_rates(struct readings *r, double step_ps, double samples)
{
    double sample_us = step_ps / samples / 1e6;

    reading_add(r, step_ps / 1e9, "ms", "step_ms");
    reading_add(r, sample_us > 0 ? 1e6 / sample_us : 0, "1/s", "samples_per_s");
    reading_add(r, sample_us, "us", "sample_us");
}

void report_critical(struct readings *r, const char *kind, int64_t ps, double window_ps)
{
    if (ps > 0)
        reading_add(r, (double)ps / window_ps, "share", "critical.%s", kind);
}

struct critical {
    struct readings *readings;
    double window_ps;
};

static void add_critical(void *context, const char *kind, int64_t ps)
{
    struct critical *c = context;

    report_critical(c->readings, kind, ps, c->window_ps);
}

int report_readings(struct readings *r, const struct engine *e, int64_t from_ps, int64_t to_ps, double steps,
                    double samples)
{
    struct critical c = { r, (double)(to_ps - from_ps) };

    report_rates(r, c.window_ps / steps, samples);
    return engine_critical(e, from_ps, to_ps, add_critical, &c);
}

int reason_prefix(int rc, const char *prefix, char *why, size_t nwhy)
{
    size_t n = strlen(prefix) + 1, used = nwhy ? strlen(why) : 0;

    if (!rc || n + used + 1 > nwhy || !strncmp(why, "platform.", strlen("platform.")))
        return rc;
    memmove(why + n, why, used + 1);
    memcpy(why, prefix, n - 1);
    why[n - 1] = '.';
    return rc;
}

const char *reason_words(int rc)
{
    switch (rc) {
    case E_NOMEM: return "out of memory";
    case E_RANGE: return "the step takes longer than 106 days";
    case E_CYCLE: return "the task graph has a cycle";
    default:
        return "a rate or a duration is out of the simulator's range: does a bandwidth times its efficiency vanish?";
    }
}
