#include "harness/command/validate/rows.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/line/command_line.h"
#include "harness/host/home.h"
#include "harness/report/report.h"
#include "harness/status.h"
#include "harness/validation/spec.h"
#include "harness/validation/validation.h"

static const char folder[] = "scenarios/validation/public";

struct going {
    const struct rows_question *question;
    struct store *store;
    size_t done;
};

static bool shipped(const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s/%s.yaml", home_dir(), folder, name);
    return !strchr(name, '/') && !access(path, R_OK);
}

bool rows_known(const char *name)
{
    char path[4096];

    return !strcmp(name, "public") || shipped(name, path, sizeof(path)) ||
           (!access(name, R_OK) && validation_likely(name));
}

static int predict(const char *path, void *argument)
{
    struct going *g = argument;
    struct validation_run run = { .file = path, .data = g->question->data, .command = g->question->command };

    g->done++;
    return validation_predict(g->store, &run);
}

/* The folder has the scenarios of the validations, too. */
static int predict_if(const char *path, void *argument)
{
    return validation_likely(path) ? predict(path, argument) : NW_OK;
}

static int predict_named(const char *name, struct going *g)
{
    char path[4096];

    if (!strcmp(name, "public"))
        return command_each("validation/public", predict_if, g);
    return predict(shipped(name, path, sizeof(path)) ? path : name, g);
}

int rows_validate(const struct rows_question *q)
{
    struct going g = { .question = q };
    int rc = store_open(q->db, &g.store);

    for (size_t i = 0; !rc && i < q->n; i++)
        rc = predict_named(q->names[i], &g);
    if (!rc && !g.done)
        rc = status_error(NW_EINPUT, "narrows validate: expected validations in %s, got none\n", folder);
    rc = rc ? rc : report_validation(g.store, REPORT_TEXT, stdout);
    store_close(g.store);
    return rc;
}
