#include "sim/collective/measured.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/status.h"
#include "sim/figures.h"

static const char *const operation_names[COLLECTIVE_OPERATIONS] = {
    [COLLECTIVE_ALLREDUCE] = "all-reduce",
    [COLLECTIVE_ALLGATHER] = "all-gather",
    [COLLECTIVE_REDUCE_SCATTER] = "reduce-scatter",
    [COLLECTIVE_BROADCAST] = "broadcast",
};

const char *collective_operation_name(enum collective_operation o)
{
    return operation_names[o];
}

double measured_factor(enum collective_operation o, int64_t ranks)
{
    double n = (double)ranks;

    switch (o) {
    case COLLECTIVE_ALLREDUCE: return 2 * (n - 1) / n;
    case COLLECTIVE_BROADCAST: return 1;
    default: return (n - 1) / n;
    }
}

/* --- checks ------------------------------------------------------------------------------------------------------- */

static int check_protocol(const struct protocol *p, size_t i, char *why, size_t nwhy)
{
    char key[2][64];

    snprintf(key[0], sizeof(key[0]), "platform.collective.protocols[%zu].latency", i);
    snprintf(key[1], sizeof(key[1]), "platform.collective.protocols[%zu].bandwidth", i);
    const struct figure latency = { key[0], p->latency_ratio }, bandwidth = { key[1], p->bandwidth_ratio };
    int rc = figures_not_negative(&latency, 1, why, nwhy);

    rc = rc ? rc : figures_positive(&bandwidth, 1, why, nwhy);
    if (!rc && p->most_bytes && p->most_bytes < p->least_bytes)
        rc = refuse(why, nwhy,
                    "platform.collective.protocols[%zu].most: expected at least the %" PRId64
                    " B of 'least', got %" PRId64 " B",
                    i, p->least_bytes, p->most_bytes);
    return rc;
}

static bool same_curve(const struct measured_row *a, const struct measured_row *b)
{
    return a->operation == b->operation && a->ranks == b->ranks;
}

static int check_row(const struct measured *m, size_t i, char *why, size_t nwhy)
{
    const struct measured_row *row = &m->rows[i];
    size_t k = i;

    if (!(row->time_s > 0 && isfinite(row->time_s)))
        return refuse(why, nwhy, "platform.collective.table[%zu].time: expected more than 0 s, got %g s", i,
                      row->time_s);
    while (k && !same_curve(row, &m->rows[k - 1])) /* the nearest before it: files have a curve's rows together */
        k--;
    if (!k || m->rows[k - 1].bytes < row->bytes)
        return E_OK;
    return refuse(why, nwhy,
                  "platform.collective.table[%zu].bytes: rows of one operation and number of ranks go from small to "
                  "large: expected more than %" PRId64 " B, got %" PRId64 " B",
                  i, m->rows[k - 1].bytes, row->bytes);
}

/* What NCCL's tuning has figures of its own for. */
static int check_nccl(const struct measured *m, char *why, size_t nwhy)
{
    if (m->nccl.channels < 0)
        return refuse(why, nwhy, "platform.collective.nccl.channels: expected 0 or more, got %" PRId64,
                      m->nccl.channels);
    if (m->nccl.generation == NCCL_UNUSED)
        return E_OK;
    if (m->nprotocols)
        return refuse(why, nwhy,
                      "platform.collective.protocols: expected none where nccl.generation brings NCCL's, got %zu",
                      m->nprotocols);
    if (m->exponent != 1)
        return refuse(why, nwhy, "platform.collective.exponent: expected 1 where nccl.generation says rates, got %g",
                      m->exponent);
    return E_OK;
}

int measured_check(const struct measured *m, char *why, size_t nwhy)
{
    const struct figure rest[] = {
        { "platform.collective.launch", m->launch_s },
        { "platform.collective.latency", m->latency_s },
        { "platform.collective.floor", m->floor_s },
        { "platform.collective.bandwidth", m->bandwidth_Bps },
    };
    const struct figure model[] = {
        { "platform.collective.bandwidth_at", m->bandwidth_at_bytes },
        { "platform.collective.exponent", m->exponent },
    };
    int rc = figures_not_negative(rest, COUNT(rest), why, nwhy);

    rc = rc ? rc : check_nccl(m, why, nwhy);
    if (!rc && m->bandwidth_Bps > 0)
        rc = figures_positive(model, COUNT(model), why, nwhy);
    for (size_t i = 0; !rc && i < m->nprotocols; i++)
        rc = check_protocol(&m->protocols[i], i, why, nwhy);
    for (size_t i = 0; !rc && i < m->nrows; i++)
        rc = check_row(m, i, why, nwhy);
    return rc;
}

static bool has_rows(const struct measured *m, enum collective_operation o, int64_t ranks)
{
    for (size_t i = 0; i < m->nrows; i++)
        if (m->rows[i].operation == o && m->rows[i].ranks == ranks)
            return true;
    return false;
}

static double bus_Bps(const struct measured *m)
{
    if (m->bandwidth_Bps > 0 || m->nccl.generation == NCCL_UNUSED)
        return m->bandwidth_Bps;
    return nccl_nvlink_Bps(&m->nccl);
}

