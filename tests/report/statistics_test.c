/* What is made of estimates and their errors: quantiles and power against values worked out by hand, and the verdicts
 * of each form of claim on both sides of their edges. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <sqlite3.h>

#include "harness/store/store.h"
#include "harness/store/trace.h"
#include "tests/report/rows.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

static const char made_paper[] =
    "INSERT INTO paper(paper, place, label, title, authors, summary) VALUES ('made', 6, 'Made', 't', 'a', 's');"
    "CREATE TABLE made(place, size, part, estimate, error, n, effect, holds, censored);"
    "CREATE VIEW made_claim_part AS SELECT 'made' AS paper, place, size, part, '' AS label, estimate, error, n, effect,"
    " holds, 'counted' AS shown, censored FROM made";

static struct store *open_made(void)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    assert_int_equal(store_define(s, "made.sql", made_paper), 0);
    return s;
}

static void ask(struct store *s, int place, const char *form, int sense, double margin, int parts,
                const char *untestable)
{
    char *sql =
        sqlite3_mprintf("INSERT INTO paper_claim(paper, place, says, section, form, sense, effect, margin, unit,"
                        " digits, parts, why, untestable, size) VALUES ('made', %d, 's', 'x', %Q, %d, NULL, %g,"
                        " '', '%%.2f', %d, 'w', %Q, '')",
                        place, form, sense, margin, parts, untestable);

    support_exec(s, sql);
    sqlite3_free(sql);
}

/* Tables of the distributions: t of 4, 10 and 30 degrees of freedom, and of as many as one likes. */
static void quantiles_are_student_s(void **state)
{
    struct store *s = open_made();

    (void)state;
    rows_expect(s, "SELECT * FROM student_t WHERE df IN (4, 10, 30, 1000000000)",
                "4|2.7764|2.1318|0.941\n10|2.2281|1.8125|0.8791\n30|2.0423|1.6973|0.8538\n1e+09|1.96|1.6449|0.8416\n");
    rows_expect(s,
                "SELECT d.df, r.two_sided_95 FROM (SELECT 1 AS df UNION SELECT 31 UNION SELECT 40 UNION SELECT 5000) d"
                " JOIN student_range r ON d.df >= r.df AND d.df < r.next",
                "1|12.7062\n31|2.0423\n40|2.0211\n5000|1.9799\n");
    rows_expect(
        s,
        "SELECT count(*), min(two_sided_95 > one_sided_95 AND one_sided_95 > one_sided_80),"
        " min(two_sided_95 <= before) FROM (SELECT *, lag(two_sided_95, 1, 99) OVER (ORDER BY df) AS before FROM"
        " student_t)",
        "34|1|1\n");
    store_close(s);
}

/* Of five seeds with a standard error of 0.5; effects are stated as 'effect', of the last two forms it is the margin.
 * Half of the intervals: 2.7764 * 0.5 = 1.3882, 2.1318 * 0.5 = 1.0659. */
