/* dynprec_claims.c - what the paper concludes from its trainings, and whether ours bear it out. What a claim takes to hold is the
 * paper's words and two standard errors, whatever comes out. A query answers what came out, and 1 or 0; no row, or NULL, where the
 * trainings for it are not there.
 * SE: the standard error of a mean difference over seeds. */
#include "harness/report/claims.h"
#include "harness/report/dynprec.h"
#include "harness/report/sizes.h"
#include "harness/status.h"

/* Of all three networks; with the number of those where it holds. */
#define NETWORKS " HAVING count(*) = 3"
#define TOP1(a, b, holds)                                                                                            \
    "SELECT group_concat(label || printf(' %+.2f (2 SE %.2f)', difference, 2 * standard_error), ', ') || ' points'," \
    " min(" holds ") FROM (SELECT * FROM dynprec_difference WHERE size = " SIZES_ASKED                               \
    " AND name = 'accuracy' AND variant ="                                                                           \
    " '" a "' AND other = '" b "' AND standard_error IS NOT NULL ORDER BY place)" NETWORKS
#define FMAS(variant, least)                                                          \
    "SELECT group_concat(label || printf(' %.2f %%', mean), ', '), min(mean > " least \
    ") FROM (SELECT * FROM dynprec_spread"                                            \
    " WHERE size = " SIZES_ASKED " AND name = 'bf16_fma_pct' AND variant = '" variant "' ORDER BY place)" NETWORKS

static const struct claim claims[] = {
    { "MP is as accurate as FP32", "top-1 at most 2 SE apart, in each network",
      TOP1("MP", "FP32", "abs(difference) <= 2 * standard_error") },
    { "BF16 alone is less accurate than MP", "more than 2 SE below, in each",
      TOP1("BF16", "MP", "difference < -2 * standard_error") },
    { "Dynamic is as accurate as MP", "at most 2 SE below, in each",
      TOP1("Dynamic", "MP", "difference >= -2 * standard_error") },
    { "Dynamic is more accurate than BF16 alone", "more than 2 SE above, in each",
      TOP1("Dynamic", "BF16", "difference > 2 * standard_error") },
    { "Dynamic does more than 94 % of its FMAs in BF16", "that, on average over the seeds, in each",
      FMAS("Dynamic",
           "(SELECT published FROM paper_value WHERE paper = 'dynprec' AND table_id = 'text' AND row_key = 'any')") },
    { "BF16 alone does more than 99 %", "that, in each", FMAS("BF16", "99") },
    { "Dynamic takes to BF16 soon and returns to MP where the loss stalls",
      "BF16 within the first tenth, and a return to MP, in every training",
      "SELECT printf('%d of %d trainings; BF16 from step %d at the latest', sum(first_bf16 < 0.1 * steps AND switches > 1),"
      " count(*), max(first_bf16)), min(coalesce(first_bf16 < 0.1 * steps, 0) AND switches > 1) FROM dynprec_switching"
      " WHERE size = " SIZES_ASKED " HAVING count(DISTINCT network) = 3" },
    { "what stays in FP32 is small beside the rest: in the paper's networks 0.07 to 0.10 % of the FMAs",
      "between half and twice of what Table 1 leaves, in each of them",
      "SELECT group_concat(label || printf(' %.3f %% (%.2f)', ours, published), ', '), min(ours BETWEEN published / 2 AND"
      " 2 * published) FROM (SELECT * FROM dynprec_fp32 WHERE size = 1 AND ?1 <> '' ORDER BY place)" NETWORKS },
    { "a batch has as many FMAs as Figure 2a's instructions make", "within 10 %, in each",
      "SELECT group_concat(label || printf(' %+.1f %%', 100 * (ours / published - 1)), ', '), min(abs(ours / published - 1) <="
      " 0.1) FROM (SELECT label, ours, published FROM comparison c JOIN paper_row w USING (paper, table_id, row_key) WHERE"
      " c.paper = 'dynprec' AND c.table_id = 'fig2a' AND c.column_key = 'FMAs an image' AND ?1 <> '' ORDER BY w.place)" NETWORKS },
};
enum { CLAIMS = sizeof(claims) / sizeof(*claims) };

/* A quick look is too short for what the paper says of whole trainings. */
static int all_claims(struct sqlite3 *db, FILE *out, const char *size)
{
    if (*size == '3')
        return NW_OK;
    fprintf(out, "What the paper concludes, tested%s\n\n", sizes_text(size));
    return claims_print(db, out, claims, CLAIMS, size);
}

int dynprec_claims(struct sqlite3 *db, FILE *out)
{
    return sizes_each(db, out, "dynprec_point", all_claims);
}
