#include "harness/bench/train/traces.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/count.h"
#include "harness/status.h"
#include "harness/store/store.h"
#include "harness/training/result.h"

enum { PATH = 320 };

static void path_of(const struct traces *t, const char *ending, char path[PATH])
{
    snprintf(path, PATH, "%s/traces.db%s", t->folder, ending);
}

int traces_make(struct traces *out)
{
    const char *tmp = getenv("TMPDIR");

    *out = (struct traces){ .points = 0 };
    snprintf(out->folder, sizeof(out->folder), "%.230s/narrows-train-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (mkdtemp(out->folder))
        return NW_OK;
    fprintf(stderr, "narrows bench: train: %s: %s\n", out->folder, strerror(errno));
    *out->folder = '\0';
    return NW_EIO;
}

void traces_remove(struct traces *t)
{
    static const char *const endings[] = { "", "-wal", "-shm" };
    char path[PATH];

    if (!*t->folder)
        return;
    for (size_t i = 0; i < COUNT(endings); i++) {
        path_of(t, endings[i], path);
        unlink(path);
    }
    rmdir(t->folder);
    *t->folder = '\0';
}

int traces_open(struct traces *t)
{
    static const struct run_fact run = { .command = "narrows bench train",
                                         .scenario = "",
                                         .title = "",
                                         .notes = "",
                                         .baseline = "",
                                         .figure = "",
                                         .file = "",
                                         .commit = "",
                                         .build = "",
                                         .machine = "" };
    char path[PATH];
    int rc;

    path_of(t, "", path);
    rc = store_open(path, &t->store);
    return rc ? rc : store_run(t->store, &run, &t->run_id);
}

static int put_point(struct traces *t, const struct training_fact *training)
{
    char key[33];
    struct point_fact point = { .key = key, .variant = "", .index = t->points, .training = training };

    snprintf(key, sizeof(key), "%032zx", t->points++);
    return store_point(t->store, t->run_id, &point);
}

int traces_put(struct traces *t, const struct network *n, const struct trainer *trainer, struct training_record *record)
{
    static const struct evaluation none = { .auc = NAN, .bleu = NAN };
    struct training_result result = { .record = *record };
    int rc = training_result_describe(&n->point.scenario.training, &n->options, &n->model, trainer, &none, &result);

    rc = rc ? rc : put_point(t, &result.fact);
    *record = (struct training_record){ 0 };
    training_result_free(&result);
    return rc ? rc : record_open(trainer, record);
}
