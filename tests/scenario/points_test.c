/* points_test.c - the points of valid scenarios: values, overrides, axes, variants, cells, the canonical text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "tests/scenario/inputs.h"
#include "tests/test.h"

#define TWO "variants:\n  fp32: {method.codec: none}\n  adt: {bytes_per_weight: 3}\n"
#define CELL(row) "compare: [{paper: p, table: I, row: \"" row "\", column: c, measure: m}]\n"

static struct point bound(const struct scenario_file *f, size_t index)
{
    struct point p;

    assert_int_equal(scenario_point(f, index, &p), NW_OK);
    return p;
}

static void a_plain_scenario_is_bound(void **state)
{
    struct input in = { .text = input_scenario };
    struct scenario_file *f = input_opened(&in);
    struct point p = bound(f, 0);
    const struct platform *m = &p.scenario.platform;

    (void)state;
    assert_int_equal(scenario_npoints(f), 1);
    assert_string_equal(scenario_name(f), "plain");
    assert_string_equal(scenario_title(f), "");
    assert_string_equal(scenario_baseline(f), "");
    assert_string_equal(p.variant, "");
    assert_int_equal(p.nparams + p.ncells, 0);
    assert_true(m->peak_flops == 6.44e12 && m->compute_scale == 1);
    assert_true(m->cpu.sockets == 2 && m->cpu.cores_per_socket == 8 && m->cpu.memory_Bps == 102.4e9);
    assert_true(isnan(m->cpu.memory_efficiency) && m->cpu.dma_read_Bps == 0);
    assert_true(m->cpu.codec == CODEC_RATE_MEMORY);
    assert_true(m->gpu.count == 2 && m->gpu.peak_flops == 2.8e12 && m->gpu.memory_bytes == 12884901888);
    assert_true(m->gpu.efficiency_convolution == 1.5 && m->gpu.efficiency_fully_connected == 0.5 &&
                m->gpu.efficiency_memory == 0.8);
    assert_true(m->gpu.launch_latency_s == 5e-6);
    assert_int_equal(m->nlinks, 1);
    assert_string_equal(m->links[0].name, "pcie");
    assert_true(m->links[0].duplex == DUPLEX_HALF && m->links[0].shared_by == 2 && m->links[0].latency_s == 1e-5);
    assert_true(m->links[0].efficiency_to_device == 0.75 && isnan(m->links[0].efficiency_to_host));
    assert_int_equal(p.scenario.model.nlayers, 3);
    assert_true(p.scenario.model.layers[0].bias && !p.scenario.model.layers[1].bias);
    assert_true(p.scenario.model.layers[1].repeat == 2 && p.scenario.model.layers[1].layers[0].channels == 16);
    assert_true(!p.scenario.model.layers[1].layers[0].bias && p.scenario.model.layers[2].kind == LAYER_CLASSIFIER);
    assert_true(p.scenario.batch == 64 && p.scenario.method.host_sgd.codec == WEIGHT_CODEC_ADT);
    assert_true(p.scenario.method.host_sgd.bytes_per_weight == 1.5 && p.scenario.method.host_sgd.gpus_per_board == 1);
    point_free(&p);
    assert_int_equal(scenario_point(f, 1, &p), NW_EINPUT);
    scenario_close(f);
}

/* What a point's row says, so that a test of axes is a table. 'path' is a template like those of cells. */
static const struct {
    const char *why;
    struct input in;
    const char *want; /* the rows of all points, one a word */
} expanded[] = {
#define NET "name: net\ninput: {channels: 1, height: 8, width: 8}\nclasses: 2\nlayers: [{kind: classifier}]\n"
#define ROW "name: x\nplatform: p.yaml\nmodel: m.yaml\nbatch: 64\nmethod: {kind: host-sgd, codec: adt}\n"
    { "a figure replaces a figure",
      { .text = ROW "set: {platform.peak: {value: 2 TFlop/s, source: x}}\n" CELL("{platform.peak}") },
      "2e+12" },
    { "a path without its first components",
      { .text = ROW "set: {pcie.bandwidth: 3 GB/s}\n" CELL("{link.pcie.bandwidth}") },
      "3000000000" },
    { "a key that no file gives", { .text = ROW "set: {gpus_per_board: 2}\n" CELL("{method.gpus_per_board}") }, "2" },
    { "a layer's key",
      { .text = ROW CELL("{model.layers[1].layers[0].channels}"), .sets = { "layers[1].layers[0].channels=7" } },
      "7" },
    { "--set beats set", { .text = ROW "set: {batch: 1}\n" CELL("{batch}"), .sets = { "batch=2" } }, "2" },
    { "the last --set counts", { .text = ROW CELL("{batch}"), .sets = { "batch=2", "batch=3" } }, "3" },
    { "--set of the codec",
      { .text = ROW CELL("{cpu.codec}"), .sets = { "platform.cpu.codec=measured" } },
      "measured" },
    { "--set of the model", { .text = ROW CELL("{model.name}"), .sets = { "model=n.yaml" } }, "smaller" },
    { "--set of a shipped model",
      { .text = ROW CELL("{model.name}"),
        .more_path = "home/scenarios/models/net-8.yaml",
        .more_text = NET,
        .sets = { "model=net-8" } },
      "net" },
    { "a shipped model in the file",
      { .text = "name: x\nplatform: p.yaml\nmodel: net-8\nbatch: 1\nmethod: {kind: host-sgd}\n" CELL("{model.name}"),
        .more_path = "home/scenarios/models/net-8.yaml",
        .more_text = NET },
      "net" },
    { "a shipped model by its path, wherever the file is",
      { .text = "name: x\nplatform: p.yaml\nmodel: scenarios/models/net-8.yaml\nbatch: 1\n"
                "method: {kind: host-sgd}\n" CELL("{model.name}"),
        .more_path = "home/scenarios/models/net-8.yaml",
        .more_text = NET },
      "net" },
    { "a file of that path next to it comes first",
      { .text = "name: x\nplatform: p.yaml\nmodel: scenarios/net.yaml\nbatch: 1\nmethod: {kind: host-sgd}\n" CELL(
            "{model.name}"),
        .more_path = "scenarios/net.yaml",
        .more_text = NET },
      "net" },
    { "a file in the user's own folder",
      { .text =
            "name: x\nplatform: p.yaml\nmodel: ~/net.yaml\nbatch: 1\nmethod: {kind: host-sgd}\n" CELL("{model.name}"),
        .more_path = "user/net.yaml",
        .more_text = NET },
      "net" },
    { "an include from the user's own folder",
      { .text = "include: ~/b.yaml\n" ROW CELL("{title}"), .more_path = "user/b.yaml", .more_text = "title: own\n" },
      "own" },
    { "codecs by other names",
      { .text = "name: x\nmodel: m.yaml\nbatch: 1\nplatform: {include: p.yaml, network: {topology: star, link: pcie}}\n"
                "method: {kind: allreduce, workers: 2, gradients: {format: top-k}}\n"
                "sweep: {gradients.format: [topk, int8, onebit, FLOAT16, none]}\n" CELL("{method.gradients.format}") },
      "dct 8bit 1bit fp16 none" },
    { "--set of a missing key",
      { .text = "name: x\nplatform: p.yaml\nmethod: {kind: host-sgd}\n" CELL("{batch}{model.name}"),
        .sets = { "batch=2", "model=n.yaml" } },
      "2smaller" },
    { "whole numbers, evenly in the logarithm",
      { .text = ROW CELL("{batch}"), .sweeps = { "batch=100..1000:log:5" } },
      "100 178 316 562 1000" },
    { "each of them once", { .text = ROW CELL("{batch}"), .sweeps = { "batch=1..4:log:9" } }, "1 2 3 4" },
    { "whole bytes",
      { .text = "name: x\nmodel: m.yaml\nbatch: 2\nplatform: {include: p.yaml, network: {topology: star, link: pcie}}\n"
                "method: {kind: allreduce, workers: 2}\n" CELL("{method.bucket};"),
        .sweeps = { "method.bucket=1..8 MiB:log:3" } },
      "1 MiB; 2.965821 MB; 8 MiB;" },
    { "a product, the last axis fastest",
      { .text = ROW "sweep: {batch: [1, 2], bytes_per_weight: [3, 4]}\n" CELL("{batch}{bytes_per_weight}") },
      "13 14 23 24" },
    { "a zip",
      { .text = ROW "sweep: {zip: {batch: [1, 2], bytes_per_weight: [3, 4]}}\n" CELL("{batch}{bytes_per_weight}") },
      "13 24" },
    { "two zips",
      { .text = ROW "sweep: {zip: [{batch: [1, 2], awp: [false, true]}, {bytes_per_weight: [3, 4]}]}\n" CELL(
            "{batch}{awp}{bytes_per_weight}") },
      "1false3 1false4 2true3 2true4" },
    { "the units of an axis are kept",
      { .text = ROW "sweep: {pcie.bandwidth: '2..8 GB/s:log:3'}\n" CELL("{pcie.bandwidth};") },
      "2 GB/s; 4 GB/s; 8 GB/s;" },
    { "text lists", { .text = ROW "sweep: {batch: '1, 2,3'}\n" CELL("{batch}") }, "1 2 3" },
    { "--sweep", { .text = ROW CELL("{batch}"), .sweeps = { "batch=1..3:lin:3" } }, "1 2 3" },
    { "--sweep in brackets", { .text = ROW CELL("{batch}"), .sweeps = { "batch=[5, 6]" } }, "5 6" },
    { "--sweep replaces an axis",
      { .text = ROW "sweep: {batch: [1, 2, 3]}\n" CELL("{batch}"), .sweeps = { "batch=5, 6" } },
      "5 6" },
    { "--set removes an axis",
      { .text = ROW "sweep: {batch: [1, 2, 3]}\n" CELL("{batch}"), .sets = { "batch=5" } },
      "5" },
    { "--set removes a member of a zip",
      { .text = ROW "sweep: {zip: {batch: [1, 2], bytes_per_weight: [3, 4]}}\n" CELL("{batch}{bytes_per_weight}"),
        .sets = { "batch=5" } },
      "53 54" },
    { "--sweep zip:",
      { .text = ROW CELL("{batch}{bytes_per_weight}"), .sweeps = { "zip:batch=1, 2", "zip:bytes_per_weight=3, 4" } },
      "13 24" },
    { "--sweep comes after the file's axes",
      { .text = ROW "sweep: {batch: [1, 2]}\n" CELL("{batch}{bytes_per_weight}"),
        .sweeps = { "bytes_per_weight=3, 4" } },
      "13 14 23 24" },
    { "variants are fastest",
      { .text = ROW TWO "sweep: {batch: [1, 2]}\n" CELL("{batch}{variant}{method.codec}{bytes_per_weight}") },
      "1fp32none4 1adtadt3 2fp32none4 2adtadt3" },
    { "a variant beats a sweep",
      { .text = ROW TWO "sweep: {bytes_per_weight: [1, 2]}\n" CELL("{variant}{bytes_per_weight}") },
      "fp321 adt3 fp322 adt3" },
    { "--sweep beats a variant",
      { .text = ROW TWO CELL("{variant}{bytes_per_weight}"), .sweeps = { "bytes_per_weight=1, 2" } },
      "fp321 adt1 fp322 adt2" },
    { "--set beats a variant",
      { .text = ROW TWO CELL("{variant}{bytes_per_weight}"), .sets = { "bytes_per_weight=2" } },
      "fp322 adt2" },
    { "--sweep of platforms, one of them shipped",
      { .text = ROW CELL("{platform.name}"),
        .more_path = "home/scenarios/platforms/board.yaml",
        .more_text = "name: board\ncpu: {cores_per_socket: 1, memory_bandwidth: 1 GB/s}\n",
        .sweeps = { "platform=board, q.yaml" } },
      "board other" },
    { "platforms are exchanged",
      { .text = ROW "sweep: {platform: [p.yaml, q.yaml]}\n" CELL("{platform.name}{gpu.count}") },
      "two-gpus2 other4" },
    { "--sweep of models",
      { .text = ROW CELL("{model.name}"), .sweeps = { "model=n.yaml, m.yaml" } },
      "smaller small" },
    { "a variant exchanges the model",
      { .text = ROW "variants: {a: {model: n.yaml}, b: {}}\n" CELL("{model.name}") },
      "smaller small" },
    { "an override follows the exchange",
      { .text = ROW "set: {gpu.count: 3}\nsweep: {platform: [p.yaml, q.yaml]}\n" CELL("{platform.name}{gpu.count}") },
      "two-gpus3 other3" },
    { "an inline platform over a file",
      { .text = "name: x\nplatform: {include: p.yaml, cpu: {sockets: 4}}\nmodel: m.yaml\nbatch: 1\n"
                "method: {kind: host-sgd}\n" CELL("{cpu.sockets}{cpu.cores_per_socket}") },
      "48" },
    { "the file overrides its include",
      { .text = "include: r.yaml\nname: x\nmethod: {codec: adt}\n" CELL("{batch}{method.codec}{awp}"),
        .more_path = "r.yaml",
        .more_text = "name: y\nplatform: p.yaml\nmodel: m.yaml\nbatch: 9\n"
                     "method: {kind: host-sgd, codec: none, awp: true}\n" },
      "9adttrue" },
    { "the later of two includes is on top",
      { .text = "include: [r.yaml, s2.yaml]\nname: x\n" CELL("{batch}"),
        .more_path = "r.yaml",
        .more_text = "platform: p.yaml\nmodel: m.yaml\nbatch: 9\nmethod: {kind: host-sgd}\n" },
      NULL },
    { "only the cells of the variant",
      { .text = ROW TWO "compare: [{paper: p, table: I, row: only, column: c, measure: m, variant: adt}]\n" },
      "- only" },
    { "--set name", { .text = ROW CELL("{name}"), .sets = { "name=other" } }, "other" },
};

