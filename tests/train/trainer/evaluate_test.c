/* evaluate_test.c - what an evaluation counts, of networks that put out what they are fed: shares by hand and by
 * sorting, losses by their definition, the area under the curve by counting pairs. */
#include <math.h>
#include <stdlib.h>

#include "tests/test.h"
#include "tests/train/trainer/help.h"

/* Groups of 4: the last one has three samples, or one. */
enum { CLASSES = 8, TESTS = 11, TRAINED = 13, GROUP = 4 };

struct row {
    float logits[CLASSES];
    int32_t label;
};

/* Sample i of the tests has its label in place i % 8, of training three places on. No probability is above a quarter
 * but in test 8; in test 10 all are equal, so that the first class, which is its label, comes first. */
static struct row row_of(enum data_set set, int64_t i)
{
    float spread = set == DATA_TEST && i == 8 ? 2 : set == DATA_TEST && i == 10 ? 0 : 0.1f;
    struct row r;

    for (int64_t place = 0; place < CLASSES; place++) {
        int64_t class = (3 * place + i) % CLASSES;

        r.logits[class] = spread * (float)(CLASSES - place);
        if (place == (i + (set == DATA_TRAIN ? 3 : 0)) % CLASSES)
            r.label = (int32_t) class;
    }
    return r;
}

static int row_sample(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment, float *values,
                      int32_t *ids, int32_t *labels, char *why, size_t nwhy)
{
    struct row r = row_of(set, index);

    (void)s, (void)augment, (void)ids, (void)why, (void)nwhy;
    for (int i = 0; i < CLASSES; i++)
        values[i] = r.logits[i];
    *labels = r.label;
    return 0;
}

static const struct click {
    float value;
    int32_t label;
} clicks[] = { { 1, 0 }, { -1, 1 }, { 2, 1 }, { -2, 0 }, { 1, 1 }, { -1, 0 }, { 0, 1 }, { 1, 0 }, { 2, 0 }, { -2, 0 } };

/* In training what was clicked is what was not. */
static int click_sample(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment, float *values,
                        int32_t *ids, int32_t *labels, char *why, size_t nwhy)
{
    (void)s, (void)augment, (void)ids, (void)why, (void)nwhy;
    *values = clicks[index].value;
    *labels = set == DATA_TEST ? clicks[index].label : !clicks[index].label;
    return 0;
}

static void close_nothing(struct data_source *s)
{
    (void)s;
}

/* A trainer of one layer of weights, which are the identity, and the function that ends it. */
struct passing {
    struct model model;
    struct data_source data;
    struct trainer *trainer;
};

static void open_passing(struct passing *p, enum layer_kind end, int64_t width, const struct data_source *data)
{
    struct layer_spec layers[] = { { .kind = LAYER_FC, .units = width }, { .kind = end } };
    struct model_spec spec = {
        .name = "m", .channels = width, .height = 1, .width = 1, .classes = width, .layers = layers, .nlayers = 2
    };
    struct trainer_options o = options(1);
    char why[256];
    size_t n = 0;

    if (model_infer(&spec, &p->model, why, sizeof(why)))
        fail_msg("%s", why);
    p->data = *data;
    o.evaluation_batch = GROUP;
    o.backend = ops_backend_find("reference"); /* equal values stay equal, wherever they stand */
    p->trainer = open_trainer(&o, &p->model, &p->data);
    float *weights = section(p->trainer, "weights", &n);
    for (size_t i = 0; i < n / sizeof(*weights); i++)
        weights[i] = 0;
    for (int64_t i = 0; i < width; i++)
        weights[trainer_map(p->trainer)->layers[0].weights + i * width + i] = 1;
    assert_int_equal(trainer_restored(p->trainer), 0);
}

static void close_passing(struct passing *p)
{
    trainer_close(p->trainer);
    model_free(&p->model);
}

static struct evaluation evaluated(struct passing *p, enum data_set set, int64_t samples)
{
    struct evaluation e;

    assert_int_equal((set == DATA_TEST ? trainer_evaluate : trainer_evaluate_training)(p->trainer, samples, &e), 0);
    return e;
}

static void near(double got, double want, double within, const char *what)
{
    if (!(fabs(got - want) <= within))
        fail_msg("%s: expected %.12g, got %.12g", what, want, got);
}

struct place {
    float logit;
    int32_t class;
};

static int falling(const void *left, const void *right)
{
    const struct place *a = left, *b = right;

    return a->logit != b->logit ? (a->logit < b->logit) - (a->logit > b->logit) : a->class - b->class;
}

/* The first n samples' shares by sorting, and their mean loss: log of sum of e^logit, minus the label's logit. */
static struct evaluation by_sorting(enum data_set set, int64_t n)
{
    struct evaluation e = { .samples = n };

