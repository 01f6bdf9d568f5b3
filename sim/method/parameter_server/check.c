/* check.c - what a user can get wrong, reported with the key that is wrong. */
#include <math.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/status.h"
#include "sim/figures.h"
#include "sim/method/parameter_server/play.h"
#include "sim/method/report.h"

enum { MOST_PROCESSES = 1 << 20, MOST_STEPS = 1000000, MOST_TASKS = 1 << 24 };

static int check_counts(const struct parameter_server *m, char *why, size_t nwhy)
{
    const struct count counts[] = {
        { "method.workers", m->workers, 1, MOST_PROCESSES },
        { "method.servers", m->servers, 1, MOST_PROCESSES },
        { "method.workers_per_machine", m->workers_per_machine, 1, MOST_PROCESSES },
        { "method.staleness", m->mode == PS_STALE ? m->staleness : 0, 0, INT64_MAX },
        { "method.local_steps", m->local_steps, 1, MOST_STEPS },
        { "method.streams", m->streams, 0, INT64_MAX },
        { "method.steps", m->steps, 1, MOST_STEPS },
    };
    int rc = counts_within(counts, COUNT(counts), why, nwhy);

    if (!rc && m->mode == PS_SYNC && (m->backup_workers < 0 || m->backup_workers >= m->workers))
        rc = refuse(why, nwhy, "method.backup_workers: expected fewer than the %lld workers, got %lld",
                    (long long)m->workers, (long long)m->backup_workers);
    if (!rc && !(m->barrier_s >= 0 && m->barrier_s <= 3600))
        rc = refuse(why, nwhy, "method.barrier_time: expected 0 to 3600 s, got %g", m->barrier_s);
    if (!rc && !(m->jitter >= 0 && m->jitter < INFINITY))
        rc = refuse(why, nwhy, "method.jitter: expected 0 or more, got %g", m->jitter);
    return rc;
}

/* Are there machines for all, and GPUs for the workers? */
static int check_places(const struct job *j, char *why, size_t nwhy)
{
    const struct parameter_server *m = &j->method->parameter_server;
    const struct platform *p = j->platform;
    int64_t hosts = ps_worker_machines(m), all = m->colocated ? m->servers : hosts + m->servers;
    int64_t gpus = m->workers < m->workers_per_machine ? m->workers : m->workers_per_machine;

    if (hosts > p->machines)
        return refuse(
            why, nwhy, "method.workers: %lld workers, %lld on a machine, need %lld machines, the platform has %lld",
            (long long)m->workers, (long long)m->workers_per_machine, (long long)hosts, (long long)p->machines);
    if (all > p->machines)
        return refuse(why, nwhy,
                      "method.servers: %lld servers %s %lld machines of workers need %lld machines, "
                      "the platform has %lld",
                      (long long)m->servers, m->colocated ? "on" : "besides", (long long)hosts, (long long)all,
                      (long long)p->machines);
    if (m->device == COMPUTE_ON_GPU && p->gpu.count < 1)
        return refuse(why, nwhy, "method.device: workers compute on GPUs, the platform has none");
    if (m->device == COMPUTE_ON_GPU && gpus > p->gpu.count)
        return refuse(why, nwhy, "method.workers_per_machine: %lld workers on a machine need as many GPUs, it has %lld",
                      (long long)gpus, (long long)p->gpu.count);
    if (j->batch < m->workers)
        return refuse(why, nwhy, "batch: %lld samples are fewer than the %lld workers", (long long)j->batch,
                      (long long)m->workers);
    return E_OK;
}

static int check_codec(const struct job *j, const struct codec_spec *c, const char *key, char *why, size_t nwhy)
{
    const struct cpu_spec *cpu = &j->platform->cpu;
    int64_t cores = cpu->sockets * cpu->cores_per_socket;
    int rc = codec_spec_check(c, why, nwhy);

    if (rc)
        return reason_prefix(rc, key, why, nwhy);
    if (c->format == WIRE_NONE)
        return E_OK;
    if (c->place == CODEC_ON_GPU && j->method->parameter_server.device == COMPUTE_ON_CPU)
        return refuse(why, nwhy, "%s.place: the codec is to run on GPUs, the workers compute on CPUs", key);
    if (c->threads > cores)
        return refuse(why, nwhy, "%s.threads: expected at most a machine's %lld cores, got %lld", key, (long long)cores,
                      (long long)c->threads);
    return E_OK;
}

