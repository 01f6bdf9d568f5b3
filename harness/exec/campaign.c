#include "harness/exec/campaign.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/exec/launch.h"
#include "harness/exec/place.h"
#include "harness/lab/lab.h"
#include "harness/status.h"
#include "harness/store/measured/executed.h"

/* How ranks know what the campaign has settled: the run, which points are theirs, the network they are on. */
static const char run_name[] = "NARROWS_EXEC_RUN", points_name[] = "NARROWS_EXEC_POINTS",
                  network_name[] = "NARROWS_EXEC_NETWORK";

struct running {
    struct session *session;
    struct campaign *campaign;
};

static int look_at_all(const struct session *s, bool in_lab, struct place places[])
{
    int rc = NW_OK;

    for (size_t i = 0; i < session_npoints(s); i++) {
        int one = place_of(s->file, session_point(s, i), in_lab, &places[i]);
        rc = rc ? rc : one;
    }
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

static int pass_on(const struct running *c, const size_t points[], size_t n)
{
    char *list = NULL, run[32];
    size_t size;
    FILE *out = open_memstream(&list, &size);

    for (size_t i = 0; out && i < n; i++)
        fprintf(out, "%s%zu", i ? "," : "", points[i]);
    if (!out || fclose(out))
        return NW_ENOMEM;
    snprintf(run, sizeof(run), "%" PRId64, c->session->run_id);
    setenv(run_name, run, 1);
    setenv(points_name, list, 1);
    setenv(network_name, c->session->network, 1);
    free(list);
    return NW_OK;
}

/* The points of this list that this run has not begun, and that were not executed before. */
static size_t remaining(const struct running *c, size_t points[], size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (session_is_due(c->session, c->campaign->store, points[i]))
            points[kept++] = points[i];
    return kept;
}

static int note_failure(struct running *c, const struct launch_end *end)
{
    char reason[320];

    if (*end->reason)
        snprintf(reason, sizeof(reason), "%s", end->reason);
    else
        snprintf(reason, sizeof(reason), "the ranks ended with exit code %d", end->code);
    c->campaign->failed++;
    return store_execution_failed(c->campaign->store, c->session->run_id, end->rank, reason);
}

/* Until all points were begun: a start that fails ends one point, and the next start goes on behind it. */
static int launch_until_done(struct running *c, size_t points[], size_t n, const struct launch *l)
{
    const struct session *s = c->session;
    int rc = NW_OK;

    while (!rc && n) {
        struct launch_end end;
        size_t before = n;
        rc = pass_on(c, points, n);
        rc = rc ? rc : launch_ranks(l, &end);
        if (rc)
            break;
        if (end.code == EXIT_ENVIRONMENT || end.code == EXIT_MISUSED)
            return end.code;
        if (end.code)
            rc = note_failure(c, &end);
        n = remaining(c, points, n);
        if (!end.code)
            return n ? status_error(NW_EIO, "narrows exec: the ranks left %zu points out\n", n) : NW_OK;
        if (n == before)
            return status_error(NW_EIO, "narrows exec: the ranks end before they begin a point\n");
    }
    if (rc == NW_EINTR)
        store_execution_failed(c->campaign->store, s->run_id, -1, "interrupted");
    return rc;
}

static int execute_group(struct running *c, size_t points[], size_t n, const struct place *place)
{
    struct launch l = { .arguments = c->campaign->arguments, .ranks = place->ranks, .stop = c->session->options.stop };
    char **words = NULL;
    size_t nwords;
    int rc = NW_OK;

    c->session->network = place->network;
    n = remaining(c, points, n);
    if (n && c->campaign->in_lab) {
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
    int rc = calibrations ? places_of(c, s, &places) : NW_ENOMEM;

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

    if (!run || !list)
        return session_run(s);
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
