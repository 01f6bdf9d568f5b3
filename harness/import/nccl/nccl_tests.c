#include "harness/import/nccl/nccl_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/count.h"
#include "harness/import/nccl/table.h"
#include "harness/status.h"
#include "model/vec.h"

enum { MOST_COLUMNS = 32, SETS = 2, WORD = 96, LINE_MOST = 4096 };

/* Names of the programs; -1: not among narrows' collectives. The longer of two that begin alike comes first. */
static const struct {
    const char *name, *word;
    int operation;
} operations[] = {
    { "all_reduce", "all-reduce", COLLECTIVE_ALLREDUCE },
    { "all_gather", "all-gather", COLLECTIVE_ALLGATHER },
    { "reduce_scatter", "reduce-scatter", COLLECTIVE_REDUCE_SCATTER },
    { "broadcast", "broadcast", COLLECTIVE_BROADCAST },
    { "alltoall", "all-to-all", -1 },
    { "sendrecv", "send-receive", -1 },
    { "hypercube", "hypercube", -1 },
    { "gather", "gather", -1 },
    { "scatter", "scatter", -1 },
    { "reduce", "reduce", -1 },
};

struct words {
    const char *at[MOST_COLUMNS];
    int length[MOST_COLUMNS];
    int n;
};

struct reading {
    const char *name;
    const struct nccl_tests_options *options;
    struct nccl_tests *out;
    size_t capacity;
    FILE *err;
    int64_t line;
    /* Of the run at hand. */
    int operation;
    bool foreign, named, rows;
    int64_t ranks;
    int columns, time, wrong; /* places; columns 0: no table */
    bool counts;              /* '#wrong', not 'error' */
};

static int find_operation(const char *text)
{
    for (size_t i = 0; i < COUNT(operations); i++)
        if (strstr(text, operations[i].name) || strstr(text, operations[i].word))
            return (int)i;
    return -1;
}

int nccl_tests_operation(const char *text)
{
    int i = find_operation(text);

    return i < 0 ? -1 : operations[i].operation;
}

const char *nccl_operation_word(enum collective_operation operation)
{
    for (size_t i = 0; i < COUNT(operations); i++)
        if (operations[i].operation == (int)operation)
            return operations[i].word;
    return "";
}

static void split(const char *line, size_t n, struct words *w)
{
    const char *end = line + n;

    w->n = 0;
    while (line < end) {
        while (line < end && (*line == ' ' || *line == '\t' || *line == '\r'))
            line++;
        const char *from = line;
        while (line < end && *line != ' ' && *line != '\t' && *line != '\r')
            line++;
        if (line > from && w->n < MOST_COLUMNS) {
            w->at[w->n] = from;
            w->length[w->n++] = (int)(line - from);
        }
    }
}

static bool is(const struct words *w, int i, const char *text)
{
    return i < w->n && w->length[i] == (int)strlen(text) && !memcmp(w->at[i], text, strlen(text));
}

static int refuse(const struct reading *r, const char *expected, const struct words *w, int word)
{
    char found[WORD] = "the end of the line";

    if (word < w->n)
        snprintf(found, sizeof(found), "'%.*s'", w->length[word] < WORD - 4 ? w->length[word] : WORD - 4, w->at[word]);
    for (char *c = found; *c; c++)
        *c = *c < ' ' || *c == 127 ? '?' : *c;
    fprintf(r->err, "%s:%lld: expected %s, got %s\n", r->name, (long long)r->line, expected, found);
    return NW_EINPUT;
}

static bool number(const struct words *w, int i, double *value)
{
    char text[WORD], *end;

    if (i >= w->n || w->length[i] >= WORD)
        return false;
    memcpy(text, w->at[i], (size_t)w->length[i]);
    text[w->length[i]] = '\0';
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value);
}

/* --- comments ----------------------------------------------------------------------------------------------------- */

static void begin_run(struct reading *r)
{
    r->operation = r->options->operation;
    r->foreign = r->named = r->rows = false;
    r->ranks = 0;
    r->columns = 0;
}

/* '#', then 'size', 'count', ...: which columns there are. */
static int read_heads(struct reading *r, const struct words *w)
{
    int times = 0;

    r->columns = w->n - 1;
    r->time = r->wrong = -1;
    for (int i = 1; i < w->n; i++) {
        bool wanted = times == (r->options->in_place ? SETS : 1);

        if (is(w, i, "time")) {
            times++;
            if (times == (r->options->in_place ? SETS : 1))
                r->time = i - 1;
        } else if (wanted && r->wrong < 0 && (is(w, i, "#wrong") || is(w, i, "error"))) {
            r->wrong = i - 1;
            r->counts = is(w, i, "#wrong");
        }
    }
    return r->time < 0
               ? refuse(r, r->options->in_place ? "a second column 'time', in place" : "a column 'time'", w, w->n)
               : NW_OK;
}

