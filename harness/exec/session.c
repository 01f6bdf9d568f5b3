#include "harness/exec/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/exec/agree.h"
#include "harness/exec/native.h"
#include "harness/exec/parameters_of_mpi.h"
#include "harness/exec/show.h"
#include "harness/exec/watch.h"
#include "harness/run/point/measures.h"
#include "harness/run/supply.h"
#include "harness/status.h"
#include "harness/store/measured/executed.h"

enum { MOST_OPEN = 64 };

/* What rank 0 alone has. */
struct keeper {
    struct supply supply;
    int64_t execution_id;
};

size_t session_npoints(const struct session *s)
{
    return s->points ? s->npoints : scenario_npoints(s->file);
}

size_t session_point(const struct session *s, size_t i)
{
    return s->points ? s->points[i] : i;
}

void session_setting(const struct session *s, char *text, size_t size)
{
    snprintf(text, size, "compute=%s collective=%s repetitions=%d network=%s", s->options.real ? "real" : "model",
             s->options.native ? "native" : "own", s->options.repetitions, *s->network ? s->network : "as it is");
}

/* Rank 0 says whether all go on; if not, everyone returns. */
static int agreed(int rc)
{
    world_share(&rc, sizeof(rc));
    return rc;
}

static double load(void)
{
    double one = 0;

    return getloadavg(&one, 1) == 1 ? one : 0;
}

static int keep(struct keeper *k, const struct session *s, const struct task_graph *g, const struct executed *x,
                double load_before)
{
    size_t n = x->repetitions * x->nranks;
    struct executed_rank_fact *ranks = malloc((n + 1) * sizeof(*ranks));
    char parameters[4096];

    if (!ranks)
        return NW_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        const struct executed_rank *r = &x->ranks[i];
        size_t rank = i % x->nranks;
        ranks[i] = (struct executed_rank_fact){ g->ranks[rank].role, x->hosts[rank],     r->end_ns,
                                                r->sent_bytes,       r->link_sent_bytes, r->link_received_bytes };
    }
    mpi_parameters(parameters, sizeof(parameters));
    struct executed_fact f = { .nranks = x->nranks,
                               .repetitions = x->repetitions,
                               .compute = s->options.real ? "real" : "model",
                               .collective = s->options.native ? "native" : "own",
                               .library = world_library(),
                               .parameters = parameters,
                               .network = s->network,
                               .simulated_ns = (int64_t)(task_graph_step_ps(g, NULL) / 1000 + 0.5),
                               .clock_error_ns = x->clock_error_ns,
                               .wrong = x->wrong,
                               .load_before = load_before,
                               .load_after = load(),
                               .step_ns = x->step_ns,
                               .ranks = ranks };
    int rc = store_executed(k->supply.store, k->execution_id, &f);
    free(ranks);
    return rc;
}

int session_is_due(const struct session *s, struct store *store, size_t point)
{
    char setting[512];

    session_setting(s, setting, sizeof(setting));
    int found = s->again ? 0 : store_was_executed(store, s->run_id, point, setting);
    found = found ? found : store_has_begun(store, s->run_id, point);
    return found < 0 ? found : !found;
}

/* At rank 0: is there anything to do? 1 if so, 0 if not, or negative. */
static int begin(struct keeper *k, const struct session *s, struct point *p)
{
    char setting[512];
    int rc = supply_point(&k->supply, p), due = rc ? 0 : session_is_due(s, k->supply.store, p->index);

    if (rc || due <= 0)
        return rc ? rc : due;
    session_setting(s, setting, sizeof(setting));
    rc = store_execution(k->supply.store, k->supply.run_id, p->index, setting, &k->execution_id);
    return rc ? rc : 1;
}

static int play_graph(struct session *s, const struct world *world, const struct point *p, const struct model *model,
                      struct keeper *k, struct task_graph *g)
{
    struct executed x = { 0 };
    double before = load();
    int rc = agree_on_times(g);

