/* utilisation.c - how busy links and processors were. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/method/parameter_server/play.h"

/* What is sent from and to each machine in all, and what of it falls into the window. */
struct traffic {
    int64_t out_bytes, in_bytes;
    double out_B, in_B;
};

/* How often something travels between a worker and the server of a tensor: in each round, but for those that backups
 * make void. */
struct times {
    int64_t all;
    double in_window;
};

static struct times times_of(const struct ps_play *s, const struct ps_window *w, const int *moves, size_t worker,
                             size_t tensor)
{
    struct times n = { (int64_t)s->rounds, w->rounds[worker] };

    if (!moves)
        return n;
    n = (struct times){ 0, 0 };
    for (size_t r = 0; r < s->rounds; r++) {
        int task = moves[ps_cell(s, r, worker, tensor)];
        int64_t end_ps = engine_ended_ps(s->e, task);
        bool travels = !engine_was_void(s->e, task);
        n.all += travels;
        n.in_window += travels && end_ps > w->from_ps && end_ps <= w->to_ps;
    }
    return n;
}

/* What an update is made of: of a tensor's pushes those that were added before there were enough, each as many samples
 * as its worker has, and tensors by their values. Of several that were there at one instant the update takes as many as
 * it wants, and which is not said: the mean of them. */
double ps_samples(const struct ps_play *s, const struct ps_window *w)
{
    double sum = 0, values = 0;

    for (size_t r = 0; r < s->rounds; r++) {
        int64_t finished_ps = engine_ended_ps(s->e, s->finished[r * s->nworkers]);
        if (finished_ps <= w->from_ps || finished_ps > w->to_ps)
            continue;
        for (size_t t = 0; t < s->ntensors; t++) {
            int64_t closed_ps = engine_ended_ps(s->e, s->closed[r * s->ntensors + t]), there = 0, samples = 0;
            for (size_t i = 0; i < s->nworkers; i++) {
                int added = s->counted[ps_cell(s, r, i, t)];
                bool used = !engine_was_void(s->e, added) && engine_ended_ps(s->e, added) <= closed_ps;
                there += used;
                samples += used ? s->workers[i].samples : 0;
            }
            assert(there >= ps_wanted(s->method));
            sum += (double)samples / (double)there * (double)ps_wanted(s->method) * (double)s->tensors[t].values;
            values += (double)s->tensors[t].values;
        }
    }
    return sum / values;
}

static void count_traffic(const struct ps_play *s, const struct ps_window *w, struct traffic per_machine[])
{
    for (size_t i = 0; i < s->nworkers; i++)
        for (size_t k = 0; k < s->ntensors; k++) {
            const struct ps_tensor *t = &s->tensors[k];
            struct traffic *worker = &per_machine[s->workers[i].machine];
            struct traffic *server = &per_machine[s->servers[t->server].machine];
            if (worker == server)
                continue;
            struct times push = times_of(s, w, s->push_moves, i, k), pull = times_of(s, w, s->pull_moves, i, k);
            worker->out_bytes += t->push.bytes * push.all;
            server->in_bytes += t->push.bytes * push.all;
            server->out_bytes += t->pull.bytes * pull.all;
            worker->in_bytes += t->pull.bytes * pull.all;
            worker->out_B += (double)t->push.bytes * push.in_window;
            server->in_B += (double)t->push.bytes * push.in_window;
            server->out_B += (double)t->pull.bytes * pull.in_window;
            worker->in_B += (double)t->pull.bytes * pull.in_window;
        }
}

/* The busier direction of a machine's network link, or the wire that both share; < 0: it has none. */
static double nic_utilisation(const struct ps_play *s, const struct ps_window *w, const struct traffic per_machine[],
                              int64_t machine)
{
    const struct platform *p = s->job->platform;
    const struct link_spec *link = platform_link(p, p->network.link);
    const struct traffic *t = &per_machine[machine];
    int out = topology_nic_out(s->topology, machine), in = topology_nic_in(s->topology, machine);
    double seconds = (double)(w->to_ps - w->from_ps) / 1e12;
    struct channel_state out_state, in_state;

    if (out < 0 || in < 0)
        return -1;
    engine_channel_state(s->e, out, &out_state);
    engine_channel_state(s->e, in, &in_state);
    /* Nothing else crosses it, and nothing was lost. */
    assert(out_state.sent_bytes == (uint64_t)t->out_bytes);
    assert(in_state.sent_bytes == (uint64_t)t->in_bytes);
    if (link && link->duplex == DUPLEX_HALF)
        return (t->out_B + t->in_B) / out_state.capacity_Bps / seconds;
    return fmax(t->out_B / out_state.capacity_Bps, t->in_B / in_state.capacity_Bps) / seconds;
}

static int add_network(const struct ps_play *s, const struct ps_window *w, struct readings *out)
{
    struct traffic *per_machine = calloc((size_t)s->job->platform->machines, sizeof(*per_machine));
    double busiest = -1, busiest_server = -1;

    if (!per_machine)
        return E_NOMEM;
    count_traffic(s, w, per_machine);
    for (size_t i = 0; i < s->nworkers; i++)
        if (!i || s->workers[i].machine != s->workers[i - 1].machine)
            busiest = fmax(busiest, nic_utilisation(s, w, per_machine, s->workers[i].machine));
    for (size_t i = 0; i < s->nservers; i++)
        busiest_server = fmax(busiest_server, nic_utilisation(s, w, per_machine, s->servers[i].machine));
    free(per_machine);
    if (busiest >= 0)
        reading_add(out, busiest, "share", "nic_utilisation");
    if (busiest_server >= 0)
        reading_add(out, busiest_server, "share", "server_nic_utilisation");
    return E_OK;
}

static void most(double *busiest, const int64_t busy_ps[], int resource, double slots)
{
    if (resource >= 0)
        *busiest = fmax(*busiest, (double)busy_ps[resource] / slots);
}

/* Of CPUs the busiest pool of the busiest machine, of GPUs the mean. */
static void add_processors(const struct ps_play *s, const struct ps_window *w, const int64_t busy_ps[],
                           struct readings *out)
{
    const struct cpu_spec *cpu = &s->job->platform->cpu;
    double window_ps = (double)(w->to_ps - w->from_ps), server = 0, worker = 0, gpus = 0;
    bool on_gpu = s->method->device == COMPUTE_ON_GPU;

    for (size_t i = 0; i < s->nservers; i++) {
        most(&server, busy_ps, s->servers[i].codec, s->server_threads);
        most(&server, busy_ps, s->servers[i].memory, 1);
        most(&server, busy_ps, s->servers[i].send, 1);
    }
    for (size_t i = 0; i < s->nworkers; i++) {
        most(&worker, busy_ps, s->workers[i].codec, s->worker_threads);
        most(&worker, busy_ps, s->workers[i].send, 1);
        if (on_gpu)
            gpus += (double)busy_ps[s->workers[i].compute] / (double)s->nworkers;
        else
            most(&worker, busy_ps, s->workers[i].compute, (double)(cpu->sockets * cpu->cores_per_socket));
    }
    reading_add(out, server / window_ps, "share", "server_cpu_utilisation");
    reading_add(out, worker / window_ps, "share", "worker_cpu_utilisation");
    if (on_gpu)
        reading_add(out, gpus / window_ps, "share", "gpu_utilisation");
}

int ps_utilisation(const struct ps_play *s, const struct ps_window *w, const int64_t busy_ps[], struct readings *out)
{
    int rc = add_network(s, w, out);

    if (!rc)
        add_processors(s, w, busy_ps, out);
    return rc;
}
