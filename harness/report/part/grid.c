/* grid.c - grids of cells, published next to ours: from a row a cell to a table with columns for each, and how far off
 * it is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/part/part.h"
#include "harness/report/style/number.h"
#include "harness/status.h"

enum { MOST_GROUPS = 24, LABEL = 96 };
enum difference { PERCENT, POINTS, SHARE, NONE };

/* What a difference is printed as, and what a mean and a worst one are called. */
static const struct {
    const char *word, *cell, *mean, *worst;
} differences[] = {
    [PERCENT] = { "percent", "%+.1f%%", "%.1f %%", "%+.1f %%" },
    [POINTS] = { "points", "%+.2f", "%.2f points", "%+.2f points" },
    [SHARE] = { "share", "%+.3f", "%.3f", "%+.3f" },
    [NONE] = { "none", NULL, NULL, NULL },
};

/* 'compared': simulated or counted, and not fitted. */
enum { PREDICTED, KINDS = 6 };
static const struct {
    const char *kind, *words;
    bool compared;
} kinds[KINDS] = {
    [PREDICTED] = { "predicted", "predicted", true },
    { "calibrated", "calibrated (*)", false },
    { "replayed", "replayed (=)", true },
    { "assumed", "by assumption (^)", true },
    { "computed", "computed (c)", true },
    { "scaled", "scaled (~)", false },
};

/* Columns of the query; -1 for those it has not. */
struct sources {
    int row_label, column_label, published, ours, kind, half, n, unit, row_key, column_key, table_id, rule, ours_text,
        number, least, largest;
};

/* Columns of the table for one of the grid; -1 for those it has not. */
struct group {
    char label[LABEL];
    bool half, mark, n, published, range;
    int paper_at, ours_at, half_at, range_at, n_at, difference_at, mark_at;
};

struct grid {
    enum difference difference;
    struct group groups[MOST_GROUPS];
    int ngroups;
    int counted[KINDS];
    /* What is predicted, and the worst of it; what was compared and not fitted. */
    int ncompared;
    double compared_sum, sum, worst, worst_published, worst_ours;
    char worst_cell[2 * LABEL], worst_table[LABEL], worst_row[LABEL], worst_column[LABEL];
};

static struct sources find_sources(struct query *q)
{
    return (struct sources){
        query_column(q, "row_label"),  query_column(q, "column_label"), query_column(q, "published"),
        query_column(q, "ours"),       query_column(q, "kind"),         query_column(q, "half"),
        query_column(q, "n"),          query_column(q, "unit"),         query_column(q, "row_key"),
        query_column(q, "column_key"), query_column(q, "table_id"),     query_column(q, "rule"),
        query_column(q, "ours_text"),  query_column(q, "number"),       query_column(q, "least"),
        query_column(q, "largest"),
    };
}

static const char *text_of(struct query *q, int column)
{
    return column < 0 ? "" : query_text(q, column);
}

static bool has(struct query *q, int column)
{
    return column >= 0 && !query_null(q, column);
}

static struct group *group_of(struct grid *g, const char *label)
{
    for (int i = 0; i < g->ngroups; i++)
        if (!strncmp(g->groups[i].label, label, LABEL - 1))
            return &g->groups[i];
    return NULL;
}

/* Of a fitted cell it would be what its own fit misses it by; of one that nothing moves there is none. */
static bool ranges(struct query *q, const struct sources *s)
{
    return has(q, s->least) && has(q, s->largest) && strcmp(text_of(q, s->kind), "calibrated") != 0 &&
           query_real(q, s->largest) > query_real(q, s->least);
}

/* The groups and what they have, in the order in which the cells first name them. */
static int survey(sqlite3 *db, const struct part *p, struct grid *g)
{
    struct query q = query_open(db, p->query, NULL);
    struct sources s = find_sources(&q);

    if (q.st && (s.row_label < 0 || s.column_label < 0 || s.published < 0 || s.ours < 0))
        q.rc = part_faulty(p, "cells need columns row_label, column_label, published, ours");
    while (!q.rc && query_next(&q)) {
        struct group *group = group_of(g, query_text(&q, s.column_label));

        if (!group && g->ngroups == MOST_GROUPS) {
            q.rc = part_faulty(p, "expected no more than 24 columns of cells");
            break;
        }
        if (has(&q, s.number) && !number_format_ok(query_text(&q, s.number))) {
            q.rc = part_faulty(p, "expected a number's format to be text around one of %e %f %g");
            break;
        }
        if (!group) {
            group = &g->groups[g->ngroups++];
            snprintf(group->label, sizeof(group->label), "%s", query_text(&q, s.column_label));
        }
        group->published |= has(&q, s.published);
        group->half |= has(&q, s.half);
        group->n |= has(&q, s.n);
        group->range |= ranges(&q, &s);
        group->mark |= *style_mark(text_of(&q, s.kind)) != '\0';
    }
    return query_close(&q);
}

