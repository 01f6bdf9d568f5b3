/* platform.c - a platform as text: its machines, the network between them, and what each link is for. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/command/show/show.h"
#include "harness/count.h"

static const char *const topology_texts[] = {
    [TOPOLOGY_SINGLE] = "none: a single machine",
    [TOPOLOGY_STAR] = "star: every machine on one switch",
    [TOPOLOGY_TREE] = "tree: switches under a core",
    [TOPOLOGY_MESH] = "mesh: each machine with its neighbours in a grid",
    [TOPOLOGY_TORUS] = "torus: a grid whose rows and columns are closed to rings",
    [TOPOLOGY_RAILS] = "rails: a leaf switch for each NIC of a pod's machines, leaves under a spine",
};

static void line(const char *name)
{
    printf("  %-28s ", name);
}

static void print_rate(const char *name, double Bps)
{
    line(name);
    if (isnan(Bps))
        puts("calibrated");
    else if (Bps > 0)
        printf("%.5g GB/s\n", Bps / 1e9);
    else
        puts("unlimited");
}

static void print_share(const char *name, double share)
{
    line(name);
    if (isnan(share))
        puts("calibrated");
    else
        printf("%.3f\n", share);
}

/* A share that is 1 says nothing. */
static void print_reached(const char *name, double share)
{
    if (!(share == 1))
        print_share(name, share);
}

static void print_amount(const char *name, double amount, double per_unit, const char *unit)
{
    line(name);
    if (isnan(amount))
        puts("calibrated");
    else
        printf("%.5g %s\n", amount / per_unit, unit);
}

static bool named(const char *name)
{
    return name && *name;
}

static bool is(const char *name, const struct link_spec *link)
{
    return named(name) && !strcmp(name, link->name);
}

static void print_cpu(const struct platform *p)
{
    const struct cpu_spec *cpu = &p->cpu;

    line("CPU");
    printf("%lld x %s, %lld cores each\n", (long long)cpu->sockets, named(cpu->name) ? cpu->name : "socket",
           (long long)cpu->cores_per_socket);
    if (cpu->peak_flops > 0) {
        print_amount("CPU peak", cpu->peak_flops, 1e12, "TFlop/s FP32");
        print_share("  reached", cpu->efficiency);
    }
    print_rate("CPU memory", cpu->memory_Bps);
    print_share("  reached", cpu->memory_efficiency);
    if (p->gpu.count > 0) {
        print_rate("read by all GPUs", cpu->dma_read_Bps);
        print_rate("written by all GPUs", cpu->dma_write_Bps);
    }
    print_reached("codecs, of rates given", cpu->codec_speed);
}

/* Peaks in matrix products and what is known of those, where anything is. */
static void print_precisions(const struct platform *p)
{
    const struct gpu_spec *gpu = &p->gpu;
    const char *separator = "";

    for (int i = 0; i < COMPUTE_PRECISIONS; i++)
        if (i != COMPUTE_FP32 && platform_peak_flops(p, i) > 0) {
            if (!*separator)
                line("peaks of matrix products");
            printf("%s%s %.4g", separator, compute_precision_names[i], platform_peak_flops(p, i) / 1e12);
            separator = ", ";
        }
    if (*separator)
        puts(" TFlop/s");
    print_reached("  reached by large ones", gpu->matrix_share);
    if (gpu->matrix_half_depth > 0) {
        line("  half of that at depth");
        printf("%.5g\n", gpu->matrix_half_depth);
    }
    if (gpu->multiprocessors > 0) {
        line("  multiprocessors");
        printf("%lld, tiles of %lld x %lld\n", (long long)gpu->multiprocessors, (long long)gpu->matrix_tile_rows,
               (long long)gpu->matrix_tile_columns);
    }
}

static void print_gpus(const struct platform *p)
{
    const struct gpu_spec *gpu = &p->gpu;

    line("GPU");
    printf("%lld x %s, %.4g TFlop/s FP32, %.4g GB/s each\n", (long long)gpu->count,
           named(gpu->name) ? gpu->name : "GPU", gpu->peak_flops / 1e12, gpu->memory_Bps / 1e9);
    print_precisions(p);
    print_share("convolution efficiency", gpu->efficiency_convolution);
    print_share("fully connected efficiency", gpu->efficiency_fully_connected);
    print_share("memory efficiency", gpu->efficiency_memory);
    if (!(gpu->launch_latency_s == 0))
        print_amount("launch of a kernel", gpu->launch_latency_s, 1e-6, "us");
}

