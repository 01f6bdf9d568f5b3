#include "harness/command/compress/compare.h"

#include <stdlib.h>
#include <string.h>

#include "harness/compare/render/render.h"
#include "harness/host/home.h"
#include "harness/run/interrupt.h"
#include "harness/run/supply.h"
#include "harness/status.h"
#include "harness/text/whole_file.h"

static const char examples[] = "scenarios/examples/gradients";

/* Everything that is opened for one comparison. */
struct comparing {
    const struct compare_arguments *a;
    struct contenders contenders;
    struct steps steps;
    struct comparison comparison;
    struct forecasts forecasts;
    struct scenario_file *file;
    struct point point;
    struct supply supply;
    char *source;
};

static int read_steps(struct comparing *c)
{
    const struct compare_arguments *a = c->a;
    char path[4096];
    const char *shipped = path;

    if (a->ninputs) {
        if (asprintf(&c->source, "%s%s", a->inputs[0], a->ninputs > 1 ? " and others" : "") < 0)
            return NW_ENOMEM;
        return steps_read(&c->steps, a->inputs, a->ninputs, &a->read, stderr);
    }
    snprintf(path, sizeof(path), "%s/%s", home_dir(), examples);
    c->source = strdup("shipped examples (scenarios/examples/gradients/README.md says what they are)");
    return c->source ? steps_read(&c->steps, &shipped, 1, &a->read, stderr) : NW_ENOMEM;
}

/* --- the forecast --- */

static int forecast(struct comparing *c)
{
    const char *baseline = scenario_baseline(c->file);
    int rc = NW_OK;

    if (supply_needed(c->file, &c->point)) {
        rc = supply_open(&c->supply, c->file, c->a->db, "compress", baseline, command_text());
        if (!rc)
            rc = supply_point(&c->supply, &c->point);
    }
    return rc ? rc : forecasts_make(c->file, &c->point, &c->comparison, &c->forecasts);
}

/* A scenario without such a codec is refused before anything is measured. */
static int open_scenario(struct comparing *c)
{
    int rc = command_open_point(&c->a->at, &c->file, &c->point);

    return rc ? rc : forecasts_check(c->file, &c->point);
}

/* --- what is printed --- */

static int print(const struct comparing *c)
{
    const struct rendered r = { .comparison = &c->comparison,
                                .forecasts = c->a->at.file ? &c->forecasts : NULL,
                                .source = c->source,
                                .bar = c->a->bar,
                                .tensors = c->a->tensors };
    int rc = NW_OK;

    if (c->a->html)
        rc = whole_file_write(c->a->html, render_html, &r, stderr);
    if (rc)
        return rc;
    switch (c->a->format) {
    case COMPARE_CSV: render_csv(&r, stdout); return NW_OK;
    case COMPARE_JSON: render_json(&r, stdout); return NW_OK;
    case COMPARE_TEXT: break;
    }
    return render_text(&r, stdout);
}

static int compare(struct comparing *c)
{
    const struct compare_arguments *a = c->a;
    int rc = contenders_choose(&c->contenders, a->codecs, a->ncodecs, a->impl, stderr);

    if (!rc && a->at.file)
        rc = open_scenario(c);
    if (!rc)
        rc = read_steps(c);
    if (!rc)
        rc = comparison_make(&c->contenders, &c->steps, a->seconds, &c->comparison);
    if (!rc && a->at.file)
        rc = forecast(c);
    return rc ? rc : print(c);
}

int compare_run(const struct compare_arguments *a)
{
    struct comparing c = { .a = a };
    int rc;

    interrupt_catch();
    rc = compare(&c);
    forecasts_free(&c.forecasts);
    comparison_free(&c.comparison);
    steps_free(&c.steps);
    contenders_free(&c.contenders);
    point_free(&c.point);
    rc = supply_close(&c.supply, rc);
    scenario_close(c.file);
    free(c.source);
    return rc;
}
