#include "harness/record/match.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/host/home.h"
#include "harness/run/point/trained.h"
#include "harness/status.h"

/* The columns that are looked at; all of them must be there, and whole. */
enum needed {
    RUN_ID,
    RUN_SCENARIO,
    RUN_FILE,
    LISTED_RUN,
    LISTED_POSITION,
    LISTED_VARIANT,
    LISTED_POINT,
    POINT_ID,
    POINT_KEY,
    PARAM_RUN,
    PARAM_POSITION,
    PARAM_PATH,
    PARAM_TEXT,
    TRAINED_POINT,
    TRAINED_MODEL,
    TRAINED_SEED,
    TRAINED_WORKERS,
    TRAINED_BATCH,
    TRAINED_STEPS,
    STEP_POINT,
    STEP_STEP,
    NEEDED,
};

static const struct {
    const char *table, *column;
    enum column_type type;
} needed[NEEDED] = {
    [RUN_ID] = { "run", "id", COLUMN_INTEGER },
    [RUN_SCENARIO] = { "run", "scenario", COLUMN_TEXT },
    [RUN_FILE] = { "run", "file", COLUMN_TEXT },
    [LISTED_RUN] = { "run_point", "run_id", COLUMN_INTEGER },
    [LISTED_POSITION] = { "run_point", "position", COLUMN_INTEGER },
    [LISTED_VARIANT] = { "run_point", "variant", COLUMN_TEXT },
    [LISTED_POINT] = { "run_point", "point_id", COLUMN_INTEGER },
    [POINT_ID] = { "point", "id", COLUMN_INTEGER },
    [POINT_KEY] = { "point", "key", COLUMN_TEXT },
    [PARAM_RUN] = { "point_param", "run_id", COLUMN_INTEGER },
    [PARAM_POSITION] = { "point_param", "position", COLUMN_INTEGER },
    [PARAM_PATH] = { "point_param", "path", COLUMN_TEXT },
    [PARAM_TEXT] = { "point_param", "text", COLUMN_TEXT },
    [TRAINED_POINT] = { "training", "point_id", COLUMN_INTEGER },
    [TRAINED_MODEL] = { "training", "model", COLUMN_TEXT },
    [TRAINED_SEED] = { "training", "seed", COLUMN_INTEGER },
    [TRAINED_WORKERS] = { "training", "workers", COLUMN_INTEGER },
    [TRAINED_BATCH] = { "training", "batch", COLUMN_INTEGER },
    [TRAINED_STEPS] = { "training", "steps", COLUMN_INTEGER },
    [STEP_POINT] = { "trace_step", "point_id", COLUMN_INTEGER },
    [STEP_STEP] = { "trace_step", "step", COLUMN_INTEGER },
};

struct matching {
    const char *path;
    FILE *out;
    struct record_jobs *jobs;
    const struct column *columns[NEEDED];
};

/* A run's scenario file, and what is wrong with it. */
struct fitting {
    struct scenario_file *scenario;
    size_t run;        /* row */
    char file[4096];   /* as it can be opened */
    size_t first, end; /* its jobs */
    char why[512];
};

static int64_t number(const struct matching *m, enum needed which, size_t row)
{
    return m->columns[which]->values[row];
}

static const char *text(const struct matching *m, enum needed which, size_t row)
{
    return m->columns[which]->words[m->columns[which]->values[row]];
}

static size_t nrows(const struct matching *m, enum needed which)
{
    return m->columns[which]->n;
}

/* The first row from 'from' on with this number; how many there are if there is none. */
static size_t row_of(const struct matching *m, enum needed which, int64_t value, size_t from)
{
    while (from < nrows(m, which) && number(m, which, from) != value)
        from++;
    return from;
}

static int damaged(const struct matching *m, const char *what)
{
    return status_error(NW_EINPUT, "narrows: %s: is damaged: %s\n", m->path, what);
}

static int find_columns(struct matching *m)
{
    static const struct column none;

    for (int i = 0; i < NEEDED; i++) {
        const struct record_rows *t = record_file_table(&m->jobs->file, needed[i].table);
        const struct column *c = t ? record_rows_column(t, needed[i].column) : NULL;

        m->columns[i] = t && !t->nrows ? &none : c;
        if (!c || (t->nrows && (c->absent || c->type != needed[i].type)))
            return status_error(NW_EINPUT, "narrows: %s: lacks %s.%s\n", m->path, needed[i].table, needed[i].column);
    }
    return NW_OK;
}

__attribute__((format(printf, 2, 3))) static bool unfit(struct fitting *f, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(f->why, sizeof(f->why), format, args);
    va_end(args);
    return 0;
}

static bool same_number(struct fitting *f, size_t position, const char *what, int64_t recorded, int64_t now)
{
    return recorded == now || unfit(f, "point %zu: %s: %lld was recorded, it is %lld now", position, what,
                                    (long long)recorded, (long long)now);
}

static bool same_text(struct fitting *f, size_t position, const char *what, const char *recorded, const char *now)
{
    return !strcmp(recorded, now) ||
           unfit(f, "point %zu: %s: '%s' was recorded, it is '%s' now", position, what, recorded, now);
}

