/* point_key_test.c - a point's key changes with all that its result depends on, including the sources that compute
 * it, and with nothing else. */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/run/point/key.h"
#include "harness/scenario/memory.h"
#include "harness/status.h"
#include "narrows_build.h"
#include "tests/test.h"

#define MODEL "model: {name: m, input: {channels: 1, height: 1, width: 8}, layers: [{kind: fc, units: 8}]}\n"
#define SIMULATED                                                                                   \
    "batch: 8\nmethod: {kind: parameter-server, workers: 2, device: cpu}\nplatform:\n  name: c\n"   \
    "  machines: 3\n  network: {topology: star, link: eth}\n  link: {eth: {bandwidth: 8 Gbit/s}}\n" \
    "  cpu: {cores_per_socket: 4, memory_bandwidth: 50 GB/s, peak: 1 TFlop/s}\n"
#define TRAINED "training: {data: {kind: images}, batch: 8, steps: 9, learning_rate: {from: 0.1}}\n"

static const char simulated[] = "name: x\n" MODEL SIMULATED, trained[] = "name: x\n" MODEL TRAINED,
                  both[] = "name: x\n" MODEL SIMULATED TRAINED,
                  variants[] = "name: x\n" MODEL TRAINED "variants: {a: {}, b: {}}\n";

static const struct source_digests plain = { "0123", "4567" }, simulator = { "0124", "4567" },
                                   trainer = { "0123", "4568" };

static const struct {
    const char *why, *text, *set;
    const struct source_digests *sources;
    size_t point;
    const char *than_text; /* with nothing set, the plain sources, point 0 */
    bool same;
} rows[] = {
    { "again", trained, NULL, &plain, 0, trained, 1 },
    { "another trainer", trained, NULL, &trainer, 0, trained, 0 },
    { "another simulator, which does not train", trained, NULL, &simulator, 0, trained, 1 },
    { "another simulator", simulated, NULL, &simulator, 0, simulated, 0 },
    { "another trainer, which does not simulate", simulated, NULL, &trainer, 0, simulated, 1 },
    { "another simulator of both", both, NULL, &simulator, 0, both, 0 },
    { "another trainer of both", both, NULL, &trainer, 0, both, 0 },
    { "another seed", trained, "training.seed=2", &plain, 0, trained, 0 },
    { "evaluations", trained, "training.evaluate.every=2", &plain, 0, trained, 1 },
    { "how many are evaluated", trained, "training.evaluate.samples=2", &plain, 0, trained, 0 },
    { "traces", trained, "training.trace.every=2", &plain, 0, trained, 1 },
    { "checkpoints", trained, "training.checkpoint.every=2", &plain, 0, trained, 1 },
    { "another backend", trained, "training.backend=reference", &plain, 0, trained, 0 },
    { "the first variant", variants, NULL, &plain, 0, variants, 1 },
    { "another variant of the same", variants, NULL, &plain, 1, variants, 0 },
    { "another name", trained, "name=y", &plain, 0, trained, 1 },
};

static void key_of(const char *text, const char *set, size_t index, const struct source_digests *sources, char *key)
{
    struct memory_file file = { "s.yaml", text, strlen(text) };
    struct memory_files all = { &file, 1 };
    struct scenario_file *f = NULL;
    struct point p;

    assert_int_equal(scenario_open_memory(&all, "s.yaml", &set, set != NULL, NULL, 0, stderr, &f), NW_OK);
    assert_int_equal(scenario_point(f, index, &p), NW_OK);
    assert_int_equal(sources ? point_key_of(&p, sources, key) : point_key(&p, key), NW_OK);
    assert_int_equal(strlen(key), POINT_KEY_LENGTH);
    point_free(&p);
    scenario_close(f);
}

static void keys_follow_what_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char key[POINT_KEY_LENGTH + 1], than[POINT_KEY_LENGTH + 1];

        key_of(rows[i].text, rows[i].set, rows[i].point, rows[i].sources, key);
        key_of(rows[i].than_text, NULL, 0, &plain, than);
        if ((strcmp(key, than) == 0) != rows[i].same)
            fail_msg("%s: the keys %s", rows[i].why, rows[i].same ? "differ" : "are equal");
    }
}

static void the_program_has_its_own_sources(void **state)
{
    static const struct source_digests own = { NW_SIM_DIGEST, NW_TRAIN_DIGEST };
    char key[POINT_KEY_LENGTH + 1], than[POINT_KEY_LENGTH + 1];

    (void)state;
    key_of(both, NULL, 0, NULL, key);
    key_of(both, NULL, 0, &own, than);
    assert_string_equal(key, than);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(keys_follow_what_counts),
                                        cmocka_unit_test(the_program_has_its_own_sources) };

    return cmocka_run_group_tests_name("point_key", tests, NULL, NULL);
}
