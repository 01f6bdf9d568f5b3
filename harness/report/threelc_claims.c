/* threelc_claims.c - what the paper concludes from its trainings, and whether ours bear it out. What a claim takes to hold was settled
 * before anything was trained. A query answers what came out, and 1 or 0; no row, or NULL, where the trainings for it are not there.
 * SE: the standard error of the difference of two means over seeds. */
#include <stddef.h>

#include "harness/report/claims.h"
#include "harness/report/sizes.h"
#include "harness/report/threelc_training.h"
#include "harness/status.h"

#define OF_SIZE "size = " SIZES_ASKED
#define SHOWN "printf('%+.2f', difference) || ' (2 SE ' || printf('%.2f', 2 * standard_error) || ')'"
#define DIFFERENCE(percent, measure, a, b)                                                        \
    " FROM threelc_difference WHERE " OF_SIZE " AND steps_pct = " percent " AND name = '" measure \
    "' AND variant = '" a "' AND other = '" b "' AND standard_error IS NOT NULL"
#define BELOW(percent, a, b) \
    "SELECT " SHOWN " || ' points', difference < -2 * standard_error" DIFFERENCE(percent, "accuracy", a, b)

/* Mean bits of a pushed and of a pulled value over a part of the steps, for two multipliers. */
#define PUSH_AND_PULL(when, holds)                                                                                   \
    "SELECT group_concat(printf('%s %.3f and %.3f bits', substr(variant, 6, 6), push, pull), '; '), min(push " holds \
    " pull) FROM (SELECT variant, avg(push_bits) AS push, avg(pull_bits) AS pull FROM threelc_bits WHERE " OF_SIZE   \
    " AND steps = standard_steps AND variant IN ('3LC (s=1.00)', '3LC (s=1.75)') AND step " when                     \
    " steps * (SELECT published / 100 FROM paper_value WHERE paper = '3lc' AND table_id = 'fig9')"                   \
    " GROUP BY variant) HAVING count(*) = 2"

#define FEEDBACK                                                                                   \
    "('MQE 1-bit int', '25% sparsification', '5% sparsification', '3LC (s=1.00)', '3LC (s=1.50)'," \
    " '3LC (s=1.75)', '3LC (s=1.90)')"

