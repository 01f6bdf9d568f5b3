/* machine_sums.c - the GPUs of a machine sum before one push, and share what one pull brought. */
#include "model/refuse.h"
#include "model/status.h"
#include "sim/cost.h"
#include "sim/method/parameter_server/labour.h"

static int64_t share_bytes(const struct ps_play *s, size_t tensor, int64_t shares)
{
    int64_t values = s->tensors[tensor].values;

    return 4 * (values / s->crew * shares + (values % s->crew * shares + s->crew - 1) / s->crew);
}

int64_t ps_copied_bytes(const struct ps_play *s, size_t tensor)
{
    return share_bytes(s, tensor, 1);
}

/* Half of a ring: each GPU passes on all shares but one. */
static int ring(struct ps_play *s, size_t worker, size_t tensor, int earlier, enum ps_row row)
{
    const struct ps_worker *w = &s->workers[worker];
    int32_t rank = (int32_t)worker;
    struct labour start = { w->ring.stream, seconds_to_ps(s->method->ring_start_s), row, rank, rank };

    if (s->crew == 1)
        return earlier;
    return moves(s, w->ring, share_bytes(s, tensor, s->crew - 1),
                 (struct labour){ .row = row, .rank = rank, .peer = rank }, tensor,
                 takes(s, start, tensor, earlier, -1), -1, NULL);
}

int ps_machine_sum(struct ps_play *s, size_t worker, size_t tensor, int ready)
{
    return s->method->machine_sums ? ring(s, worker, tensor, ready, PS_PUSH) : ready;
}

int ps_machine_share(struct ps_play *s, size_t worker, size_t tensor, int pulled)
{
    return s->method->machine_sums ? ring(s, worker, tensor, pulled, PS_PULL) : pulled;
}

/* What one GPU of each machine cannot stand for. */
static int check_links(const struct platform *p, char *why, size_t nwhy)
{
    const struct link_spec *link = platform_gpu_link(p);

    if (link && (link->shared_by > 1 || link->above[0]))
        return refuse(why, nwhy,
                      "method.machine_sums: one GPU of each machine is played, with a link of its own: expected "
                      "platform.link.%s with shared_by: 1 and nothing above it",
                      link->name);
    if (p->cpu.dma_read_Bps > 0 || p->cpu.dma_write_Bps > 0)
        return refuse(why, nwhy,
                      "method.machine_sums: one GPU of each machine is played: expected no platform.cpu.dma_read and "
                      "dma_write, which all of them share");
    return E_OK;
}

int ps_machine_sums_check(const struct job *j, char *why, size_t nwhy)
{
    const struct parameter_server *m = &j->method->parameter_server;
    bool coded = m->push.format != WIRE_NONE || m->pull.format != WIRE_NONE;

    if (!(m->ring_start_s >= 0 && m->ring_start_s <= 3600))
        return refuse(why, nwhy, "method.ring_start: expected 0 to 3600 s, got %g", m->ring_start_s);
    if (!m->machine_sums)
        return m->ring_start_s > 0
                   ? refuse(why, nwhy, "method.ring_start: only with method.machine_sums are there rings")
                   : E_OK;
    if (m->device != COMPUTE_ON_GPU)
        return refuse(why, nwhy, "method.machine_sums: GPUs sum: expected method.device: gpu");
    if (m->mode != PS_SYNC || m->backup_workers || m->jitter > 0)
        return refuse(why, nwhy,
                      "method.machine_sums: the GPUs of a machine do the same at the same time: expected method.mode: "
                      "sync, no backup_workers and no jitter");
    if (coded)
        return refuse(why, nwhy, "method.machine_sums: sums are exact: expected no codec of method.push and pull");
    if (m->workers % m->workers_per_machine)
        return refuse(why, nwhy,
                      "method.workers: method.machine_sums takes machines that are full: expected a multiple "
                      "of %lld, got %lld",
                      (long long)m->workers_per_machine, (long long)m->workers);
    if (j->batch % m->workers)
        return refuse(why, nwhy,
                      "batch: the GPUs of method.machine_sums compute alike: expected a multiple of the %lld "
                      "workers, got %lld",
                      (long long)m->workers, (long long)j->batch);
    return check_links(j->platform, why, nwhy);
}
