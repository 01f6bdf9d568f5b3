/* What a user can get wrong with parameter servers is refused with its key. */
#include "model/status.h"
#include "tests/sim/method/parameter_server_rig.h"

#include <string.h>

static void nonsense_is_refused_by_key(void **state)
{
    static const char *const want[] = {
        "method.workers: ",
        "method.servers: ",
        "method.workers_per_machine: ",
        "method.local_steps: ",
        "method.steps: ",
        "method.staleness: ",
        "method.backup_workers: ",
        "method.jitter: ",
        "method.workers: 8 ",
        "method.servers: 4 ",
        "method.device: ",
        "method.workers_per_machine: ",
        "batch: ",
        "method.push.density: ",
        "method.pull.scale: ",
        "method.push.place: ",
        "method.pull.threads: ",
        "platform.cpu.memory_band",
        "platform.cpu.memory_effic",
        "platform.network.",
        "platform.",
        "method.steps: ",
        "method.backup_workers: ",
        "method.jitter: ",
        "platform.network.link",
        "platform.network.mess",
        "platform.network.mess",
        "method.profile.",
        "method.servers: 9 ",
        "method.streams: ",
        "method.barrier_time: ",
        "method.workers: 3 rounds of 1048575 workers with ",
        "platform.gpu.efficiency.convolution: the roofline needs",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(want); i++) {
        struct rig g = rig(2, 4);
        struct parameter_server *m = of(&g);
        char why[256] = "";
        g.r.n = 0;
        switch (i) {
        case 0: m->workers = 0; break;
        case 1: m->servers = 0; break;
        case 2: m->workers_per_machine = 0; break;
        case 3: m->local_steps = 0; break;
        case 4: m->steps = 0; break;
        case 5: m->mode = PS_STALE, m->staleness = -1; break;
        case 6: m->backup_workers = 4; break;
        case 7: m->jitter = -1; break;
        case 8: m->workers = 8, g.job.batch = 8; break;
        case 9: m->servers = 4; break;
        case 10: g.platform.gpu.count = 0; break;
        case 11: m->workers_per_machine = 2; break;
        case 12: g.job.batch = 3; break;
        case 13: m->push.format = WIRE_SPARSIFY, m->push.density = 1.5; break;
        case 14: m->pull.format = WIRE_8BIT, m->pull.scale = 0; break;
        case 15: m->push.format = WIRE_8BIT, m->device = COMPUTE_ON_CPU; break;
        case 16: m->pull.format = WIRE_8BIT, m->pull.threads = 17; break;
        case 17: g.platform.cpu.memory_Bps = 0; break;
        case 18: g.platform.cpu.memory_efficiency = NAN; break;
        case 19: g.platform.network.topology = TOPOLOGY_SINGLE; break;
        case 20: g.links[1].bandwidth_Bps = NAN; break;
        case 21: m->steps = 1000000, m->jitter = 0.1; break;
        case 22: m->backup_workers = -1; break;
        case 23: m->jitter = NAN; break;
        case 24: g.platform.network.link = "ethernet"; break;
        case 25: g.platform.network.message_bytes = NAN; break;
        case 26: g.platform.network.message_s = -1; break;
        case 27: m->profile = (struct compute_profile){ NAN, 1, 1, 1 }; break;
        case 28: m->servers = 9, m->colocated = 1; break;
        case 29: m->streams = -1; break;
        case 30: m->barrier_s = NAN; break;
        case 31: g.platform.machines = 1 << 20, m->workers = (1 << 20) - 1, g.job.batch = 1 << 20; break;
        default: g.platform.gpu.efficiency_convolution = NAN; break;
        }
        assert_int_equal(try_play(&g, NULL, why, sizeof(why)), E_INVAL);
        if (strncmp(why, want[i], strlen(want[i])))
            fail_msg("case %zu: '%s' does not begin with '%s'", i, why, want[i]);
        assert_int_equal(g.r.n, 0);
    }
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
