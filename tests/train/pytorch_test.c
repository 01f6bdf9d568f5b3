/* Ten steps of small networks against what PyTorch computed (pytorch/make_fixture.py, pytorch/losses.txt). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/scenario/scenario.h"
#include "tests/train/fixture_source.h"
#include "train/trainer/trainer.h"

enum { NORMS_MOST = 256 };

struct published {
    double losses[FIXTURE_STEPS], norms[NORMS_MOST];
    int nlosses, nnorms;
};

static struct published read_published(const char *network)
{
    struct published p = { 0 };
    char path[512], name[32], what[32];
    double value;
    int i;

    snprintf(path, sizeof(path), "%s/losses.txt", getenv("NARROWS_PYTORCH"));
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    for (char line[256]; fgets(line, sizeof(line), f);) {
        if (sscanf(line, "%31s %31s %d %lf", name, what, &i, &value) != 4 || strcmp(name, network) != 0)
            continue;
        if (!strcmp(what, "loss"))
            assert_true(i < FIXTURE_STEPS), p.losses[i] = value, p.nlosses++;
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

static void *section(struct trainer *t, const char *name)
{
    struct trainer_section sections[TRAINER_SECTIONS];
    size_t n;

    assert_int_equal(trainer_sections(t, sections, &n), 0);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(sections[i].name, name))
            return sections[i].bytes;
    return NULL;
}

static void near(const char *what, const struct ops_backend *b, int i, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance * fabs(want)))
        fail_msg("%s: %s %d: expected %.9g, got %.9g", b->name, what, i, want, got);
}

static void compare(const struct ops_backend *b, const char *network, double rate)
{
    struct model m = model_of(network);
    struct published p = read_published(network);
    struct data_source data = fixture_source(&m);
    struct trainer_options o = { .workers = 1,
                                 .batch = FIXTURE_BATCH,
                                 .evaluation_batch = 1,
                                 .momentum = 0.9,
                                 .weight_decay = 1e-4,
                                 .rate = { .from = rate },
                                 .in_order = 1,
                                 .backend = b,
                                 .threads = 1 };
    struct step_report r;
    struct trainer *t;
    double norms[NORMS_MOST];
    char why[512];

    if (trainer_open(&o, &m, &data, &t, why, sizeof(why)))
        fail_msg("%s: %s: %s", b->name, network, why);
    float unused[4];
    float *tables = section(t, "tables");
    fixture_parameters(trainer_map(t), &m, section(t, "weights"), tables ? tables : unused);
    assert_int_equal(trainer_restored(t), 0);
    for (int i = 0; i < FIXTURE_STEPS; i++) {
        if (trainer_step(t, &r))
            fail_msg("%s: %s: %s", b->name, network, trainer_why(t));
        near("loss of step", b, i, r.loss, p.losses[i], 1e-4);
    }
    int n = fixture_norms(trainer_map(t), &m, trainer_weights(t), section(t, "tables"), norms, NORMS_MOST);
    assert_int_equal(n, p.nnorms);
    for (int i = 0; i < n; i++)
        near("norm of parameter", b, i, norms[i], p.norms[i], 1e-4);
    trainer_close(t);
    model_free(&m);
}

static void each_backend_compares(const char *network, double rate)
{
    for (size_t i = 0; ops_backends[i]; i++)
        if (ops_backends[i]->usable())
            compare(ops_backends[i], network, rate);
}

static void convolutional_network(void **state)
{
    (void)state;
    each_backend_compares("cnn", 0.02);
}

static void recommendation_model(void **state)
{
    (void)state;
    each_backend_compares("dlrm", 0.1);
}

static void transformer(void **state)
{
    (void)state;
    each_backend_compares("transformer", 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convolutional_network),
        cmocka_unit_test(recommendation_model),
        cmocka_unit_test(transformer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
