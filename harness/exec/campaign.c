#include "harness/exec/campaign.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/exec/launch/launch.h"
#include "harness/exec/place.h"
#include "harness/lab/lab.h"
#include "harness/mpi/world.h"
#include "harness/run/interrupt.h"
#include "harness/status.h"
#include "harness/store/measured/executed.h"

/* How ranks know what the campaign has settled: the run, which points are theirs, the network they are on. */
static const char run_name[] = "NARROWS_EXEC_RUN", points_name[] = "NARROWS_EXEC_POINTS",
                  network_name[] = "NARROWS_EXEC_NETWORK";

enum { REFUSALS = 5 };
enum { FALSE_STARTS = 3 }; /* points in a row whose ranks ended before they began */
enum { START_S = 20 };     /* what MPI may take to start, on top of the limit */

struct running {
    struct session *session;
    struct campaign *campaign;
    int false_starts;
};

/* The first few that cannot be executed are named: of a sweep it may be all. */
static int look_at_all(const struct session *s, bool in_lab, struct place places[])
{
    int rc = NW_OK, refused = 0;

    for (size_t i = 0; i < session_npoints(s) && refused < REFUSALS; i++) {
        int one = place_of(s->file, session_point(s, i), in_lab, s->options.native, &places[i]);
        rc = rc ? rc : one;
        refused += one != NW_OK;
    }
    if (refused == REFUSALS)
        fprintf(stderr, "narrows exec: %d points cannot be executed; there may be more\n", refused);
    return rc;
}

/* The lab as the next points want it: made, or made to fit. */
static int shape_lab(struct running *c, size_t index)
{
    struct lab_options o = { .stopped = c->session->options.stop };
    struct point p = { 0 };
    int rc = scenario_point(c->session->file, index, &p);

    if (!rc && !c->campaign->lab)
        rc = c->campaign->join ? lab_join(c->campaign->join, &c->campaign->lab)
                               : lab_open(&p.scenario.platform, &o, &c->campaign->lab);
    else if (!rc && !c->campaign->join)
        rc = lab_reshape(c->campaign->lab, &p.scenario.platform, &o);
    point_free(&p);
    return rc;
}

/* What the ranks are passed, as entries of their environment. */
struct passed_on {
    char *entries[4];
};

static void pass_on_free(struct passed_on *p)
{
    for (size_t i = 0; p->entries[i]; i++)
        free(p->entries[i]);
}

static int pass_on(const struct running *c, const size_t points[], size_t n, struct passed_on *p)
{
    size_t size;
    FILE *out;

    *p = (struct passed_on){ { NULL } };
    if (asprintf(&p->entries[0], "%s=%" PRId64, run_name, c->session->run_id) < 0 ||
        asprintf(&p->entries[1], "%s=%s", network_name, c->session->network) < 0 ||
        !(out = open_memstream(&p->entries[2], &size)))
        return NW_ENOMEM;
    fprintf(out, "%s=", points_name);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%zu", i ? "," : "", points[i]);
    return fclose(out) ? NW_ENOMEM : NW_OK;
}

/* Keeps the points of this list that this run has not begun, and that were not executed before. */
static int remaining(const struct running *c, size_t points[], size_t *n)
{
    size_t kept = 0;

    for (size_t i = 0; i < *n; i++) {
        int due = session_is_due(c->session, c->campaign->store, points[i]);
        if (due < 0)
            return due;
        if (due)
            points[kept++] = points[i];
    }
    *n = kept;
    return NW_OK;
}

/* The point that had begun has failed. 1, 0 if none had, or negative. */
static int note_failure(struct running *c, const struct launch_end *end)
{
    char reason[64];
    const struct last_words *w = &end->words;

    snprintf(reason, sizeof(reason), "the ranks ended with exit code %d", end->code);
    int marked =
        store_execution_failed(c->campaign->store, c->session->run_id, w->rank, *w->reason ? w->reason : reason);
    c->campaign->failed += marked > 0;
    return marked;
}

/* The ranks ended before they had begun any point: that may be chance, and is tried again; if not, it is the next
 * point's failure, and not that of all others, unless it goes on so. */
static int note_false_start(struct running *c, size_t point, const struct launch_end *end)
{
    char setting[512];
    int64_t id;

    if (++c->false_starts % 2)
        return NW_OK;
    if (c->false_starts > 2 * FALSE_STARTS)
        return status_error(NW_EIO, "narrows exec: the ranks end before they begin a point\n");
    session_setting(c->session, setting, sizeof(setting));
    int rc = store_execution(c->campaign->store, c->session->run_id, point, setting, &id);
    rc = rc ? rc : note_failure(c, end);
    return rc < 0 ? rc : NW_OK;
}

static int launch_once(struct running *c, const size_t points[], size_t n, struct launch *l, struct launch_end *end)
{
    struct passed_on passed;
    int rc = pass_on(c, points, n, &passed);

    l->environment = passed.entries;
    rc = rc ? rc : launch_ranks(l, end);
    pass_on_free(&passed);
    return rc;
}

