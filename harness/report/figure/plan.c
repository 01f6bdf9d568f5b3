#include "harness/report/figure/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/figure/figure.h"
#include "harness/status.h"

typedef void write_fn(const struct planned *p, const struct plan_rows *rows, const struct timeline *t, FILE *out);

static void write_generated(const struct planned *p, const struct plan_rows *rows, const struct timeline *t, FILE *out)
{
    double generated = 0, offloadable = 0;

    (void)t;
    fprintf(out,
            "%s\tan operation's (GB)\tup to it (GB)\t%s, batch %lld: what is generated, and what the link carries"
            " meanwhile\n",
            p->model.name, p->model.name, (long long)p->plan.batch);
    for (size_t i = 0; i < p->plan.graph.nforward; i++) {
        const struct plan_step_fact *f = &rows->steps[i];
        generated += 1e-9 * (double)f->generated_bytes;
        offloadable += 1e-9 * (double)f->offloadable_bytes;
        fprintf(out, "%s\t%.9g\t%.9g\t%.9g\t%.9g\n", f->name, 1e-9 * (double)f->generated_bytes,
                1e-9 * (double)f->offloadable_bytes, generated, offloadable);
    }
}

static void write_live(const struct planned *p, const struct plan_rows *rows, const struct timeline *t, FILE *out)
{
    double end_ms = 0;

    (void)t;
    fprintf(out, "%s\ttime by the profile (ms)\tgeneral pool (GB)\t%s, batch %lld: memory alive\n",
            schedule_name(p->plan.options.schedule), p->model.name, (long long)p->plan.batch);
    for (size_t i = 0; i < p->plan.graph.noperations; i++) {
        end_ms += 1e-9 * (double)rows->steps[i].duration_ps;
        fprintf(out, "%.9g\t%.9g\n", end_ms, 1e-9 * (double)rows->steps[i].live_bytes);
    }
}

/* Lines of the figure: computing, copying to the host, copying to the device. */
static int line_of(const struct timeline *t, const struct span *s)
{
    const char *track = t->tracks[s->track].name;

    return !strncmp(track, "to-host", 7) ? 1 : !strncmp(track, "to-device", 9) ? 2 : 0;
}

static void write_timeline(const struct planned *p, const struct plan_rows *rows, const struct timeline *t, FILE *out)
{
    (void)rows;
    fprintf(out, "%s\ttime (ms)\t%s, batch %lld: computing and copying\n", schedule_name(p->plan.options.schedule),
            p->model.name, (long long)p->plan.batch);
    for (size_t i = 0; i < t->nspans; i++)
        fprintf(out, "%d\t%.9g\t%.9g\n", line_of(t, &t->spans[i]), 1e-9 * (double)t->spans[i].start_ps,
                1e-9 * (double)t->spans[i].end_ps);
}

static int one(const struct planned *p, const struct plan_rows *rows, const struct timeline *t, write_fn *write,
               const char *name, const char *plots, const char *dir)
{
    char *path = NULL;
    FILE *f;
    int rc = NW_OK;

    if (asprintf(&path, "%s/%s.tsv", dir, name) < 0)
        return NW_ENOMEM;
    f = fopen(path, "w");
    if (f)
        write(p, rows, t, f);
    if (!f || ferror(f) | fclose(f)) {
        fprintf(stderr, "narrows plan: %s: %s\n", path, strerror(errno));
        rc = NW_EIO;
    }
    free(path);
    return rc ? rc : figure_draw(name, name, plots, dir);
}

int plan_drawings(const struct planned *p, const struct plan_rows *rows, const struct timeline *t, const char *plots,
                  const char *dir)
{
    static const struct {
        const char *name;
        write_fn *write;
    } all[] = { { "generated", write_generated }, { "live", write_live }, { "timeline", write_timeline } };
    int rc = figure_directory(dir), undrawn = NW_OK;

    for (size_t i = 0; !rc && i < sizeof(all) / sizeof(*all); i++) {
        rc = one(p, rows, t, all[i].write, all[i].name, plots, dir);
        if (rc == NW_EENV)
            undrawn = rc, rc = NW_OK;
    }
    if (undrawn)
        fprintf(stderr,
                "narrows plan: gnuplot is not installed; the data are in %s (Debian: apt-get install gnuplot-nox)\n",
                dir);
    return rc ? rc : undrawn;
}