int measured_has(const struct measured *m, enum collective_operation o, const struct collective_group *g, char *why,
                 size_t nwhy)
{
    bool networkless = m->nccl.generation != NCCL_UNUSED && g->machines > 1 && !(g->network_Bps > 0);

    if (g->ranks == 1 || (bus_Bps(m) > 0 && !networkless) || has_rows(m, o, g->ranks))
        return E_OK;
    if (networkless)
        return refuse(why, nwhy, "platform.network.link: NCCL's rate between machines is their NICs': expected one");
    if (m->nrows)
        return refuse(why, nwhy,
                      "platform.collective.table: expected rows of %s among %" PRId64
                      " ranks, or platform.collective.bandwidth, got neither",
                      operation_names[o], g->ranks);
    return refuse(why, nwhy,
                  "platform.collective.bandwidth: expected a rate above 0, or platform.collective.table%s, got "
                  "neither",
                  m->nccl.generation == NCCL_UNUSED ? "" : " (over PCIe NCCL's tuning has none)");
}

/* --- times -------------------------------------------------------------------------------------------------------- */

static double line_s(const struct measured_row *a, const struct measured_row *b, double bytes)
{
    return a->time_s + (bytes - (double)a->bytes) / (double)(b->bytes - a->bytes) * (b->time_s - a->time_s);
}

/* Rows of a curve are in the order of their sizes. */
static double table_s(const struct measured *m, enum collective_operation o, int64_t ranks, double bytes)
{
    const struct measured_row *last = NULL, *before = NULL, curve = { .operation = o, .ranks = ranks };

    for (size_t i = 0; i < m->nrows; i++) {
        const struct measured_row *row = &m->rows[i];
        if (!same_curve(row, &curve))
            continue;
        if ((double)row->bytes >= bytes)
            return last ? line_s(last, row, bytes) : row->time_s;
        before = last;
        last = row;
    }
    if (!before)
        return last->bytes ? last->time_s * (bytes / (double)last->bytes) : last->time_s;
    return fmax(last->time_s, line_s(before, last, bytes));
}

static double steps_of_shape(enum protocol_shape s, enum collective_operation o, int64_t ranks)
{
    if (s == PROTOCOL_TREE)
        return 2 * ceil(log2((double)ranks));
    return (o == COLLECTIVE_ALLREDUCE ? 2 : 1) * (double)(ranks - 1);
}

static bool applies(const struct protocol *p, enum collective_operation o, int64_t bytes)
{
    if (p->shape == PROTOCOL_TREE && o != COLLECTIVE_ALLREDUCE)
        return false;
    return bytes >= p->least_bytes && (!p->most_bytes || bytes <= p->most_bytes);
}

static double model_s(const struct measured *m, enum collective_operation o, int64_t ranks, int64_t bytes)
{
    double wire_s = measured_factor(o, ranks) * (double)bytes / m->bandwidth_Bps, best_s = INFINITY;

    if (bytes && m->exponent != 1)
        wire_s *= pow((double)bytes / m->bandwidth_at_bytes, m->exponent - 1);
    for (size_t i = 0; i < m->nprotocols; i++) {
        const struct protocol *p = &m->protocols[i];
        double latency_s = steps_of_shape(p->shape, o, ranks) * m->latency_s * p->latency_ratio;
        if (applies(p, o, bytes))
            best_s = fmin(best_s, m->launch_s + latency_s + wire_s / p->bandwidth_ratio);
    }
    if (!isfinite(best_s))
        best_s = m->launch_s + steps_of_shape(PROTOCOL_RING, o, ranks) * m->latency_s + wire_s;
    return fmax(best_s, m->floor_s);
}

static struct nccl_choice choose(const struct measured *m, enum collective_operation o,
                                 const struct collective_group *g, int64_t bytes)
{
    struct nccl_call call = { .operation = o,
                              .ranks = g->ranks,
                              .machines = g->machines,
                              .bytes = bytes,
                              .bus_Bps = g->machines > 1 ? fmin(bus_Bps(m), g->network_Bps) : bus_Bps(m),
                              .network_s = m->latency_s };

    return nccl_choose(&m->nccl, &call);
}

static double time_s(const struct measured *m, enum collective_operation o, const struct collective_group *g,
                     int64_t bytes)
{
    if (has_rows(m, o, g->ranks))
        return table_s(m, o, g->ranks, (double)bytes);
    if (m->nccl.generation != NCCL_UNUSED)
        return fmax(m->launch_s + choose(m, o, g, bytes).time_s, m->floor_s);
    return model_s(m, o, g->ranks, bytes);
}

int64_t measured_collective_ps(const struct measured *m, enum collective_operation o, const struct collective_group *g,
                               int64_t bytes)
{
    double ps;

    if (g->ranks < 1 || g->machines < 1 || bytes < 0 || measured_has(m, o, g, NULL, 0))
        return E_INVAL;
    if (g->ranks == 1)
        return 0;
    ps = 1e12 * time_s(m, o, g, bytes);
    if (!(ps < 9e18))
        return E_RANGE;
    return ps > 0 ? (int64_t)llround(ps) : 0;
}

const char *measured_sent_as(const struct measured *m, enum collective_operation o, const struct collective_group *g,
                             int64_t bytes)
{
    if (m->nccl.generation == NCCL_UNUSED || g->ranks < 2 || has_rows(m, o, g->ranks))
        return NULL;
    return choose(m, o, g, bytes).name;
}
