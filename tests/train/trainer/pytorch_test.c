/* Ten steps of small networks against what PyTorch computed (pytorch/make_fixture.py, pytorch/losses.txt). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/scenario.h"
#include "tests/test.h"
#include "tests/train/trainer/fixture_source.h"
#include "train/trainer/trainer.h"

enum { NORMS_MOST = 256 };

struct published {
    double losses[FIXTURE_STEPS], norms[NORMS_MOST], evaluated[2];
    int nlosses, nnorms, nevaluated;
};

static struct published read_published(const char *trained)
{
    struct published p = { 0 };
    char path[512], name[32], what[32];
    double value;
    int i;

    snprintf(path, sizeof(path), "%s/losses.txt", getenv("NARROWS_PYTORCH"));
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    for (char line[256]; fgets(line, sizeof(line), f);) {
        if (sscanf(line, "%31s %31s %d %lf", name, what, &i, &value) != 4 || strcmp(name, trained) != 0)
            continue;
        if (!strcmp(what, "loss"))
            assert_true(i < FIXTURE_STEPS), p.losses[i] = value, p.nlosses++;
        else if (!strcmp(what, "evaluated"))
            assert_true(i < 2), p.evaluated[i] = value, p.nevaluated++;
        else
            assert_true(i < NORMS_MOST), p.norms[i] = value, p.nnorms++;
    }
    fclose(f);
    assert_int_equal(p.nlosses, FIXTURE_STEPS);
    return p;
}

static struct model model_of(const char *network)
{
    char path[512], why[256];
    struct model_spec *spec;
    struct model m;

    snprintf(path, sizeof(path), "%s/%s.yaml", getenv("NARROWS_PYTORCH"), network);
    assert_int_equal(scenario_load_model(path, stderr, &spec), 0);
    if (model_infer(spec, &m, why, sizeof(why)))
        fail_msg("%s: %s", path, why);
    scenario_free_model(spec);
    return m;
}

static struct trainer_section section(struct trainer *t, const char *name)
{
    struct trainer_section sections[TRAINER_SECTIONS];
    size_t n;

    assert_int_equal(trainer_sections(t, sections, &n), 0);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(sections[i].name, name))
            return sections[i];
    return (struct trainer_section){ .bytes = NULL };
}

#define NO_SPLIT   \
    {              \
        .depth = 0 \
    }

/* What was trained, on which network; a split's second evaluation is in one piece. */
struct trained {
    const char *name, *network;
    double rate;
    struct split_spec split;
};

/* To the neighbouring floats, up and down in turn. */
static void nudge(float *weights, size_t n)
{
    for (size_t i = 0; i < n; i++)
        weights[i] = nextafterf(weights[i], i % 2 ? INFINITY : -INFINITY);
}

static struct trainer *open_trainer(const struct ops_backend *b, const struct trained *x, const struct model *m,
                                    const struct data_source *data, bool in_one_piece, bool nudged)
{
    struct trainer_options o = { .workers = 1,
                                 .batch = FIXTURE_BATCH,
                                 .evaluation_batch = 1,
                                 .momentum = 0.9,
                                 .weight_decay = 1e-4,
                                 .rate = { .from = x->rate },
                                 .in_order = 1,
                                 .split = x->split,
                                 .evaluate_split = !in_one_piece,
                                 .backend = b,
                                 .threads = 1 };
    struct trainer *t;
    char why[512];

    if (trainer_open(&o, m, data, &t, why, sizeof(why)))
        fail_msg("%s: %s: %s", b->name, x->name, why);
    float unused[4];
    float *tables = section(t, "tables").bytes;
    struct trainer_section weights = section(t, "weights");
    fixture_parameters(trainer_map(t), m, weights.bytes, tables ? tables : unused);
    if (nudged)
        nudge(weights.bytes, weights.nbytes / sizeof(float));
    assert_int_equal(trainer_restored(t), 0);
    return t;
}

/* What ten steps came to. */
struct came_to {
    double losses[FIXTURE_STEPS], norms[NORMS_MOST], evaluated;
    int nnorms;
};

