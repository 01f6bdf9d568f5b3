#include "harness/run/point/trained.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/run/interrupt.h"
#include "harness/status.h"
#include "harness/training/options.h"

enum { USUAL_SAMPLES = 50000 }; /* CIFAR-10 */

static void replace(struct readings *all, const struct reading *r)
{
    for (size_t i = 0; i < all->n; i++)
        if (!strcmp(all->list[i].name, r->name)) {
            all->list[i] = *r;
            return;
        }
    reading_add(all, r->value, r->unit, "%s", r->name);
}

/* DB.checkpoints/KEY: into path[0..size). The folder is made. */
static int checkpoint_path(const struct trained_job *job, char *path, size_t size)
{
    int n = snprintf(path, size, "%s.checkpoints", job->db);

    if (n < 0 || (size_t)n + strlen(job->key) + 2 > size)
        return status_error(NW_EIO, "%s: the path of its checkpoints is too long\n", job->db);
    if (mkdir(path, 0777) && errno != EEXIST)
        return status_error(NW_EIO, "%s: cannot make this folder for checkpoints: %s\n", path, strerror(errno));
    snprintf(path + n, size - (size_t)n, "/%s", job->key);
    return NW_OK;
}

int trained_measure(const struct trained_job *job, struct measures *out, struct training_result *result, char *why,
                    size_t nwhy)
{
    char path[4096];
    struct training_job training = { .scenario = job->scenario,
                                     .threads = job->threads,
                                     .key = job->key,
                                     .name = job->name,
                                     .checkpoint = path,
                                     .progress = job->progress,
                                     .stop = interrupted,
                                     .ranks = job->ranks };
    struct readings *came = calloc(1, sizeof(*came));
    int rc = came ? checkpoint_path(job, path, sizeof(path)) : NW_ENOMEM;

    if (!rc && job->ranks)
        rc = ranks_give_order(job->ranks, &job->order);
    rc = rc ? rc : training_run(&training, came, result, why, nwhy);
    for (size_t i = 0; !rc && i < came->n; i++)
        replace(&out->readings, &came->list[i]);
    free(came);
    if (!rc)
        measures_list(out);
    return rc;
}

/* Of files it is guessed by what their kind usually holds. */
int64_t trained_steps(const struct scenario *sc)
{
    struct model model = { 0 };
    struct training_options options = { 0 };
    char why[256];
    int64_t samples = 0;

    if (!model_infer(&sc->model, &model, why, sizeof(why)) &&
        !training_options_make(sc, &model, 1, &options, why, sizeof(why)))
        samples = options.data.train;
    training_options_free(&options);
    model_free(&model);
    return training_steps(&sc->training, samples ? samples : USUAL_SAMPLES);
}