static void scenarios_are_expanded(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(expanded); i++) {
        char all[1024] = "", *printed;
        struct scenario_file *f = NULL;
        int rc = input_open(&expanded[i].in, &printed, &f);

        if (!expanded[i].want) { /* names a file that is not there: only that it is refused */
            assert_int_equal(rc, NW_EINPUT);
            free(printed);
            continue;
        }
        if (rc)
            fail_msg("%s: refused:\n%s", expanded[i].why, printed);
        for (size_t k = 0; k < scenario_npoints(f); k++) {
            struct point p = bound(f, k);

            assert_int_equal(p.index, k);
            strcat(strcat(all, k ? " " : ""), p.ncells ? p.cells[0].row : "-");
            point_free(&p);
        }
        if (strcmp(all, expanded[i].want))
            fail_msg("%s: want '%s', got '%s'", expanded[i].why, expanded[i].want, all);
        scenario_close(f);
        free(printed);
    }
}

static void parameters_carry_text_value_and_unit(void **state)
{
    struct input in = { .text = ROW TWO,
                        .sweeps = { "pcie.bandwidth=1 GB/s, 10 Gbit/s", "platform=p.yaml",
                                    "cpu.codec=measured, 2 GB/s" } };
    struct scenario_file *f = NULL;
    struct point p;

    (void)state;
    f = input_opened(&in);
    assert_int_equal(scenario_npoints(f), 8);
    p = bound(f, 7);
    assert_int_equal(p.nparams, 3);
    assert_int_equal(p.combination, 3);
    assert_string_equal(p.variant, "adt");
    assert_string_equal(p.params[0].path, "platform.link.pcie.bandwidth");
    assert_string_equal(p.params[0].text, "10 Gbit/s");
    assert_string_equal(p.params[0].unit, "bytes/s");
    assert_true(p.params[0].value == 1.25e9 && p.scenario.platform.links[0].bandwidth_Bps == 1.25e9);
    assert_string_equal(p.params[1].text, "two-gpus");
    assert_true(isnan(p.params[1].value));
    assert_true(p.params[2].value == 2e9 && p.scenario.platform.cpu.codec_Bps == 2e9);
    assert_true(p.scenario.platform.cpu.codec == CODEC_RATE_GIVEN);
    point_free(&p);
    p = bound(f, 0);
    assert_true(isnan(p.params[2].value) && p.scenario.platform.cpu.codec == CODEC_RATE_MEASURED);
    assert_true(p.scenario.platform.links[0].bandwidth_Bps == 1e9);
    point_free(&p);
    scenario_close(f);
}