/* What the axes are at. */
static bool same_params(const struct matching *m, struct fitting *f, size_t listed, const struct point *p)
{
    int64_t run = number(m, LISTED_RUN, listed), position = number(m, LISTED_POSITION, listed);
    size_t found = 0;

    for (size_t row = 0; row < nrows(m, PARAM_RUN); row++) {
        size_t i = 0;

        if (number(m, PARAM_RUN, row) != run || number(m, PARAM_POSITION, row) != position)
            continue;
        while (i < p->nparams && strcmp(p->params[i].path, text(m, PARAM_PATH, row)) != 0)
            i++;
        if (i == p->nparams)
            return unfit(f, "point %zu: %s was swept, it is not now", p->index, text(m, PARAM_PATH, row));
        if (!same_text(f, p->index, p->params[i].path, text(m, PARAM_TEXT, row), p->params[i].text))
            return 0;
        found++;
    }
    return same_number(f, p->index, "swept keys", (int64_t)found, (int64_t)p->nparams);
}

/* The number of steps is known beforehand, except for epochs of data from files. */
static bool same_training(const struct matching *m, struct fitting *f, size_t trained, const struct point *p)
{
    const struct training *t = &p->scenario.training;
    bool steps_known = t->steps || training_data_synthetic(t->data.kind);
    int64_t steps = number(m, TRAINED_STEPS, trained);

    return same_text(f, p->index, "the model", text(m, TRAINED_MODEL, trained), p->scenario.model.name) &&
           same_number(f, p->index, "seed", number(m, TRAINED_SEED, trained), t->seed) &&
           same_number(f, p->index, "workers", number(m, TRAINED_WORKERS, trained), t->workers) &&
           same_number(f, p->index, "batch", number(m, TRAINED_BATCH, trained), t->batch) &&
           same_number(f, p->index, "steps", steps, steps_known ? trained_steps(&p->scenario) : steps);
}

/* The rows of trace_step, one after another from step 0. */
static int find_steps(const struct matching *m, int64_t point, struct record_job *job)
{
    size_t at = row_of(m, STEP_POINT, point, 0);

    job->first = at;
    while (at < nrows(m, STEP_POINT) && number(m, STEP_POINT, at) == point) {
        if (number(m, STEP_STEP, at) != (int64_t)(at - job->first))
            return damaged(m, "steps are missing");
        at++;
    }
    job->nsteps = at - job->first;
    return job->nsteps ? NW_OK : damaged(m, "a training run has no steps");
}

/* "dct-small-table-1, point 3 (DCT 75%, seed 2)" */
static void name_job(const struct fitting *f, struct record_job *job)
{
    const struct point *p = &job->point;
    size_t used = (size_t)snprintf(job->name, sizeof(job->name), "%s, point %zu", scenario_name(f->scenario), p->index);
    const char *before = " (";

    if (*p->variant && used < sizeof(job->name)) {
        used += (size_t)snprintf(job->name + used, sizeof(job->name) - used, "%s%s", before, p->variant);
        before = ", ";
    }
    for (size_t i = 0; i < p->nparams && used < sizeof(job->name); i++) {
        const char *dot = strrchr(p->params[i].path, '.');

        used += (size_t)snprintf(job->name + used, sizeof(job->name) - used, "%s%s %s", before,
                                 dot ? dot + 1 : p->params[i].path, p->params[i].text);
        before = ", ";
    }
    if (*before == ',' && used < sizeof(job->name))
        snprintf(job->name + used, sizeof(job->name) - used, ")");
}

static int compare_key(const struct matching *m, int64_t point, struct record_job *job)
{
    const struct source_digests sources = { m->jobs->file.head.simulator, m->jobs->file.head.trainer };
    size_t row = row_of(m, POINT_ID, point, 0);
    char key[POINT_KEY_LENGTH + 1];
    int rc = row < nrows(m, POINT_ID) ? point_key_of(&job->point, &sources, key)
                                      : damaged(m, "a run lists a point that is not there");

    job->same_key = !rc && !strcmp(key, text(m, POINT_KEY, row));
    return rc ? rc : point_key(&job->point, job->key);
}

/* Of a training run that is listed already, with the same point. */
static bool listed_before(const struct record_jobs *jobs, size_t end)
{
    const struct record_job *job = &jobs->jobs[end];

    for (size_t i = 0; i < end; i++)
        if (jobs->jobs[i].first == job->first && !strcmp(jobs->jobs[i].key, job->key))
            return 1;
    return 0;
}

/* One row of run_point: a job, or the reason why it does not fit in f->why. */
static int match_point(struct matching *m, struct fitting *f, size_t listed)
{
    struct record_job *job = &m->jobs->jobs[f->end];
    size_t position = (size_t)number(m, LISTED_POSITION, listed);
    int64_t point = number(m, LISTED_POINT, listed);
    size_t trained = row_of(m, TRAINED_POINT, point, 0);
    int rc;

    if (trained == nrows(m, TRAINED_POINT)) {
        unfit(f, "point %zu: was recorded without its training run", position);
        return NW_OK;
    }
    rc = scenario_point(f->scenario, position, &job->point);
    if (rc)
        return rc;
    f->end++;
    name_job(f, job);
    if (!same_text(f, position, "the variant", text(m, LISTED_VARIANT, listed), job->point.variant) ||
        !same_params(m, f, listed, &job->point) || !same_training(m, f, trained, &job->point))
        return NW_OK;
    rc = find_steps(m, point, job);
    rc = rc ? rc : compare_key(m, point, job);
    if (!rc && listed_before(m->jobs, f->end - 1)) {
        point_free(&job->point);
        f->end--;
    }
    return rc;
}

