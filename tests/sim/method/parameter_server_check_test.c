/* What a user can get wrong with parameter servers is refused with its key. */
#include "model/status.h"
#include "tests/sim/method/parameter_server_rig.h"

#include <string.h>

static void is_refused(struct rig *g, const char *want)
{
    char why[256] = "";

    g->r.n = 0;
    assert_int_equal(try_play(g, NULL, why, sizeof(why)), E_INVAL);
    if (strncmp(why, want, strlen(want)))
        fail_msg("'%s' does not begin with '%s'", why, want);
    assert_int_equal(g->r.n, 0);
}

/* A row: how the reason begins, and what spoils the method 'm' of the rig 'g'. */
#define REFUSED(want, ...)                   \
    do {                                     \
        struct rig g = rig(2, 4);            \
        struct parameter_server *m = of(&g); \
        (void)m;                             \
        __VA_ARGS__;                         \
        is_refused(&g, want);                \
    } while (0)

static void nonsense_is_refused_by_key(void **state)
{
    (void)state;
    REFUSED("method.workers: ", m->workers = 0);
    REFUSED("method.servers: ", m->servers = 0);
    REFUSED("method.workers_per_machine: ", m->workers_per_machine = 0);
    REFUSED("method.local_steps: ", m->local_steps = 0);
    REFUSED("method.steps: ", m->steps = 0);
    REFUSED("method.staleness: ", m->mode = PS_STALE, m->staleness = -1);
    REFUSED("method.backup_workers: ", m->backup_workers = 4);
    REFUSED("method.jitter: ", m->jitter = -1);
    REFUSED("method.workers: 8 ", m->workers = 8, g.job.batch = 8);
    REFUSED("method.servers: 4 ", m->servers = 4);
    REFUSED("method.device: ", g.platform.gpu.count = 0);
    REFUSED("method.workers_per_machine: ", m->workers_per_machine = 2);
    REFUSED("batch: ", g.job.batch = 3);
    REFUSED("method.push.density: ", m->push.format = WIRE_SPARSIFY, m->push.density = 1.5);
    REFUSED("method.pull.scale: ", m->pull.format = WIRE_8BIT, m->pull.scale = 0);
    REFUSED("method.push.place: ", m->push.format = WIRE_8BIT, m->device = COMPUTE_ON_CPU);
    REFUSED("method.pull.threads: ", m->pull.format = WIRE_8BIT, m->pull.threads = 17);
    REFUSED("platform.cpu.memory_band", g.platform.cpu.memory_Bps = 0);
    REFUSED("platform.cpu.memory_effic", g.platform.cpu.memory_efficiency = NAN);
    REFUSED("platform.network.", g.platform.network.topology = TOPOLOGY_SINGLE);
    REFUSED("platform.", g.links[1].bandwidth_Bps = NAN);
    REFUSED("method.steps: ", m->steps = 1000000, m->jitter = 0.1);
    REFUSED("method.backup_workers: ", m->backup_workers = -1);
    REFUSED("method.jitter: ", m->jitter = NAN);
    REFUSED("platform.network.link", g.platform.network.link = "ethernet");
    REFUSED("platform.network.mess", g.platform.network.message_bytes = NAN);
    REFUSED("platform.network.mess", g.platform.network.message_s = -1);
    REFUSED("method.profile.", m->profile = (struct compute_profile){ .forward_s = NAN, .samples = 1, .scale = 1 });
    REFUSED("method.servers: 9 ", m->servers = 9, m->colocated = 1);
    REFUSED("method.streams: ", m->streams = -1);
    REFUSED("method.partition: expected", m->partition_bytes = 3);
    REFUSED("method.partition: codecs", m->partition_bytes = 4, m->push.format = WIRE_8BIT);
    REFUSED("method.computing_share: ", m->computing_share = 0);
    REFUSED("method.computing_share: ", m->computing_share = 1.5);
    REFUSED("method.update_bytes: ", m->update_bytes = NAN);
    REFUSED("method.updates_on_workers: a worker", m->updates_on_workers = 1);
    REFUSED("method.ring_start: only", m->ring_start_s = 1);
    REFUSED("method.ring_start: expected", m->machine_sums = 1, m->ring_start_s = -1);
    REFUSED("method.machine_sums: GPUs", m->machine_sums = 1, m->device = COMPUTE_ON_CPU);
    REFUSED("method.machine_sums: the GPUs", m->machine_sums = 1, m->mode = PS_ASYNC);
    REFUSED("method.machine_sums: the GPUs", m->machine_sums = 1, m->jitter = 0.1);
    REFUSED("method.machine_sums: sums", m->machine_sums = 1, m->push.format = WIRE_8BIT);
    REFUSED("method.workers: method.machine_sums", m->machine_sums = 1, m->workers = 3, m->workers_per_machine = 2,
            g.platform.gpu.count = 2);
    REFUSED("batch: the GPUs", m->machine_sums = 1, g.job.batch = 7);
    REFUSED("method.machine_sums: one GPU of each machine is played, with a link", m->machine_sums = 1,
            m->workers_per_machine = g.platform.gpu.count = g.links[0].shared_by = 2);
    REFUSED("method.machine_sums: one GPU of each machine is played: ", m->machine_sums = 1,
            g.platform.cpu.dma_read_Bps = 1e9);
    REFUSED("method.merged: one vector", m->merged = 1, m->barrier = PS_BARRIER_PULLS);
    REFUSED("method.barrier_time: ", m->barrier_s = NAN);
    REFUSED("method.workers: 3 rounds of 1048575 workers with ", g.platform.machines = 1 << 20,
            m->workers = (1 << 20) - 1, g.job.batch = 1 << 20);
    REFUSED("platform.gpu.efficiency.convolution: the roofline needs", g.platform.gpu.efficiency_convolution = NAN);
}

/* What looks too large and is not. */
static void sense_is_not_refused(void **state)
{
    struct rig g = rig(2, 1);

    (void)state;
    of(&g)->workers_per_machine = 8; /* of which there is but one, and a GPU for it */
    of(&g)->push.threads = 1000;     /* of no codec */
    of(&g)->staleness = -5;          /* of nobody who may be stale */
    play(&g);
    of(&g)->mode = PS_ASYNC;
    of(&g)->backup_workers = 17;
    play(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sense_is_not_refused),
        cmocka_unit_test(nonsense_is_refused_by_key),
    };
    return cmocka_run_group_tests_name("parameter_server_check", tests, NULL, NULL);
}
