#include "harness/network/platform_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/host/gpu_list.h"
#include "harness/host/topology.h"
#include "harness/scenario/scenario.h"
#include "harness/scenario/schema/units.h"
#include "harness/status.h"
#include "harness/text/whole_file.h"

/* Both directions at once carry more than this many times one: the link is not shared by them. */
static const double full_duplex = 1.5;

/* The value with five digits, as the file has it. */
static const char *quantity(double value, enum dimension d, char *text, size_t size)
{
    char digits[32];

    snprintf(digits, sizeof(digits), "%.5g", value);
    quantity_print(strtod(digits, NULL), d, text, size);
    return text;
}

/* The measured rate is all that is known, or a share of the bandwidth that the given platform's link has. */
static struct network_link link_of(const struct network_platform *p, const struct platform *from)
{
    const struct network_result *r = p->heading->result;
    double one_Bps = network_rate(r, PATTERN_ONE_WAY, 0)->rate.Bps;
    double two_Bps = network_rate(r, PATTERN_TWO_WAY, 0)->rate.Bps;
    struct network_link l = { .bandwidth_Bps = one_Bps, .wire = 1, .full = 2 * two_Bps >= full_duplex * one_Bps };
    const struct link_spec *was = from && from->network.topology != TOPOLOGY_SINGLE && from->network.link
                                      ? platform_link(from, from->network.link)
                                      : NULL;

    snprintf(l.name, sizeof(l.name), "%s", was ? was->name : "eth");
    if (!was && from && platform_link(from, l.name))
        snprintf(l.name, sizeof(l.name), "measured");
    if (was && was->bandwidth_Bps >= one_Bps) {
        l.nominal = true;
        l.bandwidth_Bps = was->bandwidth_Bps;
        l.wire = one_Bps / was->bandwidth_Bps;
    }
    return l;
}

static void put_table(const char *title, const struct message_time *list, size_t n, double rate_Bps, FILE *out)
{
    fprintf(out, "#   %s\n", title);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "#   %10" PRId64 " %14.2f %14.2f\n", list[i].bytes, 1e6 * list[i].seconds,
                1e6 * fit_alpha_s(list[i], rate_Bps));
}

static void put_comments(const struct network_platform *p, FILE *out)
{
    const struct network_heading *h = p->heading;
    const struct network_result *r = h->result;
    const struct stream_rate *one = network_rate(r, PATTERN_ONE_WAY, 0);

    fputs("\n# Measured, but without a key here.\n", out);
    for (size_t i = 0; i < r->nstreams; i++) {
        const struct stream_rate *s = &r->streams[i];

        fprintf(out, "#   %-12s %8.5g MB/s per flow, messages of %" PRId64 " bytes, the last %.2g s, within %.2g %%\n",
                pattern_name(s->pattern), 1e-6 * s->rate.Bps, s->message_bytes, 1e-9 * (double)s->rate.ns,
                100 * s->rate.spread);
    }
    for (size_t i = 0; i < r->nstreams; i++)
        if (r->streams[i].pattern == PATTERN_TWO_WAY)
            fprintf(out,
                    "# efficiency_two_way: %.4f of the one-way rate in each direction, messages of %" PRId64 " bytes\n",
                    r->streams[i].rate.Bps / one->rate.Bps, r->streams[i].message_bytes);
    fprintf(out, "# barrier: ranks leave it within %.2f us (median; most %.2f us), by clocks known to %.2f us\n",
            1e-3 * h->skew.median_ns, 1e-3 * h->skew.most_ns, 1e-3 * h->skew.error_ns);
    put_table("alpha(bytes): bytes, us of a message alone, us beyond its bytes at the one-way rate", r->alone,
              r->nalone, one->rate.Bps, out);
    put_table("message_time(bytes): bytes, us of a message in a stream, us beyond its bytes at the one-way rate",
              r->stream, r->nstream, one->rate.Bps, out);
}

