#include "harness/command/cluster/slurm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/command/cluster/batch.h"
#include "harness/command/cluster/child.h"
#include "harness/command/line/command_line.h"
#include "harness/run/interrupt.h"
#include "harness/status.h"

enum { USUAL_TASKS = 16, MOST_TRAINING_TASKS = 256, MOST_ARGUMENTS = 300 };

int slurm_there(void)
{
    if (child_there("sbatch"))
        return NW_OK;
    return status_error(NW_EENV, "narrows: --slurm: there is no sbatch in PATH: run it on a cluster's login node, or "
                                 "install Slurm's programs (Debian: slurm-client)\n");
}

static size_t tasks_for(const struct slurm *s, const struct scenario_file *file)
{
    size_t n = scenario_npoints(file), most = scenario_trained(file) ? MOST_TRAINING_TASKS : USUAL_TASKS;

    most = s->tasks ? s->tasks : most;
    return n < most ? n : most;
}

/* Is any task of the job waiting or at work? Slurm forgets jobs some time after they ended. */
static bool at_work(const struct batch_job *job)
{
    const char *const argv[] = { "squeue", "-h", "-j", job->id, "-o", "%T", NULL };
    struct child c;
    int first;

    if (!*job->id || child_start(argv, true, &c))
        return false;
    first = fgetc(c.out);
    return child_wait(&c) == 0 && first != EOF;
}

static void wait_for(const struct batch_job *job)
{
    while (!interrupted() && at_work(job))
        nanosleep(&(struct timespec){ 2, 0 }, NULL);
}

/* sbatch says the job's number at once, and with --wait ends with the job. */
static int sbatch(const struct slurm *s, const struct batch *b, const char *array, struct batch_job *job)
{
    char *script = batch_path(b, ".sh"), *log = batch_path(b, "-%A_%a.log");
    const char *argv[MOST_ARGUMENTS] = { "sbatch",   "--parsable", "--job-name", "narrows",
                                         "--output", log,          "--array",    array };
    struct child c;
    size_t n = 8;
    int rc;

    if (s->wait)
        argv[n++] = "--wait";
    for (size_t i = 0; i < s->noptions && n + 2 < MOST_ARGUMENTS; i++)
        argv[n++] = s->options[i];
    argv[n++] = script;
    rc = child_start(argv, false, &c);
    free(script);
    free(log);
    if (rc)
        return rc;
    if (fscanf(c.out, "%31[0-9]", job->id) != 1) {
        *job->id = '\0';
        child_wait(&c);
        return status_error(NW_EIO, "narrows: sbatch gave no job\n");
    }
    rc = batch_write_job(b, job);
    if (s->wait)
        fprintf(stderr, "job %s: tasks %s\n", job->id, array);
    child_wait(&c);
    return rc;
}

static int submit(const struct slurm *s, const struct batch *b, const struct experiment_missing *missing,
                  struct batch_job *job)
{
    char *array;
    int rc = batch_write(b, missing, &array);

    if (rc)
        return rc;
    *job = (struct batch_job){ .tasks = b->tasks };
    rc = sbatch(s, b, array, job);
    if (!rc && !s->wait)
        printf("job %s: tasks %s for %zu points\n", job->id, array, missing->n);
    free(array);
    return rc;
}

/* Each task that left points, some of them, and where it says why. */
static void report(const struct batch *b, const struct batch_job *job, const struct experiment_missing *missing)
{
    enum { SHOWN = 5 };

    for (size_t task = 0; task < job->tasks; task++) {
        char text[128] = "";
        size_t n = 0;

        for (size_t i = 0; i < missing->n; i++)
            if (missing->points[i] % job->tasks == task && n++ < SHOWN)
                snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%zu", n > 1 ? ", " : "",
                         missing->points[i]);
        if (n)
            fprintf(stderr, "narrows: task %s_%zu did not compute %zu point%s (%s%s): %s/%s-%s_%zu.log\n", job->id,
                    task, n, n > 1 ? "s" : "", text, n > SHOWN ? ", ..." : "", b->folder, b->name, job->id, task);
    }
}

