/* level.c - what a level would get wrong, as far as the keys alone show it. */
#include <inttypes.h>

#include "model/refuse.h"
#include "model/status.h"
#include "sim/method/allreduce/plan.h"
#include "sim/method/report.h"

const char *level_name(const struct allreduce *a)
{
    return a->level == COLLECTIVE_SYMMETRIC ? "symmetric" : "analytic";
}

/* What a link does to a message may depend on more than the message. */
static int check_link(const struct job *j, char *why, size_t nwhy)
{
    const struct link_spec *link = platform_link(j->platform, j->platform->network.link);

    if (link_burst_bytes(link) > 0)
        return refuse(why, nwhy,
                      "platform.link.%s.burst: what passes at once depends on what the link did before, of which "
                      "method.level: %s knows nothing: expected 0, or method.level: flows",
                      link->name, level_name(&j->method->allreduce));
    if (j->method->allreduce.algorithm == COLLECTIVE_TREE && platform_send_buffer_bytes(j->platform) > 0)
        return refuse(why, nwhy,
                      "platform.network.send_buffer: blocks of a tree that do not wait for each other share links, of "
                      "which method.level: %s knows nothing: expected 0, or method.level: flows",
                      level_name(&j->method->allreduce));
    return E_OK;
}

static bool alike(enum topology_kind t)
{
    return t == TOPOLOGY_SINGLE || t == TOPOLOGY_STAR;
}

static int check_payloads(const struct allreduce *a, char *why, size_t nwhy)
{
    if (a->unevenness > 0)
        return refuse(why, nwhy,
                      "method.unevenness: workers send different amounts, and method.level: %s takes them for alike: "
                      "expected 0, or flows",
                      level_name(a));
    return E_OK;
}

/* What the closed forms know nothing of. */
static int check_analytic(const struct job *j, char *why, size_t nwhy)
{
    const struct allreduce *a = &j->method->allreduce;
    const char *via = j->platform->network.via;
    int64_t n = a->workers, l = a->workers_per_machine;

    if (a->streams > 1)
        return refuse(why, nwhy,
                      "method.streams: buckets on the way at once share links, of which method.level: analytic "
                      "knows nothing: expected 1, got %" PRId64,
                      a->streams);
    if (a->offload_share > 0)
        return refuse(why, nwhy,
                      "method.offload_share: the closed forms of method.level: analytic know of no "
                      "other traffic: expected 0, or another level");
    if (n > l && l > 1 && a->algorithm != COLLECTIVE_RING && a->algorithm != COLLECTIVE_MEASURED &&
        j->platform->network.nics > 1)
        return refuse(why, nwhy,
                      "platform.network.nics: how the workers of a machine divide among its NICs is nothing that "
                      "method.level: analytic knows: expected 1, or another level");
    if (n > 1 && l > 1 && j->platform->gpu.npeers && a->algorithm != COLLECTIVE_RING &&
        a->algorithm != COLLECTIVE_MEASURED)
        return refuse(why, nwhy,
                      "platform.gpu.peers: a mesh joins some pairs of GPUs and not others, and method.level: analytic "
                      "knows the hops of a ring alone: expected method.algorithm: ring, or another level");
    if (a->gradients.format == WIRE_NONE || a->gradients.place != CODEC_ON_CPU)
        return E_OK;
    if (l > 1)
        return refuse(why, nwhy,
                      "method.gradients.place: workers of one machine come to its codec one after another, of "
                      "which method.level: analytic knows nothing: expected gpu, or another level");
    if (a->device == COMPUTE_ON_GPU && via && *via)
        return refuse(why, nwhy,
                      "method.gradients.place: copies between GPU and CPU share platform.network.via with the "
                      "exchange, of which method.level: analytic knows nothing: expected gpu, or another level");
    return E_OK;
}

int level_check_keys(const struct job *j, char *why, size_t nwhy)
{
    const struct allreduce *a = &j->method->allreduce;
    const char *level = level_name(a);
    int64_t n = a->workers, l = a->workers_per_machine;

    if (a->level == COLLECTIVE_FLOWS || n == 1)
        return E_OK;
    if (!alike(j->platform->network.topology))
        return refuse(why, nwhy,
                      "method.level: %s takes machines for alike, which only those of a star are: expected flows",
                      level);
    if (n > l && n % l)
        return refuse(why, nwhy,
                      "method.level: %s takes machines for alike, and %" PRId64 " workers, %" PRId64
                      " on a machine, leave one with fewer: expected flows",
                      level, n, l);
    if (n > l && l > 1 && (a->algorithm == COLLECTIVE_TREE || a->algorithm == COLLECTIVE_HALVING_DOUBLING))
        return refuse(why, nwhy,
                      "method.level: with %" PRId64 " workers on a machine the ranks of a %s are not alike: expected "
                      "flows (or another algorithm)",
                      l, a->algorithm == COLLECTIVE_TREE ? "tree" : "halving-doubling");
    if (n > l && l > 1 && a->gradients.format != WIRE_NONE && a->gradients.place == CODEC_ON_CPU)
        return refuse(why, nwhy,
                      "method.gradients.place: workers of one machine come to its codec in an order that differs "
                      "from machine to machine, which method.level: %s takes for alike: expected gpu, or flows",
                      level);
    if (codec_spec_scatters(&a->gradients) && l > 1 && (n > l || a->level == COLLECTIVE_ANALYTIC))
        return refuse(
            why, nwhy,
            "method.gradients.aggregation: in each step of an all-to-all workers of a machine send to others, "
            "and may share other links, which method.level: %s takes for alike: expected flows, or "
            "method.workers_per_machine: 1",
            level);
    if (check_payloads(a, why, nwhy) || (n > l && check_link(j, why, nwhy)))
        return E_INVAL;
    if (j->batch % n)
        return refuse(why, nwhy,
                      "batch: %" PRId64 " samples do not divide evenly among %" PRId64
                      " workers, which method.level: %s takes for alike",
                      j->batch, n, level);
    return a->level == COLLECTIVE_SYMMETRIC ? E_OK : check_analytic(j, why, nwhy);
}