static void verdicts_change_at_their_edges(void **state)
{
    static const struct {
        const char *form;
        int sense;
        double margin, effect, estimate;
        int censored;
        const char *verdict;
        double power;
    } cases[] = {
        { "difference", -1, 0, -2, -1.389, 0, "holds", 0.88945 }, /* Phi(4 - 2.7764) */
        { "difference", -1, 0, -2, -1.389, 1, "undecided", 0.88945 },
        { "difference", -1, 0, -2, -1.388, 0, "does not hold", 0.88945 },
        { "difference", -1, 0, -1.8, -1.388, 0, "undecided", 0.79492 }, /* Phi(0.8236) */
        { "difference", -1, 0, -1, -1.388, 0, "undecided", 0.21876 },   /* Phi(-0.7764) */
        { "difference", -1, 0, -1, -1.389, 1, "undecided", 0.21876 },
        { "difference", -1, 0, -1, 1.388, 0, "undecided", 0.21876 },
        { "difference", -1, 0, -1, 1.389, 0, "does not hold", 0.21876 },
        { "difference", 1, 0, 1, 1.389, 0, "holds", 0.21876 },
        { "difference", 1, 0, NAN, 1.388, 0, "undecided", NAN },
        { "order", 1, 0, 1, 1.389, 0, "holds", 0.21876 },
        { "ratio", 1, 30, 32, 31.389, 0, "holds", 0.88945 },
        { "ratio", 1, 30, 31, 31.388, 0, "undecided", 0.21876 },
        { "ratio", 1, 30, 31, 28.611, 0, "does not hold", 0.21876 },
        { "ratio", -1, 1, 0, -0.389, 0, "holds", 0.21876 },
        { "no worse", 1, 2, NAN, -0.934, 0, "holds", 0.96913 }, /* Phi(4 - 2.1318) */
        { "no worse", 1, 2, NAN, -0.935, 0, "undecided", 0.96913 },
        { "no worse", 1, 2, NAN, -3.065, 0, "undecided", 0.96913 },
        { "no worse", 1, 2, NAN, -3.066, 0, "does not hold", 0.96913 },
        { "no worse", 1, 2, NAN, 9, 0, "holds", 0.96913 },
        { "no worse", -1, 2, NAN, 0.934, 0, "holds", 0.96913 },
        { "no worse", -1, 2, NAN, 3.066, 0, "does not hold", 0.96913 },
        { "equivalence", 0, 2, NAN, 0.934, 0, "holds", 0.93827 }, /* 2 Phi(4 - 2.1318) - 1 */
        { "equivalence", 0, 2, NAN, -0.934, 0, "holds", 0.93827 },
        { "equivalence", 0, 2, NAN, 0.935, 0, "undecided", 0.93827 },
        { "equivalence", 0, 2, NAN, -3.066, 0, "does not hold", 0.93827 },
        { "equivalence", 0, 1, NAN, 0, 0, "undecided", 0 },
    };
    struct store *s = open_made();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char sql[256], effect[32] = "NULL";

        if (!isnan(cases[i].effect))
            snprintf(effect, sizeof(effect), "%.9g", cases[i].effect);
        ask(s, (int)i, cases[i].form, cases[i].sense, cases[i].margin, 1, "");
        snprintf(sql, sizeof(sql), "INSERT INTO made VALUES (%zu, 'small', 1, %.9g, 0.5, 5, %s, NULL, %d)", i,
                 cases[i].estimate, effect, cases[i].censored);
        support_exec(s, sql);
    }
    support_exec(s, "CREATE TEMP TABLE got AS SELECT * FROM claim WHERE paper = 'made'");
    for (size_t i = 0; i < COUNT(cases); i++) {
        char sql[128], want[64];

        snprintf(sql, sizeof(sql), "SELECT place, verdict, n FROM temp.got WHERE place = %zu", i);
        snprintf(want, sizeof(want), "%zu|%s|5\n", i, cases[i].verdict);
        rows_expect(s, sql, want);
        snprintf(sql, sizeof(sql), "SELECT coalesce(power, -1) FROM temp.got WHERE place = %zu", i);
        double power = support_real(s, sql), wanted = isnan(cases[i].power) ? -1 : cases[i].power;
        if (!(fabs(power - wanted) <= 2e-5))
            fail_msg("%s, effect %g: power %.6f, not %.6f", cases[i].form, cases[i].effect, power, wanted);
    }
    store_close(s);
}

/* (2.7764 + 0.9410) * 0.5; 12 seeds: 12 * 1 >= 5 * 0.25 * (2.2010 + 0.8416)^2, and 11 < 1.25 * (2.2281 + 0.8416)^2. */
static void what_could_be_seen_is_said(void **state)
{
    struct store *s = open_made();

    (void)state;
    ask(s, 1, "difference", 1, 0, 1, "");
    support_exec(s, "INSERT INTO made VALUES (1, 'small', 1, 0.25, 0.5, 5, 1, NULL, NULL)");
    rows_expect(s, "SELECT round(least, 4), seeds, detail FROM claim_told WHERE paper = 'made'",
                "1.8587|12|n = 5, power 22 %, 80 % takes 12 seeds\n");
    support_exec(s, "UPDATE made SET error = 0");
    rows_expect(s, "SELECT verdict, power FROM claim WHERE paper = 'made'", "holds|1\n");
    store_close(s);
}

