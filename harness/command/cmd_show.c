/* narrows show - what a file means once everything in it is inferred and resolved. */
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/command_line.h"
#include "harness/command/commands.h"
#include "harness/scenario/scenario.h"
#include "harness/status.h"

enum { MAX_SETS = 64 };

struct arguments {
    const char *what, *file, *sets[MAX_SETS];
    size_t nsets;
    int classes, point;
};

static const struct argp_option options[] = { { "classes", 'c', "N", 0,
                                                "model: this many classes instead of the file's", 0 },
                                              { "point", 'p', "N", 0, "scenario: show this point (default 0)", 0 },
                                              { "set", 's', "PATH=VALUE", 0, "scenario: override any key", 0 },
                                              { 0 } };

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'c':
        if ((a->classes = command_number("--classes", text, 1, 1000000000)) < 0)
            exit(EXIT_MISUSED);
        return 0;
    case 'p':
        if ((a->point = command_number("--point", text, 0, 10000000)) < 0)
            exit(EXIT_MISUSED);
        return 0;
    case 's':
        if (a->nsets == MAX_SETS)
            argp_error(state, "more than %d --set", MAX_SETS);
        a->sets[a->nsets++] = text;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_usage(state);
        *(state->arg_num ? &a->file : &a->what) = text;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 2)
            argp_usage(state);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "model NAME\nplatform NAME\nscenario FILE",
    "Show a model layer by layer (shapes, parameters, activations, FLOPs), a platform with its bytes per flop, or a "
    "scenario with every key resolved.\vNAME is a file or a shipped one (narrows list).",
    NULL,
    NULL,
    NULL
};

static void shape_text(struct shape s, char *text, size_t size)
{
    if (s.height == 1 && s.width == 1)
        snprintf(text, size, "%lld", (long long)s.channels);
    else
        snprintf(text, size, "%lldx%lldx%lld", (long long)s.channels, (long long)s.height, (long long)s.width);
}

static void print_layers(const struct model *m)
{
    printf("%-22s %-10s %-14s %-14s %12s %8s %12s %12s %12s\n", "layer", "kind", "in", "out", "weights", "biases",
           "activations", "fwd MFLOP", "bwd MFLOP");
    for (size_t i = 0; i < m->nlayers; i++) {
        const struct layer *l = &m->layers[i];
        char in[64], out[64];
        shape_text(l->in, in, sizeof(in));
        shape_text(l->out, out, sizeof(out));
        printf("%-22s %-10s %-14s %-14s %12lld %8lld %12lld %12.3f %12.3f\n", l->name, layer_kind_name(l->kind), in,
               out, (long long)l->weights, (long long)l->biases, (long long)l->activations,
               (double)l->flops_forward / 1e6, (double)l->flops_backward / 1e6);
    }
}

static int show_model(const struct arguments *a)
{
    char path[4096], why[256];
    struct model_spec *spec = NULL;
    struct model m = { 0 };
    int rc = command_find("models", a->file, path, sizeof(path));

    if (!rc)
        rc = scenario_load_model(path, stderr, &spec);
    if (rc)
        return rc;
    if (a->classes)
        spec->classes = a->classes;
    if (model_infer(spec, &m, why, sizeof(why))) {
        fprintf(stderr, "%s: %s\n", path, why);
        rc = NW_EINPUT;
    } else {
        printf("%s: %s (%s)\n", spec->name, spec->title, spec->source);
        printf("input %lldx%lldx%lld, %lld classes; per sample; a multiply and an add are 2 FLOP\n\n",
               (long long)spec->channels, (long long)spec->height, (long long)spec->width, (long long)spec->classes);
        print_layers(&m);
        printf("\n%.1f M weights (%.1f MB in fp32), %lld biases and scales, %.1f M activations, %.3f GFLOP forward, "
               "%.3f GFLOP backward\n",
               (double)m.weights / 1e6, 4.0 * (double)m.weights / 1e6, (long long)m.biases, (double)m.activations / 1e6,
               (double)m.flops_forward / 1e9, (double)m.flops_backward / 1e9);
    }
    model_free(&m);
    scenario_free_model(spec);
    return rc;
}

static void print_rate(const char *name, double Bps)
{
    if (isnan(Bps))
        printf("  %-28s calibrated\n", name);
    else if (Bps > 0)
        printf("  %-28s %.2f GB/s\n", name, Bps / 1e9);
    else
        printf("  %-28s unlimited\n", name);
}

static void print_share(const char *name, double share)
{
    if (isnan(share))
        printf("  %-28s calibrated\n", name);
    else
        printf("  %-28s %.3f\n", name, share);
}

