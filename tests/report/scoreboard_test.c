/* The scoreboard, worked out again from facts and from what the papers print: no view of the program's but 'claim',
 * whose verdicts it counts, is read. */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/store.h"
#include "harness/store/trace.h"
#include "tests/report/cluster.h"
#include "tests/report/papers/memory.h"
#include "tests/report/papers/splitcnn.h"
#include "tests/report/scoreboard_cells.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"
/* What the views say at this moment: asked once, as many papers are behind an answer. */
static void look(struct store *s)
{
    support_exec(
        s, "DROP TABLE IF EXISTS temp.board; DROP TABLE IF EXISTS temp.claims;"
           "CREATE TEMP TABLE board AS SELECT * FROM scoreboard; CREATE TEMP TABLE claims AS SELECT * FROM claim");
}

static void expect(sqlite3 *db, const char *paper, const char *column, double want)
{
    char *sql = sqlite3_mprintf("SELECT %s FROM temp.board WHERE paper = ?1", column);
    double got = scoreboard_ask(db, sql, paper, NULL);

    if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
        fail_msg("%s: %s is %.12g, and %.12g by the facts", paper, column, got, want);
    sqlite3_free(sql);
}

/* Counts of a kind; and of what is predicted in points ('points') or in per cent the number, mean error and the
 * worst. */
