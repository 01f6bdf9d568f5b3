/* print_rows.c - the rows for other programs: a header of names with units, and then one row each; or JSON. */
#include <inttypes.h>
#include <math.h>

#include "harness/network/rows.h"
#include "harness/text/json.h"

/* Empty in CSV and null in JSON where there is no number. */
static void put_number(FILE *out, const char *before, const char *none, double value)
{
    if (isfinite(value))
        fprintf(out, "%s%.9g", before, value);
    else
        fprintf(out, "%s%s", before, none);
}

static void csv_row(void *context, const struct network_row *r)
{
    FILE *out = context;

    fprintf(out, "%s,%d,%d,%d,%" PRId64 ",%" PRId64 ",%zu", pattern_name(r->pattern), r->ranks, r->flows, r->peer,
            r->bytes, r->message_bytes, r->repetitions);
    put_number(out, ",", "", 1e-3 * r->time.median_ns);
    put_number(out, ",", "", 1e-3 * r->time.least_ns);
    put_number(out, ",", "", 1e-3 * r->time.most_ns);
    put_number(out, ",", "", 1e6 * r->alpha_s);
    put_number(out, ",", "", 1e-9 * r->Bps);
    put_number(out, ",", "", 1e-9 * r->bus_Bps);
    put_number(out, ",", "", r->spread);
    fprintf(out, ",%" PRId64 "\n", r->wrong);
}

void network_print_csv(const struct network_heading *h, FILE *out)
{
    fputs("pattern,ranks,flows,peer,bytes,message_bytes,repetitions,time_us,least_us,most_us,alpha_us,algbw_GBps,"
          "busbw_GBps,spread,wrong\n",
          out);
    network_rows(h->result, h->by, csv_row, out);
}

struct json {
    FILE *out;
    const char *separator;
};

static void json_row(void *context, const struct network_row *r)
{
    struct json *j = context;

    fprintf(j->out, "%s\n    {\"pattern\": \"%s\", \"ranks\": %d, \"flows\": %d, \"peer\": %d, \"bytes\": %" PRId64,
            j->separator, pattern_name(r->pattern), r->ranks, r->flows, r->peer, r->bytes);
    fprintf(j->out, ", \"message_bytes\": %" PRId64 ", \"repetitions\": %zu", r->message_bytes, r->repetitions);
    put_number(j->out, ", \"time_us\": ", "null", 1e-3 * r->time.median_ns);
    put_number(j->out, ", \"least_us\": ", "null", 1e-3 * r->time.least_ns);
    put_number(j->out, ", \"most_us\": ", "null", 1e-3 * r->time.most_ns);
    put_number(j->out, ", \"alpha_us\": ", "null", 1e6 * r->alpha_s);
    put_number(j->out, ", \"algbw_GBps\": ", "null", 1e-9 * r->Bps);
    put_number(j->out, ", \"busbw_GBps\": ", "null", 1e-9 * r->bus_Bps);
    put_number(j->out, ", \"spread\": ", "null", r->spread);
    fprintf(j->out, ", \"wrong\": %" PRId64 "}", r->wrong);
    j->separator = ",";
}

static void json_messages(const struct network_heading *h, FILE *out)
{
    const struct network_result *r = h->result;

    fputs("],\n  \"message_time\": [", out);
    for (size_t i = 0; i < r->nstream; i++) {
        fprintf(out, "%s{\"bytes\": %" PRId64, i ? ", " : "", r->stream[i].bytes);
        put_number(out, ", \"each_us\": ", "null", 1e6 * r->stream[i].seconds);
        fputc('}', out);
    }
    fputs("],\n", out);
}

void network_print_json(const struct network_heading *h, FILE *out)
{
    const struct network_result *r = h->result;
    const struct stream_rate *one = network_rate(r, PATTERN_ONE_WAY, 0), *two = network_rate(r, PATTERN_TWO_WAY, 0);
    struct json j = { out, "" };

    fprintf(out, "{\n  \"ranks\": %d, \"machines\": %d, \"library\": ", h->by->ranks, h->hosts);
    json_text(h->library, out);
    fputs(",\n  \"rows\": [", out);
    network_rows(r, h->by, json_row, &j);
    json_messages(h, out);
    put_number(out, "  \"one_way_GBps\": ", "null", 1e-9 * one->rate.Bps);
    put_number(out, ", \"efficiency_two_way\": ", "null", two->rate.Bps / one->rate.Bps);
    put_number(out, ",\n  \"latency_us\": ", "null", 1e6 * r->fit.latency_s);
    put_number(out, ", \"message_time_us\": ", "null", 1e6 * r->fit.message_s);
    put_number(out, ", \"message_bytes\": ", "null", r->fit.message_bytes);
    put_number(out, ",\n  \"barrier_skew_us\": ", "null", 1e-3 * h->skew.median_ns);
    put_number(out, ", \"barrier_skew_most_us\": ", "null", 1e-3 * h->skew.most_ns);
    put_number(out, ", \"clock_error_us\": ", "null", 1e-3 * h->skew.error_ns);
    fprintf(out, ",\n  \"sizes_left_out\": %zu\n}\n", r->left_out);
}
