/* Platform files of what was measured: they read back, keep what they are made from, and refuse what they cannot cut.
 * */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/network/platform_file.h"
#include "harness/scenario/scenario.h"
#include "harness/status.h"
#include "tests/network/formula.h"
#include "tests/test.h"

static char made[4096];

static const char *tmp(const char *name)
{
    snprintf(made, sizeof(made), "%s/%s", getenv("NARROWS_TEST_TMP"), name);
    return made;
}

static void write_from(const char *from, double rate_Bps, double two_way, const char *path, int want)
{
    static const struct network_options options = { .seconds = 30, .repetitions = 5, .message_bytes = NETWORK_MESSAGE };
    struct formula f = formula_make(3);
    struct network_result r;

    f.rate_Bps = rate_Bps;
    f.two_way = two_way;
    assert_int_equal(network_measure(formula_transport(&f), &options, &r), NW_OK);
    struct network_heading h = {
        .result = &r, .by = &f.transport, .hosts = 3, .library = "MPI", .first = "a", .second = "b"
    };
    struct network_platform p = {
        .heading = &h, .from = from, .when = "2026-01-02", .commit = "abc", .memory_Bps = 12.3e9, .memory_threads = 2
    };
    assert_int_equal(network_platform_write(&p, path), want);
    network_result_free(&r);
}

static struct platform *load(const char *path)
{
    struct platform *p = NULL;

    assert_int_equal(scenario_load_platform(path, stderr, &p), NW_OK);
    return p;
}

static void without_another_it_is_of_this_host(void **state)
{
    const char *path = tmp("own.yaml");

    (void)state;
    write_from(NULL, 11.9e6, 0.98, path, NW_OK);
    struct platform *p = load(path);
    const struct link_spec *link = platform_link(p, p->network.link);

    assert_string_equal(p->name, "own");
    assert_int_equal(p->machines, 3);
    assert_int_equal(p->network.topology, TOPOLOGY_STAR);
    assert_true(fabs(link->bandwidth_Bps / 11.9e6 - 1) < 1e-3);
    assert_true(link->efficiency_wire == 1 && link->duplex == DUPLEX_FULL);
    assert_true(fabs(link->latency_s - 5e-6) < 1e-7);
    assert_true(p->cpu.memory_Bps == 12.3e9 && p->cpu.cores_per_socket >= 1 && p->gpu.count == 0);
    scenario_free_platform(p);

    write_from(NULL, 11.9e6, 0.55, path, NW_OK);
    p = load(path);
    assert_int_equal(platform_link(p, "eth")->duplex, DUPLEX_HALF);
    scenario_free_platform(p);
}

/* Every shipped platform keeps its GPUs and links, and gets the network that was measured. */
static void another_platform_keeps_the_rest(void **state)
{
    static const struct {
        const char *name, *link; /* that was measured */
        double rate_Bps, bandwidth_Bps, wire;
    } rows[] = {
        { "3lc-gtx980-cluster", "eth", 100e6, 125e6, 0.8 }, /* nominal 1 Gbit/s */
        { "3lc-gtx980-cluster", "eth", 200e6, 200e6, 1 },   /* more than it should be: as measured */
        { "x86-k80", "eth", 100e6, 100e6, 1 },              /* a single machine so far */
        { "power9-v100", "eth", 100e6, 100e6, 1 },
        { "splitcnn-cloud", NULL, 100e6, 0, 0 },
        { "dct-production", NULL, 100e6, 0, 0 },
        { "power8-p100", NULL, 100e6, 0, 0 },
        { "dgx-a100", "ib", 100e6, 25e9, 0.004 }, /* rails */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char from[4096];
        const char *path = tmp("from.yaml");

        snprintf(from, sizeof(from), "%s/scenarios/platforms/%s.yaml", getenv("NARROWS_HOME"), rows[i].name);
        write_from(from, rows[i].rate_Bps, 0.98, path, NW_OK);
        struct platform *was = load(from), *is = load(path);
        const struct link_spec *link = platform_link(is, is->network.link);

        assert_int_equal(is->gpu.count, was->gpu.count);
        assert_true(is->gpu.peak_flops == was->gpu.peak_flops && is->cpu.memory_Bps == was->cpu.memory_Bps);
        assert_true(is->nlinks >= was->nlinks);
        assert_true(fabs(link->bandwidth_Bps * link->efficiency_wire / rows[i].rate_Bps - 1) < 1e-3);
        if (rows[i].link) {
            assert_string_equal(link->name, rows[i].link);
            assert_true(fabs(link->bandwidth_Bps / rows[i].bandwidth_Bps - 1) < 1e-3);
            assert_true(fabs(link->efficiency_wire / rows[i].wire - 1) < 1e-3);
        }
        scenario_free_platform(was);
        scenario_free_platform(is);
    }
}

static void lines_are_cut_and_comments_kept(void **state)
{
    static const char text[] =
        "# head\nname: x\nmachines: 4\n\n# of the processor\ncpu:\n  cores_per_socket: 2 # two\n"
        "network:\n  topology: star\n  link: eth\nlink:\n  # first\n  pcie:\n    bandwidth: 1 GB/s\n"
        "  eth:\n    bandwidth: 2 GB/s\n    # slow\n    latency: 1 us\n  ib:\n    bandwidth: 3 GB/s\n"
        "gpu:\n  count: 1\n";
    char *rest = NULL, *links = NULL;
    size_t n;
    FILE *r = open_memstream(&rest, &n), *l = open_memstream(&links, &n);

    (void)state;
    assert_int_equal(platform_text_cut(text, "x.yaml", "eth", r, l), NW_OK);
    fclose(r);
    fclose(l);
    assert_string_equal(rest, "# head\n# of the processor\ncpu:\n  cores_per_socket: 2 # two\ngpu:\n  count: 1\n");
    assert_string_equal(links, "  # first\n  pcie:\n    bandwidth: 1 GB/s\n  ib:\n    bandwidth: 3 GB/s\n");
    free(rest);
    free(links);
}

static void what_cannot_be_cut_is_refused_and_nothing_replaced(void **state)
{
    char from[4096];
    FILE *f = fopen(tmp("flow.yaml"), "w");

    (void)state;
    snprintf(from, sizeof(from), "%s", tmp("flow.yaml"));
    fputs("name: flow\ncpu: {cores_per_socket: 1, memory_bandwidth: 1 GB/s}\nmachines: 2\n"
          "network: {topology: star, link: eth}\nlink: {eth: {bandwidth: 1 GB/s}}\n",
          f);
    fclose(f);
    f = fopen(tmp("there.yaml"), "w");
    fputs("as it was\n", f);
    fclose(f);
    write_from(from, 1e8, 0.98, tmp("there.yaml"), NW_EINPUT);
    char line[32] = "";
    f = fopen(tmp("there.yaml"), "r");
    assert_non_null(fgets(line, sizeof(line), f));
    fclose(f);
    assert_string_equal(line, "as it was\n");
    assert_null(fopen(tmp("there.yaml.new"), "r"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_another_it_is_of_this_host),
        cmocka_unit_test(another_platform_keeps_the_rest),
        cmocka_unit_test(lines_are_cut_and_comments_kept),
        cmocka_unit_test(what_cannot_be_cut_is_refused_and_nothing_replaced),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