/* Names of parts are optional. */
static const char *or_else(const char *name, const char *otherwise)
{
    return name && *name ? name : otherwise;
}

static int show_platform(const struct arguments *a)
{
    char path[4096];
    struct platform *p = NULL;
    int rc = command_find("platforms", a->file, path, sizeof(path));

    if (!rc)
        rc = scenario_load_platform(path, stderr, &p);
    if (rc)
        return rc;
    const struct link_spec *link = platform_gpu_link(p);
    printf("%s: %s\n  %-28s %.2f TFlop/s\n  %-28s %lld x %s, %lld cores each\n", p->name, p->title, "peak",
           p->peak_flops / 1e12, "CPU", (long long)p->cpu.sockets, or_else(p->cpu.name, "socket"),
           (long long)p->cpu.cores_per_socket);
    print_rate("CPU memory", p->cpu.memory_Bps);
    print_share("  reached", p->cpu.memory_efficiency);
    print_rate("read by all GPUs", p->cpu.dma_read_Bps);
    print_rate("written by all GPUs", p->cpu.dma_write_Bps);
    printf("  %-28s %lld x %s, %.2f TFlop/s FP32, %.0f GB/s each\n", "GPU", (long long)p->gpu.count,
           or_else(p->gpu.name, "GPU"), p->gpu.peak_flops / 1e12, p->gpu.memory_Bps / 1e9);
    print_share("convolution efficiency", p->gpu.efficiency_convolution);
    print_share("fully connected efficiency", p->gpu.efficiency_fully_connected);
    print_share("memory efficiency", p->gpu.efficiency_memory);
    if (link) {
        printf("  %-28s %s, %.2f GB/s per direction, %lld GPU(s) each, %s duplex, %.1f us\n", "link", link->name,
               link->bandwidth_Bps / 1e9, (long long)link->shared_by, link->duplex == DUPLEX_FULL ? "full" : "half",
               link->latency_s * 1e6);
        print_share("  reached, to device", link->efficiency_to_device);
        print_share("  reached, to host", link->efficiency_to_host);
        printf("  %-28s %.2f B/kFLOP (link bandwidth over peak)\n", "bytes per flop", platform_bytes_per_kflop(p));
    }
    if (p->calibration && *p->calibration)
        printf("  %-28s %s\n", "calibrated by", p->calibration);
    scenario_free_platform(p);
    return rc;
}

static int show_scenario(const struct arguments *a)
{
    char path[4096];
    struct scenario_file *file = NULL;
    struct point p = { 0 };
    int rc = command_find("scenarios", a->file, path, sizeof(path));

    if (!rc)
        rc = scenario_open(path, a->sets, a->nsets, NULL, 0, stderr, &file);
    if (!rc && (size_t)a->point >= scenario_npoints(file)) {
        fprintf(stderr, "%s: --point: expected 0..%zu, got %d\n", path, scenario_npoints(file) - 1, a->point);
        rc = NW_EINPUT;
    }
    if (!rc)
        rc = scenario_point(file, (size_t)a->point, &p);
    char *text = rc ? NULL : scenario_canonical(&p.scenario);
    if (!rc && !text)
        rc = NW_ENOMEM;
    if (!rc) {
        printf("# %s: %s\n# point %d of %zu%s%s\n", scenario_name(file), scenario_title(file), a->point,
               scenario_npoints(file), *p.variant ? ", variant " : "", p.variant);
        for (size_t i = 0; i < p.nparams; i++)
            printf("# %s = %s\n", p.params[i].path, p.params[i].text);
        fputs(text, stdout);
    }
    free(text);
    point_free(&p);
    scenario_close(file);
    return rc;
}

int cmd_show(int argc, char **argv)
{
    struct arguments a = { 0 };

    argp_err_exit_status = EXIT_MISUSED;
    if (argp_parse(&argp, argc, argv, 0, NULL, &a))
        return NW_EINPUT;
    _Bool model = !strcmp(a.what, "model"), scenario = !strcmp(a.what, "scenario");
    if ((a.classes && !model) || ((a.point || a.nsets) && !scenario)) {
        fputs("narrows show: --classes goes with a model, --point and --set with a scenario\n", stderr);
        return NW_EINPUT;
    }
    if (model)
        return show_model(&a);
    if (scenario)
        return show_scenario(&a);
    if (!strcmp(a.what, "platform"))
        return show_platform(&a);
    fprintf(stderr, "narrows show: expected model, platform or scenario, got '%s'\n", a.what);
    return NW_EINPUT;
}