/* Until all points were begun: a start that fails ends one point, and the next start goes on behind it. */
static int launch_until_done(struct running *c, size_t points[], size_t n, struct launch *l)
{
    int rc = NW_OK;

    while (!rc && n) {
        struct launch_end end;
        size_t before = n;
        rc = launch_once(c, points, n, l, &end);
        if (rc)
            break;
        if (end.code == EXIT_ENVIRONMENT)
            return end.code;
        int marked = end.code ? note_failure(c, &end) : 0;
        rc = marked < 0 ? marked : remaining(c, points, &n);
        if (!rc && !end.code && n)
            return status_error(NW_EIO, "narrows exec: the ranks left %zu points out\n", n);
        if (!rc && end.code && !marked && n == before) {
            rc = note_false_start(c, points[0], &end);
            rc = rc ? rc : remaining(c, points, &n);
        } else {
            c->false_starts = 0;
        }
        if (!rc && end.code && !marked && !n)
            fprintf(stderr, "narrows exec: the ranks ended with exit code %d after their last point\n", end.code);
    }
    if (rc == NW_EINTR)
        store_execution_failed(c->campaign->store, c->session->run_id, -1, "interrupted");
    return rc;
}

static int execute_group(struct running *c, size_t points[], size_t n, const struct place *place)
{
    double limit_s = c->session->options.limit_s;
    static char command[] = "exec";
    struct launch l = { .command = command,
                        .arguments = c->campaign->arguments,
                        .ranks = place->ranks,
                        .patience_s = limit_s > 0 ? 2 * limit_s + START_S : 0,
                        .hint_s = 0.5 * limit_s,
                        .stop = c->session->options.stop };
    char **words = NULL;
    size_t nwords;
    int rc = NW_OK;

    c->session->network = place->network;
    rc = remaining(c, points, &n);
    if (!rc && n && c->campaign->in_lab) {
        rc = shape_lab(c, points[0]);
        rc = rc ? rc : lab_mpirun(c->campaign->lab, NULL, place->machine_of_rank, place->ranks, &words, &nwords);
        l.words = words;
    }
    rc = rc ? rc : launch_until_done(c, points, n, &l);
    lab_words_free(words);
    return rc;
}

static int execute_all(struct running *c, const struct place places[])
{
    const struct session *s = c->session;
    size_t n = session_npoints(s);
    size_t *group = malloc((n + 1) * sizeof(*group));
    bool *taken = calloc(n + 1, sizeof(*taken));
    int rc = group && taken ? NW_OK : NW_ENOMEM;

    for (size_t i = 0; !rc && i < n; i++) {
        struct place place = places[i];
        size_t count = 0;
        for (size_t k = i; k < n; k++)
            if (!taken[k] && place_fits(&places[k], &place)) {
                taken[k] = true;
                group[count++] = session_point(s, k);
                if (places[k].ranks > place.ranks)
                    place = places[k];
            }
        if (count)
            rc = execute_group(c, group, count, &place);
    }
    free(group);
    free(taken);
    return rc;
}

static int places_of(const struct campaign *c, const struct session *s, struct place **places)
{
    *places = malloc((session_npoints(s) + 1) * sizeof(**places));
    return *places ? look_at_all(s, c->in_lab, *places) : NW_ENOMEM;
}

/* In a lab, its daemons are started by an agent that only Open MPI's mpirun is given. */
static int can_start(const struct campaign *c)
{
    if (!c->in_lab || !world_built() || !strncmp(world_library(), "Open MPI", 8))
        return NW_OK;
    return status_error(NW_EENV,
                        "narrows exec: in a lab Open MPI starts the ranks, this program was built with %s (Debian: "
                        "openmpi-bin libopenmpi-dev, then build again)\n",
                        world_library());
}

int campaign_predict(struct campaign *c, struct session *s)
{
    struct calibrations *calibrations = calibrations_new();
    struct experiment_result result = { 0 };
    struct experiment x = { .store = c->store,
                            .calibrations = calibrations,
                            .command = s->command,
                            .jobs = 1,
                            .altered = s->altered,
                            .points = s->points,
                            .npoints = s->npoints };
    struct place *places = NULL;
    int rc = calibrations ? can_start(c) : NW_ENOMEM;

    rc = rc ? rc : places_of(c, s, &places);
    rc = rc ? rc : experiment_run(&x, s->file, &result);
    s->run_id = result.run_id;
    calibrations_free(calibrations);
    free(places);
    return rc;
}

int campaign_execute(struct campaign *campaign, struct session *s)
{
    struct running c = { .session = s, .campaign = campaign };
    struct place *places = NULL;
    size_t failed = campaign->failed;
    int rc = places_of(campaign, s, &places);

    rc = rc ? rc : execute_all(&c, places);
    free(places);
    if (!rc && campaign->failed > failed)
        return status_error(NW_EIO, "narrows exec: %zu of %zu points failed (view 'executed' has the reasons)\n",
                            campaign->failed - failed, session_npoints(s));
    return rc;
}

void campaign_close(struct campaign *c)
{
    lab_close(c->lab);
    c->lab = NULL;
}

int campaign_take_part(struct session *s)
{
    const char *run = getenv(run_name), *list = getenv(points_name), *network = getenv(network_name);
    size_t *points = NULL, n = 0;
    int ours = launch_ours();

    if (ours < 0)
        return ours;
    if (!ours || !run || !list)
        return session_run(s);
    interrupt_release(); /* the campaign notes what was interrupted: a rank may end at once */
    s->campaign = true;
    points = malloc((strlen(list) / 2 + 1) * sizeof(*points));
    if (!points)
        return NW_ENOMEM;
    for (char *end; *list; list = *end ? end + 1 : end)
        points[n++] = strtoul(list, &end, 10);
    s->points = points;
    s->npoints = n;
    s->run_id = strtoll(run, NULL, 10);
    s->network = network ? network : "";
    int rc = session_run(s);
    free(points);
    return rc;
}
