/* cluster_test.c - machines on a network and the methods that use it: keys, defaults, lists, calibrated figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "tests/scenario/inputs.h"
#include "tests/test.h"

#define CELL(row) "compare: [{paper: p, table: I, row: \"" row "\", column: c, measure: m}]\n"
#define CPUS "cpu: {cores_per_socket: 4, peak: 1 TFlop/s, memory_bandwidth: 50 GB/s}"
#define ETH "link: {eth: {bandwidth: 10 Gbit/s, latency: 20 us}}"
#define CLUSTER "platform: {name: c, machines: 4, network: {topology: star, link: eth}, " ETH ", " CPUS "}\n"
#define HEAD "name: x\nmodel: m.yaml\nbatch: 8\n" CLUSTER
#define SERVERS HEAD "method: {kind: parameter-server, workers: 3, device: cpu}\n"
#define RING HEAD "method: {kind: allreduce, workers: 4, gradients: {format: 8bit, encode: {rate: 2 GB/s}}}\n"
#define CURVE                                                                                 \
    HEAD "method:\n  kind: parameter-server\n  workers: 3\n  push:\n    format: dct\n"        \
         "    density: 0.1\n    encode: {latency: 3 us, curve: [{size: 1 kB, rate: 1 GB/s}, " \
         "{size: 1 MB, rate: 4 GB/s}]}\n"
#define STAGES                                                                                       \
    HEAD "method: {kind: model-parallel, stages: 3, cuts: [{after: conv1}, {after: block1.relu1}], " \
         "sample_in: 1 kB, activation_scale: calibrated}\n"

static struct point bound(const struct scenario_file *f, size_t index)
{
    struct point p;

    assert_int_equal(scenario_point(f, index, &p), NW_OK);
    return p;
}

static void a_cluster_without_gpus_is_bound(void **state)
{
    struct input in = { .text = SERVERS };
    struct scenario_file *f = input_opened(&in);
    struct point p = bound(f, 0);
    const struct platform *m = &p.scenario.platform;

    (void)state;
    assert_true(m->machines == 4 && m->gpu.count == 0 && m->peak_flops == 0);
    assert_true(m->cpu.peak_flops == 1e12 && m->cpu.efficiency == 1);
    assert_true(m->network.topology == TOPOLOGY_STAR && m->network.per_switch == 0 && m->network.width == 0);
    assert_string_equal(m->network.link, "eth");
    assert_string_equal(m->network.uplink, "");
    assert_string_equal(m->network.via, "");
    assert_string_equal(m->gpu.peer_link, "");
    assert_true(m->network.message_bytes == 0 && m->network.message_s == 0);
    assert_true(m->nlinks == 1 && m->links[0].bandwidth_Bps == 1.25e9 && m->links[0].efficiency_wire == 1);
    assert_true(m->links[0].efficiency_pageable == 1);
    assert_string_equal(m->links[0].above, "");
    point_free(&p);
    scenario_close(f);
}

static void a_machine_needs_no_network(void **state)
{
    struct input in = { .text = "name: x\nmodel: m.yaml\nbatch: 8\nplatform: {name: c, " CPUS "}\n"
                                "method: {kind: parameter-server, workers: 1, device: cpu, colocated: true}\n" };
    struct scenario_file *f = input_opened(&in);
    struct point p = bound(f, 0);

    (void)state;
    assert_true(p.scenario.platform.machines == 1 && p.scenario.platform.nlinks == 0);
    assert_true(p.scenario.platform.network.topology == TOPOLOGY_SINGLE);
    point_free(&p);
    scenario_close(f);
}

#define GPU(more)                                                                                                  \
    "name: x\nmodel: m.yaml\nbatch: 8\nplatform: {name: c, peak: 1 TFlop/s, " CPUS ", link: {pcie: {bandwidth: "   \
    "16 GB/s}}, gpu: {count: 1, peak: 20 TFlop/s, memory_bandwidth: 1 TB/s, memory: 16 GB, link: pcie" more "}}\n" \
    "method: {kind: host-sgd}\n"

static const struct {
    const char *text;
    double flops[COMPUTE_PRECISIONS], share, half;
    int64_t rows, columns, multiprocessors;
} peaks[] = {
    { GPU(""), { 20e12 }, 1, 0, 128, 128, 0 },
    { GPU(", peaks: {tf32: 156 TFlop/s, bf16: 312 TFlop/s, fp16: 311 TFlop/s, fp8: 624 TFlop/s}"),
      { 20e12, 156e12, 312e12, 311e12, 624e12 },
      1,
      0,
      128,
      128,
      0 },
    { GPU(", peaks: {fp16: {value: 125 TFlop/s, source: datasheet}}, matrix: {share: 0.8, half_k: 64.5, tile_m: 256, "
          "tile_n: 64, multiprocessors: 80}"),
      { [COMPUTE_FP32] = 20e12, [COMPUTE_FP16] = 125e12 },
      0.8,
      64.5,
      256,
      64,
      80 },
};

static void peaks_by_precision_are_bound(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(peaks); i++) {
        struct input in = { .text = peaks[i].text };
        struct scenario_file *f = input_opened(&in);
        struct point p = bound(f, 0);
        const struct gpu_spec *gpu = &p.scenario.platform.gpu;

        for (int k = 0; k < COMPUTE_PRECISIONS; k++)
            if (!(platform_peak_flops(&p.scenario.platform, k) == peaks[i].flops[k]))
                fail_msg("row %zu: %s is %g", i, compute_precision_names[k],
                         platform_peak_flops(&p.scenario.platform, k));
        assert_true(gpu->matrix_share == peaks[i].share && gpu->matrix_half_depth == peaks[i].half);
        assert_int_equal(gpu->matrix_tile_rows, peaks[i].rows);
        assert_int_equal(gpu->matrix_tile_columns, peaks[i].columns);
        assert_int_equal(gpu->multiprocessors, peaks[i].multiprocessors);
        point_free(&p);
        scenario_close(f);
    }
}

#define NETWORK(keys)                                                                                         \
    "name: x\nmodel: m.yaml\nbatch: 8\nplatform: {name: c, machines: 4, network: {" keys ", link: eth}, " ETH \
    ", " CPUS "}\nmethod: {kind: parameter-server, workers: 3, device: cpu}\n"

static const struct {
    const char *text;
    enum topology_kind topology;
    int64_t per_switch;
    double oversubscription;
    bool direct;
} networks[] = {
    { NETWORK("topology: star"), TOPOLOGY_STAR, 0, 1, false },
    { NETWORK("topology: rails"), TOPOLOGY_RAILS, 0, 1, false },
    { NETWORK("topology: rails, per_switch: 2, oversubscription: 1.5, gpu_direct: true"), TOPOLOGY_RAILS, 2, 1.5,
      true },
};

static void rails_are_bound(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(networks); i++) {
        struct input in = { .text = networks[i].text };
        struct scenario_file *f = input_opened(&in);
        struct point p = bound(f, 0);
        const struct network_spec *n = &p.scenario.platform.network;

        assert_int_equal(n->topology, networks[i].topology);
        assert_int_equal(n->per_switch, networks[i].per_switch);
        assert_true(n->oversubscription == networks[i].oversubscription && n->gpu_direct == networks[i].direct);
        point_free(&p);
        scenario_close(f);
    }
}

static void servers_have_defaults(void **state)
{
    struct input in = { .text = SERVERS };
    struct scenario_file *f = input_opened(&in);
    struct point p = bound(f, 0);
    const struct parameter_server *m = &p.scenario.method.parameter_server;
    const struct codec_spec *c = &m->push;

    (void)state;
    assert_true(p.scenario.method.kind == METHOD_PARAMETER_SERVER && p.scenario.batch == 8);
    assert_true(m->workers == 3 && m->servers == 1 && m->workers_per_machine == 1 && !m->colocated);
    assert_true(m->device == COMPUTE_ON_CPU && m->mode == PS_SYNC && m->staleness == 0 && m->backup_workers == 0);
    assert_true(m->local_steps == 1 && m->barrier == PS_BARRIER_LAYER && m->shared_pull && m->jitter == 0);
    assert_true(m->seed == 1 && m->steps == 4);
    assert_true(m->profile.samples == 0 && m->profile.scale == 1);
    assert_true(c->format == WIRE_NONE && c->bytes == 4 && c->bits == 1.6 && c->density == 1 && c->ratio == 1);
    assert_true(c->header == 0 && c->steps == 1 && c->aggregation == AGGREGATE_REDUCE && c->place == CODEC_ON_GPU);
    assert_true(c->threads == 1 && c->timing == CODEC_COST_GIVEN && c->scale == 1 && c->encode.rate_Bps == 0);
    assert_true(c->encode.latency_s == 0 && !c->encode.ncurve && !c->decode.ncurve && c->select_rate_Bps == 0);
    assert_true(c->life == 1 && c->min_values == 0);
    point_free(&p);
    scenario_close(f);
}

static void an_allreduce_has_defaults(void **state)
{
    struct input in = { .text = RING };
    struct scenario_file *f = input_opened(&in);
    struct point p = bound(f, 0);
    const struct allreduce *m = &p.scenario.method.allreduce;

    (void)state;
    assert_true(p.scenario.method.kind == METHOD_ALLREDUCE && m->workers == 4 && m->workers_per_machine == 1);
    assert_true(m->device == COMPUTE_ON_GPU && m->algorithm == COLLECTIVE_RING && m->level == COLLECTIVE_FLOWS);
    assert_true(m->bucket_bytes == 25 << 20 && m->order == BUCKET_BACKWARD && m->overlap && m->streams == 1);
    assert_true(m->local_steps == 1 && m->offload_share == 0 && m->pinned && m->steps == 4);
    assert_true(m->gradients.format == WIRE_8BIT && m->gradients.encode.rate_Bps == 2e9);
    assert_true(m->gradients.decode.rate_Bps == 0);
    point_free(&p);
    scenario_close(f);
}

static void stages_have_defaults_and_cuts(void **state)
{
    struct input in = { .text = STAGES };
    struct scenario_file *f = input_opened(&in);
    struct point p = bound(f, 0);
    const struct model_parallel *m = &p.scenario.method.model_parallel;

    (void)state;
    assert_true(p.scenario.method.kind == METHOD_MODEL_PARALLEL && m->trainers == 1 && m->stages == 3);
    assert_true(m->servers == 0 && m->schedule == MP_GPIPE && m->micro_batches == 1 && m->threads == 1);
    assert_true(!m->mask_known && m->sample_in_bytes == 1000 && m->sample_out_bytes == 0 && m->steps == 4);
    assert_true(m->parameter_scale == 1 && isnan(m->activation_scale) && m->ncuts == 2);
    assert_string_equal(m->cuts[0].after, "conv1");
    assert_string_equal(m->cuts[1].after, "block1.relu1");
    point_free(&p);
    scenario_close(f);
}

/* What the values of all points are, one a word, as in a cell's text. */
static const struct {
    const char *why;
    struct input in;
    const char *want;
} expanded[] = {
    { "every wire format",
      { .text = SERVERS CELL("{method.push.format}"),
        .sweeps = { "push.format=none, fp32, bf16, fp16, adt, 8bit, 3lc-quartic, 3lc, stoch3, 1bit, sparsify, dct, "
                    "dct-mp, local, qsgd, randomk, terngrad, natural, powersgd, blockwise, ratio" } },
      "none fp32 bf16 fp16 adt 8bit 3lc-quartic 3lc stoch3 1bit sparsify dct dct-mp local qsgd "
      "randomk terngrad natural powersgd blockwise ratio" },
    { "push and pull are two",
      { .text = SERVERS "set: {push.density: 0.5, pull.density: 0.25}\n" CELL("{push.density}{pull.density}") },
      "0.50.25" },
    { "variants of a codec",
      { .text = RING "variants: {a: {}, b: {gradients.format: dct, gradients.density: 0.01}}\n" CELL(
            "{gradients.format}{gradients.density}") },
      "8bit1 dct0.01" },
    { "decimal network rates",
      { .text = SERVERS CELL("{eth.bandwidth}"), .sets = { "eth.bandwidth=100 Mbit/s" } },
      "12500000" },
    { "binary ones stay apart",
      { .text = SERVERS CELL("{eth.bandwidth}"), .sets = { "eth.bandwidth=1 GiB/s" } },
      "1073741824" },
    { "a point of a curve",
      { .text = CURVE CELL("{method.push.encode.curve[1].rate};"),
        .sweeps = { "method.push.encode.curve[1].rate=2..8 GB/s:log:3" } },
      "2 GB/s; 4 GB/s; 8 GB/s;" },
    { "a cut", { .text = STAGES CELL("{cuts[0].after}"), .sets = { "method.cuts[0].after=fc2" } }, "fc2" },
    { "whole bytes", { .text = RING CELL("{bucket}"), .sets = { "bucket=0 B" } }, "0" },
    { "the network's names",
      { .text = SERVERS CELL("{platform.network.via}{platform.network.topology}"),
        .sets = { "network.via=eth", "topology=torus" } },
      "ethtorus" },
    { "no name where there need be none",
      { .text = SERVERS CELL("<{platform.network.via}>"), .sets = { "network.via=" } },
      "<>" },
    { "free and not free",
      { .text = RING CELL("{gradients.encode.rate}"), .sweeps = { "gradients.encode.rate=unlimited, 5 B/s" } },
      "unlimited 5 B/s" },
};

