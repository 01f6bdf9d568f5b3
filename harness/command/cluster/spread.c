#include "harness/command/cluster/spread.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/command/cluster/share.h"
#include "harness/command/line/command_line.h"
#include "harness/host/clock.h"
#include "harness/mpi/post.h"
#include "harness/run/interrupt.h"
#include "harness/run/progress.h"
#include "harness/status.h"
#include "harness/training/ranks/gpu.h"

enum { PATIENCE_S = 1 }; /* for ranks that were asked to end, and may not be there any more */

int spread_open(struct world *w)
{
    int rc = NW_OK;

    *w = (struct world){ .ranks = 1, .locals = 1 };
    if (world_launched())
        rc = world_open(w);
    if (!rc)
        gpu_take(w);
    return rc;
}

void spread_close(const struct world *w)
{
    (void)w;
    if (world_launched())
        world_close();
}

int spread_status(const struct world *w, int status)
{
    if (w->ranks > 1)
        post_share(&status, sizeof(status));
    return status;
}

int spread_jobs(const struct world *w)
{
    int processors = (int)sysconf(_SC_NPROCESSORS_ONLN), here = w->locals;
    int share = processors > here ? processors / here : 1, allowed;
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof(set), &set))
        return share;
    allowed = CPU_COUNT(&set); /* mpirun and batch systems bind a process to processors of its own */
    return allowed < share ? allowed : share;
}

/* Batches of rank 0's own share, from the thread that plays it to the one that stores. */
struct letter {
    struct letter *next;
    unsigned char *bytes;
    size_t n;
};

struct hub {
    const struct world *w;
    const struct experiment *x;
    struct share own;
    int64_t run_id;
    pthread_mutex_t mutex;
    struct letter *first, **end;
    size_t computed;
    int open; /* shares that have not ended */
    int rc;
    struct progress progress;
};

static void drop_letter(unsigned char *bytes, size_t n, void *argument)
{
    struct hub *h = argument;
    struct letter *l = malloc(sizeof(*l));

    if (!l)
        abort();
    *l = (struct letter){ NULL, bytes, n };
    pthread_mutex_lock(&h->mutex);
    *h->end = l;
    h->end = &l->next;
    pthread_mutex_unlock(&h->mutex);
}

static bool pick_up(struct hub *h, unsigned char **bytes, size_t *n)
{
    struct letter *l;

    pthread_mutex_lock(&h->mutex);
    l = h->first;
    if (l && !(h->first = l->next))
        h->end = &h->first;
    pthread_mutex_unlock(&h->mutex);
    if (!l)
        return false;
    *bytes = l->bytes;
    *n = l->n;
    free(l);
    return true;
}

static void post(unsigned char *bytes, size_t n, void *argument)
{
    (void)argument;
    post_send(bytes, n);
    free(bytes);
}

static void *play_own(void *argument)
{
    share_play(argument);
    return NULL;
}

static void take(struct hub *h, unsigned char *bytes, size_t n)
{
    struct share_note note = { .rc = NW_ENOMEM };
    int rc = bytes ? share_take(h->x->store, h->run_id, bytes, n, &note) : NW_ENOMEM;

    free(bytes);
    h->computed += note.computed;
    h->open -= note.last;
    rc = rc ? rc : note.rc;
    h->rc = h->rc ? h->rc : rc;
    progress_step(&h->progress, h->computed);
}

/* Until all shares have ended, or one has failed. Ranks that were interrupted may not be able to say so. */
static void collect(struct hub *h)
{
    double stop_s = 0;

    while (h->open && (!h->rc || h->rc == NW_EINTR)) {
        unsigned char *bytes;
        size_t n;
        int rank;

        if (pick_up(h, &bytes, &n) || post_receive(&rank, &bytes, &n))
            take(h, bytes, n);
        if (!interrupted())
            continue;
        stop_s = stop_s > 0 ? stop_s : clock_s() + PATIENCE_S;
        if (clock_s() > stop_s)
            h->rc = NW_EDB;
    }
}

