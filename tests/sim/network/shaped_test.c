/* Links that are shaped, by hand arithmetic: what passes at once, and in which direction. */
#include <inttypes.h>

#include "model/status.h"
#include "sim/network/topology.h"
#include "tests/sim/network/clusters.h"
#include "tests/test.h"

static const struct end from = { 0, END_HOST }, to = { 1, END_HOST };

/* Two transfers from machine to machine, the second as soon as the first has ended: what of them passes at once. */
static void bursts_pass_at_once(void **state)
{
    static const struct {
        double burst_bytes, burst_s, unshaped_Bps;
        int64_t unshaped_machines;
        enum duplex duplex;
        int64_t first_ps, second_ps; /* ends; 1000 B each at 1 GB/s of payload */
    } rows[] = {
        { 0, 0, 0, 0, DUPLEX_FULL, 1000000, 2000000 },
        { 1000, 0, 0, 0, DUPLEX_FULL, 500000, 1500000 }, /* efficiency 0.5: 500 B of payload */
        { 4000, 0, 0, 0, DUPLEX_FULL, 0, 0 },
        { 1000, 1.5e-6, 0, 0, DUPLEX_FULL, 0, 500000 }, /* 2 GB/s for 1.5 us are more */
        { 4000, 1.5e-6, 0, 0, DUPLEX_FULL, 0, 0 },      /* ... and less */
        { 3000, 0, 0, 0, DUPLEX_HALF, 0, 500000 },
        { 3000, 0, 9e9, 0, DUPLEX_FULL, 0, 500000 },
        { 3000, 0, 2e9, 1, DUPLEX_FULL, 1000000, 2000000 }, /* nothing shapes, so nothing has a bucket */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cluster c;
        struct engine *e = engine_new();
        struct topology *t = NULL;
        int64_t latency_ps;
        cluster_make(&c, TOPOLOGY_STAR, 2, 0);
        c.links[0].bandwidth_Bps = 2e9;
        c.links[0].efficiency_wire = 0.5;
        c.links[0].duplex = rows[i].duplex;
        c.links[0].burst_bytes = rows[i].burst_bytes;
        c.links[0].burst_s = rows[i].burst_s;
        c.platform.network.unshaped_Bps = rows[i].unshaped_Bps;
        c.platform.network.unshaped_machines = rows[i].unshaped_machines;
        assert_int_equal(topology_new(&c.platform, e, NULL, &t, NULL, 0), E_OK);
        int64_t route = topology_route(t, from, to, &latency_ps);
        int first = engine_transfer(e, ENGINE_NO_RESOURCE, (int)route, 1000, 0, ENGINE_NO_LABEL);
        int second = engine_transfer(e, ENGINE_NO_RESOURCE, (int)route, 1000, 0, ENGINE_NO_LABEL);
        engine_after(e, second, first);
        assert_int_equal(engine_run(e), E_OK);
        if (engine_ended_ps(e, first) != rows[i].first_ps || engine_ended_ps(e, second) != rows[i].second_ps)
            fail_msg("row %zu: ended at %" PRId64 " and %" PRId64 " ps", i, engine_ended_ps(e, first),
                     engine_ended_ps(e, second));
        topology_free(t);
        engine_free(e);
    }
}

/* Star of four machines at 1e9 B/s, with 4e9 B/s where nothing shapes: into all, and out of the first 'machines'. */
static void links_shaped_one_way(void **state)
{
    (void)state;
    for (int64_t machines = 0; machines <= 4; machines++) {
        struct cluster c;
        struct engine *e = engine_new();
        struct topology *t = NULL;
        struct channel_state out, in;

        cluster_make(&c, TOPOLOGY_STAR, 4, 0);
        c.links[0].bandwidth_Bps = 1e9;
        c.links[0].efficiency_wire = 0.5;
        c.platform.network.unshaped_Bps = 4e9;
        c.platform.network.unshaped_machines = machines;
        assert_int_equal(topology_new(&c.platform, e, NULL, &t, NULL, 0), E_OK);
        assert_int_equal(engine_run(e), 0);
        for (int64_t m = 0; m < 4; m++) {
            engine_channel_state(e, topology_nic_out(t, m), &out);
            engine_channel_state(e, topology_nic_in(t, m), &in);
            assert_true(out.capacity_Bps == (m < machines ? 2e9 : 0.5e9));
            assert_true(in.capacity_Bps == 2e9);
        }
        topology_free(t);
        engine_free(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bursts_pass_at_once),
        cmocka_unit_test(links_shaped_one_way),
    };
    return cmocka_run_group_tests_name("shaped", tests, NULL, NULL);
}
