/* Made images: classes in balance, values normalized, scenes related as images.h says, and classes that a linear model
 * learns in part: above chance, below 100 %, worse where difficulty is greater, better on what it was trained on than
 * on fresh images. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/test.h"
#include "tests/train/data/help.h"
#include "train/data/images/images.h"
#include "train/data/images/parts.h"

static struct data_source *open_images(const struct data_options *o)
{
    struct data_source *s = NULL;
    char why[200] = "";

    if (images_open(o, &s, why, sizeof(why)))
        fail_msg("%s", why);
    return s;
}

static void classes_are_in_balance(void **state)
{
    static const int64_t classes[] = { 2, 7, 10, 100 };

    (void)state;
    for (int k = 0; k < 4; k++) {
        struct data_options o = data_options_of(DATA_IMAGES);
        struct data_source *s;
        struct sample sample;
        int32_t first[100], same = 0;

        o.classes = classes[k];
        o.channels = 1;
        o.height = o.width = 8;
        s = open_images(&o);
        sample = sample_room(s);
        for (int64_t block = 0; block < 6; block++) {
            int seen[100] = { 0 };

            for (int64_t i = 0; i < o.classes; i++) {
                sample_read(s, DATA_TRAIN, block * o.classes + i, 0, &sample);
                assert_true(sample.labels[0] >= 0 && sample.labels[0] < o.classes && !seen[sample.labels[0]]++);
                if (!block)
                    first[i] = sample.labels[0];
                same += block && sample.labels[0] == first[i];
            }
        }
        assert_true(same < 5 * o.classes);
        sample_free(&sample);
        s->close(s);
    }
}

static void values_are_normalized(void **state)
{
    static const struct {
        int64_t channels, height, width, classes;
        double difficulty;
    } cases[] = { { 3, 32, 32, 10, 0.5 }, { 1, 28, 28, 10, 0 }, { 3, 32, 32, 200, 1 }, { 4, 48, 16, 2, 0.5 } };

    (void)state;
    for (int k = 0; k < 4; k++) {
        struct data_options o = data_options_of(DATA_IMAGES);
        double sum = 0, squares = 0, n = 0;
        struct data_source *s;
        struct sample sample;

        o.channels = cases[k].channels, o.height = cases[k].height, o.width = cases[k].width;
        o.classes = cases[k].classes, o.difficulty = cases[k].difficulty;
        s = open_images(&o);
        sample = sample_room(s);
        for (int64_t i = 0; i < 300; i++) {
            sample_read(s, DATA_TEST, i, 0, &sample);
            for (int64_t j = 0; j < sample.nvalues; j++, n++) {
                sum += sample.values[j];
                squares += sample.values[j] * sample.values[j];
            }
        }
        if (fabs(sum / n) > 0.1 || fabs(sqrt(squares / n) - 1) > 0.1)
            fail_msg("case %d: mean %.3f, deviation %.3f", k, sum / n, sqrt(squares / n));
        sample_free(&sample);
        s->close(s);
    }
}

/* The glyphs above (half 0) and below of the first two, in the two ways in which a scene comes. */
static void related(int64_t class, int which, int half, int glyphs[2])
{
    for (int flipped = 0; flipped < 2; flipped++) {
        struct scene s = scene_of(11, class, which, flipped);

        assert_true((s.glyphs[0].y < 0.5f) != (s.glyphs[1].y < 0.5f));
        glyphs[flipped] = s.glyphs[(s.glyphs[0].y < 0.5f) == half].glyph;
    }
}

static bool same_set(const int a[2], const int b[2])
{
    return (a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]);
}

/* What is shown in one half of an image: in three of four scenes the pair's classes differ there, in the fourth they do
 * not. */
static void pairs_differ_in_a_relation_alone(void **state)
{
    (void)state;
    for (int64_t pair = 0; pair < 10; pair++)
        for (int which = 0; which < IMAGE_SCENES; which++) {
            struct scene even = scene_of(11, 2 * pair, which, 0), odd = scene_of(11, 2 * pair + 1, which, 0);

            assert_true(even.field[0] == odd.field[0] && even.field[1] == odd.field[1]);
            for (int i = 2; i < SCENE_GLYPHS; i++)
                assert_true(even.glyphs[i].glyph == odd.glyphs[i].glyph && even.glyphs[i].x == odd.glyphs[i].x &&
                            even.glyphs[i].y == odd.glyphs[i].y);
            assert_true(even.glyphs[2].x == 0.5f && even.glyphs[3].y == 0.5f); /* across the middle lines */
            for (int half = 0; half < 2; half++) {
                int a[2], b[2];

                related(2 * pair, which, half, a);
                related(2 * pair + 1, which, half, b);
                assert_true(same_set(a, b) == (which % 4 == 3));
            }
        }
}