static void calibrated_figures_are_listed_and_supplied(void **state)
{
    struct input in = { .text = input_scenario, .sets = { "gpu.efficiency.memory=calibrated" } };
    struct scenario_file *f = input_opened(&in);
    struct point p = bound(f, 0);
    const char *paths[8];
    double *v;

    (void)state;
    assert_int_equal(scenario_calibrated(f, &p, paths, 8), 3);
    assert_string_equal(paths[0], "platform.cpu.memory_efficiency");
    assert_string_equal(paths[1], "platform.gpu.efficiency.memory");
    assert_string_equal(paths[2], "platform.link.pcie.efficiency.to_host");
    assert_int_equal(scenario_calibrated(f, &p, paths, 1), 3);
    v = scenario_number(&p.scenario, paths[2]);
    assert_non_null(v);
    *v = 0.5;
    assert_true(p.scenario.platform.links[0].efficiency_to_host == 0.5);
    assert_int_equal(scenario_calibrated(f, &p, paths, 8), 2);
    assert_ptr_equal(scenario_number(&p.scenario, "method.bytes_per_weight"),
                     &p.scenario.method.host_sgd.bytes_per_weight);
    assert_ptr_equal(scenario_number(&p.scenario, "platform.cpu.codec"), &p.scenario.platform.cpu.codec_Bps);
    assert_null(scenario_number(&p.scenario, "platform.link.nvlink.bandwidth"));
    assert_null(scenario_number(&p.scenario, "platform.link.pcie"));
    assert_null(scenario_number(&p.scenario, "platform.link"));
    assert_null(scenario_number(&p.scenario, "platform.cpu.name"));
    assert_null(scenario_number(&p.scenario, "batch"));
    assert_null(scenario_number(&p.scenario, "model.layers[9].pad"));
    assert_null(scenario_number(&p.scenario, ""));
    point_free(&p);
    p = bound(f, 0); /* what was supplied to one point is not in the next */
    assert_true(isnan(p.scenario.platform.links[0].efficiency_to_host));
    point_free(&p);
    scenario_close(f);
}