static int count(const struct cell *cells, size_t n, const char *kind)
{
    int found = 0;

    for (size_t i = 0; i < n; i++)
        found += cells[i].kind && !strcmp(cells[i].kind, kind);
    return found;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void expect_errors(sqlite3 *db, const char *paper, const struct cell *cells, size_t n, bool points)
{
    static double errors[SCOREBOARD_MOST_CELLS];
    static const char *const compared[] = { "replayed", "assumed", "computed" };
    double sum = 0, worst = NAN, others = 0;
    int found = 0, nothers = 0;

    for (size_t i = 0; i < n; i++) {
        bool in_points = !strcmp(cells[i].unit, "%") || !strcmp(cells[i].unit, "share");

        if (!cells[i].kind || in_points != points)
            continue;
        for (size_t k = 0; k < COUNT(compared); k++)
            if (!strcmp(cells[i].kind, compared[k])) {
                others += fabs(cells[i].error);
                nothers++;
            }
        if (strcmp(cells[i].kind, "predicted") != 0)
            continue;
        errors[found++] = fabs(cells[i].error);
        sum += fabs(cells[i].error);
        if (isnan(worst) || fabs(cells[i].error) > fabs(worst))
            worst = cells[i].error;
    }
    qsort(errors, (size_t)found, sizeof(errors[0]), compare);
    double median = found ? (errors[(found - 1) / 2] + errors[found / 2]) / 2 : NAN;

    expect(db, paper, points ? "predicted_points" : "predicted_pct", found);
    expect(db, paper, points ? "mean_error_points" : "mean_error_pct", found ? sum / found : NAN);
    expect(db, paper, points ? "worst_points" : "worst_pct", worst);
    expect(db, paper, points ? "compared_points" : "compared_pct", found + nothers);
    expect(db, paper, points ? "compared_mean_points" : "compared_mean_pct",
           found + nothers ? (sum + others) / (found + nothers) : NAN);
    if (!points)
        expect(db, paper, "median_error_pct", median);
}

/* Of each claim the verdict of the size that comes first counts. */
static void expect_claims(sqlite3 *db, const char *paper)
{
    static const char *const verdicts[][2] = { { "holds", "hold" },
                                               { "does not hold", "fail" },
                                               { "undecided", "open" } };
    double all = 0;

    for (size_t i = 0; i < COUNT(verdicts); i++) {
        double n = scoreboard_ask(
            db,
            "SELECT count(*) FROM temp.claims c WHERE paper = ?1 AND verdict = ?2 AND NOT EXISTS (SELECT 1 FROM"
            " temp.claims o, training_size p,"
            " training_size q WHERE o.paper = c.paper AND o.place = c.place AND p.size = o.size AND q.size = c.size"
            " AND p.place < q.place)",
            paper, verdicts[i][0], NULL);

        expect(db, paper, verdicts[i][1], n);
        all += n;
    }
    expect(db, paper, "claims", all);
}

static size_t expect_paper(struct store *s, const char *paper)
{
    static const char *const kinds[] = { "predicted", "calibrated", "replayed", "assumed",
                                         "computed",  "scaled",     "missing" };
    static struct cell cells[SCOREBOARD_MOST_CELLS];
    sqlite3 *db = store_handle(s);
    size_t n = scoreboard_cells(db, paper, cells), spoken = 0;

    for (size_t i = 0; i < COUNT(kinds); i++)
        expect(db, paper, kinds[i], count(cells, n, kinds[i]));
    expect_errors(db, paper, cells, n, false);
    expect_errors(db, paper, cells, n, true);
    expect_claims(db, paper);
    for (size_t i = 0; i < n; i++) {
        spoken += !isnan(cells[i].ours);
        sqlite3_free((char *)cells[i].table);
        sqlite3_free((char *)cells[i].row);
        sqlite3_free((char *)cells[i].column);
        sqlite3_free((char *)cells[i].unit);
    }
    return spoken;
}

/* --- a paper with a cell of every sort --- */

static const char made_paper[] =
    "INSERT INTO paper(paper, place, label, title, authors, summary) VALUES ('made', 6, 'Made', 't', 'a', 's');"
    "INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES"
    " ('made', '1', 'fast', 'gain', 40, '%', 's'), ('made', '1', 'fast', 'speedup', 2, 'x', 's'), ('made', '1',"
    " 'fast', 'share', 0.5, 'share', 's'),"
    " ('made', '1', 'base', 'speedup', 1, 'x', 's'), ('made', '1', 'fast', 'fitted', 3, 'ms', 's'), ('made', '1',"
    " 'fast', 'chosen', 3, 'ms', 's'),"
    " ('made', '1', 'fast', 'nobody', 3, 'ms', 's'), ('made', '1', 'near', 'fitted', 5, 'ms', 's'), ('made', '1',"
    " 'far', 'fitted', 5, 'ms', 's'), ('made', '1', 'fast', 'counted', 5, 'B/kFLOP', 's'), ('made', '1', 'fast',"
    " 'input', 64, '', 's'), ('made', '1', 'fast', 'slip', 7, 'ms', 's'),"
    " ('made', '2', 'a', 'accuracy', 90, '%', 's'), ('made', '2', 'b', 'accuracy', 80, '%', 's'), ('made', '2',"
    " 'average', 'accuracy', 85, '%', 's'),"
    " ('made', '2', 'c', 'quick', 80, '%', 's');"
    "INSERT INTO paper_input VALUES ('made', '1', '*', 'input', 'the batch');"
    "INSERT INTO paper_claim(paper, place, says, section, form, sense, effect, margin, unit, digits, parts, why,"
    " untestable, size) VALUES ('made', 1, 's', 'x', 'count', 0, NULL, 0, '', '%.0f', 1, 'c', '', ''),"
    " ('made', 2, 's', 'x', 'difference', 1, 2, 0, '', '%.0f', 1, 'c', '', ''),"
    " ('made', 3, 's', 'x', 'count', 0, NULL, 0, '', '%.0f', 1, 'c', '', ''),"
    " ('made', 4, 's', 'x', 'count', 0, NULL, 0, '', '%.0f', 1, 'nobody counts', '', '');"
    "CREATE VIEW made_claim_part(place, size, estimate, error, n, holds, paper, part, label, effect, shown, censored)"
    " AS WITH v AS (VALUES (1, 'paper', NULL, NULL, 3, 1), (1, 'small', NULL, NULL, 3, 0), (2, 'small', 1, 1, 3, NULL),"
    " (3, '', NULL, NULL, 1, 0))"
    " SELECT *, 'made', 1, '', NULL, 'o', NULL FROM v";

struct said {
    const char *variant, *row, *column, *measure;
    struct measure_fact measures[3];
    int seed; /* 0: simulated */
    bool real;
};

static void put(struct store *s, int64_t run, size_t index, const struct said *w, const struct cell_fact *cells,
                size_t ncells)
{
    static const struct trace_tensor_fact tensor = { "weights", 1, 0 };
    static const struct trace_step_fact step = { .samples = 1, .loss = 1, .precision_share = NAN };
    struct training_fact training = { .model = "m",
                                      .data = "d",
                                      .metric = "",
                                      .seed = w->seed,
                                      .workers = 1,
                                      .batch = 1,
                                      .tensors = &tensor,
                                      .ntensors = 1,
                                      .steps = &step,
                                      .nsteps = 1,
                                      .real_data = w->real };
    char key[33], text[64], number[8];
    struct param_fact param = { "training.seed", number, w->seed, "" };

    snprintf(number, sizeof(number), "%d", w->seed);
    snprintf(text, sizeof(text), "made %lld %zu", (long long)run, index);
    synthetic_key(key, text);
    size_t n = 0;
    while (n < 3 && w->measures[n].name)
        n++;
    struct point_fact p = { .key = key,
                            .variant = w->variant,
                            .index = index,
                            .measures = w->measures,
                            .nmeasures = n,
                            .params = &param,
                            .nparams = w->seed > 0,
                            .training = w->seed ? &training : NULL,
                            .cells = cells,
                            .ncells = ncells };
    assert_int_equal(store_point(s, run, &p), 0);
}

static void simulate(struct store *s, double fast_ms)
{
    int64_t run = synthetic_run(s, "made-sim", "base", "");
    const struct cell_fact of_base = { "made", "1", "base", "speedup", "speedup" };
    const struct cell_fact of_fast[] = {
        { "made", "1", "fast", "gain", "gain_pct" },
        { "made", "1", "fast", "speedup", "speedup" },
        { "made", "1", "fast", "share", "busy" },
        { "made", "1", "fast", "fitted", "step_ms" },
        { "made", "1", "fast", "chosen", "step_ms" },
        { "made", "1", "fast", "slip", "speedup" },         /* printed in ms */
        { "made", "2", "average", "accuracy", "gain_pct" }, /* an average is of its rows, whoever names it */
        { "made", "1", "fast", "nobody", "no such measure" },
        { "made", "1", "fast", "counted", "bytes_per_kflop" },
    };
    const struct cell_fact of_near = { "made", "1", "near", "fitted", "step_ms" };
    const struct cell_fact of_far = { "made", "1", "far", "fitted", "step_ms" };

    assert_int_equal(store_assumption(s, run, &of_fast[4], "the rate"), 0);

    put(s, run, 0, &(struct said){ "base", .measures = { { "step_ms", 10, "ms" }, { "busy", 0.25, "share" } } },
        &of_base, 1);
    put(s, run, 1,
        &(struct said){ "fast", .measures = { { "step_ms", fast_ms, "ms" },
                                              { "busy", 0.625, "share" },
                                              { "bytes_per_kflop", 6, "B/kFLOP" } } },
        of_fast, COUNT(of_fast));
    put(s, run, 2, &(struct said){ "near", .measures = { { "step_ms", fast_ms * 1.0009, "ms" } } }, &of_near, 1);
    put(s, run, 3, &(struct said){ "far", .measures = { { "step_ms", fast_ms * 1.0011, "ms" } } }, &of_far, 1);
}

static void train(struct store *s, const char *scenario, bool real)
{
    static const struct {
        const char *row, *column;
        double accuracy;
    } cells[] = { { "a", "accuracy", 88 }, { "b", "accuracy", 81 } };
    int64_t run = synthetic_run(s, scenario, "", "");

    for (size_t i = 0; i < 6; i++) {
        const struct cell_fact cell = { "made", "2", strstr(scenario, "quick") ? "c" : cells[i % 2].row,
                                        strstr(scenario, "quick") ? "quick" : cells[i % 2].column, "accuracy" };

        put(s, run, i,
            &(struct said){ cells[i % 2].row,
                            .measures = { { "accuracy", cells[i % 2].accuracy + (double)(i / 2 * i / 2), "%" } },
                            .seed = (int)(1 + i / 2), .real = real || i % 2 },
            &cell, 1);
    }
}

static void the_scoreboard_follows_from_facts(void **state)
{
    static const struct {
        const char *why;
        bool made, older, sims, trained;
        size_t made_spoken;
    } cases[] = {
        { "nothing ran", false, false, false, false, 0 },
        { "a paper with a cell of every sort", true, false, false, false, 11 },
        { "and an older run that says otherwise", true, true, false, false, 11 },
        { "papers' own scenarios", false, false, true, false, 0 },
        { "and training runs", true, true, true, true, 11 },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct store *s = NULL;

        assert_int_equal(store_open(support_path("n.db"), &s), 0);
        support_exec(s, "PRAGMA synchronous = OFF");
        assert_int_equal(store_define(s, "made.sql", made_paper), 0);
        if (cases[i].older)
            simulate(s, 2);
        if (cases[i].made) {
            simulate(s, 4);
            train(s, "made-small", false);
            train(s, "made-quick", true);
            support_exec(s, "INSERT INTO calibration SELECT max(id), 'p', 'c', 1, 'x', 'made-sim', 'made', '1', 'fast',"
                            " 'fitted', 'step_ms', 3, 4, '' FROM run");
        }
        if (cases[i].sims) {
            cluster_threelc(s, 0);
            cluster_splitcnn(s);
            memory_runs(s);
        }
        if (cases[i].trained)
            splitcnn_trained(s, &(struct splitcnn_trained){ .longer = true });
        look(s);
        size_t spoken = expect_paper(s, "made");
        if (spoken != cases[i].made_spoken)
            fail_msg("%s: %zu cells spoken to", cases[i].why, spoken);
        spoken = expect_paper(s, "3lc");
        assert_true(cases[i].sims ? spoken >= 30 : spoken == 0);
        spoken = expect_paper(s, "splitcnn");
        assert_true(cases[i].sims ? spoken >= 12 : spoken == 0);
        store_close(s);
        support_teardown(state);
        support_setup(state);
    }
}

/* The same by hand, so that both are not wrong alike. */
static void a_made_paper_by_hand(void **state)
{
    struct store *s = NULL;

    (void)state;
    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    assert_int_equal(store_define(s, "made.sql", made_paper), 0);
    simulate(s, 2);
    simulate(s, 4);
    train(s, "made-small", false);
    sqlite3 *db = store_handle(s);
    look(s);
    /* Of 10 ms 4: 60 %, 2.5 times; a share of 0.625; fitted nothing yet. */
    expect(db, "made", "predicted", 7);
    expect(db, "made", "predicted_pct", 4); /* the speedup, and 4 ms for 3; 4 ms and a little for 5 */
    expect(db, "made", "mean_error_pct", (25 + 100.0 / 3 + 20 * (1 - 0.0036) + 20 * (1 - 0.0044)) / 4);
    expect(db, "made", "compared_pct", 6); /* what was chosen, 4 ms for 3; what was counted, 6 for 5 */
    expect(db, "made", "compared_mean_pct", (25 + 200.0 / 3 + 20 * (1 - 0.0036) + 20 * (1 - 0.0044) + 20) / 6);
    expect(db, "made", "computed", 1);
    expect(db, "made", "replayed", 0);
    expect(db, "made", "input", 1);
    expect(db, "made", "worst_pct", 100.0 / 3);
    expect(db, "made", "worst_pct_cell = '1, fast, fitted'", 1);
    expect(db, "made", "predicted_points", 3); /* 60 for 40 %, 12.5 of a share; of real data accuracy b */
    expect(db, "made", "scaled", 2);           /* a, and the average of both */
    expect(db, "made", "assumed", 1);
    expect(db, "made", "missing", 4); /* the baseline's own speedup, nobody, slip, quick */
    expect(db, "made", "claims", 3);
    expect(db, "made", "hold", 1);
    expect(db, "made", "fail", 1);
    expect(db, "made", "open", 1);
    /* Fitted, the 4 ms predict nothing, nor what is no thousandth off them. */
    support_exec(s, "INSERT INTO calibration SELECT max(run_id), 'p', 'c', 1, 'x', 'made-sim', 'made', '1', 'fast',"
                    " 'fitted', 'step_ms', 3, 4, '' FROM cell WHERE table_id = '1'");
    look(s);
    expect(db, "made", "calibrated", 1);
    expect(db, "made", "replayed", 1);
    expect(db, "made", "predicted_pct", 2);
    expect(db, "made", "mean_error_pct", (25 + 20 * (1 - 0.0044)) / 2);
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = { TEST(the_scoreboard_follows_from_facts), TEST(a_made_paper_by_hand) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
