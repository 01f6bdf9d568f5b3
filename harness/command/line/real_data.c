#include "harness/command/line/real_data.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/line/command_line.h"
#include "harness/count.h"
#include "harness/data/shelf.h"
#include "harness/scenario/scenario.h"
#include "harness/status.h"

enum { LONGEST = 4096, REASON = 4608, SETS = 6 };

/* Overrides as of --set. */
struct real_data {
    char text[SETS][4200];
    size_t n; /* 0: the scenario stays as it is */
};

const char *real_data_folder(void)
{
    const char *folder = getenv("NARROWS_DATA");

    return folder && *folder ? folder : NULL;
}

static void set(struct real_data *r, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(r->text[r->n], sizeof(r->text[r->n]), format, args);
    va_end(args);
    r->n++;
}

static void set_images(struct real_data *r, int side, int classes)
{
    set(r, "model.input.height=%d", side);
    set(r, "model.input.width=%d", side);
    set(r, "model.classes=%d", classes);
}

/* The first of the sets that is in the folder; SHELF_SETS if none is. */
static int find(const char *folder, const enum shelf_id *ids, size_t n, enum shelf_id *found, char path[LONGEST],
                char why[REASON])
{
    *found = SHELF_SETS;
    for (size_t i = 0; i < n; i++) {
        enum shelf_state state = shelf_look(folder, ids[i], 0, path, LONGEST, why, REASON);

        if (state == SHELF_WRONG)
            return NW_EINPUT;
        if (state == SHELF_THERE) {
            *found = ids[i];
            return NW_OK;
        }
    }
    return NW_OK;
}

/* Sets that can stand in for this kind of synthetic data, the best first. */
static size_t candidates(enum training_data_kind kind, const enum shelf_id **ids)
{
    static const enum shelf_id images[] = { SHELF_CIFAR10, SHELF_TINY_IMAGENET }, clicks[] = { SHELF_CRITEO };
    static const enum shelf_id sentences[] = { SHELF_IWSLT };

    *ids = kind == TRAINING_IMAGES ? images : kind == TRAINING_CLICKS ? clicks : sentences;
    return kind == TRAINING_IMAGES ? COUNT(images) : kind == TRAINING_CLICKS ? COUNT(clicks) : COUNT(sentences);
}

static void fill(enum shelf_id id, const char *path, struct real_data *out)
{
    set(out, "training.data.kind=%s", shelf_sets[id].kind);
    set(out, "training.data.path=%s", path);
    if (id == SHELF_CIFAR10)
        set_images(out, 32, 10);
    else if (id == SHELF_TINY_IMAGENET)
        set_images(out, 64, 200);
    else if (id == SHELF_IWSLT)
        set(out, "training.data.train=0");
}

static int choose(const struct scenario_file *f, const char *folder, struct real_data *out, FILE *say)
{
    char path[LONGEST], why[REASON] = "";
    const enum shelf_id *ids;
    enum training_data_kind kind;
    enum shelf_id found;
    struct point p;
    size_t n;
    int rc;

    *out = (struct real_data){ .n = 0 };
    if (!scenario_trained(f))
        return NW_OK;
    if ((rc = scenario_point(f, 0, &p)))
        return rc;
    kind = p.scenario.training.data.kind;
    point_free(&p);
    if (!training_data_synthetic(kind))
        return NW_OK;
    n = candidates(kind, &ids);
    if ((rc = find(folder, ids, n, &found, path, why)))
        return status_error(rc, "%s (narrows data has what was expected)\n", why);
    if (found == SHELF_SETS) {
        fprintf(say, "%s: no real data for it in %s: stays with synthetic %s (narrows data has what could be there)\n",
                scenario_name(f), folder, training_data_names[kind]);
        return NW_OK;
    }
    fill(found, path, out);
    fprintf(say, "%s: trained on %s in place of synthetic %s:", scenario_name(f), shelf_sets[found].name,
            training_data_names[kind]);
    for (size_t i = 0; i < out->n; i++)
        fprintf(say, "%s %s", i ? "," : "", out->text[i]);
    fputs("\n", say);
    return NW_OK;
}

static bool sets_kind(const struct real_data_overrides *o)
{
    static const char kind[] = "training.data.kind=";
    bool found = false;

    for (size_t i = 0; i < o->nsets; i++)
        found |= !strncmp(o->sets[i], kind, sizeof(kind) - 1);
    return found;
}

int real_data_exchange(const char *path, const char *folder, const struct real_data_overrides *o,
                       struct scenario_file **file, bool *exchanged)
{
    const char *sets[SETS + COMMAND_SETS];
    struct real_data real;
    size_t n = 0;
    int rc;

    if (sets_kind(o))
        return NW_OK;
    rc = choose(*file, folder, &real, stderr);
    if (rc || !real.n)
        return rc;
    if (!strcmp(path, "-"))
        return status_error(NW_EINPUT, "--data-dir: expected a file, which is read twice, got standard input\n");
    for (size_t i = 0; i < real.n; i++)
        sets[n++] = real.text[i];
    for (size_t i = 0; i < o->nsets; i++)
        sets[n++] = o->sets[i];
    scenario_close(*file);
    *file = NULL;
    *exchanged = true;
    return scenario_open(path, sets, n, o->sweeps, o->nsweeps, stderr, file);
}