static int add_column(struct table *t, const struct group *g, const char *head, bool wanted, bool right)
{
    if (!wanted)
        return -1;
    table_column(t, g->label, head, right);
    return (int)t->ncolumns - 1;
}

static void heads(struct table *t, struct grid *g)
{
    table_column(t, "", "", false);
    for (int i = 0; i < g->ngroups; i++) {
        struct group *group = &g->groups[i];

        group->paper_at = add_column(t, group, "paper", group->published, true);
        group->ours_at = add_column(t, group, "ours", true, true);
        group->half_at = add_column(t, group, "±", group->half, true);
        group->range_at = add_column(t, group, "refitted", group->range, true);
        group->n_at = add_column(t, group, "n", group->n, true);
        group->difference_at = add_column(t, group, g->difference == POINTS ? "points" : "diff",
                                          g->difference != NONE && group->published, true);
        group->mark_at = add_column(t, group, "", group->mark, false);
    }
}

static void put(struct table *t, int column, const char *format, double value)
{
    char text[NUMBER_SIZE];

    number_print(text, format, value);
    table_text(t, table_cell(t, (size_t)column), "%s", text);
}

static void put_range(struct table *t, int column, const char *format, double least, double largest)
{
    char from[NUMBER_SIZE], to[NUMBER_SIZE];

    number_print(from, format, least);
    number_print(to, format, largest);
    table_text(t, table_cell(t, (size_t)column), "%s..%s", from, to);
}

static double difference_of(const struct grid *g, double published, double ours)
{
    return g->difference == PERCENT ? 100 * (ours / published - 1) : ours - published;
}

/* Steps of 2, 5, 10 and 25 %, points, or hundredths. */
static int distance_of(const struct grid *g, double difference)
{
    static const double steps[] = { 2, 5, 10, 25 };
    double size = fabs(difference) * (g->difference == SHARE ? 100 : 1);
    int i = 0;

    while (i < 4 && size >= steps[i])
        i++;
    return i;
}

static void count(struct grid *g, struct query *q, const struct sources *s, double published, double ours)
{
    double difference = difference_of(g, published, ours);
    int kind = 0;

    while (kind < KINDS && strcmp(kinds[kind].kind, text_of(q, s->kind)) != 0)
        kind++;
    if (kind == KINDS)
        return;
    g->counted[kind]++;
    g->ncompared += kinds[kind].compared;
    g->compared_sum += kinds[kind].compared ? fabs(difference) : 0;
    if (kind != PREDICTED)
        return;
    g->sum += fabs(difference);
    if (g->counted[PREDICTED] > 1 && fabs(difference) <= fabs(g->worst))
        return;
    g->worst = difference;
    g->worst_published = published;
    g->worst_ours = ours;
    snprintf(g->worst_cell, sizeof(g->worst_cell), "%s, %s", query_text(q, s->row_label),
             query_text(q, s->column_label));
    snprintf(g->worst_table, LABEL, "%s", text_of(q, s->table_id));
    snprintf(g->worst_row, LABEL, "%s", text_of(q, s->row_key));
    snprintf(g->worst_column, LABEL, "%s", text_of(q, s->column_key));
}

static void anchor(struct table *t, int column, const struct part *p, const char *row, const char *name)
{
    char all[512], slug[512];
    struct table_cell *cell = table_cell(t, (size_t)column);

    if (!cell || cell->anchor)
        return;
    snprintf(all, sizeof(all), "%s %s %s %s", p->paper, p->name, row, name);
    html_slug(slug, sizeof(slug), all);
    cell->anchor = strdup(slug);
    t->bad |= !cell->anchor;
}

/* Half the width of an interval has no sign. */
static const char *unsigned_format(char *out, const char *format)
{
    size_t n = 0;

    for (; *format; format++)
        if (*format != '+')
            out[n++] = *format;
    out[n] = '\0';
    return out;
}

static const char *ours_format(const struct grid *g, const char *number, double ours)
{
    return number ? number : g->difference == POINTS && fabs(ours) < 10 ? "%.2f" : number_format(ours);
}