static void print_network(const struct platform *p)
{
    const struct network_spec *n = &p->network;

    line("network");
    printf("%s", topology_texts[n->topology]);
    if (n->topology == TOPOLOGY_TREE)
        printf(", %lld machines on each", (long long)n->per_switch);
    if (n->topology == TOPOLOGY_MESH || n->topology == TOPOLOGY_TORUS)
        printf(", %lld a row", (long long)n->width);
    if (n->nics > 1)
        printf(", %lld NICs a machine", (long long)n->nics);
    if (n->topology == TOPOLOGY_RAILS && n->per_switch > 0)
        printf(", pods of %lld", (long long)n->per_switch);
    putchar('\n');
    if (n->topology == TOPOLOGY_SINGLE)
        return;
    if (n->unshaped_Bps > 0) {
        print_rate("  into a machine", n->unshaped_Bps);
        print_amount("  and out of the first", (double)n->unshaped_machines, 1, "machines");
    }
    if (n->topology == TOPOLOGY_RAILS && !named(n->uplink))
        print_amount("  NICs over a leaf's uplink", n->oversubscription, 1, "x");
    if (n->gpu_direct) {
        line("  of GPUs");
        puts("by their own link to the NIC, not by the host");
    }
    print_amount("  framing of a message", n->message_bytes, 1, "B");
    print_amount("  time of a message", n->message_s, 1e-6, "us");
}

/* What the link joins, one line a use: the same kind of link may serve several. */
static void print_roles(const struct platform *p, const struct link_spec *link)
{
    const struct network_spec *n = &p->network;
    bool grid = n->topology == TOPOLOGY_MESH || n->topology == TOPOLOGY_TORUS;
    bool rails = n->topology == TOPOLOGY_RAILS;
    const char *separator = "";
    char shared[48], pairs[48];

    snprintf(pairs, sizeof(pairs), ", %zu pairs", p->gpu.npeers);
    snprintf(shared, sizeof(shared), "%lld GPU(s) each", (long long)link->shared_by);
    const struct {
        bool so;
        const char *text, *more;
    } roles[] = {
        { p->gpu.count > 0 && is(p->gpu.link, link), "host to GPU, ", shared },
        { p->gpu.count > 0 && is(p->gpu.peer_link, link), "GPU to GPU", p->gpu.npeers ? pairs : "" },
        { n->topology != TOPOLOGY_SINGLE && is(n->link, link),
          grid    ? "machine to each neighbour"
          : rails ? "NIC to leaf"
                  : "machine to switch",
          "" },
        { n->topology == TOPOLOGY_TREE && is(n->uplink, link), "switch to core", "" },
        { rails && is(n->uplink, link), "leaf to spine", "" },
        { n->topology != TOPOLOGY_SINGLE && is(n->via, link), "crossed by the network's traffic", "" },
        { named(link->above), "is attached to ", link->above },
    };
    line("  joins");
    for (size_t i = 0; i < COUNT(roles); i++)
        if (roles[i].so) {
            printf("%s%s%s", separator, roles[i].text, roles[i].more);
            separator = "; ";
        }
    for (size_t i = 0; i < p->nlinks; i++)
        if (is(p->links[i].above, link)) {
            printf("%scarries %s", separator, p->links[i].name);
            separator = "; ";
        }
    puts(*separator ? "" : "nothing: no GPU, machine or switch uses it");
}

static void print_link(const struct platform *p, const struct link_spec *link)
{
    char name[80];

    snprintf(name, sizeof(name), "link %s", link->name);
    line(name);
    printf("%.4g GB/s (%.5g Gbit/s) per direction, %s duplex", link->bandwidth_Bps / 1e9, link->bandwidth_Bps / 1.25e8,
           link->duplex == DUPLEX_FULL ? "full" : "half");
    if (isnan(link->latency_s))
        puts(", latency calibrated");
    else
        printf(", %.1f us\n", link->latency_s * 1e6);
    print_roles(p, link);
    if (!(link_burst_bytes(link) == 0))
        print_amount("  passes at once", link_burst_bytes(link), 1e3, "kB");
    print_reached("  reached, to device", link->efficiency_to_device);
    print_reached("  reached, to host", link->efficiency_to_host);
    print_reached("  reached, by payload", link->efficiency_wire);
    print_reached("  reached, not pinned", link->efficiency_pageable);
}

void show_platform(const struct platform *p)
{
    printf("%s: %s\n", p->name, p->title);
    if (named(p->source)) {
        line("source");
        puts(p->source);
    }
    if (p->peak_flops > 0)
        print_amount("peak", p->peak_flops, 1e12, "TFlop/s");
    line("machines");
    printf("%lld%s\n", (long long)p->machines, p->machines > 1 ? ", all alike; CPU and GPU of one:" : "");
    print_cpu(p);
    if (p->gpu.count > 0)
        print_gpus(p);
    print_network(p);
    for (size_t i = 0; i < p->nlinks; i++)
        print_link(p, &p->links[i]);
    if (p->gpu.count > 0 && p->peak_flops > 0 && platform_gpu_link(p)) {
        line("bytes per flop");
        printf("%.2f B/kFLOP (link bandwidth over peak)\n", platform_bytes_per_kflop(p));
    }
    if (named(p->calibration)) {
        line("calibrated by");
        puts(p->calibration);
    }
}
