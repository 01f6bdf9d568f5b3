#include "harness/run/uneven.h"

#include <stdbool.h>

enum { MOST_POINTS = 100000 };

static int64_t workers_of(const struct method *m)
{
    return m->kind == METHOD_ALLREDUCE          ? m->allreduce.workers
           : m->kind == METHOD_PARAMETER_SERVER ? m->parameter_server.workers
                                                : 1;
}

static bool note(const struct scenario_file *file, const struct point *p, FILE *err)
{
    const struct scenario *sc = &p->scenario;
    int64_t workers = workers_of(&sc->method), more = sc->simulated ? sc->batch % workers : 0;
    char text[256];

    if (!more)
        return false;
    snprintf(text, sizeof(text),
             "batch: note: %lld samples do not divide among %lld workers: each of %lld takes %lld, each other %lld",
             (long long)sc->batch, (long long)workers, (long long)more, (long long)(sc->batch / workers + 1),
             (long long)(sc->batch / workers));
    scenario_refuse(file, p, text, err);
    return true;
}

void uneven_note(const struct scenario_file *file, FILE *err)
{
    size_t n = scenario_npoints(file), step = n / MOST_POINTS + 1;
    struct point p;
    bool noted = false;

    for (size_t i = 0; i < n && !noted && !scenario_point(file, i, &p); i += step) {
        noted = note(file, &p, err);
        point_free(&p);
    }
}