/* Parts of a claim: hold, fail, are undecided, are missing. */
static void a_claim_is_as_good_as_its_parts(void **state)
{
    static const struct {
        const char *estimates[3], *untestable, *verdict;
    } cases[] = {
        { { "3", "2" }, "", "holds" },
        { { "3", "0.5" }, "", "undecided" },
        { { "3", "0.5" }, "no way", "not testable here" },
        { { "3", "2" }, "no way", "holds" },
        { { "0.5", "-3" }, "", "does not hold" },
        { { "-3", "2" }, "", "does not hold" },
        { { "3" }, "", "not run" },
        { { "3", "NULL" }, "", "not run" },
        { { NULL }, "", "not run" },
    };
    struct store *s = open_made();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        ask(s, (int)i, "difference", 1, 0, 2, cases[i].untestable);
        for (int k = 0; k < 3 && cases[i].estimates[k]; k++) {
            bool none = cases[i].estimates[k][0] == 'N';
            char sql[256];

            snprintf(sql, sizeof(sql), "INSERT INTO made VALUES (%zu, 'small', %d, %s, %s, %d, 1, NULL, NULL)", i,
                     k + 1, none ? "1" : cases[i].estimates[k], none ? "NULL" : "0.5", none ? 1 : 5);
            support_exec(s, sql);
        }
    }
    support_exec(s, "CREATE TEMP TABLE got AS SELECT * FROM claim WHERE paper = 'made'");
    for (size_t i = 0; i < COUNT(cases); i++) {
        char sql[128], want[64];

        snprintf(sql, sizeof(sql), "SELECT place, verdict, decided FROM temp.got WHERE place = %zu", i);
        snprintf(want, sizeof(want), "%zu|%s|%d\n", i, cases[i].verdict,
                 cases[i].verdict[0] == 'h' || cases[i].verdict[0] == 'd');
        rows_expect(s, sql, want);
    }
    support_exec(s, "DELETE FROM made; DELETE FROM paper_claim WHERE paper = 'made'");
    ask(s, 1, "count", 0, 0, 1, "");
    support_exec(s, "INSERT INTO made VALUES (1, '', 1, NULL, NULL, 1, NULL, 0, NULL)");
    ask(s, 2, "count", 0, 0, 0, "nobody can");
    rows_expect(s, "SELECT place, verdict, decided, outcome, power FROM claim WHERE paper = 'made' ORDER BY place",
                "1|does not hold|1|counted|1\n2|not testable here|0|nobody can|-\n");
    rows_expect(s, "SELECT claims, decided, hold, fail, untestable FROM claim_summary WHERE paper = 'made'",
                "2|1|0|1|1\n");
    rows_expect(s, "SELECT powered FROM claim_summary WHERE paper = 'made'", "1\n");
    support_exec(s, "DELETE FROM made; DELETE FROM paper_claim WHERE paper = 'made'");
    ask(s, 1, "difference", 1, 0, 1, "");
    support_exec(s, "INSERT INTO made VALUES (1, 'small', 1, 3, 1, 3, 0.1, NULL, NULL)");
    rows_expect(s, "SELECT verdict, power < 0.8 FROM claim WHERE paper = 'made'", "undecided|1\n");
    support_exec(s, "UPDATE made SET estimate = 9");
    rows_expect(s, "SELECT decided, powered FROM claim_summary WHERE paper = 'made'", "1|0\n");
    support_exec(s, "UPDATE made SET effect = 20");
    rows_expect(s, "SELECT decided, powered FROM claim_summary WHERE paper = 'made'", "1|1\n");
    store_close(s);
}