/* The others may be gone, or busy for long: end them. */
static _Noreturn void give_up(struct hub *h)
{
    store_close(h->x->store);
    fflush(stdout);
    world_abort(interrupted() ? EXIT_INTERRUPTED : exit_code(h->rc == NW_ESIM ? NW_EINPUT : h->rc));
}

/* Every N-th point that is missing, from this rank's on. */
static size_t *share_of(const struct world *w, const struct experiment_missing *missing, size_t *n)
{
    size_t *points = malloc((missing->n / (size_t)w->ranks + 1) * sizeof(*points));

    *n = 0;
    for (size_t i = (size_t)w->rank; points && i < missing->n; i += (size_t)w->ranks)
        points[(*n)++] = missing->points[i];
    return points;
}

static void play_all(struct hub *h, const struct scenario_file *file, const struct experiment_missing *missing)
{
    size_t *points = share_of(h->w, missing, &h->own.n);
    pthread_t thread;

    if (!points)
        abort();
    h->own.points = points;
    h->end = &h->first;
    h->open = h->w->ranks;
    pthread_mutex_init(&h->mutex, NULL);
    progress_begin(&h->progress, scenario_name(file), missing->n);
    if (pthread_create(&thread, NULL, play_own, &h->own))
        abort();
    collect(h);
    if (h->rc && (h->rc != NW_EINTR || h->open))
        give_up(h);
    pthread_join(thread, NULL);
    progress_end(&h->progress);
    pthread_mutex_destroy(&h->mutex);
    free(points);
}

/* What the database lacks, for everybody to know. Nothing, where rank 0 plays alone. */
static int find_missing(const struct world *w, const struct experiment *x, const struct scenario_file *file,
                        struct experiment_missing *missing)
{
    struct experiment look = *x;
    struct experiment_result found = { 0 };
    int rc = NW_OK;

    look.missing = missing;
    if (!w->rank)
        rc = experiment_run(&look, file, &found);
    rc = spread_status(w, rc);
    if (found.measured)
        missing->n = 0;
    if (!rc)
        post_share(&missing->n, sizeof(missing->n));
    if (!rc && w->rank)
        missing->points = malloc((missing->n + 1) * sizeof(*missing->points));
    if (!rc && !missing->points && missing->n)
        abort();
    if (!rc)
        post_share(missing->points, missing->n * sizeof(*missing->points));
    return rc;
}

static int run_first(const struct world *w, const struct experiment *x, const struct scenario_file *file,
                     struct experiment_result *out)
{
    struct experiment_missing missing = { 0 };
    struct experiment all = *x, own = *x;
    struct hub h = { .w = w, .x = x, .own = { .x = &own, .file = file, .hand_on = drop_letter, .argument = &h } };
    double began_s = clock_s();
    int rc = spread_status(w, experiment_begin(x, file, &h.run_id));

    all.run_id = h.run_id;
    rc = rc ? rc : find_missing(w, &all, file, &missing);
    if (!rc)
        play_all(&h, file, &missing);
    rc = rc ? rc : h.rc;
    if (!rc) /* all of them are there */
        rc = experiment_run(&all, file, out);
    out->run_id = h.run_id;
    out->computed += h.computed;
    out->present -= rc ? 0 : h.computed;
    out->seconds = clock_s() - began_s;
    free(missing.points);
    command_sum_up(x, file, out, rc);
    return rc;
}

static int run_other(const struct world *w, const struct experiment *x, const struct scenario_file *file)
{
    struct experiment_missing missing = { 0 };
    struct share own = { .x = x, .file = file, .hand_on = post };
    int rc = spread_status(w, NW_OK);

    rc = rc ? rc : find_missing(w, x, file, &missing);
    if (rc)
        return rc;
    size_t *points = share_of(w, &missing, &own.n);

    if (!points)
        abort();
    own.points = points;
    share_play(&own);
    free(points);
    free(missing.points);
    return NW_OK;
}

int spread_run(const struct world *w, const struct experiment *x, const struct scenario_file *file,
               struct experiment_result *out)
{
    return spread_status(w, w->rank ? run_other(w, x, file) : run_first(w, x, file, out));
}
