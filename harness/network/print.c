/* print.c - the rows as tables. Those of collectives have the columns of nccl-tests. */
#include <inttypes.h>
#include <math.h>

#include "harness/count.h"
#include "harness/network/rows.h"
#include "harness/status.h"
#include "harness/text/columns.h"

static void put_message(void *context, const struct network_row *row)
{
    struct columns *c = context;

    if (row->pattern != PATTERN_PING_PONG || row->peer > 1)
        return;
    columns_put(c, "%" PRId64, row->bytes);
    columns_put(c, "%zu", row->repetitions);
    columns_put(c, "%.2f", 1e-3 * row->time.median_ns);
    columns_put(c, "%.2f", 1e-3 * row->time.least_ns);
    columns_put(c, "%.2f", 1e-3 * row->time.most_ns);
    columns_put(c, "%.2f", 1e6 * row->alpha_s);
}

static void put_peer(void *context, const struct network_row *row)
{
    struct columns *c = context;

    if (row->pattern != PATTERN_PING_PONG || row->peer < 2)
        return;
    columns_put(c, "%d", row->peer);
    columns_put(c, "%.2f", 1e-3 * row->time.median_ns);
    columns_put(c, "%.2f", 1e-3 * row->time.least_ns);
}

static void put_stream(void *context, const struct network_row *row)
{
    struct columns *c = context;

    if (!pattern_is_stream(row->pattern))
        return;
    columns_put(c, "%s", pattern_name(row->pattern));
    columns_put(c, "%d", row->flows);
    columns_put(c, "%" PRId64, row->message_bytes);
    columns_put(c, "%.5g", 1e-6 * row->Bps);
    columns_put(c, "%.5g", 8e-6 * row->Bps);
    columns_put(c, "%.5g", 8e-6 * row->slow_Bps);
    columns_put(c, "%.5g", 8e-6 * row->fast_Bps);
    columns_put(c, "%.2f", 1e-9 * row->time.median_ns);
    if (isfinite(row->spread))
        columns_put(c, "%.2f %%%s", 100 * row->spread, row->stable ? "" : " (not stable)");
    else
        columns_put(c, "not stable");
}

static void put_collective(void *context, const struct network_row *row)
{
    struct columns *c = context;

    if (!pattern_is_collective(row->pattern))
        return;
    columns_put(c, "%s", pattern_name(row->pattern));
    columns_put(c, "%" PRId64, row->bytes);
    columns_put(c, "%" PRId64, row->count);
    columns_put(c, "float");
    columns_put(c, "%s", row->pattern == PATTERN_ALLREDUCE || row->pattern == PATTERN_REDUCE_SCATTER ? "sum" : "none");
    columns_put(c, "%.2f", 1e-3 * row->time.median_ns);
    columns_put(c, "%.4g", 1e-9 * row->Bps);
    columns_put(c, "%.4g", 1e-9 * row->bus_Bps);
    columns_put(c, "%" PRId64, row->wrong);
}

static const struct column message_columns[] = { { "bytes", false }, { "repetitions", false }, { "time(us)", false },
                                                 { "least", false }, { "most", false },        { "alpha(us)", false } };
static const struct column peer_columns[] = { { "member", false }, { "time(us)", false }, { "least", false } };
static const struct column stream_columns[] = {
    { "pattern", true }, { "flows", false }, { "message(B)", false }, { "MB/s", false },   { "Mbit/s", false },
    { "least", false },  { "most", false },  { "seconds", false },    { "within", false },
};
static const struct column collective_columns[] = {
    { "collective", true }, { "size(B)", false },     { "count", false },       { "type", false },   { "redop", false },
    { "time(us)", false },  { "algbw(GB/s)", false }, { "busbw(GB/s)", false }, { "#wrong", false },
};

static const struct table {
    const char *title;
    const struct column *columns;
    size_t ncolumns;
    void (*put)(void *context, const struct network_row *row);
} tables[] = {
    { "A message alone, half of its way there and back; alpha: beyond its bytes at the one-way rate", message_columns,
      COUNT(message_columns), put_message },
    { "An empty message to the other members", peer_columns, COUNT(peer_columns), put_peer },
    { "Streams, per flow; least and most: flows of the last trial; within: its rate and that of the one before",
      stream_columns, COUNT(stream_columns), put_stream },
    { "Collectives of MPI", collective_columns, COUNT(collective_columns), put_collective },
};

