#include "harness/validation/validation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/progress.h"
#include "harness/status.h"
#include "harness/validation/facts.h"

static int fit_each(struct prediction *p)
{
    int rc = NW_OK;

    for (size_t i = 0; !rc && i < p->fits.n; i++) {
        char text[160];
        snprintf(text, sizeof(text), "%s: fitting %s to %zu group%s", p->spec->name, p->fits.list[i].fit->keys,
                 p->fits.list[i].ngroups, p->fits.list[i].ngroups == 1 ? "" : "s");
        progress_note(&p->progress, text);
        rc = fit_all(&p->cases, &p->fits, i);
    }
    p->fits.ready = p->fits.n;
    return rc;
}

static int predict_all(struct prediction *p)
{
    size_t n = 0, *rows = calloc(p->cases.n, sizeof(*rows));
    double *out = calloc(p->cases.n, sizeof(*out));
    char **why = calloc(p->cases.n, sizeof(*why)), text[160];
    int rc = rows && out && why ? NW_OK : NW_ENOMEM;

    for (size_t i = 0; !rc && i < p->cases.n; i++)
        if (p->cases.rows[i].used)
            rows[n++] = i;
    snprintf(text, sizeof(text), "%s: predicting %zu rows", p->spec->name, n);
    progress_note(&p->progress, text);
    rc = rc ? rc : fits_play(&p->cases, &p->fits, rows, n, out, why);
    for (size_t i = 0; out && why && i < n; i++) {
        p->predicted[rows[i]] = rc ? NAN : out[i];
        p->why[rows[i]] = why[i];
    }
    free(rows);
    free(out);
    free(why);
    return rc;
}

/* Every key of 'bind' must be there, so each row is bound. */
static int bind_all(const struct cases *c)
{
    int rc = NW_OK;

    for (size_t i = 0; !rc && i < c->n; i++) {
        struct point point = { 0 };
        rc = c->rows[i].used ? case_bind(c, i, NULL, 0, &point) : NW_OK;
        point_free(&point);
    }
    return rc;
}

static int read_question(struct prediction *p, const struct validation_run *q)
{
    int rc = validation_open(q->file, stderr, &p->spec);

    rc = rc ? rc : cases_open(p->spec, q->data, &p->cases);
    rc = rc ? rc : fits_open(&p->cases, q->data != NULL, &p->fits);
    return rc ? rc : extras_read(&p->cases, &p->extras);
}

static int predict(struct prediction *p, const struct validation_run *q)
{
    int rc = read_question(p, q);

    rc = rc ? rc : bind_all(&p->cases);
    if (rc)
        return rc;
    p->predicted = malloc(p->cases.n * sizeof(*p->predicted));
    p->why = calloc(p->cases.n, sizeof(*p->why));
    if (!p->predicted || !p->why)
        return NW_ENOMEM;
    for (size_t i = 0; i < p->cases.n; i++)
        p->predicted[i] = NAN;
    rc = fit_each(p);
    rc = rc ? rc : predict_all(p);
    return rc ? rc : leave_rows_out(&p->cases, &p->fits, p->extras, p->predicted, &p->left);
}

static void finish(struct prediction *p)
{
    for (size_t i = 0; p->why && i < p->cases.n; i++)
        free(p->why[i]);
    free(p->why);
    free(p->predicted);
    free(p->extras);
    left_outs_free(&p->left);
    fits_free(&p->fits);
    cases_close(&p->cases);
    validation_close(p->spec);
}

int validation_check(const char *path, size_t *rows, size_t *calibrating)
{
    struct prediction p = { .spec = NULL };
    int rc = read_question(&p, &(struct validation_run){ .file = path });

    rc = rc ? rc : bind_all(&p.cases);
    *rows = *calibrating = 0;
    for (size_t i = 0; !rc && i < p.cases.n; i++) {
        *rows += p.cases.rows[i].used;
        *calibrating += p.cases.rows[i].used && fits_calibrates(&p.fits, i);
    }
    finish(&p);
    return rc;
}

int validation_predict(struct store *s, const struct validation_run *q)
{
    struct prediction p = { .spec = NULL };
    int rc;

    progress_begin(&p.progress, "validate", 0);
    rc = predict(&p, q);
    progress_end(&p.progress);
    rc = rc ? rc : prediction_store(&p, s, q);
    finish(&p);
    return rc;
}