static void fits_are_expanded(void **state)
{
    struct input in = { .text = ROW TWO
                        "calibrate:\n  variant: adt\n  fit:\n    - {constant: memory_efficiency, paper: p, table: II, "
                        "row: \"{model.name} {batch}\", column: \"{variant}\", measure: update_ms}\n" };
    struct scenario_file *f = input_opened(&in);
    const struct fit *fits;

    (void)state;
    assert_int_equal(scenario_fits(f, &fits), 1);
    assert_string_equal(scenario_fit_variant(f), "adt");
    assert_string_equal(fits[0].constant, "platform.cpu.memory_efficiency");
    assert_string_equal(fits[0].cell.row, "small 64");
    assert_string_equal(fits[0].cell.column, "adt");
    assert_string_equal(fits[0].cell.measure, "update_ms");
    scenario_close(f);
}

static char *canonical(const struct input *in)
{
    struct scenario_file *f = input_opened(in);
    struct point p = bound(f, 0);
    char *text = scenario_canonical(&p.scenario);

    assert_non_null(text);
    point_free(&p);
    scenario_close(f);
    return text;
}

/* Same scenario, same text, however it is written; another scenario, another text. */
static const struct {
    const char *why;
    struct input in;
    int same;
} spellings[] = {
    { "again", { .text = input_scenario }, 1 },
    { "keys in another order",
      { .text = "method: {bytes_per_weight: 1.5, codec: adt, kind: host-sgd}\nbatch: 64\nmodel: m.yaml\n"
                "platform: p.yaml\nname: plain\n" },
      1 },
    { "another name and title",
      { .text = input_scenario, .sets = { "name=z", "platform.title=a", "platform.source=b" } },
      1 },
    { "a default written out",
      { .text = input_scenario, .sets = { "compute_scale=1", "dma_read=unlimited", "awp=false" } },
      1 },
    { "another unit", { .text = input_scenario, .sets = { "pcie.bandwidth=7880 MB/s", "gpu.memory=12288 MiB" } }, 1 },
    { "another number", { .text = input_scenario, .sets = { "pcie.bandwidth=7.880000000000001 GB/s" } }, 0 },
    { "another batch", { .text = input_scenario, .sets = { "batch=65" } }, 0 },
    { "another layer", { .text = input_scenario, .sets = { "layers[1].layers[0].kernel=5" } }, 0 },
    { "another choice", { .text = input_scenario, .sets = { "gradient_reduce=all" } }, 0 },
    { "another codec rate", { .text = input_scenario, .sets = { "cpu.codec=5 GB/s" } }, 0 },
    { "a figure that was calibrated", { .text = input_scenario, .sets = { "memory_efficiency=1" } }, 0 },
};