static void keys_are_set_and_swept(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(expanded); i++) {
        struct scenario_file *f = input_opened(&expanded[i].in);
        char all[1024] = "";

        for (size_t k = 0; k < scenario_npoints(f); k++) {
            struct point p = bound(f, k);

            assert_int_equal(p.ncells, 1);
            snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", k ? " " : "", p.cells[0].row);
            point_free(&p);
        }
        if (strcmp(all, expanded[i].want) != 0)
            fail_msg("%s: want '%s', got '%s'", expanded[i].why, expanded[i].want, all);
        scenario_close(f);
    }
}

/* Points are bound on many threads: none may see what another was given. */
static void points_have_lists_of_their_own(void **state)
{
    struct input in = { .text = CURVE, .sweeps = { "method.push.encode.curve[1].rate=2 GB/s, 8 GB/s" } };
    struct scenario_file *f = input_opened(&in);
    struct point a = bound(f, 0), b = bound(f, 1), again = bound(f, 0);
    const struct codec_cost *one = &a.scenario.method.parameter_server.push.encode,
                            *two = &b.scenario.method.parameter_server.push.encode;

    (void)state;
    assert_true(one->ncurve == 2 && two->ncurve == 2 && one->curve != two->curve);
    assert_true(one->curve[0].size_B == 1000 && one->curve[0].rate_Bps == 1e9 && one->curve[1].size_B == 1e6);
    assert_true(one->curve[1].rate_Bps == 2e9 && two->curve[1].rate_Bps == 8e9);
    assert_true(again.scenario.method.parameter_server.push.encode.curve[1].rate_Bps == 2e9);
    assert_true(one->latency_s == 3e-6);
    point_free(&a);
    point_free(&b);
    point_free(&again);
    scenario_close(f);
    in = (struct input){ .text = SERVERS, .sweeps = { "layers[1].layers[0].channels=5, 6", "eth.latency=1 us, 2 us" } };
    f = input_opened(&in);
    a = bound(f, 0);
    b = bound(f, 3);
    assert_true(a.scenario.model.layers[1].layers[0].channels == 5 &&
                b.scenario.model.layers[1].layers[0].channels == 6);
    assert_true(a.scenario.platform.links[0].latency_s == 1e-6 && b.scenario.platform.links[0].latency_s == 2e-6);
    point_free(&a);
    point_free(&b);
    scenario_close(f);
}

