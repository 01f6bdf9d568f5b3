/* refusal_test.c - what a user can get wrong with machines on a network, or with training, is reported with the line to
 * look at. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/precheck.h"
#include "harness/scenario/memory.h"
#include "harness/status.h"
#include "tests/test.h"

/* What every case includes: a platform of four machines on a switch, and a network that is right for it. */
static const char base[] = "name: base\n"
                           "model:\n"
                           "  name: m\n"
                           "  input: {channels: 1, height: 4, width: 4}\n"
                           "  layers: [{kind: fc, name: a, units: 8}, {kind: relu}, {kind: fc, name: b, units: 8},\n"
                           "    {kind: softmax}]\n"
                           "batch: 8\n";
static const char cluster[] = "name: c\n"
                              "machines: 4\n"
                              "network: {topology: star, link: eth}\n"
                              "link:\n"
                              "  eth: {bandwidth: 10 Gbit/s}\n"
                              "cpu:\n"
                              "  cores_per_socket: 4\n"
                              "  peak: 1 TFlop/s\n"
                              "  memory_bandwidth: 50 GB/s\n";
static const char gpus[] = "include: c.yaml\n"
                           "peak: 1 TFlop/s\n"
                           "gpu: {count: 2, peak: 1 TFlop/s, memory_bandwidth: 9 GB/s, memory: 1 GB, link: pcie}\n"
                           "link: {pcie: {bandwidth: 8 GB/s, shared_by: 2}}\n";
static const char tables[] = "name: e\n"
                             "input: {channels: 4, height: 1, width: 1}\n"
                             "layers: [{kind: fc, units: 8}, {kind: embedding, tables: 2, rows: 200, dim: 4}]\n";
static const char images[] = "name: net\n"
                             "input: {channels: 3, height: 32, width: 32}\n"
                             "classes: 10\n"
                             "layers:\n"
                             "- {kind: conv, name: first, channels: 4, kernel: 3, pad: 1}\n"
                             "- {kind: relu, name: first.relu}\n"
                             "- {kind: conv, name: second, channels: 4, kernel: 3, pad: 1}\n"
                             "- {kind: avgpool}\n"
                             "- {kind: classifier}\n"
                             "- {kind: softmax}\n";
static const char clicks[] = "name: rec\n"
                             "input: {channels: 13, height: 1, width: 1}\n"
                             "layers:\n"
                             "- {kind: fc, name: bottom, units: 4}\n"
                             "- {kind: embedding, tables: 26, rows: 260, dim: 4}\n"
                             "- {kind: interaction, dim: 4}\n"
                             "- {kind: fc, name: top, units: 1}\n"
                             "- {kind: sigmoid}\n";
static const char sentences[] = "name: lm\n"
                                "layers:\n"
                                "- {kind: tokens, rows: 32, dim: 8, positions: 12}\n"
                                "- {kind: linear, units: 32}\n"
                                "- {kind: softmax}\n";
static const char wrong_traffic[] = "id,src,dst,bytes,start_s\n0,0,1,1000,0\n1,0,two,1000,0\n";
static const char traffic[] = "id,src,dst,bytes,start_s\n0,0,1,1000,0\n1,0,4,1000,0\n";

#define CPUS "include: base.yaml\nplatform: c.yaml\nmethod:\n"
#define GPUS "include: base.yaml\nplatform: g.yaml\nmethod:\n"
#define PLAN GPUS "  kind: memory-plan\n  timing: {name: t, rates: [{efficiency: 0.5}]}\n"
#define CONVS                                                                                                     \
    "include: base.yaml\nplatform: g.yaml\nmodel:\n  layers:\n  - {kind: conv, channels: 4, kernel: 3, pad: 1}\n" \
    "  - {kind: relu}\n  - {kind: conv, channels: 4, kernel: 3, pad: 1}\n  - {kind: fc, units: 8}\nmethod:\n"     \
    "  kind: memory-plan\n"
#define MOE                                                                                                   \
    "model:\n  name: moe\n  gpt: {style: llama, hidden: 8, layers: 2, heads: 2, sequence: 8, vocabulary: 9, " \
    "experts: 4, active: 2}\n"
#define PS "  kind: parameter-server\n"
#define AR "  kind: allreduce\n"
#define MP "  kind: model-parallel\n  device: cpu\n"
#define NET "name: x\nmodel: net.yaml\ntraining:\n  data: {kind: images}\n  batch: 8\n  learning_rate: {from: 0.1}\n"
#define TRAIN NET "  steps: 10\n"
#define LM "name: x\nmodel: lm.yaml\ntraining:\n  batch: 8\n  learning_rate: {from: 0.1}\n  steps: 10\n"
#define NET_OF(layer)                                                                               \
    "name: x\nmodel:\n  name: of\n  layers:\n  - {kind: tokens, rows: 32, dim: 8, positions: 12}\n" \
    "  - " layer "\n  - {kind: linear, units: 32}\n  - {kind: softmax}\n"                           \
    "training:\n  data: {kind: translation, positions: 12, vocabulary: 32}\n"                       \
    "  batch: 8\n  learning_rate: {from: 0.1}\n  steps: 10\n"
#define REC "name: x\nmodel: rec.yaml\ntraining:\n  batch: 8\n  learning_rate: {from: 0.1}\n  steps: 10\n"

static const struct {
    const char *why, *text, *set, *sweep, *want;
} cases[] = {
#include "tests/run/refusals.inc"
#include "tests/run/training_refusals.inc"
};

static int judge(size_t i, char **said)
{
    struct memory_file files[] = {
        { "s.yaml", cases[i].text, strlen(cases[i].text) },
        { "base.yaml", base, sizeof(base) - 1 },
        { "c.yaml", cluster, sizeof(cluster) - 1 },
        { "g.yaml", gpus, sizeof(gpus) - 1 },
        { "t.csv", traffic, sizeof(traffic) - 1 },
        { "net.yaml", images, sizeof(images) - 1 },
        { "rec.yaml", clicks, sizeof(clicks) - 1 },
        { "lm.yaml", sentences, sizeof(sentences) - 1 },
        { "e.yaml", tables, sizeof(tables) - 1 },
        { "w.csv", wrong_traffic, sizeof(wrong_traffic) - 1 },
        { "tests/run/data/tiny.yaml", "", 0 }, /* that they exist; what they say is read from the disk */
        { "tests/run/data/fit-typo.yaml", "", 0 },
    };
    struct memory_files all = { files, sizeof(files) / sizeof(*files) };
    struct scenario_file *file = NULL;
    size_t size;
    FILE *err = open_memstream(said, &size);
    int rc = scenario_open_memory(&all, "s.yaml", &cases[i].set, cases[i].set != NULL, &cases[i].sweep,
                                  cases[i].sweep != NULL, err, &file);

    if (!rc)
        rc = precheck(file, err);
    else
        fputs("(not opened)\n", err);
    fclose(err);
    scenario_close(file);
    return rc;
}

static void every_fault_has_its_line(void **state)
{
    size_t failed = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char *said;
        int rc = judge(i, &said);

        if (rc != (*cases[i].want ? NW_EINPUT : NW_OK) || strcmp(said, cases[i].want) != 0) {
            print_error("%s: answered %d\n  want: %s\n  said: %s\n", cases[i].why, rc, cases[i].want, said);
            failed++;
        }
        free(said);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_fault_has_its_line) };

    return cmocka_run_group_tests_name("refusal", tests, NULL, NULL);
}
