#include "harness/store/measured/public.h"

#include "harness/status.h"
#include "harness/store/internal.h"

static const char what[] = "store what was held against measured rows";

static int put_set(struct store *s, int64_t run_id, int64_t place, const struct measured_set_fact *f)
{
    return db_run(s, what, "INSERT INTO measured_set(run_id, place, set_name, mean, median, p95) VALUES (?,?,?,?,?,?)",
                  "lltddd", run_id, place, f->name, f->mean, f->median, f->p95);
}

static int put_peer(struct store *s, int64_t run_id, const struct measured_peer_fact *f)
{
    return db_run(s, what,
                  "INSERT INTO measured_peer(run_id, set_name, name, mean, median, p95, source) VALUES (?,?,?,?,?,?,?)",
                  "lttdddt", run_id, f->set, f->name, f->mean, f->median, f->p95, f->source);
}

static int put_row(struct store *s, int64_t run_id, int64_t place, const struct measured_row_fact *f)
{
    return db_run(s, what,
                  "INSERT INTO measured_row(run_id, place, row_key, set_name, kind, measured, spread, unit, predicted,"
                  " closed_form, baseline_key, reason) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
                  "lltttddtddtt", run_id, place, f->key, f->set, f->kind, f->measured, f->spread, f->unit, f->predicted,
                  f->closed_form, f->baseline, f->reason);
}

static int put_fit(struct store *s, int64_t run_id, const struct measured_fit_fact *f)
{
    return db_run(s, what,
                  "INSERT INTO measured_fit(run_id, constant, group_name, value, nrows, nconstants, off)"
                  " VALUES (?,?,?,?,?,?,?)",
                  "lttdlld", run_id, f->constant, f->group, f->value, (int64_t)f->nrows, (int64_t)f->nconstants,
                  f->off);
}

static int put_without(struct store *s, int64_t run_id, const struct measured_without_fact *f)
{
    return db_run(s, what,
                  "INSERT INTO measured_without(run_id, constants, group_name, left_key, set_name, mean)"
                  " VALUES (?,?,?,?,?,?)",
                  "lttttd", run_id, f->constants, f->group, f->left, f->set, f->mean);
}

int store_measured(struct store *s, int64_t run_id, const struct measured_fact *f)
{
    int rc = db_begin(s);

    if (rc)
        return rc;
    rc =
        db_run(s, what, "INSERT INTO measured_validation(run_id, source, closed_form, baseline_least) VALUES (?,?,?,?)",
               "lttd", run_id, f->source, f->closed_form, f->baseline_least);
    for (size_t i = 0; !rc && i < f->nsets; i++)
        rc = put_set(s, run_id, (int64_t)i, &f->sets[i]);
    for (size_t i = 0; !rc && i < f->npeers; i++)
        rc = put_peer(s, run_id, &f->peers[i]);
    for (size_t i = 0; !rc && i < f->nrows; i++)
        rc = put_row(s, run_id, (int64_t)i, &f->rows[i]);
    for (size_t i = 0; !rc && i < f->nfits; i++)
        rc = put_fit(s, run_id, &f->fits[i]);
    for (size_t i = 0; !rc && i < f->nwithout; i++)
        rc = put_without(s, run_id, &f->without[i]);
    return db_end(s, rc);
}