static void constants_of_the_method_are_calibrated(void **state)
{
    struct input in = {
        .text = STAGES "calibrate: {fit: [{constant: activation_scale, paper: p, table: I, row: r, column: c, measure: "
                       "m}, {constant: message_time, paper: p, table: I, row: r, column: d, measure: m}, "
                       "{paper: p, table: I, row: r, column: e, measure: m}]}\n",
        .sets = { "network.message_bytes=calibrated", "push.encode.rate=calibrated", "eth.efficiency.wire=calibrated" }
    };
    struct scenario_file *f = input_opened(&in);
    struct point p = bound(f, 0);
    const struct fit *fits;
    const char *paths[8];

    (void)state;
    assert_int_equal(scenario_calibrated(f, &p, paths, 8), 4);
    assert_string_equal(paths[0], "platform.network.message_bytes");
    assert_string_equal(paths[1], "platform.link.eth.efficiency.wire");
    assert_string_equal(paths[2], "method.push.encode.rate");
    assert_string_equal(paths[3], "method.activation_scale");
    for (size_t i = 0; i < 4; i++)
        *scenario_number(&p.scenario, paths[i]) = (double)i;
    assert_true(p.scenario.platform.network.message_bytes == 0 && p.scenario.platform.links[0].efficiency_wire == 1);
    assert_true(p.scenario.method.model_parallel.push.encode.rate_Bps == 2);
    assert_true(p.scenario.method.model_parallel.activation_scale == 3);
    assert_int_equal(scenario_calibrated(f, &p, paths, 8), 0);
    assert_int_equal(scenario_fits(f, &fits), 3);
    assert_null(fits[2].constant);
    assert_string_equal(fits[2].cell.column, "e");
    assert_string_equal(fits[0].constant, "method.activation_scale");
    assert_string_equal(fits[0].unit, "");
    assert_string_equal(fits[1].constant, "platform.network.message_time");
    assert_string_equal(fits[1].unit, "s");
    point_free(&p);
    scenario_close(f);
}