/* Accuracies of a design and of what it is compared with, in training runs of their own. */
static void train_ablation(struct store *s, const double (*accuracies)[2], int seeds)
{
    static const char *const variants[2] = { "design", "baseline" };
    static const struct trace_tensor_fact tensor = { "weights", 1, 0 };
    static const struct trace_step_fact step = { .samples = 1, .loss = 1, .precision_share = NAN };
    int64_t run = synthetic_run(s, "made-small-ablation-1", "", "");

    for (int i = 0; i < 2 * seeds; i++) {
        const struct measure_fact m = { "accuracy", accuracies[i / 2][i % 2], "%" };
        struct training_fact t = { .model = "m",
                                   .data = "d",
                                   .metric = "",
                                   .seed = i / 2 + 1,
                                   .workers = 1,
                                   .batch = 1,
                                   .tensors = &tensor,
                                   .ntensors = 1,
                                   .steps = &step,
                                   .nsteps = 1 };
        char key[33], text[32];
        struct point_fact p = {
            .key = key, .variant = variants[i % 2], .index = (size_t)i, .measures = &m, .nmeasures = 1, .training = &t
        };

        snprintf(text, sizeof(text), "ablation %d", i);
        synthetic_key(key, text);
        assert_int_equal(store_point(s, run, &p), 0);
    }
}

/* Differences of 2, 3 and 4: 3 ± 4.3027 / sqrt(3). */
static void ablations_are_judged_as_their_claims(void **state)
{
    static const double accuracies[][2] = { { 72, 70 }, { 74, 71 }, { 70, 66 } };
    struct store *s = open_made();

    (void)state;
    ask(s, 1, "difference", 1, 0, 1, "");
    support_exec(s, "INSERT INTO made VALUES (1, 'small', 1, 0.5, 1, 3, 9, NULL, NULL);"
                    "INSERT INTO claim_ablation(paper, place, ablation, what, scenario, variant, other, measure, at)"
                    " VALUES ('made', 1, 1, 'whole sums', 'made-small-abl*', 'design', 'baseline', 'accuracy', '%'),"
                    " ('made', 1, 2, 'cut sums', 'made-small-abl*', 'cut', 'baseline', 'accuracy', '%')");
    rows_expect(s, "SELECT ablation, n, verdict, says FROM claim_reason WHERE paper = 'made' ORDER BY 1",
                "1|-|not run|whole sums: not trained\n2|-|not run|cut sums: not trained\n");
    train_ablation(s, accuracies, 3);
    rows_expect(s, "SELECT ablation, n, verdict, says FROM claim_reason WHERE paper = 'made' ORDER BY 1",
                "1|3|holds|whole sums: 3.00 ± 2.48, n = 3\n2|-|not run|cut sums: not trained\n");
    rows_expect(s, "SELECT verdict, reason FROM claim_told WHERE paper = 'made'",
                "does not hold|whole sums: 3.00 ± 2.48, n = 3 (holds)\n");
    support_exec(s, "DROP VIEW counted_reason;"
                    "CREATE VIEW counted_reason AS SELECT 'made' AS paper, 1 AS place, 3 AS ablation,"
                    " 'holds' AS verdict, 'half of the values: 5' AS says"
                    " UNION ALL SELECT 'made', 1, 4, 'not run', 'all of them'");
    rows_expect(s, "SELECT reason FROM claim_told WHERE paper = 'made'",
                "whole sums: 3.00 ± 2.48, n = 3 (holds); half of the values: 5 (holds)\n");
    store_close(s);
}

