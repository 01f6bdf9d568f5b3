/* dynprec_shares.c - how much ran in BF16, and when dynamic precision changed its mind. */
#include "harness/report/dynprec.h"
#include "harness/report/query.h"
#include "harness/report/sizes.h"
#include "harness/report/text.h"
#include "harness/status.h"

enum { NETWORK = 15 };

static int fmas(struct sqlite3 *db, FILE *out, const char *size)
{
    struct query q = query_open(
        db,
        "SELECT label, variant, p.published, mean, deviation, n FROM dynprec_spread JOIN paper_value p ON p.paper ="
        " 'dynprec' AND p.table_id = '1' AND p.row_key = network AND p.column_key = variant || ' FMAs' WHERE size = " SIZES_ASKED
        " AND name = 'bf16_fma_pct' ORDER BY place, variant DESC",
        size, NULL);

    text_cell(out, "", NETWORK + 10);
    fputs(" paper      ours   dev  n\n", out);
    text_rule(out, NETWORK + 10 + 25);
    while (query_next(&q)) {
        text_cell(out, query_text(&q, 0), NETWORK);
        text_cell(out, query_text(&q, 1), 10);
        text_number(out, "%.2f", query_real(&q, 2), -6);
        text_number(out, "%.2f", query_real(&q, 3), -10);
        dynprec_number(out, &q, 4, "%.2f", -6);
        text_number(out, "%.0f", query_real(&q, 5), -3);
        fputc('\n', out);
    }
    return query_close(&q);
}

static int switching(struct sqlite3 *db, FILE *out, const char *size)
{
    struct query q = query_open(
        db,
        "SELECT label, seed, first_bf16, switches, mp_steps, 100.0 * mp_steps / steps, mp_first_half, mp_steps"
        " - mp_first_half FROM dynprec_switching WHERE size = " SIZES_ASKED " ORDER BY place, seed",
        size, NULL);
    int rows = 0;

    while (query_next(&q)) {
        if (!rows++) {
            fprintf(out, "\nWhat dynamic precision decided%s\n\n", sizes_text(size));
            text_cell(out, "", NETWORK);
            fputs("seed  BF16 from  switches  steps in MP      %  1st half  2nd half\n", out);
            text_rule(out, NETWORK + 60);
        }
        text_cell(out, query_text(&q, 0), NETWORK);
        text_number(out, "%.0f", query_real(&q, 1), -4);
        dynprec_number(out, &q, 2, "%.0f", -11);
        text_number(out, "%.0f", query_real(&q, 3), -10);
        text_number(out, "%.0f", query_real(&q, 4), -13);
        text_number(out, "%.1f", query_real(&q, 5), -7);
        text_number(out, "%.0f", query_real(&q, 6), -10);
        text_number(out, "%.0f", query_real(&q, 7), -10);
        fputc('\n', out);
    }
    return query_close(&q);
}

static int shares(struct sqlite3 *db, FILE *out, const char *size)
{
    fprintf(out, "Table 1%s: FMAs in BF16 (%%)\n\n", sizes_text(size));
    int rc = fmas(db, out, size);

    rc = rc ? rc : switching(db, out, size);
    fputc('\n', out);
    if (*size != '1')
        text_paragraph(
            out,
            "A look at the loss takes one batch in MP and a hundred in BF16, a tenth of the paper's ten and thousand"
            " each, so that its average is one batch's loss. What is lacking to 100 %% in BF16 alone are norms and the"
            " update, which take more of small networks: the fewer channels, the less there is to multiply for a value"
            " that is normalized.");
    fputc('\n', out);
    return rc;
}

int dynprec_shares(struct sqlite3 *db, FILE *out)
{
    return sizes_each(db, out, "dynprec_point", shares);
}
