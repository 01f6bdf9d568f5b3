/* scenarios.c - whole simulations: iterations of data-parallel training, points of a sweep, an answer. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/bench/sim/case.h"
#include "harness/host/clock.h"
#include "harness/host/home.h"
#include "harness/run/break_even/break_even.h"
#include "harness/run/point/measures.h"
#include "harness/scenario/memory.h"
#include "harness/scenario/scenario.h"
#include "harness/status.h"

enum { COUNTED_STEPS = 18, FURTHER_STEPS = 2 }; /* one before the counted ones, one after */

/* 161 tensors of 640 kB, as many as ResNet-50 has, and together as large, in a ring of 16. */
static const char tensors_161[] =
    "name: tensors-161\n"
    "platform:\n"
    "  name: star\n"
    "  machines: 16\n"
    "  peak: 15.7 TFlop/s\n"
    "  cpu: {sockets: 1, cores_per_socket: 8, memory_bandwidth: 100 GB/s, memory_efficiency: 0.7, codec: calibrated}\n"
    "  gpu:\n"
    "    count: 1\n"
    "    peak: 15.7 TFlop/s\n"
    "    memory_bandwidth: 900 GB/s\n"
    "    memory: 16 GB\n"
    "    efficiency: {convolution: 0.6, fully_connected: 0.6, memory: 0.8}\n"
    "    link: pcie\n"
    "  network: {topology: star, link: eth}\n"
    "  link:\n"
    "    pcie: {bandwidth: 15.75 GB/s, latency: 5 us, duplex: full, shared_by: 1, efficiency: {to_device: 0.8, "
    "to_host: 0.8}}\n"
    "    eth: {bandwidth: 10 Gbit/s, latency: 5 us, duplex: full}\n"
    "model:\n"
    "  name: tensors-161\n"
    "  title: 161 equal tensors\n"
    "  source: made up\n"
    "  input: {channels: 400, height: 14, width: 14}\n"
    "  classes: 1\n"
    "  layers:\n"
    "    - kind: block\n"
    "      repeat: 161\n"
    "      shortcut: none\n"
    "      layers: [{kind: conv, channels: 400, kernel: 1, bias: false}]\n"
    "batch: 512\n"
    "method: {kind: allreduce, workers: 16, algorithm: ring, steps: 18}\n";

static int open_text(const char *const *sets, size_t nsets, struct scenario_file **file, struct point *p)
{
    struct memory_file text = { "tensors-161.yaml", tensors_161, sizeof(tensors_161) - 1 };
    struct memory_files files = { &text, 1 };
    int rc = scenario_open_memory(&files, text.path, sets, nsets, NULL, 0, stderr, file);

    return rc ? rc : scenario_point(*file, 0, p);
}

int run_iterations(const struct sim_case *c, struct sim_result *r)
{
    struct scenario_file *file = NULL;
    struct point p = { .arena = NULL };
    struct measures *m = calloc(1, sizeof(*m));
    char why[256] = "";
    int rc = m ? open_text(c->sets, 2, &file, &p) : NW_ENOMEM;

    if (!rc) {
        int64_t began = clock_ns();

        rc = measures_of(&p.scenario, m, why, sizeof(why));
        r->elapsed_ns = clock_ns() - began;
        r->events = COUNTED_STEPS + FURTHER_STEPS;
        if (!rc)
            r->end_s = measure_value(m, "step_ms") / 1e3;
    }
    if (*why)
        fprintf(stderr, "narrows bench: sim: %s\n", why);
    point_free(&p);
    scenario_close(file);
    free(m);
    return rc;
}

static int open_example(const char *const *sets, size_t nsets, const char *const *sweeps, size_t nsweeps,
                        struct scenario_file **file)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s/scenarios/examples/break-even.yaml", home_dir());
    return scenario_open(path, sets, nsets, sweeps, nsweeps, stderr, file);
}

/* Bound and simulated, as a sweep does it, by the closed forms. */
int run_points(const struct sim_case *c, struct sim_result *r)
{
    static const char *const sets[] = { "method.level=analytic" };
    static const char *const sweeps[] = { "platform.link.eth.bandwidth=1..100 Gbit/s:log:1000" };
    struct scenario_file *file = NULL;
    struct measures *m = calloc(1, sizeof(*m));
    char why[256] = "";
    int rc = m ? open_example(sets, 1, sweeps, 1, &file) : NW_ENOMEM;
    int64_t began = clock_ns();

    for (int64_t i = 0; i < c->size && !rc; i++) {
        struct point p;

        rc = scenario_point(file, (size_t)i % scenario_npoints(file), &p);
        if (rc)
            break;
        rc = measures_of(&p.scenario, m, why, sizeof(why));
        point_free(&p);
    }
    r->elapsed_ns = clock_ns() - began;
    r->events = c->size;
    if (*why)
        fprintf(stderr, "narrows bench: sim: %s\n", why);
    scenario_close(file);
    free(m);
    return rc;
}

int run_break_even(const struct sim_case *c, struct sim_result *r)
{
    const struct break_even_question q = { .path = "platform.link.eth.bandwidth",
                                           .variant = "sparse",
                                           .baseline = "fp16",
                                           .target = 1,
                                           .tolerance = 1e-4,
                                           .scan = BREAK_EVEN_SCAN };
    struct scenario_file *file = NULL;
    struct break_even b = { .path = "" };
    int64_t began = clock_ns();
    int rc = open_example(NULL, 0, NULL, 0, &file);

    (void)c;
    if (!rc)
        rc = break_even_find(file, &q, &b);
    r->elapsed_ns = clock_ns() - began;
    r->events = 1;
    if (!rc && !b.found.n)
        rc = status_error(NW_ESIM, "narrows bench: sim: the example has no break-even\n");
    break_even_free(&b);
    scenario_close(file);
    return rc;
}