    for (int64_t i = 0; i < n; i++) {
        struct row r = row_of(set, i);
        struct place places[CLASSES];
        double sum = 0;

        for (int c = 0; c < CLASSES; c++) {
            places[c] = (struct place){ r.logits[c], c };
            sum += exp(r.logits[c]);
        }
        qsort(places, CLASSES, sizeof(*places), falling);
        e.loss += (log(sum) - r.logits[r.label]) / (double)n;
        for (int k = 0; k < 5; k++)
            e.top5 += places[k].class == r.label ? 1 / (double)n : 0;
        e.accuracy += places[0].class == r.label ? 1 / (double)n : 0;
    }
    return e;
}

static void shares_are_as_sorted(void **state)
{
    static const struct {
        enum data_set set;
        int64_t asked, samples, right, of_five;
    } cases[] = {
        /* Places 0 1 2 3, 4 5 6 7, 0 1 0. */
        { DATA_TEST, 0, TESTS, 3, 8 },
        { DATA_TEST, 6, 6, 1, 5 },
        { DATA_TEST, 99, TESTS, 3, 8 },
        /* Places 3 4 5 6, 7 0 1 2, 3 4 5 6, 7. */
        { DATA_TRAIN, 0, TRAINED, 1, 7 },
        { DATA_TRAIN, 5, 5, 0, 2 },
    };
    const struct data_source rows = { .name = "rows",
                                      .shape = { CLASSES, 1, 1, 0, 1, CLASSES },
                                      .count = { TRAINED, TESTS },
                                      .sample = row_sample,
                                      .close = close_nothing };
    struct passing p;

    (void)state;
    open_passing(&p, LAYER_SOFTMAX, CLASSES, &rows);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct evaluation got = evaluated(&p, cases[i].set, cases[i].asked),
                          want = by_sorting(cases[i].set, cases[i].samples);
        double n = (double)cases[i].samples;

        assert_int_equal(got.samples, cases[i].samples);
        near(want.accuracy, (double)cases[i].right / n, 1e-12, "accuracy by hand");
        near(want.top5, (double)cases[i].of_five / n, 1e-12, "of five by hand");
        near(got.accuracy, want.accuracy, 1e-12, "accuracy");
        near(got.top5, want.top5, 1e-12, "of five");
        near(got.loss, want.loss, 1e-6, "loss");
        assert_true(isnan(got.auc) && isnan(got.bleu));
    }
    close_passing(&p);
}

/* Of all pairs of a click and what is none: those in which the click is the likelier, and half of the equals. */
static double area_by_pairs(int64_t n, int32_t clicked)
{
    double won = 0, pairs = 0;

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (clicks[i].label == clicked && clicks[j].label != clicked) {
                pairs++;
                won += clicks[i].value > clicks[j].value ? 1 : clicks[i].value == clicks[j].value ? 0.5 : 0;
            }
    return won / pairs;
}

static double click_loss(int64_t n)
{
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += log(1 + exp(clicks[i].label ? -clicks[i].value : clicks[i].value));
    return sum / (double)n;
}

static void clicks_are_as_paired(void **state)
{
    const struct data_source logged = { .name = "clicks",
                                        .shape = { 1, 1, 1, 0, 1, 2 },
                                        .count = { COUNT(clicks), COUNT(clicks) },
                                        .sample = click_sample,
                                        .close = close_nothing };
    struct evaluation e;
    struct passing p;

    (void)state;
    open_passing(&p, LAYER_SIGMOID, 1, &logged);
    e = evaluated(&p, DATA_TEST, 0);
    assert_int_equal(e.samples, COUNT(clicks));
    /* The clicks 2, 1, 0 and -1 against 2, 1, 1, -1, -2 and -2: 5.5 + 4 + 3 + 2.5 of 24. */
    near(area_by_pairs(COUNT(clicks), 1), 0.625, 1e-12, "area by hand");
    near(e.auc, 0.625, 1e-12, "area");
    /* Above a half: two clicks; not above: three others. */
    near(e.accuracy, 0.5, 1e-12, "accuracy");
    near(e.top5, 1, 1e-12, "of five");
    near(e.loss, click_loss(COUNT(clicks)), 1e-6, "loss");
    e = evaluated(&p, DATA_TEST, 7);
    near(e.auc, area_by_pairs(7, 1), 1e-12, "area of seven");
    near(e.loss, click_loss(7), 1e-6, "loss of seven");
    near(evaluated(&p, DATA_TRAIN, 0).auc, area_by_pairs(COUNT(clicks), 0), 1e-12, "area of training");
    assert_true(isnan(evaluated(&p, DATA_TEST, 1).auc)); /* no pair */
    close_passing(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_as_sorted),
        cmocka_unit_test(clicks_are_as_paired),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