static const struct claim claims[] = {
    { "3LC (s=1.00) is as accurate as 32-bit float", "a difference of at most 2 SE",
      "SELECT " SHOWN " || ' points', abs(difference) <= 2 * standard_error" DIFFERENCE(
          "100", "accuracy", "3LC (s=1.00)", "32-bit float") },
    { "3LC (s=1.50) and (s=1.75) are as accurate as 32-bit float", "the same of both",
      "SELECT group_concat(substr(variant, 6, 6) || ': ' || " SHOWN ", '; ') || ' points',"
      " min(abs(difference) <= 2 * standard_error) FROM threelc_difference WHERE " OF_SIZE " AND steps_pct = 100"
      " AND name = 'accuracy' AND variant IN ('3LC (s=1.50)', '3LC (s=1.75)') AND other = '32-bit float'"
      " AND standard_error IS NOT NULL HAVING count(*) = 2" },
    { "3LC (s=1.90) is less accurate than (s=1.00)", "more than 2 SE below",
      BELOW("100", "3LC (s=1.90)", "3LC (s=1.00)") },
    { "Stochastic quantization is less accurate than 3LC (s=1.00)", "more than 2 SE below",
      BELOW("100", "Stoch 3-value + QE", "3LC (s=1.00)") },
    { "Stochastic quantization is less accurate than every design with error feedback",
      "more than 2 SE below each of the seven",
      "SELECT count(*) FILTER (WHERE difference < -2 * standard_error) || ' of ' || count(*) ||"
      " coalesce('; not below ' || group_concat(CASE WHEN difference >= -2 * standard_error THEN other || ' ' ||"
      " " SHOWN " END, ', '), ''), min(difference < -2 * standard_error)"
      " FROM threelc_difference WHERE " OF_SIZE " AND steps_pct = 100 AND name = 'accuracy' AND variant ="
      " 'Stoch 3-value + QE' AND other IN " FEEDBACK " AND standard_error IS NOT NULL HAVING count(*) = 7" },
    { "2 local steps are less accurate than 32-bit float", "more than 2 SE below",
      BELOW("100", "2 local steps", "32-bit float") },
    { "With a quarter of the steps 3LC (s=1.75) is less accurate than (s=1.00)", "more than 2 SE below",
      BELOW("25", "3LC (s=1.75)", "3LC (s=1.00)") },
    { "The training loss of 3LC (s=1.00) is close to that of 32-bit float, others' is higher",
      "a smaller difference of the last losses than Stoch 3-value + QE, 5% sparsification and 2 local steps have",
      "SELECT group_concat(variant || ' ' || printf('%+.3f', difference), ', '), max(abs(difference)) FILTER (WHERE"
      " variant = '3LC (s=1.00)') < min(difference) FILTER (WHERE variant <> '3LC (s=1.00)') FROM threelc_difference"
      " WHERE " OF_SIZE " AND steps_pct = 100 AND name = 'loss' AND other = '32-bit float' AND variant IN"
      " ('3LC (s=1.00)', 'Stoch 3-value + QE', '5% sparsification', '2 local steps') HAVING count(*) = 4" },
    { "3LC (s=1.00) sends far less than 32-bit float (paper: 39.4 times)", "a ratio of 30 at least",
      "SELECT printf('%.1f', mean), mean >= 30 FROM threelc_design WHERE " OF_SIZE " AND steps_pct = 100 AND name ="
      " 'compression_ratio' AND variant = '3LC (s=1.00)'" },
    { "The ratio rises with s", "each above the one before, from none without zero-run encoding on",
      "SELECT group_concat(printf('%.1f', mean), ', '), min(mean > before) FROM (SELECT mean, coalesce(lag(mean) OVER"
      " (ORDER BY replace(variant, 'no', ' ')), 0) AS before FROM threelc_design WHERE " OF_SIZE " AND name ="
      " 'compression_ratio' AND (steps_pct = 100 AND variant LIKE '3LC (s=%' OR variant = '3LC (no ZRE)'))"
      " HAVING count(*) = 5" },
    { "Zero-run encoding halves what 3LC (s=1.00) sends", "45 to 55 % of the bits",
      "SELECT printf('%.1f %%', 100 * b.mean / a.mean), b.mean / a.mean BETWEEN 0.45 AND 0.55 FROM threelc_design a"
      " JOIN threelc_design b USING (size, name) WHERE " OF_SIZE " AND name = 'bits_per_value' AND b.steps_pct = 100"
      " AND a.variant = '3LC (no ZRE)' AND b.variant = '3LC (s=1.00)'" },
    { "Zero-run encoding loses nothing", "the same loss in every step, with and without it",
      "SELECT printf('%d losses, %d of them differ', count(*), sum(x.loss <> y.loss)), sum(x.loss <> y.loss) = 0"
      " FROM threelc_point a JOIN threelc_point b USING (size, seed, steps) JOIN trace_step x ON x.point_id ="
      " a.point_id JOIN trace_step y ON y.point_id = b.point_id AND y.step = x.step WHERE " OF_SIZE
      " AND a.variant = '3LC (no ZRE)' AND b.variant = '3LC (s=1.00)' HAVING count(*) > 0" },
    { "Pushes are smaller than pulls in the first 70 % of the steps", "on average over those, for s=1.00 and s=1.75",
      PUSH_AND_PULL("<", "<") },
    { "Pushes are larger than pulls in the rest of the steps", "the same of those", PUSH_AND_PULL(">=", ">") },
    { "3LC is fastest at every bandwidth", "the least simulated time, at each",
      "SELECT group_concat(substr(name, 9) || ' ' || variant, ', '), min(variant LIKE '3LC (s=%') FROM (SELECT name,"
      " variant, min(mean) FROM threelc_design WHERE " OF_SIZE " AND steps_pct = 100 AND name LIKE 'seconds %'"
      " GROUP BY name) HAVING count(*) = 3" },
};
enum { CLAIMS = sizeof(claims) / sizeof(*claims) };

/* A quick look is too short for what the paper says of whole trainings. */
static int all_claims(struct sqlite3 *db, FILE *out, const char *size)
{
    int rc;

    if (*size == '3')
        return NW_OK;
    rc = threelc_heading(db, out, "What the paper concludes, tested", size);
    fputc('\n', out);
    return rc ? rc : claims_print(db, out, claims, CLAIMS, size);
}

int threelc_trained_claims(struct sqlite3 *db, FILE *out)
{
    return sizes_each(db, out, "threelc_point", all_claims);
}
