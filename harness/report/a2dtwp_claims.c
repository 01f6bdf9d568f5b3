/* a2dtwp_claims.c - what A2DTWP's paper claims of its trainings, each held to ours. What a claim takes to hold was written down before any
 * training was looked at. */
#include <math.h>

#include "harness/report/a2dtwp.h"
#include "harness/report/query.h"
#include "harness/report/text.h"

/* With m the mean over the trainings and e its standard error. What is asked of the way to the error does not hold where that is not
 * reached. */
enum taking {
    NOT_ABOVE, /* m <= bound + 2 e: not worse, as far as we can tell */
    BELOW,     /* m < bound - 2 e */
    ABOVE,     /* m > bound + 2 e */
};

static const struct claim {
    const char *claim, *estimate, *figures;
    enum taking taking;
    double bound;
    const char *bound_sql; /* where the paper gives it; NULL: 'bound' */
} claims[] = {
    { "\"Without any deterioration on the learning capacity\" (section VII)",
      "error at the end, A2DTWP - 32-bit FP (points)", "%+.2f", NOT_ABOVE, 0, NULL },
    { "AWP gets to the baseline's error with fewer bytes", "bytes to the error, A2DTWP / 32-bit FP", "%.3f", BELOW, 1,
      NULL },
    { "A2DTWP saves time on x86 (section V-E)", "time saved on x86-k80 (%)", "%+.2f", ABOVE, 0, NULL },
    { "A2DTWP saves time on POWER (section V-E)", "time saved on power9-v100 (%)", "%+.2f", ABOVE, 0, NULL },
    { "It saves more on POWER than on x86 (sections V-B to V-E)", "saved on POWER - on x86 (points)", "%+.2f", ABOVE, 0,
      NULL },
    { "A2DTWP is close to the oracle: within the larger of Figure 3's two distances (section V-B)",
      "time, A2DTWP - oracle (% of the baseline's)", "%+.2f", NOT_ABOVE, 0,
      "SELECT max(o.published - a.published) FROM paper_value o JOIN paper_value a ON a.paper = o.paper AND a.table_id = o.table_id"
      " AND a.row_key = replace(o.row_key, 'oracle', 'A2DTWP') WHERE o.paper = 'a2dtwp' AND o.table_id = 'fig3'"
      " AND o.row_key LIKE 'oracle %'" },
    { "The 8 bits of the beginning hurt there (section V-B, of batch 64)",
      "error in the first eighth, A2DTWP - 32-bit FP (points)", "%+.2f", ABOVE, 0, NULL },
};
enum { CLAIMS = sizeof(claims) / sizeof(*claims) };

static int bound_of(sqlite3 *db, const struct claim *c, double *bound)
{
    struct query q;

    *bound = c->bound;
    if (!c->bound_sql)
        return 0;
    q = query_open(db, c->bound_sql, NULL);
    if (query_next(&q))
        *bound = query_real(&q, 0);
    return query_close(&q);
}

static bool holds(enum taking taking, double mean, double error, double bound)
{
    switch (taking) {
    case NOT_ABOVE: return mean <= bound + 2 * error;
    case BELOW: return mean < bound - 2 * error;
    default: return mean > bound + 2 * error;
    }
}

static void print_one(FILE *out, const struct claim *c, double bound, struct query *q)
{
    static const char *const takes[] = { "not above %g by more than 2 errors", "below %g by more than 2 errors",
                                         "above %g by more than 2 errors" };
    double mean = query_real(q, 1), error = query_real(q, 2);
    int n = (int)query_real(q, 0), missed = (int)query_real(q, 3);
    const char *verdict = query_null(q, 2)                       ? "not known of one training"
                          : missed                               ? "does not hold"
                          : holds(c->taking, mean, error, bound) ? "holds"
                                                                 : "does not hold";

    text_paragraph(out, "%s: %s.", c->claim, verdict);
    fprintf(out, "    %s\n    ", c->estimate);
    fprintf(out, takes[c->taking], bound);
    fputs(": ", out);
    text_number(out, c->figures, mean, 0);
    if (!query_null(q, 2))
        text_number(out, " ± %.2g", error, 0);
    fprintf(out, ", n = %d\n", n);
    if (missed)
        fprintf(out, "    %d of them never reached the error and are counted as if they had at their end\n", missed);
}

int a2dtwp_trained_claims(sqlite3 *db, FILE *out)
{
    int rows = 0, rc = 0;

    for (size_t i = 0; i < CLAIMS && !rc; i++) {
        struct query q = query_open(db, "SELECT n, mean, error, missed FROM a2dtwp_estimate WHERE name = ?1",
                                    claims[i].estimate, NULL);
        double bound = 0;

        if (query_next(&q) && !(rc = bound_of(db, &claims[i], &bound))) {
            if (!rows++)
                fputs("Trained: the claims, over all networks, batches and seeds (± standard error)\n\n", out);
            print_one(out, &claims[i], bound, &q);
        }
        if (query_close(&q))
            rc = -1;
    }
    if (rows)
        fputc('\n', out);
    return rc;
}
