#include "harness/store/measured/network.h"

#include "harness/status.h"
#include "harness/store/internal.h"

static const char what[] = "store what was measured of the network";

static int put_rank(struct store *s, int64_t run_id, int64_t rank, const struct network_rank_fact *f)
{
    return db_run(s, what,
                  "INSERT INTO network_rank(run_id, rank, offset_before_ns, offset_after_ns, error_ns, member, host)"
                  " VALUES (?,?,?,?,?,?,?)",
                  "lllllit", run_id, rank, f->offset_before_ns, f->offset_after_ns, f->error_ns, f->member, f->host);
}

static int put_sample(struct store *s, int64_t run_id, const struct network_sample_fact *f)
{
    return db_run(s, what,
                  "INSERT INTO network_sample(run_id, pattern, ranks, peer, bytes, message_bytes, flow, repetition,"
                  " elapsed_ns, wrong) VALUES (?,?,?,?,?,?,?,?,?,?)",
                  "ltllllllll", run_id, f->pattern, f->ranks, f->peer, f->bytes, f->message_bytes, f->flow,
                  f->repetition, f->elapsed_ns, f->wrong);
}

int store_network(struct store *s, int64_t run_id, const struct network_fact *f)
{
    int rc = db_begin(s);

    if (rc)
        return rc;
    for (size_t i = 0; i < f->nranks && !rc; i++)
        rc = put_rank(s, run_id, (int64_t)i, &f->ranks[i]);
    for (size_t i = 0; i < f->nsettings && !rc; i++)
        rc = db_run(s, what, "INSERT INTO network_setting(run_id, name, value) VALUES (?,?,?)", "ltt", run_id,
                    f->settings[i].name, f->settings[i].value);
    for (size_t i = 0; i < f->nsamples && !rc; i++)
        rc = put_sample(s, run_id, &f->samples[i]);
    return db_end(s, rc);
}
