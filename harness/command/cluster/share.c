#include "harness/command/cluster/share.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/store/merge/merge.h"

/* A second's points, by what the last batch took: between half and twice as many as before. */
static size_t next_batch(size_t before, double seconds)
{
    return seconds < 0.5 ? 2 * before : seconds > 2 && before > 1 ? before / 2 : before;
}

static void hand_on(const struct share *s, struct store *store, const struct share_note *note)
{
    size_t n = 0;
    unsigned char *bytes = store ? store_bytes(store, &n) : NULL, *all = malloc(n + sizeof(*note));

    if (!bytes)
        n = 0;
    if (all) {
        memcpy(all, bytes ? bytes : (const unsigned char *)"", n);
        memcpy(all + n, note, sizeof(*note));
        s->hand_on(all, n + sizeof(*note), s->argument);
    } else { /* nothing can be said to the others */
        fprintf(stderr, "narrows: too little memory to hand on %zu bytes\n", n);
        abort();
    }
    sqlite3_free(bytes);
}

static int play_batch(const struct share *s, size_t first, size_t n, double *seconds)
{
    struct experiment x = *s->x;
    struct experiment_result result = { 0 };
    struct share_note note = { 0 };

    x.points = s->points + first;
    x.npoints = n;
    x.run_id = 0;
    x.part = true;
    x.missing = NULL;
    x.store = NULL;
    note.rc = store_open(STORE_NOWHERE, &x.store);
    if (!note.rc)
        note.rc = experiment_run(&x, s->file, &result);
    note.computed = result.computed;
    note.last = note.rc || first + n == s->n;
    *seconds = result.seconds;
    hand_on(s, x.store, &note);
    store_close(x.store);
    return note.rc;
}

void share_play(const struct share *s)
{
    size_t batch = 4 * (size_t)s->x->jobs;
    double seconds;

    if (!s->n)
        hand_on(s, NULL, &(struct share_note){ .last = true });
    for (size_t first = 0, n; first < s->n; first += n) {
        n = s->n - first < batch ? s->n - first : batch;
        if (play_batch(s, first, n, &seconds))
            return;
        batch = next_batch(batch, seconds);
    }
}

int share_take(struct store *into, int64_t run_id, const unsigned char *bytes, size_t n, struct share_note *note)
{
    struct merge_counts counts;
    struct store *from = NULL;
    int rc;

    memcpy(note, bytes + n - sizeof(*note), sizeof(*note));
    if (n == sizeof(*note))
        return NW_OK;
    rc = store_open_bytes("points of another process", (unsigned char *)bytes, n - sizeof(*note), &from);
    rc = rc ? rc : store_adopt(into, run_id, from, &counts);
    store_close(from);
    return rc;
}
