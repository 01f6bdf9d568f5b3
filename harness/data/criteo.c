/* criteo.c - Criteo's Kaggle set as a source of clicks (readers.h). */
#include <stdio.h>
#include <stdlib.h>

#include "harness/data/criteo_index.h"
#include "harness/data/criteo_line.h"
#include "harness/data/file.h"
#include "harness/data/readers.h"
#include "model/status.h"
#include "train/data/plain_math.h"
#include "train/ops/draw_lane.h"

enum { DAYS = 7, MOST_SHOWN = 24 };

struct criteo {
    struct line_index lines;
    int64_t count[DATA_SETS];
    /* Of each table, and of all tables before it. */
    int64_t rows[CRITEO_TABLES], before[CRITEO_TABLES];
};

static int refuse(const struct criteo *c, int64_t line, const struct criteo_error *e, char *why, size_t nwhy)
{
    char found[MOST_SHOWN + 1];
    size_t n = e->nfound < MOST_SHOWN ? e->nfound : MOST_SHOWN;

    for (size_t i = 0; i < n; i++)
        found[i] = e->found[i] >= ' ' && e->found[i] <= '~' ? e->found[i] : '?';
    found[n] = '\0';
    return data_fail(why, nwhy, "%s: line %lld: column %d: expected %s, got '%s%s'", c->lines.path, (long long)line + 1,
                     e->column, e->expected, found, n < e->nfound ? "..." : "");
}

static int read_line(const struct criteo *c, int64_t which, struct criteo_line *line, char *why, size_t nwhy)
{
    char text[LINES_APART * LINE_MOST_BYTES];
    struct criteo_error e;
    size_t at, n;
    int rc = line_read(&c->lines, which, text, &at, &n, why, nwhy);

    if (rc)
        return rc;
    return criteo_line_read(text + at, n, line, &e) ? 0 : refuse(c, which, &e, why, nwhy);
}

/* Row 0 is for an empty category. A table of one row has that row alone. */
static int32_t id_of(const struct criteo *c, int table, int64_t category)
{
    int64_t others = c->rows[table] - 1, row = 0;

    if (category >= 0 && others)
        row = 1 + (int64_t)(draw_splitmix64((uint64_t)table, (uint64_t)category) % (uint64_t)others);
    return (int32_t)(c->before[table] + row);
}

static int criteo_sample(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment, float *values,
                         int32_t *ids, int32_t *labels, char *why, size_t nwhy)
{
    const struct criteo *c = s->own;
    int64_t which = spread(index, s->count[set], c->count[set]) + (set == DATA_TEST ? c->count[DATA_TRAIN] : 0);
    struct criteo_line line;
    int rc = read_line(c, which, &line, why, nwhy);

    (void)augment;
    if (rc)
        return rc;
    for (int i = 0; i < CRITEO_DENSE; i++)
        values[i] = line.dense[i] > 0 ? (float)(plain_log2(1 + (double)line.dense[i]) * 0.69314718055994531) : 0;
    for (int i = 0; i < CRITEO_TABLES; i++)
        ids[i] = id_of(c, i, line.categories[i]);
    *labels = line.label;
    return 0;
}

static void criteo_close(struct data_source *s)
{
    struct criteo *c = s->own;

    line_index_close(&c->lines);
    free(c);
    free(s);
}

/* Read the first and the last line, so that a file of another kind is refused at once. */
static int begin(struct data_source *s, const struct data_options *o, char *why, size_t nwhy)
{
    struct criteo *c = s->own;
    struct criteo_line line;
    int rc;

    for (int i = 0; i < CRITEO_TABLES; i++) {
        c->rows[i] = o->rows[i];
        c->before[i] = i ? c->before[i - 1] + c->rows[i - 1] : 0;
    }
    if (c->lines.lines < DAYS)
        return data_fail(why, nwhy, "%s: expected %d lines or more, a day each at least, got %lld", o->path, DAYS,
                         (long long)c->lines.lines);
    c->count[DATA_TRAIN] = c->lines.lines - c->lines.lines / DAYS;
    c->count[DATA_TEST] = c->lines.lines / DAYS;
    rc = read_line(c, 0, &line, why, nwhy);
    if (!rc)
        rc = read_line(c, c->lines.lines - 1, &line, why, nwhy);
    return rc ? rc : counts_choose(s, o, c->count, why, nwhy);
}

int criteo_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy)
{
    const struct data_range tables = { "tables", (int64_t)o->tables, CRITEO_TABLES, CRITEO_TABLES };
    static const struct data_source like = { .name = "criteo",
                                             .shape = { CRITEO_DENSE, 1, 1, CRITEO_TABLES, 1, 2 },
                                             .sample = criteo_sample,
                                             .close = criteo_close };
    struct data_source *s;
    struct criteo *c;
    int rc;

    if (data_refused(&tables, 1, why, nwhy) || data_rows_refused(o, why, nwhy))
        return E_DATA;
    s = source_new(&like, sizeof(*c), o->path, why, nwhy);
    if (!s)
        return E_NOMEM;
    c = s->own;
    rc = line_index_open(o->path, &c->lines, why, nwhy);
    if (!rc)
        rc = begin(s, o, why, nwhy);
    return source_opened(rc, s, out);
}
