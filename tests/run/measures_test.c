/* measures_test.c - what a point reports, by name and unit, whatever its method; which names there are. */

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/point/measures.h"
#include "harness/scenario/memory.h"
#include "harness/status.h"
#include "tests/test.h"

#define CLUSTER                                                                                            \
    "name: x\nplatform:\n  name: c\n  machines: 3\n  network: {topology: star, link: eth}\n"               \
    "  link: {eth: {bandwidth: 8 Gbit/s}}\n  cpu: {cores_per_socket: 4, memory_bandwidth: 50 GB/s, peak: " \
    "1 TFlop/s}\n"
#define NETWORK \
    "batch: 8\nmodel: {name: m, input: {channels: 1, height: 1, width: 8}, layers: [{kind: fc, units: 8}]}\n"

static struct point point_of(const char *text, struct scenario_file **file)
{
    static const char csv[] = "id,src,dst,bytes,start_s\n0,0,1,1000000,0\n1,0,2,3000000,0\n";
    struct memory_file files[] = { { "s.yaml", text, strlen(text) }, { "t.csv", csv, sizeof(csv) - 1 } };
    struct memory_files all = { files, 2 };
    struct point p;

    assert_int_equal(scenario_open_memory(&all, "s.yaml", NULL, 0, NULL, 0, stderr, file), NW_OK);
    assert_int_equal(scenario_point(*file, 0, &p), NW_OK);
    return p;
}

static void names_are_known(void **state)
{
    static const struct {
        const char *name;
        bool known;
    } rows[] = {
        { "step_ms", 1 },      { "convolution_ms", 1 }, { "bytes_per_kflop", 1 }, { "push_ms", 1 },
        { "critical.gpu", 1 }, { "critical.", 0 },      { "critical", 0 },        { "criticals.gpu", 0 },
        { "gain_pct", 1 },     { "speedup", 1 },        { "step_m", 0 },          { "step_msx", 0 },
        { "accuracy", 1 },     { "bits_per_value", 1 }, { "images_per_s", 0 },    { "", 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (measure_known(rows[i].name) != rows[i].known)
            fail_msg("'%s' should %sbe known", rows[i].name, rows[i].known ? "" : "not ");
}

/* 4 MB leave machine 0 at 1 GB/s. */
static void traffic_is_measured(void **state)
{
    struct scenario_file *f;
    struct point p = point_of(CLUSTER "method: {kind: flows, file: t.csv}\n", &f);
    struct measures m;
    char why[256] = "";
    size_t known = 0;

    (void)state;
    assert_int_equal(measures_of(&p.scenario, &m, why, sizeof(why)), NW_OK);
    point_free(&p);
    scenario_close(f); /* names and units outlive what they were made from */
    assert_true(measure_value(&m, "end_ms") == 4 && measure_value(&m, "flows") == 2);
    assert_true(isnan(measure_value(&m, "push_ms")));
    for (size_t i = 0; i < m.count; i++)
        known += measure_known(m.list[i].name) && strlen(m.list[i].unit) < 8;
    assert_true(known == m.count && m.count > 5);
}

/* There is nothing to play. */
static void what_is_only_trained_is_not_simulated(void **state)
{
    struct scenario_file *f;
    struct point p = point_of("name: x\nmodel: {name: m, input: {channels: 1, height: 1, width: 8}, layers: "
                              "[{kind: fc, units: 8}]}\ntraining: {data: {kind: images}, batch: 8, steps: 9, "
                              "learning_rate: {from: 0.1}}\n",
                              &f);
    struct measures m;
    char why[256] = "";

    (void)state;
    assert_int_equal(measures_of(&p.scenario, &m, why, sizeof(why)), NW_ESIM);
    assert_int_equal(strncmp(why, "method: ", 8), 0);
    assert_int_equal(m.count, 0);
    point_free(&p);
    scenario_close(f);
}

static void servers_are_measured(void **state)
{
    struct scenario_file *f;
    struct point p = point_of(CLUSTER NETWORK "method: {kind: parameter-server, workers: 2, device: cpu}\n", &f);
    struct measures m;
    char why[256] = "";
    size_t known = 0;

    (void)state;
    assert_int_equal(measures_of(&p.scenario, &m, why, sizeof(why)), NW_OK);
    assert_true(measure_value(&m, "step_ms") > 0 && measure_value(&m, "push_bytes") == 4 * 8 * 9);
    for (size_t i = 0; i < m.count; i++)
        known += measure_known(m.list[i].name);
    assert_int_equal(known, m.count);
    point_free(&p);
    scenario_close(f);
}

static void a_refusal_names_its_key(void **state)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
        { CLUSTER NETWORK "method: {kind: parameter-server, workers: 3, device: cpu}\n", "method.servers: " },
        { CLUSTER NETWORK "method: {kind: parameter-server, workers: 2, device: cpu}\n"
                          "set: {'layers[0].units': 9}\n",
          NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct scenario_file *f;
        struct point p = point_of(rows[i].text, &f);
        struct measures m;
        char why[256] = "";
        int rc = measures_of(&p.scenario, &m, why, sizeof(why));

        assert_int_equal(rc, rows[i].why ? NW_ESIM : NW_OK);
        if (rows[i].why && strncmp(why, rows[i].why, strlen(rows[i].why)) != 0)
            fail_msg("said: %s", why);
        if (!rows[i].why) { /* now a layer that does not fit */
            p.scenario.model.layers[0].kind = LAYER_CONV;
            p.scenario.model.layers[0].channels = 1;
            p.scenario.model.layers[0].kernel = 3;
            assert_int_equal(measures_of(&p.scenario, &m, why, sizeof(why)), NW_ESIM);
            assert_int_equal(strncmp(why, "model.layers[0]: ", 17), 0);
        }
        point_free(&p);
        scenario_close(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_known),
        cmocka_unit_test(traffic_is_measured),
        cmocka_unit_test(what_is_only_trained_is_not_simulated),
        cmocka_unit_test(servers_are_measured),
        cmocka_unit_test(a_refusal_names_its_key),
    };

    return cmocka_run_group_tests_name("measures", tests, NULL, NULL);
}
