#include "tests/report/papers/splitcnn.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

#include "harness/store/trace.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

enum { STEPS = 8, MOST_VARIANTS = 12 };

/* reached: the share of the convolutions that works on patches, of what was asked for. */
struct network {
    const char *name;
    double reached;
    struct {
        const char *name;
        double asked, accuracy;
    } variants[MOST_VARIANTS];
};

static const struct network networks[] = {
    { "vgg-19",
      1,
      { { "unsplit", 0, 60 },
        { "12.5 %", 12.5, 59.5 },
        { "25 %", 25, 59 },
        { "37.5 %", 37.5, 58.5 },
        { "50 %", 50, 58.25 },
        { "25 %, 2 patches", 25, 59.75 },
        { "25 %, 3 patches", 25, 59.25 },
        { "25 %, 6 patches", 25, 58.75 },
        { "25 %, 9 patches", 25, 58.5 },
        { "50 %, evaluated unsplit", 50, 40 },
        { "50 %, stochastic", 50, 60.25 } } },
    { "resnet-18",
      1.0625,
      { { "unsplit", 0, 70 },
        { "12.5 %", 12.5, 69.75 },
        { "25 %", 25, 69.5 },
        { "37.5 %", 37.5, 69.25 },
        { "50 %", 50, 69 },
        { "25 %, 2 patches", 25, 69.875 },
        { "25 %, 3 patches", 25, 69.75 },
        { "25 %, 6 patches", 25, 69.375 },
        { "25 %, 9 patches", 25, 69.25 },
        { "50 %, evaluated unsplit", 50, 45 },
        { "50 %, stochastic", 50, 70.25 } } },
    { "resnet-50", 1, { { "unsplit", 0, 50 }, { "81.2 %", 81.2, 48.5 }, { "81.2 %, stochastic", 81.2, 50.5 } } },
    { "alexnet", 1, { { "unsplit", 0, 55 }, { "60 %", 60, 54 }, { "60 %, stochastic", 60, 56 } } },
};

static const struct network longer[] = {
    { "vgg-19", 1, { { "unsplit", 0, 70 }, { "50 %", 50, 69 }, { "50 %, stochastic", 50, 71.25 } } },
    { "resnet-18", 1.0625, { { "unsplit", 0, 80 }, { "50 %", 50, 79 }, { "50 %, stochastic", 50, 81.25 } } },
    { "resnet-50", 1, { { "unsplit", 0, 60 }, { "81.2 %", 81.2, 58.5 }, { "81.2 %, stochastic", 81.2, 61.5 } } },
};

struct one {
    struct store *s;
    int64_t run;
    const char *scenario, *variant;
    double accuracy, split_pct;
    int seed;
    size_t index;
};

static void put(const struct one *o)
{
    static const struct trace_tensor_fact tensor = { "weights", 100, 0 };
    struct trace_step_fact steps[STEPS];
    /* Seeds are better or worse than others, and that of each variant a little more or less. */
    double accuracy = o->accuracy + 0.5 * (o->seed - 2) + 0.015625 * ((double)(o->index * (size_t)o->seed % 4) - 1);
    struct trace_evaluation_fact evaluations[] = { { STEPS / 4, 1024, 1, accuracy / 400, 1, NAN },
                                                   { STEPS / 2, 1024, 1, accuracy / 200, 1, NAN },
                                                   { STEPS, 1024, 0.5, accuracy / 100, 1, NAN } };
    struct measure_fact measures[] = { { "accuracy", accuracy, "%" }, { "split_pct", o->split_pct, "%" } };
    struct training_fact training = { .model = "small",
                                      .data = "made images",
                                      .metric = "",
                                      .seed = o->seed,
                                      .workers = 1,
                                      .batch = 128,
                                      .tensors = &tensor,
                                      .ntensors = 1,
                                      .steps = steps,
                                      .nsteps = STEPS,
                                      .evaluations = evaluations,
                                      .nevaluations = COUNT(evaluations) };
    char key[33], text[128], number[8];
    struct param_fact param = { "training.seed", number, o->seed, "" };
    struct point_fact p = { .key = key,
                            .variant = o->variant,
                            .index = o->index,
                            .params = &param,
                            .nparams = 1,
                            .measures = measures,
                            .nmeasures = o->split_pct > 0 ? 2 : 1,
                            .training = &training };

    for (int i = 0; i < STEPS; i++)
        steps[i] = (struct trace_step_fact){ .samples = 128,
                                             .loss = (STEPS - i) * (1 - accuracy / 100),
                                             .learning_rate = 0.1,
                                             .precision_share = NAN,
                                             .pushed_bytes = 400,
                                             .pulled_bytes = 400 };
    snprintf(number, sizeof(number), "%d", o->seed);
    snprintf(text, sizeof(text), "%s %zu", o->scenario, o->index);
    synthetic_key(key, text);
    assert_int_equal(store_point(o->s, o->run, &p), 0);
}

static void put_network(struct store *s, const struct splitcnn_trained *t, const char *size, const struct network *n)
{
    bool alone = t->quick || (t->one_seed && (!t->network || !strcmp(t->network, n->name)));
    int seeds = alone ? 1 : 3;
    char scenario[64];

    snprintf(scenario, sizeof(scenario), "splitcnn-%s-%s", size, n->name);
    struct one o = { .s = s, .run = synthetic_run(s, scenario, "unsplit", ""), .scenario = scenario };
    for (size_t i = 0; i < MOST_VARIANTS && n->variants[i].name; i++)
        for (o.seed = 1; o.seed <= seeds; o.seed++) {
            bool altered = t->variant && !strcmp(t->network, n->name) && !strcmp(t->variant, n->variants[i].name);

            o.variant = n->variants[i].name;
            o.accuracy = n->variants[i].accuracy + (altered ? t->accuracy : 0);
            o.split_pct = n->variants[i].asked * n->reached;
            put(&o);
            o.index++;
        }
}

void splitcnn_trained(struct store *s, const struct splitcnn_trained *t)
{
    /* Nobody needs them after a crash. */
    assert_int_equal(sqlite3_exec(store_handle(s), "PRAGMA synchronous = OFF", NULL, NULL, NULL), SQLITE_OK);
    for (size_t i = 0; i < (t->quick ? 1 : COUNT(networks)); i++)
        put_network(s, t, t->quick ? "quick" : "small", &networks[i]);
    for (size_t i = 0; i < (t->longer ? COUNT(longer) : 0); i++)
        put_network(s, t, "longer", &longer[i]);
    for (size_t i = 0; i < (t->paper ? COUNT(longer) : 0); i++)
        put_network(s, t, "paper", &longer[i]);
}
