/* store.c - what was measured, as facts. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/calibrate/network.h"
#include "harness/command/line/command_line.h"
#include "harness/count.h"
#include "harness/host/identity.h"
#include "harness/mpi/world.h"
#include "harness/status.h"
#include "harness/store/measured/network.h"

enum { MOST_SETTINGS = 64, SETTING = 128 };

/* The environment's variables with which MPI is set up, copied: "NAME" and what follows "=". */
struct settings {
    struct network_setting_fact list[MOST_SETTINGS];
    char names[MOST_SETTINGS][SETTING];
    size_t n;
};

static void read_settings(struct settings *s)
{
    static const char *const begins[] = { "OMPI_MCA_", "MPICH_", "UCX_", "PMIX_MCA_", "I_MPI_", "SLURM_MPI" };

    s->list[s->n++] = (struct network_setting_fact){ "library", world_library() };
    for (char **e = environ; *e && s->n < MOST_SETTINGS; e++) {
        const char *equals = strchr(*e, '=');
        bool ours = false;

        for (size_t i = 0; i < COUNT(begins); i++)
            ours = ours || !strncmp(*e, begins[i], strlen(begins[i]));
        if (!ours || !equals || equals - *e >= SETTING)
            continue;
        memcpy(s->names[s->n], *e, (size_t)(equals - *e));
        s->list[s->n] = (struct network_setting_fact){ s->names[s->n], equals + 1 };
        s->n++;
    }
}

/* When each rank left a barrier, after the first: by rank 0's clock. */
static void since_first(const struct timed *t, const struct calibrate_clocks *c, size_t repetition, int64_t *ns)
{
    int64_t first = INT64_MAX;

    for (size_t r = 0; r < t->width; r++) {
        int64_t at = t->ns[repetition * t->width + r];
        ns[r] = at - clock_offset_at(c->before[r], c->before_ns, c->after[r], c->after_ns, at).offset_ns;
        first = ns[r] < first ? ns[r] : first;
    }
    for (size_t r = 0; r < t->width; r++)
        ns[r] -= first;
}

static void add_samples(const struct timed *t, const struct network_world *w, const struct calibrate_clocks *clocks,
                        int64_t *corrected, struct network_fact *f, struct network_sample_fact *samples)
{
    const struct trial *trial = &t->trial;
    bool all = pattern_is_collective(trial->pattern) || trial->pattern == PATTERN_BARRIER;
    bool several = pattern_is_stream(trial->pattern) && trial->pattern > PATTERN_TWO_WAY;

    for (size_t i = 0; i < t->repetitions; i++) {
        const int64_t *ns = t->ns + i * t->width;

        if (trial->pattern == PATTERN_BARRIER) {
            since_first(t, clocks, i, corrected);
            ns = corrected;
        }
        for (size_t k = 0; k < t->width; k++)
            samples[f->nsamples++] = (struct network_sample_fact){ .pattern = pattern_name(trial->pattern),
                                                                   .ranks = all       ? w->ranks
                                                                            : several ? w->members
                                                                                      : 2,
                                                                   .peer = trial->peer,
                                                                   .bytes = trial->bytes,
                                                                   .message_bytes = trial->message_bytes,
                                                                   .flow = (int64_t)k,
                                                                   .repetition = (int64_t)i,
                                                                   .elapsed_ns = ns[k],
                                                                   .wrong = t->wrong };
    }
}

static void add_ranks(const struct network_world *w, const struct calibrate_clocks *c, struct network_rank_fact *ranks)
{
    for (int r = 0; r < w->ranks; r++) {
        int64_t error = c->before[r].error_ns > c->after[r].error_ns ? c->before[r].error_ns : c->after[r].error_ns;

        ranks[r] = (struct network_rank_fact){ .host = w->host[r],
                                               .member = -1,
                                               .offset_before_ns = c->before[r].offset_ns,
                                               .offset_after_ns = c->after[r].offset_ns,
                                               .error_ns = error };
    }
    for (int i = 0; i < w->members; i++)
        ranks[w->member[i]].member = i;
}

static int put(const struct calibrate_network *a, const struct network_fact *f)
{
    struct run_fact run = { .command = command_text(),
                            .scenario = "",
                            .title = "calibrate network",
                            .notes = "",
                            .baseline = "",
                            .figure = "",
                            .file = a->output ? a->output : "",
                            .commit = identity_commit(),
                            .build = identity_build(),
                            .machine = identity_machine() };
    struct store *store = NULL;
    int64_t id;
    int rc = store_open(a->db, &store);

    if (!rc)
        rc = store_run(store, &run, &id);
    if (!rc)
        rc = store_network(store, id, f);
    if (!rc)
        rc = store_run_finished(store, id);
    store_close(store);
    return rc;
}

int calibrate_store(const struct calibrate_network *a, const struct network_world *w, const struct network_result *r,
                    const struct calibrate_clocks *clocks)
{
    size_t n = 1;
    struct settings *settings = calloc(1, sizeof(*settings));
    struct network_rank_fact *ranks = calloc((size_t)w->ranks, sizeof(*ranks));
    int64_t *corrected = calloc((size_t)w->ranks, sizeof(*corrected));

    for (size_t i = 0; i < r->series.n; i++)
        n += r->series.list[i].repetitions * r->series.list[i].width;
    struct network_sample_fact *samples = calloc(n, sizeof(*samples));
    int rc = settings && ranks && corrected && samples ? NW_OK : NW_ENOMEM;

    if (!rc) {
        struct network_fact f = { .ranks = ranks, .nranks = (size_t)w->ranks, .samples = samples };

        read_settings(settings);
        f.settings = settings->list;
        f.nsettings = settings->n;
        add_ranks(w, clocks, ranks);
        for (size_t i = 0; i < r->series.n; i++)
            add_samples(&r->series.list[i], w, clocks, corrected, &f, samples);
        rc = put(a, &f);
    }
    free(samples);
    free(corrected);
    free(ranks);
    free(settings);
    return rc;
}