static void fill(struct table *t, const struct part *p, struct grid *g, struct query *q, const struct sources *s)
{
    const struct group *group = group_of(g, query_text(q, s->column_label));
    double published = query_real(q, s->published), ours = query_real(q, s->ours);
    const char *number = has(q, s->number) ? query_text(q, s->number) : NULL;
    struct table_cell *cell;
    char sign_free[NUMBER_SIZE];

    if (!group)
        return;
    if (group->paper_at >= 0 && has(q, s->published))
        put(t, group->paper_at, number ? number : number_format(published), published);
    cell = table_cell(t, (size_t)group->ours_at);
    if (has(q, s->ours_text))
        table_text(t, cell, "%s", query_text(q, s->ours_text));
    else if (has(q, s->ours))
        put(t, group->ours_at, ours_format(g, number, ours), ours);
    else
        table_text(t, cell, "-");
    if (cell && *text_of(q, s->kind)) {
        cell->kind = strdup(text_of(q, s->kind));
        t->bad |= !cell->kind;
    }
    if (s->row_key >= 0 && s->column_key >= 0)
        anchor(t, group->paper_at >= 0 ? group->paper_at : group->ours_at, p, query_text(q, s->row_key),
               query_text(q, s->column_key));
    if (has(q, s->half))
        put(t, group->half_at, number ? unsigned_format(sign_free, number) : "%.2g", query_real(q, s->half));
    if (group->range_at >= 0 && ranges(q, s))
        put_range(t, group->range_at, ours_format(g, number, ours), query_real(q, s->least), query_real(q, s->largest));
    if (has(q, s->n))
        put(t, group->n_at, "%.0f", query_real(q, s->n));
    if (group->mark_at >= 0)
        table_text(t, table_cell(t, (size_t)group->mark_at), "%s", style_mark(text_of(q, s->kind)));
    if (!has(q, s->ours) || !has(q, s->published) || group->difference_at < 0)
        return;
    put(t, group->difference_at, differences[g->difference].cell, difference_of(g, published, ours));
    if ((cell = table_cell(t, (size_t)group->difference_at)) != NULL)
        cell->distance = distance_of(g, difference_of(g, published, ours));
    count(g, q, s, published, ours);
}

/* Why the worst cell is missed, if the paper's notes say. */
static int note_of(sqlite3 *db, const struct part *p, const struct grid *g, char *note, size_t size)
{
    struct query q = query_open(
        db, "SELECT note FROM paper_note WHERE paper = ?1 AND table_id = ?2 AND row_key = ?3 AND column_key = ?4",
        p->paper, g->worst_table, g->worst_row, g->worst_column, NULL);

    *note = '\0';
    if (query_next(&q))
        snprintf(note, size, " %s", query_text(&q, 0));
    return query_close(&q);
}

static int say(sqlite3 *db, const struct part *p, const struct grid *g, char *said, size_t size)
{
    char error[NUMBER_SIZE], note[512];
    size_t n = 0;
    int kinds_there = 0, rc;

    *said = '\0';
    for (int kind = 0; kind < KINDS; kind++)
        if (g->counted[kind])
            n += (size_t)snprintf(said + n, size - n, "%s%d %s", kinds_there++ ? ", " : "Cells: ", g->counted[kind],
                                  kinds[kind].words);
    if (!g->counted[PREDICTED]) {
        snprintf(said + n, size - n, kinds_there ? "." : "");
        return NW_OK;
    }
    if (g->counted[PREDICTED] > 1) {
        number_print(error, differences[g->difference].mean, g->sum / g->counted[PREDICTED]);
        n += (size_t)snprintf(said + n, size - n, ". Mean absolute error of the predicted: %s", error);
    }
    if (g->ncompared > g->counted[PREDICTED]) {
        number_print(error, differences[g->difference].mean, g->compared_sum / g->ncompared);
        n += (size_t)snprintf(said + n, size - n, "%s of all %d not fitted: %s",
                              g->counted[PREDICTED] > 1 ? ";" : ". Mean absolute error", g->ncompared, error);
    }
    number_print(error, differences[g->difference].worst, g->worst);
    rc = note_of(db, p, g, note, sizeof(note));
    snprintf(said + n, size - n, ". %s%s: paper %.4g, ours %.4g (%s).%s", g->counted[PREDICTED] > 1 ? "Worst: " : "",
             g->worst_cell, g->worst_published, g->worst_ours, error, note);
    return rc;
}

static int read_rows(sqlite3 *db, const struct part *p, struct grid *g, struct table *t)
{
    struct query q = query_open(db, p->query, NULL);
    struct sources s = find_sources(&q);
    char label[LABEL] = "";

    while (query_next(&q) && !table_bad(t)) {
        if (!t->nrows || strncmp(label, query_text(&q, s.row_label), LABEL - 1) != 0) {
            snprintf(label, sizeof(label), "%s", query_text(&q, s.row_label));
            table_row(t, t->nrows && s.rule >= 0 && query_real(&q, s.rule) != 0);
            table_text(t, table_cell(t, 0), "%s", label);
        }
        fill(t, p, g, &q, &s);
    }
    return query_close(&q);
}

int grid_read(sqlite3 *db, const struct part *p, struct table **out, char *said, size_t size)
{
    struct grid g = { .difference = PERCENT };
    int rc;

    *out = NULL;
    while (g.difference < NONE && strcmp(differences[g.difference].word, p->format) != 0)
        g.difference++;
    if (g.difference == NONE && strcmp(p->format, differences[NONE].word) != 0)
        return part_faulty(p, "expected a format for differences: percent, points, share or none");
    rc = survey(db, p, &g);
    if (rc || !g.ngroups)
        return rc;
    *out = table_new();
    if (!*out)
        return NW_ENOMEM;
    heads(*out, &g);
    rc = read_rows(db, p, &g, *out);
    return rc ? rc : say(db, p, &g, said, size);
}