static void put_head(const struct network_platform *p, const char *name, FILE *out)
{
    const struct network_heading *h = p->heading;
    bool cluster = h->hosts > 1;

    fprintf(out, "# Written by narrows calibrate network (%s) on %s: %d ranks on %d machine%s, %s.\n", p->commit,
            p->when, h->by->ranks, h->hosts, cluster ? "s" : "", h->library);
    fprintf(out, "name: %s\n", name);
    fprintf(out, "title: %d %s, measured over %s\n", h->by->members, cluster ? "machines" : "ranks of one machine",
            h->library);
    fprintf(out, "source: narrows calibrate network, %s\n\n", p->when);
    fprintf(out, "machines: {value: %d, source: \"%s\"}\n", h->by->members,
            cluster ? "as many host names as the ranks have"
                    : "ranks, taken for machines: all are on one, and no network was measured");
}

static void put_network(const struct network_platform *p, const struct platform *from, const struct network_link *l,
                        FILE *out)
{
    const struct network_result *r = p->heading->result;
    char text[64];

    fprintf(out, "\nnetwork:\n  topology: star\n  link: %s\n", l->name);
    if (from && from->network.topology != TOPOLOGY_SINGLE && from->network.via && *from->network.via)
        fprintf(out, "  via: %s\n", from->network.via);
    if (r->nstream)
        fprintf(out,
                "  message_time: {value: %s, source: \"measured %s: a message of %" PRId64
                " byte in a stream, or an empty one alone if that takes less\"}\n",
                quantity(r->fit.message_s, DIM_SECONDS, text, sizeof(text)), p->when, r->stream[0].bytes);
    fprintf(out, "  message_bytes: {value: %s, source: \"measured %s: messages up to %d bytes in a stream, median\"}\n",
            quantity(round(r->fit.message_bytes), DIM_BYTES, text, sizeof(text)), p->when, NETWORK_EAGER);
}

static void put_link(const struct network_platform *p, const struct platform *from, const struct network_link *l,
                     FILE *out)
{
    const struct network_result *r = p->heading->result;
    const struct rate *one = &network_rate(r, PATTERN_ONE_WAY, 0)->rate;
    char text[64], rate[64];

    quantity(one->Bps, DIM_BYTES_PER_S, rate, sizeof(rate));
    quantity(l->bandwidth_Bps, DIM_BYTES_PER_S, text, sizeof(text));
    fprintf(out, "  %s:\n", l->name);
    if (l->nominal)
        fprintf(out, "    bandwidth: {value: %s, source: \"as in %s\"}\n", text, from->name);
    else
        fprintf(out, "    bandwidth: {value: %s, source: \"measured %s: payload one way, for %.2g s\"}\n", text,
                p->when, 1e-9 * (double)one->ns);
    fprintf(
        out,
        "    latency: {value: %s, source: \"measured %s: half of what an empty message takes beyond message_time\"}\n",
        quantity(r->fit.latency_s, DIM_SECONDS, text, sizeof(text)), p->when);
    fprintf(out, "    duplex: %s\n    efficiency:\n", l->full ? "full" : "half");
    if (l->nominal)
        fprintf(out, "      wire: {value: %.5g, source: \"measured %s: %s of payload one way\"}\n", l->wire, p->when,
                rate);
    else
        fputs("      wire: {value: 1, source: \"the bandwidth is already that of the payload\"}\n", out);
}

/* This host's processors, as far as it can be asked. */
static int put_host(const struct network_platform *p, FILE *out)
{
    struct topology t;
    char gpus[256], text[64];
    int rc = topology_read(&t);

    if (rc)
        return status_error(rc, "narrows calibrate: hwloc cannot read this machine: give a platform with --from\n");
    fprintf(out, "\ncpu:\n  name: \"%s\"\n", t.cpu_model);
    fprintf(out, "  sockets: {value: %d, source: \"hwloc, of rank 0's machine\"}\n", t.packages > 0 ? t.packages : 1);
    fprintf(out, "  cores_per_socket: {value: %d, source: hwloc}\n",
            t.cores > t.packages && t.packages > 0 ? t.cores / t.packages
            : t.cores > 0                          ? t.cores
                                                   : 1);
    fprintf(out, "  memory_bandwidth: {value: %s, source: \"measured %s: a copy by %d threads, read and written\"}\n",
            quantity(p->memory_Bps, DIM_BYTES_PER_S, text, sizeof(text)), p->when, p->memory_threads);
    if (gpu_list(gpus, sizeof(gpus)))
        fprintf(out,
                "# GPUs here: %s. Their rates are in no file of this machine: take a platform with them by --from.\n",
                gpus);
    return NW_OK;
}

