#include "sim/method/parameter_server/parameter_server.h"

#include <stdlib.h>

#include "model/refuse.h"
#include "model/status.h"
#include "sim/method/parameter_server/play.h"
#include "sim/method/report.h"

static void release(struct ps_play *s)
{
    topology_free(s->topology);
    engine_free(s->e);
    free(s->tensors);
    free(s->units);
    free(s->workers);
    free(s->servers);
    free(s->paths);
    free(s->pulled);
    free(s->pushed);
    free(s->backward);
    free(s->computed);
    free(s->finished);
    free(s->gates);
    free(s->late);
    free(s->closed);
    free(s->counted);
}

static int simulate(struct ps_play *s, char *why, size_t nwhy)
{
    int rc = s->e ? ps_machines(s, why, nwhy) : E_NOMEM;

    rc = rc ? rc : ps_tensors(s);
    rc = rc ? rc : ps_rounds(s);
    return rc ? rc : engine_run(s->e);
}

int parameter_server_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy)
{
    struct ps_play s = { .job = j, .method = &j->method->parameter_server };
    int rc = parameter_server_check(j, why, nwhy);

    if (!rc) {
        s.e = engine_new();
        rc = simulate(&s, why, nwhy);
    }
    rc = rc ? rc : ps_readings(&s, out, why, nwhy);
    if (!rc && timeline)
        rc = ps_timeline(&s, timeline);
    release(&s);
    return rc;
}

static int check_executed(const struct parameter_server *m, char *why, size_t nwhy)
{
    if (m->partition_bytes || m->merged)
        return refuse(why, nwhy, "method.%s: parts of tensors are not executed: expected none",
                      m->merged ? "merged" : "partition");
    if (m->computing_share < 1)
        return refuse(why, nwhy,
                      "method.computing_share: links that computing slows down are not executed: expected 1");
    if (m->machine_sums || m->updates_on_workers)
        return refuse(why, nwhy, "method.%s: it is not executed: expected false",
                      m->machine_sums ? "machine_sums" : "updates_on_workers");
    return E_OK;
}

int parameter_server_graph(const struct job *j, struct task_graph *out, char *why, size_t nwhy)
{
    struct ps_play s = { .job = j, .method = &j->method->parameter_server };
    int rc = parameter_server_check(j, why, nwhy);

    rc = rc ? rc : check_executed(s.method, why, nwhy);
    if (!rc) {
        s.e = engine_new();
        if (s.e)
            engine_keep_places(s.e);
        rc = simulate(&s, why, nwhy);
    }
    rc = rc ? rc : ps_graph(&s, out);
    release(&s);
    return rc;
}
