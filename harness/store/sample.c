/* sample.c - timed repetitions of kernels, and the rates that follow from them. */
#include "harness/status.h"
#include "harness/store/internal.h"

static int insert_sample(struct store *s, int64_t run_id, const struct sample_fact *f)
{
    return db_run(s, "store a sample",
                  "INSERT INTO sample(run_id, kernel, impl, variant, nvalues, bytes_moved, rep, elapsed_ns,"
                  " anchor_ns, anchor_bytes) VALUES (?,?,?,?,?,?,?,?,?,?)",
                  "ltttllllll", run_id, f->kernel, f->impl, f->variant, f->values, f->bytes_moved, f->rep,
                  f->elapsed_ns, f->anchor_ns, f->anchor_bytes);
}

int store_samples(struct store *s, int64_t run_id, const struct sample_fact *samples, size_t n)
{
    int rc = db_begin(s);

    if (rc)
        return rc;
    for (size_t i = 0; i < n && !rc; i++)
        rc = insert_sample(s, run_id, &samples[i]);
    return db_end(s, rc);
}

int store_bench_work(struct store *s, int64_t run_id, const struct bench_fact *f)
{
    return db_run(s, "store what was timed",
                  "INSERT INTO bench_work(run_id, nvalues, place, threads, kernel, impl, variant, kind, option,"
                  " anchor, anchor_impl, flops, bits_per_value) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
                  "lllitttttttdd", run_id, f->values, f->place, f->threads, f->kernel, f->impl, f->variant, f->group,
                  f->option, f->anchor, f->anchor_impl, f->flops, f->bits);
}

int store_measured_rate(struct store *s, const char *machine, const char *kernel, const char *variant, double *Bps,
                        char *impl, size_t nimpl)
{
    static const char what[] = "look up a measured rate";
    /* The newest run is chosen before its medians are taken: a file may hold many benches. */
    int found =
        db_find(s, what,
                "SELECT 1e9 * median_GBps, impl FROM throughput WHERE NOT is_anchor AND kernel = ?2"
                " AND variant = ?3 AND run_id = (SELECT max(s.run_id) FROM sample s JOIN run r ON"
                " r.id = s.run_id WHERE r.machine = ?1 AND s.kernel = ?2 AND s.variant = ?3 AND s.anchor_ns > 0)"
                " ORDER BY nvalues DESC, median_GBps DESC LIMIT 1",
                "ttt:dt", machine, kernel, variant, Bps, impl, nimpl);

    return found ? found
                 : db_find(s, what,
                           "SELECT value, scenario FROM calibration WHERE measured_on = ? AND measure = ?"
                           " AND row_key = ? ORDER BY run_id DESC LIMIT 1",
                           "ttt:dt", machine, kernel, variant, Bps, impl, nimpl);
}