#define TRAFFIC "name: x\n" CLUSTER "method: {kind: flows, file: t.csv}\n"
#define CSV "id,src,dst,bytes,start_s\n5,0,1,1000,0\n6,1,3,2000,0.5\n"

static void traffic_is_read_once(void **state)
{
    struct input in = { .text = TRAFFIC, .more_path = "t.csv", .more_text = CSV };
    struct scenario_file *f = input_opened(&in);
    struct point p = bound(f, 0), q = bound(f, 0);
    const struct flows *m = &p.scenario.method.flows;

    (void)state;
    assert_true(p.scenario.method.kind == METHOD_FLOWS && m->n == 2 && p.scenario.batch == 1);
    assert_true(!p.scenario.model.nlayers);
    assert_true(m->list[1].id == 6 && m->list[1].src.machine == 1 && m->list[1].bytes == 2000);
    assert_true(m->list[1].start_ps == 500000000000 && m->list[1].line == 3);
    assert_string_equal(m->file, "t.csv");
    assert_int_equal(strlen(m->digest), 32);
    assert_ptr_equal(m->list, q.scenario.method.flows.list);
    point_free(&p);
    point_free(&q);
    scenario_close(f);
}

static void traffic_is_exchanged(void **state)
{
    struct input in = {
        .text = TRAFFIC, .more_path = "u.csv", .more_text = CSV "7,0,0,0,0\n", .sets = { "method.file=u.csv" }
    };
    struct scenario_file *f = NULL;
    char *printed;
    struct point p;

    (void)state;
    assert_int_equal(input_open(&in, &printed, &f), NW_EINPUT);
    assert_non_null(strstr(printed, "s.yaml:3:29: method.file: expected the path of a file, got 't.csv'"));
    free(printed);
    in.text = "name: x\n" CLUSTER "method: {kind: flows, file: u.csv}\nsweep: {method.file: [u.csv, u.csv]}\n";
    in.sets[0] = NULL;
    f = input_opened(&in);
    p = bound(f, 1);
    assert_true(p.nparams == 1 && p.scenario.method.flows.n == 3);
    assert_string_equal(p.params[0].text, "u.csv");
    point_free(&p);
    scenario_close(f);
    for (int swept = 0; swept < 2; swept++) { /* the file itself names none */
        in.text = "name: x\n" CLUSTER "method: {kind: flows}\n";
        in.sets[0] = swept ? NULL : "method.file=u.csv";
        in.sweeps[0] = swept ? "method.file=u.csv" : NULL;
        f = input_opened(&in);
        p = bound(f, 0);
        assert_int_equal(p.scenario.method.flows.n, 3);
        point_free(&p);
        scenario_close(f);
    }
}

