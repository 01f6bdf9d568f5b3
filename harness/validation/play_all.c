/* play_all.c - many rows, simulated on all processors. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/run/interrupt.h"
#include "harness/status.h"
#include "harness/validation/constants.h"

enum { MOST_THREADS = 64 };

struct round {
    const struct cases *cases;
    const struct fits *fits;
    const size_t *rows;
    size_t n;
    double *out;
    char **why;
    atomic_size_t next;
};

static void play_one(struct round *r, size_t i)
{
    struct constant constants[CONSTANTS_MOST];
    char why[256] = "";
    size_t n;

    r->out[i] = NAN;
    if (fits_constants(r->fits, r->rows[i], constants, &n, why, sizeof(why)) &&
        !case_play(r->cases, r->rows[i], constants, n, &r->out[i], why, sizeof(why)))
        return;
    if (r->why)
        r->why[i] = strdup(why);
}

static void *play_some(void *argument)
{
    struct round *r = argument;
    size_t i;

    while (!interrupted() && (i = atomic_fetch_add(&r->next, 1)) < r->n)
        play_one(r, i);
    return NULL;
}

int fits_play(const struct cases *c, const struct fits *f, const size_t rows[], size_t n, double out[], char *why[])
{
    struct round r = { .cases = c, .fits = f, .rows = rows, .n = n, .out = out, .why = why };
    pthread_t threads[MOST_THREADS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = processors > 1 ? (size_t)processors : 1, started = 0;

    most = most < n ? most : n;
    while (started + 1 < most && started < MOST_THREADS && !pthread_create(&threads[started], NULL, play_some, &r))
        started++;
    play_some(&r);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return interrupted() ? NW_EINTR : NW_OK;
}