static void the_canonical_text_tells_scenarios_apart(void **state)
{
    char *first = canonical(&spellings[0].in);

    (void)state;
    assert_non_null(strstr(first, "platform.link.pcie.bandwidth = 7880000000 bytes/s\n"));
    assert_non_null(strstr(first, "platform.cpu.memory_efficiency = calibrated\n"));
    assert_non_null(strstr(first, "model.layers[1].layers[0].channels = 16\n"));
    assert_non_null(strstr(first, "method.codec = adt\n"));
    assert_null(strstr(first, "source"));
    assert_null(strstr(first, "title"));
    for (size_t i = 0; i < COUNT(spellings); i++) {
        char *text = canonical(&spellings[i].in);

        if ((strcmp(text, first) == 0) != spellings[i].same)
            fail_msg("%s: the texts %s:\n%s", spellings[i].why, spellings[i].same ? "differ" : "are equal", text);
        free(text);
    }
    free(first);
}

/* Two batches, each with the variants fp32 and adt: points 0 to 3. 'want' is an index, or what is printed. */
static const struct {
    size_t index;
    const char *variant;
    size_t want;
    const char *message;
} asked[] = {
    { 0, "fp32", 0, NULL },
    { 0, "adt", 1, NULL },
    { 2, "adt", 3, NULL },
    { 3, "fp32", 2, NULL },
    { 3, NULL, 3, NULL },
    { 4, "fp32", 0, "s.yaml: --point: expected 0..3, got 4\n" },
    { 1, "adtt", 0, "s.yaml: expected one of the variants fp32, adt, got 'adtt'; did you mean 'adt'?\n" },
};

