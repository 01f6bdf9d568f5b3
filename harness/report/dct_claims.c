/* dct_claims.c - the statements of DCT's paper, and what becomes of them where networks were trained. */
#include "harness/report/papers.h"
#include "harness/report/query.h"
#include "harness/report/text.h"

static const char verdict_sql[] =
    "SELECT * FROM dct_verdict UNION ALL SELECT * FROM dct_threshold_verdict ORDER BY place";

/* One sentence on all claims with this verdict: "4, 16". */
static int print_which(struct sqlite3 *db, FILE *out, const char *verdict, const char *sentence)
{
    struct query q =
        query_open(db,
                   "SELECT group_concat(place, ', ') FROM (SELECT place, verdict FROM dct_verdict UNION ALL"
                   " SELECT place, verdict FROM dct_threshold_verdict ORDER BY place) WHERE verdict = ?1",
                   verdict, NULL);

    if (query_next(&q) && !query_null(&q, 0))
        text_paragraph(out, sentence, query_text(&q, 0));
    return query_close(&q);
}

int dct_claims(struct sqlite3 *db, FILE *out)
{
    struct query q = query_open(db, verdict_sql, NULL);
    int n = 0, rc;

    while (query_next(&q)) {
        if (!n++) {
            fprintf(out, "Claims of the paper, held to these trainings\n\n");
            text_paragraph(
                out,
                "'No worse' holds unless an interval lies wholly on the bad side of 0; 'worse' and 'better' hold if all"
                " intervals lie wholly on theirs, do not if one lies on the other side, and else stay open.");
            fputc('\n', out);
        }
        text_paragraph(out, "%.0f. %s (%s; takes: %s) %s: %s.", query_real(&q, 0), query_text(&q, 2), query_text(&q, 1),
                       query_text(&q, 3), query_text(&q, 6), query_text(&q, 5));
    }
    rc = query_close(&q);
    if (!n || rc)
        return rc;
    fputc('\n', out);
    rc = print_which(db, out, "does not hold", "Ours disagree with the paper in: %s.");
    rc = rc ? rc : print_which(db, out, "open", "Too few seeds, or too short trainings, to tell: %s.");
    fputc('\n', out);
    return rc;
}
