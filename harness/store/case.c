#include "harness/store/case.h"

#include "harness/status.h"
#include "harness/store/internal.h"

int store_sim_case(struct store *s, int64_t run_id, const struct sim_case_fact *f, const struct sim_sample_fact *x,
                   int nsamples)
{
    static const char what[] = "store a timing of the simulator";
    int rc = db_begin(s);

    if (rc)
        return rc;
    rc = db_run(s, what,
                "INSERT INTO sim_case(run_id, kind, size, program, place, size_unit, event, events, growth, end_s,"
                " expected_s) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
                "ltltlttlidd", run_id, f->kind, f->size, f->program, f->place, f->size_unit, f->event, f->events,
                f->growth, f->end_s, f->expected_s);
    for (int i = 0; i < nsamples && !rc; i++)
        rc = db_run(s, what,
                    "INSERT INTO sim_sample(run_id, kind, size, program, rep, elapsed_ns, peak_bytes, idle_bytes)"
                    " VALUES (?,?,?,?,?,?,?,?)",
                    "ltltilll", run_id, f->kind, f->size, f->program, i, x[i].elapsed_ns, x[i].peak_bytes,
                    x[i].idle_bytes);
    return db_end(s, rc);
}

int store_train_case(struct store *s, int64_t run_id, const struct train_case_fact *f, const int64_t *elapsed_ns, int n)
{
    static const char what[] = "store a timing of the trainer";
    int rc = db_begin(s);

    if (rc)
        return rc;
    rc = db_run(s, what,
                "INSERT INTO train_case(run_id, name, threads, side, against, place, workers, samples, steps)"
                " VALUES (?,?,?,?,?,?,?,?,?)",
                "ltittllll", run_id, f->name, f->threads, f->side, f->against, f->place, f->workers, f->samples,
                f->steps);
    for (int i = 0; i < n && !rc; i++)
        rc = db_run(s, what,
                    "INSERT INTO train_sample(run_id, name, threads, side, rep, elapsed_ns) VALUES (?,?,?,?,?,?)",
                    "ltitil", run_id, f->name, f->threads, f->side, i, elapsed_ns[i]);
    return db_end(s, rc);
}
