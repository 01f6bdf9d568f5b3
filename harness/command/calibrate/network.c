#include "harness/command/calibrate/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "harness/host/clock.h"
#include "harness/host/identity.h"
#include "harness/measure/measure.h"
#include "harness/mpi/world.h"
#include "harness/network/platform_file.h"
#include "harness/run/progress.h"
#include "harness/scenario/scenario.h"
#include "harness/status.h"
#include "harness/store/store.h"

enum { CLOCK_ROUNDS = 200, OVERTIME = 10, OVERTIME_S = 60 };

static void note(void *context, const char *text)
{
    progress_note(context, text);
}

static int write_file(const struct calibrate_network *a, const struct network_heading *h)
{
    struct network_platform p = { .heading = h, .from = a->from, .commit = identity_commit() };
    char day[16];
    time_t now = (time_t)(clock_wall_ns() / 1000000000);
    struct tm utc;
    int rc = a->from ? NW_OK : measure_copy(&p.memory_Bps, &p.memory_threads);

    gmtime_r(&now, &utc);
    strftime(day, sizeof(day), "%Y-%m-%d", &utc);
    p.when = day;
    rc = rc ? rc : network_platform_write(&p, a->output);
    if (!rc)
        fprintf(stderr, "narrows calibrate: the platform is in %s\n", a->output);
    return rc;
}

/* Rank 0, when everything has been measured: print, store, write. Wrong values make it a failure. */
static int report(const struct calibrate_network *a, const struct network_world *w, const struct network_result *r,
                  const struct calibrate_clocks *c)
{
    struct transport by = { .ranks = w->ranks, .members = w->members };
    struct network_heading h = { .result = r,
                                 .by = &by,
                                 .skew = network_skew(r, c->before, c->before_ns, c->after, c->after_ns),
                                 .hosts = w->hosts,
                                 .library = world_library(),
                                 .first = w->host[w->member[0]],
                                 .second = w->host[w->member[1]] };
    int64_t wrong = 0;
    int rc = NW_OK, stored;

    if (a->csv)
        network_print_csv(&h, stdout);
    else if (a->json)
        network_print_json(&h, stdout);
    else
        rc = network_print(&h, stdout);
    fflush(stdout);
    stored = calibrate_store(a, w, r, c);
    rc = rc ? rc : stored;
    for (size_t i = 0; i < r->series.n; i++)
        wrong += r->series.list[i].wrong;
    if (!rc && wrong)
        rc = status_error(EXIT_FAILED, "narrows calibrate: %lld elements that collectives gave are wrong\n",
                          (long long)wrong);
    if (!rc && a->output)
        rc = write_file(a, &h);
    return rc;
}

static int measure(const struct calibrate_network *a, struct network_world *w, struct network_result *r)
{
    struct transport by = network_transport(w);
    struct network_options options = a->options;
    struct progress progress;
    int rc;

    progress_begin(&progress, "calibrate network", 0);
    options.note = note;
    options.context = &progress;
    rc = network_measure(&by, &options, r);
    progress_end(&progress);
    return rc;
}

/* What of this rank's and rank 0's part is between two looks at the clocks. */
static int take_part(const struct calibrate_network *a, struct network_world *w, struct network_result *r,
                     struct calibrate_clocks *c)
{
    int rc = world_clocks(CLOCK_ROUNDS, c->before), after;

    if (rc)
        return rc;
    c->before_ns = clock_ns();
    rc = w->rank ? network_world_serve(w) : measure(a, w, r);
    if (!w->rank)
        network_world_stop(w);
    after = world_clocks(CLOCK_ROUNDS, c->after);
    c->after_ns = clock_ns();
    return rc ? rc : after;
}

static int in_world(const struct calibrate_network *a, struct network_world *w)
{
    struct calibrate_clocks c = { .before = calloc((size_t)w->ranks, sizeof(*c.before)),
                                  .after = calloc((size_t)w->ranks, sizeof(*c.after)) };
    struct network_result result = { 0 };
    int rc = c.before && c.after ? NW_OK : NW_ENOMEM;

    if (rc)
        world_abort(exit_code(rc));
    rc = take_part(a, w, &result, &c);
    if (!rc && !w->rank)
        rc = report(a, w, &result, &c);
    network_result_free(&result);
    free(c.before);
    free(c.after);
    return rc;
}

/* Rank 0, before anything takes time: can the results be stored, and is the other platform one? */
static int ready(const struct calibrate_network *a)
{
    struct store *store = NULL;
    struct platform *from = NULL;
    int rc = store_open(a->db, &store);

    store_close(store);
    if (!rc && a->from)
        rc = scenario_load_platform(a->from, stderr, &from);
    scenario_free_platform(from);
    return rc;
}

int calibrate_network(const struct calibrate_network *a)
{
    struct world world;
    struct network_world w;
    int rc = world_open(&world);

    if (rc)
        return rc;
    /* MPI waits for ever where a link or a rank is gone */
    alarm((unsigned)(OVERTIME * a->options.seconds) + OVERTIME_S);
    if (world.ranks < 2)
        rc = world.rank ? NW_OK
                        : status_error(NW_EINPUT, "narrows calibrate: expected 2 ranks or more, got 1: mpirun -np 2 "
                                                  "narrows calibrate network\n");
    if (!rc && !world.rank)
        rc = ready(a);
    world_share(&rc, sizeof(rc));
    if (rc && world.rank) {
        world_close();
        return NW_OK; /* rank 0 has said why, and answers it */
    }
    if (!rc)
        rc = network_world_open(&w);
    if (!rc) {
        rc = in_world(a, &w);
        network_world_close(&w);
    }
    alarm(0);
    world_close();
    return rc;
}