static void wrong_traffic_is_refused(void **state)
{
    struct input in = { .text = TRAFFIC, .more_path = "t.csv", .more_text = CSV "7,0,0,0,x\n" };
    struct scenario_file *f = NULL;
    char *printed;

    (void)state;
    assert_int_equal(input_open(&in, &printed, &f), NW_EINPUT);
    assert_null(f);
    if (strncmp(printed, "t.csv:4:9: ", 11) != 0)
        fail_msg("printed: %s", printed);
    free(printed);
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

static void expect_line(const char *text, const char *line, bool there)
{
    if ((strstr(text, line) != NULL) != there)
        fail_msg("expected %s'%s' in\n%s", there ? "" : "no ", line, text);
}

static void the_canonical_text_has_all_of_the_kind(void **state)
{
    struct input curve = { .text = CURVE }, cuts = { .text = STAGES },
                 traffic = { .text = TRAFFIC, .more_path = "t.csv", .more_text = CSV },
                 elsewhere = { .text = "name: x\n" CLUSTER "method: {kind: flows, file: v.csv}\n",
                               .more_path = "v.csv",
                               .more_text = CSV },
                 other = { .text = TRAFFIC, .more_path = "t.csv", .more_text = CSV "\n" };
    char *text = canonical(&curve), *again;

    (void)state;
    expect_line(text, "method.kind = parameter-server\n", true);
    expect_line(text, "method.push.encode.curve[1].size = 1000000 bytes\n", true);
    expect_line(text, "method.push.encode.curve[1].rate = 4000000000 bytes/s\n", true);
    expect_line(text, "method.pull.format = none\n", true);
    expect_line(text, "platform.network.topology = star\n", true);
    expect_line(text, "platform.machines = 4\n", true);
    expect_line(text, "bytes_per_weight", false);
    expect_line(text, "method.gradients", false);
    free(text);
    text = canonical(&cuts);
    expect_line(text, "method.cuts[1].after = block1.relu1\n", true);
    expect_line(text, "method.activation_scale = calibrated\n", true);
    free(text);
    text = canonical(&traffic);
    expect_line(text, "method.kind = flows\nmethod.file = ", true);
    expect_line(text, "t.csv", false);
    expect_line(text, "model", false);
    expect_line(text, "batch", false);
    again = canonical(&elsewhere);
    assert_string_equal(text, again);
    free(again);
    again = canonical(&other);
    assert_string_not_equal(text, again);
    free(again);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cluster_without_gpus_is_bound),
        cmocka_unit_test(a_machine_needs_no_network),
        cmocka_unit_test(peaks_by_precision_are_bound),
        cmocka_unit_test(rails_are_bound),
        cmocka_unit_test(servers_have_defaults),
        cmocka_unit_test(an_allreduce_has_defaults),
        cmocka_unit_test(stages_have_defaults_and_cuts),
        cmocka_unit_test(keys_are_set_and_swept),
        cmocka_unit_test(points_have_lists_of_their_own),
        cmocka_unit_test(constants_of_the_method_are_calibrated),
        cmocka_unit_test(traffic_is_read_once),
        cmocka_unit_test(traffic_is_exchanged),
        cmocka_unit_test(wrong_traffic_is_refused),
        cmocka_unit_test(the_canonical_text_has_all_of_the_kind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