    rc = rc ? rc : execute(g, model, world, &s->options, &x);
    if (!rc && !world->rank) {
        rc = keep(k, s, g, &x, before);
        show_executed(s->file, p, g, &x, stderr);
    }
    if (!rc && !world->rank && s->timeline)
        rc = show_timeline(s->timeline, g, &x);
    executed_free(&x);
    return rc;
}

static int one_point(struct session *s, const struct world *world, size_t index, struct keeper *k)
{
    struct point p = { 0 };
    struct model model = { 0 };
    struct task_graph g = { 0 };
    const char *open[MOST_OPEN];
    char why[512] = "";
    int rc = scenario_point(s->file, index, &p);
    size_t nopen = rc ? 0 : scenario_calibrated(s->file, &p, open, MOST_OPEN);

    if (rc)
        return rc;
    watch_pause();
    int go = agreed(world->rank ? 0 : begin(k, s, &p));
    if (go > 0) {
        agree_on_point(world->rank, &p, open, nopen);
        rc = measures_model(&p.scenario, &model, why, sizeof(why)) ? NW_EINPUT : NW_OK;
        rc = rc ? rc : execute_graph(&p.scenario, &model, &g, why, sizeof(why));
        if (!rc && s->options.native)
            rc = native_exchange(&g, why, sizeof(why));
        if (rc && *why && !world->rank)
            scenario_refuse(s->file, &p, why, stderr);
        rc = rc ? rc : play_graph(s, world, &p, &model, k, &g);
    }
    task_graph_free(&g);
    model_free(&model);
    point_free(&p);
    return rc ? rc : go < 0 ? go : NW_OK;
}

/* Rank 0's database, with the points simulated. */
static int open_keeper(struct session *s, struct keeper *k)
{
    struct experiment_result result;
    int rc;

    k->supply = (struct supply){ .file = s->file, .calibrations = calibrations_new() };
    k->supply.rates = calloc(1, sizeof(*k->supply.rates));
    rc = k->supply.calibrations && k->supply.rates ? store_open(s->db, &k->supply.store) : NW_ENOMEM;
    if (!rc && !s->run_id) {
        struct experiment x = { .store = k->supply.store,
                                .calibrations = k->supply.calibrations,
                                .command = s->command,
                                .jobs = 1,
                                .altered = s->altered,
                                .points = s->points,
                                .npoints = s->npoints };
        rc = experiment_run(&x, s->file, &result);
        s->run_id = rc ? 0 : result.run_id;
    }
    k->supply.run_id = s->run_id;
    return rc;
}

static void close_keeper(struct keeper *k)
{
    calibrations_free(k->supply.calibrations);
    free(k->supply.rates);
    store_close(k->supply.store);
}

/* Others may be waiting for this rank. A campaign that launched the ranks notes itself why they ended. */
static _Noreturn void give_up(const struct session *s, const struct world *world, struct keeper *k, int rc)
{
    char reason[64];

    snprintf(reason, sizeof(reason), "rank 0 ended with exit code %d", exit_code(rc));
    if (!world->rank && !s->campaign)
        store_execution_failed(k->supply.store, s->run_id, 0, rc == NW_EINTR ? "interrupted" : reason);
    world_abort(exit_code(rc));
}

int session_run(struct session *s)
{
    struct world world;
    struct keeper keeper = { .execution_id = 0 };
    int rc = world_open(&world);

    if (rc)
        return rc;
    rc = agreed(world.rank ? 0 : open_keeper(s, &keeper));
    rc = rc ? rc : moment_find(&world, &s->options.moment);
    watch_begin(world.rank, s->options.limit_s);
    s->options.lives = watch_lives;
    for (size_t i = 0; !rc && i < session_npoints(s); i++) {
        rc = one_point(s, &world, session_point(s, i), &keeper);
        if (rc)
            give_up(s, &world, &keeper, rc);
    }
    if (!world.rank)
        close_keeper(&keeper);
    world_close();
    watch_end();
    return rc;
}
