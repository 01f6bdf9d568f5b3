/* machines.c - what workers and servers compute on, and the routes between them. */
#include <stdlib.h>

#include "model/status.h"
#include "sim/method/parameter_server/play.h"

static struct ps_path path(struct ps_play *s, struct end from, struct end to, int *rc)
{
    int64_t latency_ps = 0, route = *rc ? 0 : topology_route(s->topology, from, to, &latency_ps);

    if (route < 0 && !*rc)
        *rc = (int)route;
    return (struct ps_path){ .route = (int)route, .stream = -1, .latency_ps = latency_ps };
}

/* Workers code on their CPU's threads if the codec runs there; servers have nothing else. */
static int64_t worker_threads(const struct codec_spec *c)
{
    return c->format != WIRE_NONE && c->place == CODEC_ON_CPU ? c->threads : 0;
}

static int64_t server_threads(const struct codec_spec *c)
{
    return c->format != WIRE_NONE ? c->threads : 0;
}

static int wider(int64_t push, int64_t pull)
{
    return (int)(push > pull ? push : pull);
}

static int add_worker(struct ps_play *s, size_t index)
{
    const struct parameter_server *m = s->method;
    const struct platform *p = s->job->platform;
    struct ps_worker *w = &s->workers[index];
    int64_t gpu = m->machine_sums ? 0 : (int64_t)index % m->workers_per_machine;
    int number = (int)index, rc = E_OK;

    w->machine = m->machine_sums ? (int64_t)index : (int64_t)index / m->workers_per_machine;
    w->more = (int64_t)index < s->job->batch % m->workers;
    w->samples = (s->job->batch / m->workers + w->more) * s->crew;
    w->last = w->fed = w->round = w->enters = -1;
    if (m->device == COMPUTE_ON_GPU)
        w->compute = engine_resource(s->e, "gpu", (int)(w->machine * p->gpu.count + gpu), 1);
    else
        w->compute =
            gpu ? s->workers[index - 1].compute
                : engine_resource(s->e, "cpu", (int)w->machine, (int)(p->cpu.sockets * p->cpu.cores_per_socket));
    w->codec = s->worker_threads ? engine_resource(s->e, "worker-codec", number, s->worker_threads) : -1;
    w->send = topology_message_ps(s->topology) ? engine_resource(s->e, "worker-send", number, 1) : -1;

    w->links[0] = m->device == COMPUTE_ON_GPU ? topology_gpu_out(s->topology, w->machine, gpu) : -1;
    w->links[1] = topology_gpu_in(s->topology, w->machine, m->machine_sums ? 1 % s->crew : gpu);
    struct end host = { w->machine, END_HOST },
               device = m->device == COMPUTE_ON_GPU ? (struct end){ w->machine, gpu } : host;
    w->to_host = path(s, device, host, &rc);
    struct end next = m->machine_sums ? (struct end){ w->machine, 1 % s->crew } : device;
    w->to_gpu = path(s, host, next, &rc); /* what the ring brings crosses that link, too */
    w->ring = path(s, device, next, &rc);
    if (s->crew > 1)
        w->ring.stream = engine_resource(s->e, "ring", number, 1);
    w->push = s->paths + 2 * index * s->nservers;
    w->pull = w->push + s->nservers;
    for (size_t k = 0; k < s->nservers; k++) {
        struct end server = { s->servers[k].machine, END_HOST };
        int connection = (int)(index * s->nservers + k), streams = m->streams < INT32_MAX ? (int)m->streams : INT32_MAX;
        w->push[k] = path(s, s->push_staged ? host : device, server, &rc);
        w->pull[k] = path(s, server, s->pull_staged ? host : device, &rc);
        if (streams) {
            w->push[k].stream = engine_resource(s->e, "push-stream", connection, streams);
            w->pull[k].stream = engine_resource(s->e, "pull-stream", connection, streams);
        }
    }
    return rc;
}

static void add_server(struct ps_play *s, size_t index)
{
    const struct parameter_server *m = s->method;
    struct ps_server *server = &s->servers[index];
    int number = (int)index;

    server->machine = (int64_t)index + (m->colocated ? 0 : ps_worker_machines(m));
    server->codec = s->server_threads ? engine_resource(s->e, "server-codec", number, s->server_threads) : -1;
    server->memory = engine_resource(s->e, "server-memory", number, 1); /* all cores together stream one tensor */
    server->send = topology_message_ps(s->topology) ? engine_resource(s->e, "server-send", number, 1) : -1;
}

int ps_machines(struct ps_play *s, char *why, size_t nwhy)
{
    const struct parameter_server *m = s->method;
    int rc = topology_new(s->job->platform, s->e, NULL, &s->topology, why, nwhy);

    s->crew = m->machine_sums ? m->workers_per_machine : 1;
    s->nworkers = (size_t)(m->workers / s->crew);
    s->alone = m->machine_sums && s->nworkers == 1;
    s->nservers = (size_t)m->servers;
    s->push_staged = m->machine_sums || (m->device == COMPUTE_ON_GPU && m->push.place == CODEC_ON_CPU);
    s->pull_staged = m->machine_sums || (m->device == COMPUTE_ON_GPU && m->pull.place == CODEC_ON_CPU);
    s->worker_threads = wider(worker_threads(&m->push), worker_threads(&m->pull));
    s->server_threads = wider(server_threads(&m->push), server_threads(&m->pull));
    s->workers = calloc(s->nworkers, sizeof(*s->workers));
    s->servers = calloc(s->nservers, sizeof(*s->servers));
    s->paths = calloc(2 * s->nworkers * s->nservers, sizeof(*s->paths));
    if (!rc && (!s->workers || !s->servers || !s->paths))
        rc = E_NOMEM;
    for (size_t i = 0; !rc && i < s->nservers; i++)
        add_server(s, i);
    for (size_t i = 0; !rc && i < s->nworkers; i++)
        rc = add_worker(s, i);
    return rc;
}