static void say_how_to_collect(const struct batch_job *job, const struct experiment_missing *missing)
{
    printf("%zu points are missing; when job %s has ended, this collects them: %s\n", missing->n, job->id,
           command_text());
}

/* Whoever has everything ends the run. */
static int look(const struct experiment *x, const struct scenario_file *file, struct experiment_missing *missing,
                struct experiment_result *out)
{
    struct experiment list = *x;
    int rc;

    *missing = (struct experiment_missing){ 0 };
    list.missing = missing;
    rc = experiment_begin(x, file, &list.run_id);
    rc = rc ? rc : experiment_run(&list, file, out);
    if (!rc && missing->n && out->measured)
        return status_error(NW_EINPUT,
                            "%s: --slurm: expected given rates, got 'measured': they would be those of whichever "
                            "machine a task ran on\n",
                            scenario_path(file));
    if (rc || missing->n)
        return rc;
    list.missing = NULL;
    return command_experiment(&list, file, out);
}

/* One job: what is missing was looked up before. */
static int work(const struct slurm *s, const struct batch *b, const struct experiment_missing *missing,
                struct batch_job *job)
{
    int rc = NW_OK;

    if (at_work(job)) {
        if (s->wait)
            wait_for(job);
    } else {
        if (*job->id)
            report(b, job, missing);
        rc = submit(s, b, missing, job);
    }
    return rc ? rc : interrupted() ? NW_EINTR : NW_OK;
}

static int collect_and_work(const struct slurm *s, const struct batch *b, const struct experiment *x,
                            const struct scenario_file *file, struct experiment_result *out, bool *complete)
{
    struct experiment_missing missing;
    struct batch_job job;
    int rc = batch_read_job(b, &job);

    for (bool worked = false; !rc; worked = true) {
        rc = batch_collect(b, x->store);
        if (rc)
            return rc;
        rc = look(x, file, &missing, out);
        *complete = !rc && !missing.n;
        if (!rc && missing.n && worked) {
            report(b, &job, &missing);
            rc = EXIT_FAILED;
        } else if (!rc && missing.n) {
            rc = work(s, b, &missing, &job);
        }
        if (missing.n && (rc == NW_EINTR || (!rc && !s->wait)))
            say_how_to_collect(&job, &missing);
        free(missing.points);
        if (rc || *complete || !s->wait)
            break;
    }
    if (*complete && !at_work(&job))
        batch_remove(b);
    return rc;
}

/* SCENARIO and options, ended with NULL; one block, which the caller frees. */
static const char **make_command(const struct slurm *s, const char *path, const char *jobs)
{
    const char **command = calloc(2 * (s->nsets + s->nsweeps) + 5, sizeof(*command));
    size_t n = 0;

    if (!command)
        return NULL;
    command[n++] = path;
    for (size_t i = 0; i < s->nsets; i++) {
        command[n++] = "--set";
        command[n++] = s->sets[i];
    }
    for (size_t i = 0; i < s->nsweeps; i++) {
        command[n++] = "--sweep";
        command[n++] = s->sweeps[i];
    }
    if (s->data) {
        command[n++] = "--data-dir";
        command[n++] = s->data;
    }
    if (s->jobs)
        command[n++] = jobs;
    return command;
}

int slurm_run(const struct slurm *s, const struct experiment *x, const struct scenario_file *file,
              struct experiment_result *out, bool *complete)
{
    char *path = realpath(scenario_path(file), NULL), *dir = NULL, jobs[32];
    const char **command;
    int rc = NW_OK;

    *complete = false;
    snprintf(jobs, sizeof(jobs), "--jobs=%d", s->jobs);
    command = make_command(s, path ? path : scenario_path(file), jobs);
    if (!command || asprintf(&dir, "%s%s", s->dir ? s->dir : s->db, s->dir ? "" : ".slurm") < 0)
        rc = NW_ENOMEM;
    struct batch b = { .command = command, .tasks = tasks_for(s, file) };
    rc = rc ? rc : batch_open(&b, dir, scenario_name(file));
    rc = rc ? rc : collect_and_work(s, &b, x, file, out, complete);
    batch_close(&b);
    free(command);
    free(dir);
    free(path);
    return rc;
}
