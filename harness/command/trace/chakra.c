#include "harness/command/trace/chakra.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/point/measures.h"
#include "harness/status.h"
#include "harness/text/whole_file.h"
#include "harness/trace/chakra_write.h"
#include "model/status.h"
#include "sim/method/method.h"

/* NULL: no memory. */
static char *name_of(const char *output, int rank)
{
    const char *at = strstr(output, "%d");
    size_t n = strlen(output);
    char *name = NULL;
    int rc;

    if (at)
        rc = asprintf(&name, "%.*s%d%s", (int)(at - output), output, rank, at + 2);
    else if (n > 3 && !strcmp(output + n - 3, ".et"))
        rc = asprintf(&name, "%.*s.%d.et", (int)(n - 3), output, rank);
    else
        rc = asprintf(&name, "%s.%d.et", output, rank);
    return rc < 0 ? NULL : name;
}

struct one_rank {
    const struct task_graph *graph;
    int rank;
    size_t *lost;
    int *rc;
};

static void write_rank(FILE *out, const void *what)
{
    const struct one_rank *r = what;

    *r->rc = chakra_write(r->graph, r->rank, out, r->lost);
}

static int write_all(const struct task_graph *g, const char *output)
{
    size_t lost = 0;
    int rc = NW_OK;

    for (int rank = 0; !rc && rank < (int)g->nranks; rank++) {
        char *name = name_of(output, rank);
        int written = NW_OK;
        struct one_rank r = { g, rank, &lost, &written };
        rc = name ? whole_file_write(name, write_rank, &r, stderr) : NW_ENOMEM;
        rc = rc ? rc : written;
        if (!rc)
            fprintf(stderr, "%s: %s %d, on machine %d\n", name, g->ranks[rank].role, g->ranks[rank].number,
                    g->ranks[rank].machine);
        free(name);
    }
    if (!rc && lost)
        fprintf(stderr, "narrows trace: %zu dependencies on other ranks that no transfer carries are left out\n", lost);
    return rc;
}

int trace_chakra(const struct scenario_file *file, const struct point *p, const char *output)
{
    const struct scenario *sc = &p->scenario;
    struct model model = { 0 };
    struct task_graph g = { 0 };
    struct job job = { &sc->platform, &model, &sc->method, sc->batch };
    char why[512] = "";
    int rc = measures_model(sc, &model, why, sizeof(why));

    rc = rc ? rc : method_graph(&job, &g, why, sizeof(why));
    if (!rc && chakra_cannot(&g)) {
        snprintf(why, sizeof(why), "method: as a Chakra trace: expected %s", chakra_cannot(&g));
        rc = E_INVAL;
    }
    if (rc) {
        scenario_refuse(file, p, rc == E_NOMEM || !*why ? "out of memory" : why, stderr);
        rc = rc == E_NOMEM ? NW_ENOMEM : NW_ESIM;
    } else {
        rc = write_all(&g, output);
    }
    task_graph_free(&g);
    model_free(&model);
    return rc;
}