static void a_variant_has_a_point_in_each_combination(void **state)
{
    struct input in = { .text = ROW "sweep: {batch: [8, 16]}\n" TWO }, plain = { .text = input_scenario };
    struct scenario_file *f = input_opened(&in), *without = input_opened(&plain);
    struct point p;

    (void)state;
    for (size_t i = 0; i < COUNT(asked); i++) {
        char text[256] = "";
        FILE *err = fmemopen(text, sizeof(text), "w");
        int rc = scenario_point_variant(f, asked[i].index, asked[i].variant, err, &p);

        fclose(err);
        assert_string_equal(text, asked[i].message ? asked[i].message : "");
        assert_int_equal(rc, asked[i].message ? NW_EINPUT : NW_OK);
        if (rc)
            continue;
        assert_int_equal(p.index, asked[i].want);
        point_free(&p);
    }
    assert_int_equal(scenario_point_variant(without, 0, "fp32", stderr, &p), NW_EINPUT);
    assert_int_equal(scenario_point_variant(without, 0, NULL, stderr, &p), NW_OK);
    point_free(&p);
    scenario_close(without);
    scenario_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_scenario_is_bound),
        cmocka_unit_test(a_variant_has_a_point_in_each_combination),
        cmocka_unit_test(scenarios_are_expanded),
        cmocka_unit_test(parameters_carry_text_value_and_unit),
        cmocka_unit_test(calibrated_figures_are_listed_and_supplied),
        cmocka_unit_test(fits_are_expanded),
        cmocka_unit_test(the_canonical_text_tells_scenarios_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