/* A margin of "no worse" is what its reason says: worked out from the values that the papers print. */
static void margins_are_those_of_the_papers(void **state)
{
    static const struct {
        const char *paper, *places, *value;
    } cases[] = {
        { "3lc", "1, 2",
          "SELECT -published / 2 FROM paper_value WHERE paper = '3lc' AND table_id = '1' AND row_key ="
          " 'Stoch 3-value + QE' AND column_key = 'Difference'" },
        { "a2dtwp", "1",
          "SELECT max(published) - min(published) FROM paper_value WHERE paper = 'a2dtwp' AND table_id ="
          " 'fig5 error' AND row_key LIKE '% 2'" },
        { "a2dtwp", "6",
          "SELECT max(o.published - a.published) FROM paper_value o JOIN paper_value a ON a.paper = o.paper AND"
          " a.table_id = o.table_id AND a.row_key = replace(o.row_key, 'oracle', 'A2DTWP') WHERE o.paper = 'a2dtwp' AND"
          " o.table_id = 'fig3' AND o.row_key LIKE 'oracle %'" },
        { "dct", "1",
          "SELECT max(published) FILTER (WHERE row_key = '2 workers 98%') - max(published) FILTER (WHERE"
          " row_key = 'baseline') FROM paper_value WHERE paper = 'dct' AND table_id = '1' AND column_key ="
          " 'test loss'" },
        { "dct", "4",
          "SELECT max(published) FILTER (WHERE row_key = '3 workers 95%') - max(published) FILTER (WHERE"
          " row_key = 'baseline') FROM paper_value WHERE paper = 'dct' AND table_id = '1' AND column_key ="
          " 'test loss'" },
        { "dct", "7, 15",
          "SELECT max(published) FILTER (WHERE row_key = '99.5%') - max(published) FILTER (WHERE row_key"
          " = 'baseline') FROM paper_value WHERE paper = 'dct' AND table_id = '2' AND column_key ="
          " 'test loss'" },
        { "dct", "9",
          "SELECT max(published) FILTER (WHERE row_key = '95%') - max(published) FILTER (WHERE row_key ="
          " 'baseline') FROM paper_value WHERE paper = 'dct' AND table_id = '3' AND column_key ="
          " 'test loss'" },
        { "dct", "11",
          "SELECT max(published) FILTER (WHERE row_key = '5 workers 95%') - max(published) FILTER (WHERE"
          " row_key = 'baseline') FROM paper_value WHERE paper = 'dct' AND table_id = '4' AND column_key ="
          " 'test loss'" },
        { "dynprec", "1, 3, 10",
          "SELECT (max(m.published - d.published) FILTER (WHERE d.column_key = 'Dynamic top-1') + min(m.published -"
          " d.published) FILTER (WHERE d.column_key = 'BF16 top-1' AND d.row_key <> 'Inception')) / 2 FROM paper_value"
          " d JOIN paper_value m ON m.paper = d.paper AND m.table_id = d.table_id AND m.row_key = d.row_key AND"
          " m.column_key = 'MP top-1' WHERE d.paper = 'dynprec' AND d.table_id = '1'" },
        { "splitcnn", "6",
          "SELECT max(published) FILTER (WHERE column_key = 'Baseline') - max(published) FILTER (WHERE"
          " column_key = 'SSCNN') FROM paper_value WHERE paper = 'splitcnn' AND table_id = '1' AND"
          " row_key = 'ResNet50'" },
        { "splitcnn", "9", "SELECT published FROM paper_value WHERE paper = 'splitcnn' AND table_id = 'text'" },
    };
    struct store *s = open_made();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *sql =
            sqlite3_mprintf("SELECT count(*) > 0 AND min(abs(margin - (%s)) < 1e-6) FROM paper_claim WHERE paper"
                            " = %Q AND place IN (%s)",
                            cases[i].value, cases[i].paper, cases[i].places);

        if (support_real(s, sql) != 1)
            fail_msg("%s, %s: the margin is another than %s", cases[i].paper, cases[i].places, cases[i].value);
        sqlite3_free(sql);
    }
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = { TEST(quantiles_are_student_s),
                                        TEST(verdicts_change_at_their_edges),
                                        TEST(what_could_be_seen_is_said),
                                        TEST(a_claim_is_as_good_as_its_parts),
                                        TEST(ablations_are_judged_as_their_claims),
                                        TEST(margins_are_those_of_the_papers) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