static int read_text(const char *path, char **text)
{
    size_t size;
    int rc = whole_file_load(path, 1 << 24, text, &size, stderr);
    char *ended = rc ? NULL : realloc(*text, size + 1);

    if (!rc && !ended) {
        free(*text);
        *text = NULL;
        return NW_ENOMEM;
    }
    if (!rc) {
        ended[size] = '\0';
        *text = ended;
    }
    return rc;
}

/* The whole file: what stays of 'from', or this host, and what was measured. */
static int put_all(const struct network_platform *p, const struct platform *from, const struct network_link *l,
                   const char *name, FILE *out)
{
    char *text = NULL, *rest_text = NULL, *links_text = NULL;
    size_t nrest = 0, nlinks = 0;
    FILE *rest = open_memstream(&rest_text, &nrest), *links = open_memstream(&links_text, &nlinks);
    int rc = rest && links ? NW_OK : NW_ENOMEM;

    put_head(p, name, out);
    if (!rc && p->from)
        rc = read_text(p->from, &text);
    if (!rc && p->from)
        rc = platform_text_cut(text, p->from, from && from->network.link ? l->name : NULL, rest, links);
    if (!rc && !p->from)
        rc = put_host(p, rest);
    if (rest && fclose(rest))
        rc = NW_ENOMEM;
    if (links && fclose(links))
        rc = NW_ENOMEM;
    if (!rc) {
        fputs(rest_text, out);
        put_network(p, from, l, out);
        fprintf(out, "\nlink:\n%s", links_text);
        put_link(p, from, l, out);
        put_comments(p, out);
    }
    free(links_text);
    free(rest_text);
    free(text);
    return rc;
}

/* Does the file say what was measured, to the digits that it has? */
static int check(const char *path, const struct network_platform *p, const struct network_link *l)
{
    struct platform *read = NULL;
    int rc = scenario_load_platform(path, stderr, &read);
    const struct link_spec *link = rc ? NULL : platform_link(read, l->name);

    if (!rc && (!link || read->machines != p->heading->by->members || read->network.topology != TOPOLOGY_STAR ||
                fabs(link->bandwidth_Bps * link->efficiency_wire / (l->bandwidth_Bps * l->wire) - 1) > 1e-3))
        rc = status_error(NW_EINPUT, "%s: does not read back as what was measured\n", path);
    scenario_free_platform(read);
    return rc;
}

/* "x/my-cluster.yaml": my-cluster */
static void name_of(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t n = strlen(base), ending = 5;

    if (n > ending && !strcmp(base + n - ending, ".yaml"))
        n -= ending;
    snprintf(name, size, "%.*s", (int)n, base);
}

int network_platform_write(const struct network_platform *p, const char *path)
{
    struct platform *from = NULL;
    char *text = NULL, *trial = NULL, name[PLATFORM_NAME];
    size_t n = 0;
    int rc = p->from ? scenario_load_platform(p->from, stderr, &from) : NW_OK;
    struct network_link l = { 0 };
    FILE *f = rc ? NULL : open_memstream(&text, &n);

    if (rc)
        return rc;
    name_of(path, name, sizeof(name));
    l = link_of(p, from);
    rc = f ? put_all(p, from, &l, name, f) : NW_ENOMEM;
    if (f && fclose(f))
        rc = NW_ENOMEM;
    if (asprintf(&trial, "%s.new", path) < 0)
        trial = NULL;
    rc = rc ? rc : trial ? NW_OK : NW_ENOMEM;
    if (!rc)
        rc = whole_file_put(trial, text, n, stderr);
    if (!rc)
        rc = check(trial, p, &l);
    if (!rc && rename(trial, path))
        rc = whole_file_failed(path, stderr);
    if (rc && trial)
        remove(trial);
    free(trial);
    free(text);
    scenario_free_platform(from);
    return rc;
}
