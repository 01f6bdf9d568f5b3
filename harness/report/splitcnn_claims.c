/* splitcnn_claims.c - what the paper concludes from its trainings, and whether ours bear it out. What a claim takes to hold was settled
 * before the trainings were looked at. A query answers what came out, and 1 or 0; no row, or NULL, where the trainings for it are not
 * there. SE: the standard error of a mean over seeds of differences between trainings that began alike. */
#include "harness/report/claims.h"
#include "harness/report/sizes.h"
#include "harness/report/splitcnn_training.h"
#include "harness/status.h"

#define OF_SIZE " size = " SIZES_ASKED " "
#define DIFFERENCES \
    "SELECT group_concat(network || ': ' || printf('%+.2f (2 SE %.2f)', difference, 2 * standard_error), '; ') || ' points', "
#define SLOPES \
    "SELECT group_concat(network || ': ' || printf('%+.3f (2 SE %.3f)', slope, 2 * standard_error), '; ') || ' points', "

/* Of every network that has both. */
#define COMPARED(kind, other, holds)                                                                                 \
    DIFFERENCES                                                                                                      \
    "min(" holds ") FROM (SELECT * FROM splitcnn_contrast WHERE" OF_SIZE "AND kind = '" kind "' AND other = '" other \
    "' AND standard_error IS NOT NULL ORDER BY place) HAVING count(*) > 0"

/* Of both networks. */
#define FALLS(figure)                                                                                          \
    SLOPES                                                                                                     \
    "min(slope < -2 * standard_error) FROM (SELECT * FROM splitcnn_slope WHERE" OF_SIZE "AND figure = " figure \
    " AND standard_error IS NOT NULL ORDER BY place) HAVING count(*) = 2"

#define COMPETITIVE                                                                                              \
    {                                                                                                            \
        "Stochastic splitting, evaluated in one piece, is very competitive with the unsplit network (Figure 6)", \
            "of every network no more than 2 SE below it",                                                       \
            COMPARED("stochastic", "unsplit", "difference >= -2 * standard_error")                               \
    }
#define CLOSES_THE_GAP                                                                                             \
    {                                                                                                              \
        "It closes the gap that splitting leaves (Table 1)", "of every network more than 2 SE above even patches", \
            COMPARED("stochastic", "split", "difference > 2 * standard_error")                                     \
    }

static const struct claim claims[] = {
    { "Accuracy falls with the depth of the split (Figure 4)",
      "of both networks a least-squares slope, for a per cent of the convolutions, more than 2 SE below 0",
      FALLS("4") },
    { "and about linearly", "of both, a line that falls explains at least 90 % of the means' variance",
      "SELECT group_concat(network || ': ' || printf('%.0f %% by a line that %s', 100 * straight,"
      " iif(slope < 0, 'falls', 'rises')), '; '), min(straight >= 0.9 AND slope < 0) FROM (SELECT * FROM"
      " splitcnn_slope WHERE" OF_SIZE "AND figure = 4 ORDER BY place) HAVING count(*) = 2" },
    { "Accuracy falls with the number of patches (Figure 5)",
      "of both networks a slope, for a patch, more than 2 SE below 0", FALLS("5") },
    { "but slowly", "of both, nine patches at 25 % lose no more than four at 50 %",
      "SELECT group_concat(network || ': ' || printf('%+.2f against %+.2f', nine, deep), '; ') || ' points',"
      " min(nine >= deep) FROM (SELECT a.network, a.difference AS nine, b.difference AS deep FROM splitcnn_accuracy a"
      " JOIN splitcnn_accuracy b ON b.size = a.size AND b.row_key = a.row_key AND b.kind = 'split' AND b.asked_pct = 50"
      " WHERE a." OF_SIZE "AND a.kind = 'split' AND a.patches = 9 ORDER BY a.place) HAVING count(*) = 2" },
    { "ResNet-18 is less sensitive to their number than VGG-19", "a slope more than 2 SE above VGG-19's",
      "SELECT printf('%+.3f (2 SE %.3f) points', r.slope - v.slope, 2 * error), r.slope - v.slope > 2 * error FROM"
      " splitcnn_slope r JOIN splitcnn_slope v USING (size, figure), (SELECT sqrt(sum(standard_error *"
      " standard_error)) AS error FROM splitcnn_slope WHERE" OF_SIZE "AND figure = 5 HAVING count(standard_error) = 2)"
      " WHERE" OF_SIZE "AND figure = 5 AND r.row_key = 'ResNet18' AND v.row_key = 'VGG19'" },
    COMPETITIVE,
    CLOSES_THE_GAP,
    { "It is what lets a network do without the split (section 3.3)",
      "evaluated in one piece, of every network more than 2 SE above one trained on even patches",
      COMPARED("stochastic", "crossed", "difference > 2 * standard_error") },
    { "Even deep splits cost at most 2 points (section 5.3)", "of every network a mean difference of at most that",
      DIFFERENCES "min(-difference <= published) FROM (SELECT * FROM splitcnn_table1 WHERE" OF_SIZE
                  "AND column_key = 'SCNN' AND standard_error IS NOT NULL ORDER BY place) JOIN paper_value p ON"
                  " p.paper = 'splitcnn' AND p.table_id = 'text' AND p.row_key = 'deep splits' HAVING count(*) > 0" },
};
/* Of what was trained longer. */
static const struct claim of_stochastic[] = { COMPETITIVE, CLOSES_THE_GAP };

/* A quick look is too short for what the paper says of whole trainings. */
static int all_claims(struct sqlite3 *db, FILE *out, const char *size)
{
    if (*size == '3')
        return NW_OK;
    fprintf(out, "Claims: what the paper concludes, tested%s\n\n", sizes_text(size));
    if (*size == '4')
        return claims_print(db, out, of_stochastic, sizeof(of_stochastic) / sizeof(*of_stochastic), size);
    return claims_print(db, out, claims, sizeof(claims) / sizeof(*claims), size);
}

int splitcnn_trained_claims(struct sqlite3 *db, FILE *out)
{
    return sizes_each(db, out, "splitcnn_point", all_claims);
}