static struct came_to train(const struct ops_backend *b, const struct trained *x, const struct model *m,
                            bool in_one_piece, bool nudged)
{
    struct data_source data = fixture_source(m);
    struct trainer *t = open_trainer(b, x, m, &data, in_one_piece, nudged);
    struct came_to c = { .nnorms = 0 };
    struct step_report r;
    struct evaluation e;

    for (int i = 0; i < FIXTURE_STEPS; i++) {
        if (trainer_step(t, &r))
            fail_msg("%s: %s: %s", b->name, x->name, trainer_why(t));
        c.losses[i] = r.loss;
    }
    c.nnorms = fixture_norms(trainer_map(t), m, trainer_weights(t), section(t, "tables").bytes, c.norms, NORMS_MOST);
    assert_int_equal(trainer_evaluate(t, 0, &e), 0);
    c.evaluated = e.loss;
    trainer_close(t);
    return c;
}

static void near(const char *what, const struct ops_backend *b, int i, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance * fabs(want)))
        fail_msg("%s: %s %d: expected %.9g within %.3g of it, got %.9g", b->name, what, i, want, tolerance, got);
}

/* Ten steps enlarge what rounding does to a parameter, and how sums round is up to the processor: oneDNN chooses by
 * what it has. So a norm is held to 1e-4, or, where weights that began a unit in the last place apart come to be
 * further apart, to that, and never to more than 1e-3. */
static double norm_tolerance(double got, double nudged)
{
    double apart = 2 * fabs(nudged - got) / fabs(got);

    return apart < 1e-4 ? 1e-4 : apart < 1e-3 ? apart : 1e-3;
}

static void compare(const struct ops_backend *b, const struct trained *x, bool in_one_piece)
{
    struct model m = model_of(x->network);
    struct published p = read_published(x->name);
    struct came_to got = train(b, x, &m, in_one_piece, 0), nudged = train(b, x, &m, in_one_piece, 1);

    for (int i = 0; i < FIXTURE_STEPS; i++)
        near("loss of step", b, i, got.losses[i], p.losses[i], 1e-4);
    assert_int_equal(got.nnorms, p.nnorms);
    for (int i = 0; i < got.nnorms; i++)
        near("norm of parameter", b, i, got.norms[i], p.norms[i], norm_tolerance(got.norms[i], nudged.norms[i]));
    if (p.nevaluated)
        near("loss of evaluation", b, in_one_piece, got.evaluated, p.evaluated[in_one_piece], 1e-4);
    model_free(&m);
}

static void each_backend_compares(const struct trained *x)
{
    for (size_t i = 0; ops_backends[i]; i++)
        for (int in_one_piece = 0; ops_backends[i]->usable() && in_one_piece <= (x->split.depth > 0); in_one_piece++)
            compare(ops_backends[i], x, in_one_piece);
}

static void convolutional_network(void **state)
{
    (void)state;
    each_backend_compares(&(struct trained){ "cnn", "cnn", 0.02, NO_SPLIT });
}

/* Three patches of unlike widths; and a block that halves the plane among what is split. */
static void split_network(void **state)
{
    (void)state;
    each_backend_compares(&(struct trained){ "split", "cnn", 0.02, { .depth = 3.0 / 6, .rows = 2, .columns = 3 } });
    each_backend_compares(
        &(struct trained){ "split-deep", "cnn", 0.02, { .depth = 5.0 / 6, .rows = 2, .columns = 2 } });
}

static void recommendation_model(void **state)
{
    (void)state;
    each_backend_compares(&(struct trained){ "dlrm", "dlrm", 0.1, NO_SPLIT });
}

static void transformer(void **state)
{
    (void)state;
    each_backend_compares(&(struct trained){ "transformer", "transformer", 0.02, NO_SPLIT });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convolutional_network),
        cmocka_unit_test(split_network),
        cmocka_unit_test(recommendation_model),
        cmocka_unit_test(transformer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