/* In a group the backgrounds are the same. */
static void groups_share_backgrounds(void **state)
{
    (void)state;
    for (int which = 0; which < IMAGE_SCENES; which++)
        for (int64_t class = 0; class < 8; class ++)
            assert_int_equal(scene_of(11, class, which, 0).field[0],
                             scene_of(11, class / 4 * 4, which % 2, 0).field[0]);
}

enum { SIDE = 16, VALUES = SIDE * SIDE, CLASSES = 10, TRAIN = 3000, TEST = 1500, EPOCHS = 6 };

/* Softmax regression by stochastic gradients, one sample at a time. */
struct probe {
    float weights[CLASSES][VALUES + 1];
};

static void probe_scores(const struct probe *p, const float *values, float *scores)
{
    for (int c = 0; c < CLASSES; c++) {
        scores[c] = p->weights[c][VALUES];
        for (int i = 0; i < VALUES; i++)
            scores[c] += p->weights[c][i] * values[i];
    }
}

static void probe_learn(struct probe *p, const struct sample *s, float rate)
{
    float scores[CLASSES], most, sum = 0;

    probe_scores(p, s->values, scores);
    most = scores[0];
    for (int c = 1; c < CLASSES; c++)
        most = scores[c] > most ? scores[c] : most;
    for (int c = 0; c < CLASSES; c++)
        sum += scores[c] = expf(scores[c] - most);
    for (int c = 0; c < CLASSES; c++) {
        float step = rate * ((c == s->labels[0]) - scores[c] / sum);

        for (int i = 0; i < VALUES; i++)
            p->weights[c][i] += step * s->values[i];
        p->weights[c][VALUES] += step;
    }
}

static double probe_accuracy(const struct probe *p, const struct data_source *s, enum data_set set, int64_t n)
{
    struct sample sample = sample_room(s);
    int64_t right = 0;

    for (int64_t i = 0; i < n; i++) {
        float scores[CLASSES];
        int best = 0;

        sample_read(s, set, i, 0, &sample);
        probe_scores(p, sample.values, scores);
        for (int c = 1; c < CLASSES; c++)
            best = scores[c] > scores[best] ? c : best;
        right += best == sample.labels[0];
    }
    sample_free(&sample);
    return (double)right / (double)n;
}

static void probe_train(struct probe *p, double difficulty, double accuracy[DATA_SETS])
{
    struct data_options o = data_options_of(DATA_IMAGES);
    struct data_source *s;
    struct sample sample;

    o.channels = 1, o.height = o.width = SIDE, o.difficulty = difficulty, o.train = TRAIN, o.seed = 3;
    s = open_images(&o);
    sample = sample_room(s);
    for (int epoch = 0; epoch < EPOCHS; epoch++)
        for (int64_t i = 0; i < TRAIN; i++) {
            sample_read(s, DATA_TRAIN, i, 0, &sample);
            probe_learn(p, &sample, 0.003f / (float)(1 + epoch));
        }
    accuracy[DATA_TRAIN] = probe_accuracy(p, s, DATA_TRAIN, TRAIN);
    accuracy[DATA_TEST] = probe_accuracy(p, s, DATA_TEST, TEST);
    sample_free(&sample);
    s->close(s);
}

static void difficulty_is_felt(void **state)
{
    static const double difficulty[] = { 0, 0.25, 0.5 };
    double before = 1;

    (void)state;
    for (int k = 0; k < 3; k++) {
        struct probe *p = calloc(1, sizeof(*p));
        double accuracy[DATA_SETS];

        assert_non_null(p);
        probe_train(p, difficulty[k], accuracy);
        free(p);
        print_message("difficulty %.1f: a linear model has %.1f %% right of what it saw, %.1f %% of fresh images\n",
                      difficulty[k], 100 * accuracy[DATA_TRAIN], 100 * accuracy[DATA_TEST]);
        assert_true(accuracy[DATA_TEST] > 0.13 && accuracy[DATA_TEST] < before - 0.05);
        assert_true(accuracy[DATA_TRAIN] > accuracy[DATA_TEST] + 0.02);
        before = accuracy[DATA_TEST];
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_in_balance),
        cmocka_unit_test(values_are_normalized),
        cmocka_unit_test(pairs_differ_in_a_relation_alone),
        cmocka_unit_test(groups_share_backgrounds),
        cmocka_unit_test(difficulty_is_felt),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
