/* grids_test.c - meshes and tori of every small shape, and ways that are too long. */
#include <stdbool.h>

#include "model/status.h"
#include "sim/network/topology.h"
#include "tests/sim/network/clusters.h"
#include "tests/test.h"

#define HOST(m)       \
    {                 \
        (m), END_HOST \
    }

static int hops(int64_t from, int64_t to, int64_t n, bool closed)
{
    int64_t way = from < to ? to - from : from - to;

    return (int)(closed && n - way < way ? n - way : way);
}

/* On grids of every small shape each pair of machines is as many hops apart as arithmetic says. */
static void grids_take_the_shortest_way(void **state)
{
    (void)state;
    for (int64_t width = 1; width <= 6; width++)
        for (int64_t rows = 1; rows <= 5; rows++)
            for (int closed = 0; closed < 2; closed++) {
                struct cluster c;
                struct fabric *f = fabric_new();
                struct topology *t = NULL;
                cluster_make(&c, closed ? TOPOLOGY_TORUS : TOPOLOGY_MESH, width * rows, width);
                assert_int_equal(topology_new(&c.platform, NULL, f, &t, NULL, 0), E_OK);
                int64_t links = closed ? (width > 1 ? width * rows : 0) + (rows > 1 ? width * rows : 0)
                                       : (width - 1) * rows + width * (rows - 1);
                assert_int_equal(fabric_nchannels(f), 2 * links);
                for (int64_t a = 0; a < width * rows; a++)
                    for (int64_t b = 0; b < width * rows; b++) {
                        int64_t ps = -1;
                        int want = hops(a % width, b % width, width, closed) + hops(a / width, b / width, rows, closed);
                        assert_true(topology_route(t, (struct end)HOST(a), (struct end)HOST(b), &ps) >= 0);
                        if (ps != want * 5000000)
                            fail_msg("%d x %d, %d to %d: %d ps, not %d hops", (int)width, (int)rows, (int)a, (int)b,
                                     (int)ps, want);
                    }
                topology_free(t);
                fabric_free(f);
            }
}

/* Hours of latency on a long way are an error: they do not wrap round. */
static void latencies_that_overflow(void **state)
{
    struct cluster c;
    struct fabric *f = fabric_new();
    struct topology *t = NULL;
    int64_t ps;

    (void)state;
    cluster_make(&c, TOPOLOGY_MESH, 3, 3);
    c.links[0].latency_s = 8e6;
    assert_int_equal(topology_new(&c.platform, NULL, f, &t, NULL, 0), E_OK);
    assert_true(topology_route(t, (struct end)HOST(0), (struct end)HOST(1), &ps) >= 0);
    assert_int_equal(topology_route(t, (struct end)HOST(0), (struct end)HOST(2), &ps), E_RANGE);
    assert_int_equal(topology_route(t, (struct end)HOST(0), (struct end)HOST(2), &ps), E_RANGE);
    topology_free(t);
    fabric_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_take_the_shortest_way),
        cmocka_unit_test(latencies_that_overflow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