static void count_row(void *context, const struct network_row *row)
{
    size_t *kinds = context;

    kinds[pattern_is_collective(row->pattern) ? 3 : pattern_is_stream(row->pattern) ? 2 : row->peer > 1 ? 1 : 0]++;
}

static int print_table(const struct network_heading *h, const struct table *t, FILE *out)
{
    struct columns *c = columns_open(t->columns, t->ncolumns);

    if (!c)
        return NW_ENOMEM;
    fprintf(out, "\n%s\n", t->title);
    network_rows(h->result, h->by, t->put, c);
    return columns_close(c, out);
}

static int print_messages(const struct network_heading *h, FILE *out)
{
    static const struct column columns[] = {
        { "bytes", false }, { "each(us)", false }, { "alpha(us)", false }, { "MB/s", false }
    };
    struct columns *c = columns_open(columns, COUNT(columns));
    double rate_Bps = h->result->streams[0].rate.Bps;

    if (!c)
        return NW_ENOMEM;
    fputs("\nmessage_time(bytes): a message in a stream of its like; alpha: beyond its bytes at the one-way rate\n",
          out);
    for (size_t i = 0; i < h->result->nstream; i++) {
        const struct message_time *m = &h->result->stream[i];
        columns_put(c, "%" PRId64, m->bytes);
        columns_put(c, "%.3f", 1e6 * m->seconds);
        columns_put(c, "%.3f", 1e6 * fit_alpha_s(*m, rate_Bps));
        columns_put(c, "%.4g", 1e-6 * (double)m->bytes / m->seconds);
    }
    return columns_close(c, out);
}

static void print_rates(const struct network_heading *h, FILE *out)
{
    const struct network_result *r = h->result;
    const struct stream_rate *one = network_rate(r, PATTERN_ONE_WAY, 0), *two = network_rate(r, PATTERN_TWO_WAY, 0);

    fprintf(out, "\n%-22s %.5g MB/s (%.5g Mbit/s) of payload\n", "one way", 1e-6 * one->rate.Bps, 8e-6 * one->rate.Bps);
    fprintf(out, "%-22s %.4f of the one-way rate in each direction, by messages of %" PRId64 " bytes\n",
            "efficiency_two_way", two->rate.Bps / one->rate.Bps, two->message_bytes);
    fprintf(out, "%-22s %.2f us a link, two of them between machines\n", "latency", 1e6 * r->fit.latency_s);
    fprintf(out, "%-22s %.2f us, %.0f bytes\n", "each message adds", 1e6 * r->fit.message_s, r->fit.message_bytes);
    fprintf(out, "%-22s %.2f us median, %.2f us at most, by clocks known to %.2f us\n", "ranks leave a barrier",
            1e-3 * h->skew.median_ns, 1e-3 * h->skew.most_ns, 1e-3 * h->skew.error_ns);
    if (r->left_out)
        fprintf(out, "%zu large sizes were left out: --seconds allows more\n", r->left_out);
}

int network_print(const struct network_heading *h, FILE *out)
{
    size_t rows[COUNT(tables)] = { 0 };
    int rc = NW_OK;

    fprintf(out, "%d ranks on %d machine%s, %s; ", h->by->ranks, h->hosts, h->hosts == 1 ? "" : "s", h->library);
    if (h->hosts > 1)
        fprintf(out, "between machines, the first rank of each: %s and %s, ...\n", h->first, h->second);
    else
        fprintf(out, "between the ranks of %s, so not over a network\n", h->first);
    network_rows(h->result, h->by, count_row, rows);
    for (size_t i = 0; i < COUNT(tables) && !rc; i++) {
        if (rows[i])
            rc = print_table(h, &tables[i], out);
        if (!rc && tables[i].columns == stream_columns)
            rc = print_messages(h, out);
    }
    print_rates(h, out);
    return rc;
}