static void name_run(struct reading *r, const struct words *w, int word)
{
    char text[WORD];
    int i;

    snprintf(text, sizeof(text), "%.*s", w->length[word] < WORD - 1 ? w->length[word] : WORD - 1, w->at[word]);
    i = find_operation(text);
    r->named = true;
    r->operation = i < 0 ? -1 : operations[i].operation;
    r->foreign = r->operation < 0;
}

static int read_comment(struct reading *r, const struct words *w)
{
    if (is(w, 1, "nThread") || is(w, 1, "nccl-tests")) {
        if (r->rows || is(w, 1, "nccl-tests"))
            begin_run(r);
    } else if (is(w, 1, "Collective") && is(w, 2, "test") && w->n > 4) {
        if (r->rows)
            begin_run(r);
        name_run(r, w, 4);
    } else if (is(w, 1, "Using") && is(w, 2, "devices")) {
        r->ranks = 0;
    } else if (is(w, 1, "Rank")) {
        r->ranks++;
    } else if (is(w, 1, "size")) {
        return read_heads(r, w);
    } else if (is(w, 1, "Out") && is(w, 2, "of") && is(w, 3, "bounds")) {
        for (int i = 4; i < w->n; i++)
            if (is(w, i, "FAILED"))
                return refuse(r, "a run without values out of bounds", w, i);
    }
    return NW_OK;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static int push(struct reading *r, double bytes, double time_us)
{
    struct nccl_tests *t = r->out;

    if (!VEC_RESERVE(t->rows, r->capacity, t->n))
        return NW_ENOMEM;
    t->rows[t->n++] = (struct nccl_tests_row){ (enum collective_operation)r->operation,
                                               r->ranks ? r->ranks : r->options->ranks, (int64_t)bytes, time_us };
    t->nruns += !r->rows;
    r->rows = true;
    return NW_OK;
}

static int check_run(const struct reading *r, const struct words *w)
{
    int64_t ranks = r->ranks ? r->ranks : r->options->ranks;

    if (r->operation < 0)
        return refuse(r, "a line '# Collective test starting: NAME' before the rows, or --operation", w, 0);
    if (ranks < 2)
        return refuse(r, "a line '# Rank' for each of two ranks or more before the rows, or --ranks", w, 0);
    return NW_OK;
}

static int read_row(struct reading *r, const struct words *w)
{
    double bytes = 0, time_us = 0, wrong = 0;
    int rc;

    if (w->n != r->columns)
        return refuse(r, "as many values as there are columns", w, w->n < r->columns ? w->n : r->columns);
    if (r->foreign) {
        r->out->nforeign++;
        return NW_OK;
    }
    if ((rc = check_run(r, w)))
        return rc;
    if (!number(w, 0, &bytes) || bytes > 1e15)
        return refuse(r, "bytes up to 1e15", w, 0);
    if (!number(w, r->time, &time_us) || !(time_us > 0) || time_us > 1e12)
        return refuse(r, "a time in us above 0", w, r->time);
    if (r->wrong >= 0 && number(w, r->wrong, &wrong) && r->counts && wrong != 0)
        return refuse(r, "no wrong values", w, r->wrong);
    r->out->nread++;
    if (bytes < 1) {
        r->out->nempty++;
        return NW_OK;
    }
    return push(r, bytes, time_us);
}

/* In a table, a line whose first word is digits is a row. */
static bool is_row(const struct words *w)
{
    for (int i = 0; w->n && i < w->length[0]; i++)
        if (w->at[0][i] < '0' || w->at[0][i] > '9')
            return false;
    return w->n > 0;
}

static int read_line(struct reading *r, const char *line, size_t n)
{
    struct words w;

    if (n > LINE_MOST) /* no row is as long, and no comment that counts */
        return NW_OK;
    split(line, n, &w);
    if (is(&w, 0, "#"))
        return read_comment(r, &w);
    return r->columns && is_row(&w) ? read_row(r, &w) : NW_OK;
}

int nccl_tests_parse(const char *name, const char *text, size_t size, const struct nccl_tests_options *o,
                     struct nccl_tests *out, FILE *err)
{
    struct reading r = { .name = name, .options = o, .out = out, .err = err };
    const char *end = text + size;
    int rc = NW_OK;

    *out = (struct nccl_tests){ 0 };
    begin_run(&r);
    while (text < end && !rc) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t n = (size_t)((newline ? newline : end) - text);

        r.line++;
        rc = read_line(&r, text, n);
        text += n + 1;
    }
    if (!rc && !out->n) {
        fprintf(err, "%s: expected rows of nccl-tests' output%s, got none\n", name,
                out->nforeign ? " of an all-reduce, all-gather, reduce-scatter or broadcast" : "");
        rc = NW_EINPUT;
    }
    if (rc == NW_ENOMEM)
        fprintf(err, "%s: no memory for its rows\n", name);
    if (rc)
        nccl_tests_free(out);
    else
        nccl_table_medians(out);
    return rc;
}