/* Its points in their order: the scenario's first ones, for lists of seeds grow at their end. */
static int match_points(struct matching *m, struct fitting *f)
{
    int64_t run = number(m, RUN_ID, f->run);
    size_t expected = 0, npoints = scenario_npoints(f->scenario);
    int rc = NW_OK;

    for (size_t row = 0; row < nrows(m, LISTED_RUN); row++)
        expected += number(m, LISTED_RUN, row) == run;
    if (expected > npoints) {
        unfit(f, "%zu points were recorded, it has %zu now", expected, npoints);
        return NW_OK;
    }
    expected = 0;
    for (size_t row = 0; row < nrows(m, LISTED_RUN) && !rc && !*f->why; row++) {
        if (number(m, LISTED_RUN, row) != run)
            continue;
        if (number(m, LISTED_POSITION, row) != (int64_t)expected++)
            return damaged(m, "a run's points are not in order");
        rc = match_point(m, f, row);
    }
    return rc;
}

/* The file that the run was of; what reading finds wrong in it is printed. */
static int open_scenario(struct matching *m, struct fitting *f)
{
    const char *name = text(m, RUN_SCENARIO, f->run), *file = text(m, RUN_FILE, f->run);
    int rc;

    snprintf(f->file, sizeof(f->file), "%s/%s", home_dir(), file);
    if (strncmp(file, "scenarios/", 10) != 0 || access(f->file, R_OK))
        snprintf(f->file, sizeof(f->file), "%s", file);
    if (access(f->file, R_OK)) {
        unfit(f, "there is no file %s", f->file);
        return NW_OK;
    }
    rc = scenario_open(f->file, NULL, 0, NULL, 0, stderr, &f->scenario);
    if (rc == NW_ENOMEM)
        return rc;
    if (rc)
        unfit(f, "%s cannot be read as a scenario", f->file);
    else if (!scenario_trained(f->scenario))
        unfit(f, "%s trains nothing", f->file);
    else if (strcmp(scenario_name(f->scenario), name) != 0)
        unfit(f, "%s is of %s now", f->file, scenario_name(f->scenario));
    m->jobs->scenarios[m->jobs->nscenarios++] = f->scenario;
    return NW_OK;
}

static size_t listed_points(const struct matching *m, int64_t run)
{
    size_t n = 0;

    for (size_t row = 0; row < nrows(m, LISTED_RUN); row++)
        n += number(m, LISTED_RUN, row) == run;
    return n;
}

/* Runs that only computed a point for another list none. */
static int match_run(struct matching *m, size_t run)
{
    struct record_jobs *j = m->jobs;
    struct fitting f = { .run = run, .first = j->n, .end = j->n };
    size_t points = listed_points(m, number(m, RUN_ID, run));
    int rc = points ? open_scenario(m, &f) : NW_OK;

    j->runs += points > 0;
    if (!rc && points && !*f.why)
        rc = match_points(m, &f);
    j->n = f.end;
    if (!*f.why)
        return rc;
    while (j->n > f.first)
        point_free(&j->jobs[--j->n].point);
    j->unfit++;
    j->unfit_points += points;
    fprintf(m->out, "%s: stale, it must be trained again: %s\n", text(m, RUN_SCENARIO, run), f.why);
    return rc;
}

int record_jobs_open(const char *path, FILE *out, struct record_jobs *jobs)
{
    struct matching m = { .path = path, .out = out, .jobs = jobs };
    int rc;

    *jobs = (struct record_jobs){ 0 };
    rc = record_file_read(path, &jobs->file);
    rc = rc ? rc : find_columns(&m);
    if (rc)
        return rc;
    jobs->scenarios = calloc(nrows(&m, RUN_ID) + 1, sizeof(struct scenario_file *));
    jobs->jobs = calloc(nrows(&m, LISTED_RUN) + 1, sizeof(*jobs->jobs));
    if (!jobs->scenarios || !jobs->jobs)
        return NW_ENOMEM;
    for (size_t run = 0; run < nrows(&m, RUN_ID) && !rc; run++)
        rc = match_run(&m, run);
    return rc;
}

void record_jobs_close(struct record_jobs *jobs)
{
    for (size_t i = 0; i < jobs->n; i++)
        point_free(&jobs->jobs[i].point);
    for (size_t i = 0; i < jobs->nscenarios; i++)
        scenario_close(jobs->scenarios[i]);
    free(jobs->jobs);
    free(jobs->scenarios);
    record_file_free(&jobs->file);
    *jobs = (struct record_jobs){ 0 };
}