/* Parts are of gradients as they are. */
static int check_parts(const struct parameter_server *m, char *why, size_t nwhy)
{
    bool coded = m->push.format != WIRE_NONE || m->pull.format != WIRE_NONE;

    if (m->partition_bytes < 0 || (m->partition_bytes > 0 && m->partition_bytes < 4))
        return refuse(why, nwhy, "method.partition: expected 4 B or more, or 0 B for whole tensors, got %lld",
                      (long long)m->partition_bytes);
    if (m->merged && m->barrier != PS_BARRIER_STEP)
        return refuse(why, nwhy,
                      "method.merged: one vector of all gradients is there at the end of the backward pass: expected "
                      "method.barrier: step");
    if ((m->partition_bytes || m->merged) && coded)
        return refuse(why, nwhy, "method.%s: codecs take whole tensors: expected none, or no method.push and pull",
                      m->merged ? "merged" : "partition");
    return E_OK;
}

static int check_updates(const struct job *j, char *why, size_t nwhy)
{
    const struct parameter_server *m = &j->method->parameter_server;
    const struct figure memory[] = { { "platform.gpu.memory_bandwidth", j->platform->gpu.memory_Bps },
                                     { "platform.gpu.efficiency.memory", j->platform->gpu.efficiency_memory } };

    if (!(m->computing_share > 0 && m->computing_share <= 1))
        return refuse(why, nwhy, "method.computing_share: expected more than 0, at most 1, got %g", m->computing_share);
    if (!(m->update_bytes >= 0 && m->update_bytes <= 1e6))
        return refuse(why, nwhy, "method.update_bytes: expected 0 to 1e6, got %g", m->update_bytes);
    if (!m->updates_on_workers)
        return E_OK;
    if (m->barrier != PS_BARRIER_STEP && m->barrier != PS_BARRIER_PULLS)
        return refuse(why, nwhy,
                      "method.updates_on_workers: a worker updates everything when it has pulled everything: expected "
                      "method.barrier: step or pulls");
    return m->device == COMPUTE_ON_GPU ? figures_positive(memory, COUNT(memory), why, nwhy) : E_OK;
}

/* What sums and updates on the servers, which compute nothing else. */
static int check_cpu(const struct cpu_spec *cpu, char *why, size_t nwhy)
{
    const struct count counts[] = { { "platform.cpu.sockets", cpu->sockets, 1, 1024 },
                                    { "platform.cpu.cores_per_socket", cpu->cores_per_socket, 1, 4096 } };
    const struct figure memory[] = { { "platform.cpu.memory_bandwidth", cpu->memory_Bps },
                                     { "platform.cpu.memory_efficiency", cpu->memory_efficiency } };
    int rc = counts_within(counts, COUNT(counts), why, nwhy);

    return rc ? rc : figures_positive(memory, COUNT(memory), why, nwhy);
}

/* Bytes are counted in 63 bits and tasks in 31: refuse before anything is multiplied. */
static int check_size(const struct job *j, char *why, size_t nwhy)
{
    const struct parameter_server *m = &j->method->parameter_server;
    double workers = (double)m->workers, rounds = (double)ps_counted_rounds(m) + 2, nlayers = (double)j->model->nlayers;
    double bytes = 8 * workers * rounds * ((double)j->model->weights + (double)j->model->biases);
    double parts = m->partition_bytes >= 4 ? ps_most_tensors(j) : 0;
    double tasks = workers * rounds * (2 * nlayers * (double)m->local_steps + 12 * (2 * nlayers + parts));

    if (bytes > 1e18)
        return refuse(why, nwhy, "model: %.3g bytes would be exchanged; at most 1e18 can be counted", bytes);
    if (tasks > MOST_TASKS)
        return refuse(why, nwhy,
                      "method.%s: %.0f rounds of %lld workers with %zu layers are some %.2g tasks; at most "
                      "%d can be played",
                      rounds > workers ? "steps" : "workers", rounds, (long long)m->workers, j->model->nlayers, tasks,
                      MOST_TASKS);
    return E_OK;
}

int parameter_server_check(const struct job *j, char *why, size_t nwhy)
{
    const struct parameter_server *m = &j->method->parameter_server;
    int rc = check_counts(m, why, nwhy);

    rc = rc ? rc : check_parts(m, why, nwhy);
    rc = rc ? rc : check_updates(j, why, nwhy);
    rc = rc ? rc : ps_machine_sums_check(j, why, nwhy);
    rc = rc ? rc : check_cpu(&j->platform->cpu, why, nwhy);
    rc = rc ? rc : check_places(j, why, nwhy);
    rc = rc ? rc : topology_check(j->platform, why, nwhy);
    rc = rc ? rc : check_codec(j, &m->push, "method.push", why, nwhy);
    rc = rc ? rc : check_codec(j, &m->pull, "method.pull", why, nwhy);
    rc = rc ? rc
            : reason_prefix(profile_check(&m->profile, j->platform, j->model, m->device, why, nwhy), "method", why,
                            nwhy);
    return rc ? rc : check_size(j, why, nwhy);
}
