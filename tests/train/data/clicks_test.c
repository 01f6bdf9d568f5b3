/* Made clicks: the base rate and the best accuracy that were asked for, popular rows, and a structure of which a linear
 * model learns a part, as biases of rows are a part of it. */
#include <math.h>
#include <stdlib.h>

#include "tests/test.h"
#include "tests/train/data/help.h"
#include "train/data/clicks/clicks.h"
#include "train/data/clicks/truth.h"
#include "train/data/draw.h"

static struct data_source *open_clicks(const struct data_options *o)
{
    struct data_source *s = NULL;
    char why[200] = "";

    if (clicks_open(o, &s, why, sizeof(why)))
        fail_msg("%s", why);
    return s;
}

static void rates_are_as_asked(void **state)
{
    static const struct {
        double base_rate, difficulty;
    } cases[] = { { 0.25, 0.8 }, { 0.25, 0.2 }, { 0.5, 0.4 }, { 0.03, 0.7 }, { 0.9, 1 } };
    enum { N = 20000 };

    (void)state;
    for (int k = 0; k < 5; k++) {
        struct data_options o = data_options_of(DATA_CLICKS);
        double clicked = 0, right = 0, expected, rate = cases[k].base_rate;
        struct data_source *s;
        struct sample sample;

        o.base_rate = rate;
        o.difficulty = cases[k].difficulty;
        s = open_clicks(&o);
        sample = sample_room(s);
        for (int64_t i = 0; i < N; i++) {
            sample_read(s, DATA_TEST, i, 0, &sample);
            clicked += sample.labels[0];
            right += (clicks_probability(s, sample.values, sample.ids) > 0.5) == sample.labels[0];
        }
        expected = 1 - o.difficulty * (rate < 0.5 ? rate : 1 - rate);
        if (fabs(clicked / N - rate) > 0.015 || fabs(right / N - expected) > 0.015)
            fail_msg("asked for %.1f %% clicks and %.1f %% right: got %.1f %% and %.1f %%", 100 * rate, 100 * expected,
                     100 * clicked / N, 100 * right / N);
        sample_free(&sample);
        s->close(s);
    }
}

/* Ids lie in their tables; of a table of n rows the first ones are looked up as Zipf's law has it. */
static void rows_are_popular(void **state)
{
    enum { N = 20000, FIRST = 10 };
    struct data_options o = data_options_of(DATA_CLICKS);
    struct data_source *s = open_clicks(&o);
    struct sample sample = sample_room(s);
    int64_t before[CRITEO_TABLES], first[CRITEO_TABLES] = { 0 }, sum = 0;

    (void)state;
    for (int t = 0; t < CRITEO_TABLES; t++) {
        before[t] = sum;
        sum += criteo_rows[t];
    }
    assert_int_equal(sum, 33762577);
    for (int64_t i = 0; i < N; i++) {
        sample_read(s, DATA_TRAIN, i, 0, &sample);
        for (int t = 0; t < CRITEO_TABLES; t++) {
            assert_in_range(sample.ids[t], before[t], before[t] + criteo_rows[t] - 1);
            first[t] += sample.ids[t] - before[t] < FIRST;
        }
        for (int j = 0; j < CRITEO_DENSE; j++)
            assert_true(sample.values[j] >= 0 && sample.values[j] < 10);
    }
    for (int t = 0; t < CRITEO_TABLES; t++) {
        double rows = (double)criteo_rows[t], share = rows < FIRST ? 1 : log(FIRST + 1) / log(rows + 1);

        if (fabs((double)first[t] / N - share) > 0.02)
            fail_msg("table %d: %.3f of the ids are among the first %d rows, expected %.3f", t, (double)first[t] / N,
                     FIRST, share);
    }
    sample_free(&sample);
    s->close(s);
}

enum { TABLES = 12, ROWS = 200, TRAIN = 30000, TEST = 6000 };

/* Logistic regression on the dense values and the ids, one sample at a time, over the training set twice. */
static double probe_accuracy(double difficulty)
{
    struct data_options o = data_options_of(DATA_CLICKS);
    float weights[TABLES * ROWS] = { 0 }, dense[CRITEO_DENSE + 1] = { 0 };
    int64_t rows[TABLES], right = 0;
    struct data_source *s;
    struct sample sample;

    for (int t = 0; t < TABLES; t++)
        rows[t] = ROWS;
    o.tables = TABLES, o.rows = rows, o.base_rate = 0.5, o.difficulty = difficulty, o.train = TRAIN;
    s = open_clicks(&o);
    sample = sample_room(s);
    for (int64_t i = 0; i < 2 * TRAIN + TEST; i++) {
        bool test = i >= 2 * TRAIN;
        float score = dense[CRITEO_DENSE], step;

        sample_read(s, test ? DATA_TEST : DATA_TRAIN, test ? i - 2 * TRAIN : i % TRAIN, 0, &sample);
        for (int j = 0; j < CRITEO_DENSE; j++)
            score += dense[j] * sample.values[j];
        for (int t = 0; t < TABLES; t++)
            score += weights[sample.ids[t]];
        right += test && (score > 0) == sample.labels[0];
        step = test ? 0 : 0.01f * ((float)sample.labels[0] - 1 / (1 + expf(-score)));
        for (int j = 0; j < CRITEO_DENSE; j++)
            dense[j] += step * sample.values[j];
        dense[CRITEO_DENSE] += step;
        for (int t = 0; t < TABLES; t++)
            weights[sample.ids[t]] += step;
    }
    sample_free(&sample);
    s->close(s);
    return (double)right / TEST;
}

static void a_linear_model_learns_a_part(void **state)
{
    static const double difficulty[] = { 0.2, 0.5, 0.8 };
    double before = 1;

    (void)state;
    for (int k = 0; k < 3; k++) {
        double accuracy = probe_accuracy(difficulty[k]), best = 1 - 0.5 * difficulty[k];

        print_message("difficulty %.1f: a linear model has %.1f %% right, the best has %.1f %%\n", difficulty[k],
                      100 * accuracy, 100 * best);
        assert_true(accuracy > 0.52 && accuracy < best - 0.02 && accuracy < before - 0.02);
        before = accuracy;
    }
}

/* Hidden vectors that are kept are those that would be drawn; of too many rows none are kept. */
static void what_is_known_is_what_is_drawn(void **state)
{
    enum { N = 200 };
    struct click_truth *t = calloc(1, sizeof(*t));
    struct draw d = draw_of(5, DRAW_CLICK, 0, 0);
    double known[N];
    float values[N][4];
    int32_t ids[N][3];

    (void)state;
    assert_non_null(t);
    *t = (struct click_truth){ .seed = 3, .dense = 4, .tables = 3, .rows = { 1000, 2, CLICK_KNOWN - 1002 } };
    click_truth_plant(t);
    assert_non_null(t->known);
    for (int i = 0; i < N; i++) {
        click_draw(t, &d, values[i], ids[i]);
        known[i] = click_score(t, values[i], ids[i]);
    }
    click_truth_forget(t);
    for (int i = 0; i < N; i++)
        if (click_score(t, values[i], ids[i]) != known[i])
            fail_msg("sample %d: the score is %.17g, drawn %.17g", i, known[i], click_score(t, values[i], ids[i]));
    t->rows[2]++;
    click_truth_plant(t);
    assert_null(t->known);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_known_is_what_is_drawn),
        cmocka_unit_test(rates_are_as_asked),
        cmocka_unit_test(rows_are_popular),
        cmocka_unit_test(a_linear_model_learns_a_part),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
