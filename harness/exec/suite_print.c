/* suite_print.c - the errors of the suite class by class, and the points that are furthest off. */
#include <sqlite3.h>

#include "harness/exec/suite.h"
#include "harness/status.h"
#include "harness/store/statement.h"

static int print_errors(struct store *s, FILE *out)
{
    sqlite3_stmt *st = db_select(s,
                                 "SELECT kind, n, median_pct, p95_pct, worst_pct FROM validation_by_kind"
                                 " WHERE set_name = 'shaped' ORDER BY kind = 'all', kind",
                                 "");
    int code = st ? SQLITE_ROW : NW_EDB;

    fprintf(out, "%-32s %5s %9s %9s %9s\n", "error of the prediction, %", "n", "median", "95 %", "worst");
    while (st && (code = db_step(s, st, "read errors")) == SQLITE_ROW) {
        char kind[64];
        int64_t n;
        double median, p95, worst;
        db_read(st, "tlddd", kind, sizeof(kind), &n, &median, &p95, &worst);
        fprintf(out, "%-32s %5lld %9.2f %9.2f %9.2f\n", kind, (long long)n, median, p95, worst);
    }
    return code == SQLITE_DONE ? NW_OK : NW_EDB;
}

static int print_worst(struct store *s, FILE *out)
{
    sqlite3_stmt *st = db_select(s,
                                 "SELECT row_key, predicted, measured, 100 * error, 100 * spread, load FROM validation"
                                 " WHERE set_name = 'shaped' AND error IS NOT NULL ORDER BY abs(error) DESC LIMIT 8",
                                 "");
    int code = st ? SQLITE_ROW : NW_EDB;

    fputs("\nfurthest off:\n", out);
    while (st && (code = db_step(s, st, "read errors")) == SQLITE_ROW) {
        char row[200];
        double predicted, measured, error, spread, load;
        db_read(st, "tddddd", row, sizeof(row), &predicted, &measured, &error, &spread, &load);
        fprintf(out, "  %+6.1f %%  %s: predicted %.4g ms, executed %.4g ms (+- %.1f %%, load %.1f)\n", error, row,
                predicted, measured, spread, load);
    }
    return code == SQLITE_DONE ? NW_OK : NW_EDB;
}

int suite_print(struct store *s, FILE *out)
{
    int rc = print_errors(s, out);

    return rc ? rc : print_worst(s, out);
}
