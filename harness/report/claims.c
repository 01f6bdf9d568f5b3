#include "harness/report/claims.h"

#include "harness/report/query.h"
#include "harness/report/text.h"
#include "harness/status.h"

int claims_print(struct sqlite3 *db, FILE *out, const struct claim *claims, size_t nclaims, const char *size)
{
    int rc = NW_OK, held = 0, told = 0;

    for (size_t i = 0; i < nclaims && !rc; i++) {
        struct query q = query_open(db, claims[i].sql, size, NULL);
        _Bool there = query_next(&q) && !query_null(&q, 0) && !query_null(&q, 1);
        _Bool holds = there && query_real(&q, 1) != 0;

        text_paragraph(out, "%zu. %s. Takes: %s. Here: %s. %s.", i + 1, claims[i].says, claims[i].takes,
                       there ? query_text(&q, 0) : "not trained, or with one seed alone",
                       !there  ? "Open"
                       : holds ? "HOLDS"
                               : "DOES NOT HOLD");
        held += holds;
        told += there;
        rc = query_close(&q);
    }
    fprintf(out, "\n%d of %d hold here.\n\n", held, told);
    return rc;
}
