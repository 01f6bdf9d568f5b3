#include "tests/report/papers/dct.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness/store/trace.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

enum { SEEDS = 3, STEPS = 20, MOST = 512 };

/* A variant: what it costs next to the baseline, in thousandths of loss, and by how much its seeds lie apart. */
struct trained {
    const char *variant;
    int worse, apart;
};

/* Thresholds of what a variant exchanges, or of its activations: what stands in the first step, and by how much it
 * falls in each. */
struct traced {
    const char *variant;
    double gradients, activations, falls;
};

struct traced_rows {
    struct trace_step_fact steps[STEPS];
    struct trace_exchange_fact exchanges[MOST];
    struct trace_threshold_fact thresholds[MOST];
};

static const struct trace_tensor_fact tensors[] = { { "bottom.weights", 100, 1 },
                                                    { "top.weights", 400, 1 },
                                                    { "top.biases", 4, 0 } };
static const char *const cuts[] = { "bottom2.relu" };

static void trace(struct traced_rows *r, const struct traced *of, struct training_fact *t)
{
    static const double shares[] = { 0.75, 0.9, 0.95 };

    for (int i = 0; i < STEPS; i++) {
        r->steps[i] = (struct trace_step_fact){ 0, 128, 0.5, 0.1, TRACE_FP32, 1, 1000, 1000, NAN };
        for (size_t k = 0; of && of->gradients > 0 && k < 2; k++)
            r->exchanges[t->nexchanges++] =
                (struct trace_exchange_fact){ i,   k,  TRACE_PUSH,
                                              100, -1, of->gradients * (double)(k + 1) * (1 - of->falls * i) };
        for (size_t k = 0; of && of->activations > 0 && k < 3; k++)
            r->thresholds[t->nthresholds++] =
                (struct trace_threshold_fact){ i, 0, shares[k], of->activations * shares[k] * (1 - of->falls * i) };
    }
    t->tensors = tensors, t->ntensors = COUNT(tensors);
    t->steps = r->steps, t->nsteps = STEPS;
    t->exchanges = r->exchanges;
    t->cuts = cuts, t->thresholds = r->thresholds;
}

static void store_one(struct store *s, int64_t run, const char *scenario, const char *table, const struct trained *v,
                      int seed, size_t index, const struct traced *traced)
{
    bool translates = table && *table == '4';
    /* Seeds differ by more than variants do: only pairs show it. */
    double loss = 0.5 + 0.02 * seed + 1e-3 * (v->worse + v->apart * (seed - 2));
    struct measure_fact m[] = { { "train_loss", loss - 0.01, "" },
                                { "test_loss", loss, "" },
                                { "train_accuracy", 100 * (1.2 - loss), "%" },
                                { "accuracy", 100 * (1.19 - loss), "%" },
                                { "bleu", 100 * (1.1 - loss), "%" } };
    const struct cell_fact cells[] = { { "dct", table, v->variant, "train loss", "train_loss" },
                                       { "dct", table, v->variant, "test loss", "test_loss" },
                                       { "dct", table, v->variant, translates ? "BLEU" : "train accuracy",
                                         translates ? "bleu" : "train_accuracy" },
                                       { "dct", table, v->variant, "test accuracy", "accuracy" } };
    struct traced_rows traced_rows;
    struct training_fact t = { .model = translates ? "a-transformer" : "a-dlrm",
                               .data = translates ? "generated sentences" : "generated clicks",
                               .metric = translates ? "BLEU" : "AUC",
                               .seed = seed,
                               .workers = 1,
                               .batch = 128 };
    char key[33], text[128];
    struct point_fact p = { .key = key,
                            .variant = v->variant,
                            .index = index,
                            .combination = (size_t)seed - 1,
                            .measures = m,
                            .nmeasures = COUNT(m),
                            .cells = cells,
                            .ncells = !table       ? 0
                                      : translates ? 3
                                                   : 4,
                            .training = &t };

    trace(&traced_rows, traced, &t);
    snprintf(text, sizeof(text), "%s %s %d", scenario, v->variant, seed);
    synthetic_key(key, text);
    assert_int_equal(store_point(s, run, &p), 0);
}

static const struct traced *traced_of(const struct traced *all, const char *variant)
{
    for (; all && all->variant; all++)
        if (!strcmp(all->variant, variant))
            return all;
    return NULL;
}

/* 'seeds' of each variant; the list of variants ends with a NULL name, and so does that of traces, which may be
 * NULL. */
static void run(struct store *s, const char *scenario, const char *table, const struct trained *v, int seeds,
                const struct traced *traced)
{
    int64_t id = synthetic_run(s, scenario, "baseline", "");
    size_t index = 0;

    for (int seed = 1; seed <= seeds; seed++)
        for (const struct trained *k = v; k->variant; k++)
            store_one(s, id, scenario, table, k, seed, index++, traced_of(traced, k->variant));
}

static const struct traced traces[] = { { "baseline", 0, 1, 0.01 },
                                        { "2 workers 75%", 0, 1, 0.02 },
                                        { "2 workers 90%", 0, 1, 0.02 },
                                        { "2 workers 95%", 0, 1, 0.005 },
                                        { "DP 75%", 0.001, 0, 0.01 },
                                        { "DP 95%", 0.003, 0, 0.025 },
                                        { NULL, 0, 0, 0 } };

void dct_runs(struct store *s)
{
    static const struct trained table1[] = {
        { "baseline", 0, 0 },      { "2 workers 75%", -4, 1 }, { "2 workers 90%", -3, 1 },
        { "2 workers 95%", 1, 1 }, { "2 workers 98%", 8, 1 },  { "3 workers 75%", 2, 2 },
        { "3 workers 90%", 9, 1 }, { "3 workers 95%", 3, 4 },  { NULL, 0, 0 }
    };
    static const struct trained table2[] = { { "baseline", 0, 0 }, { "75%", -1, 1 },   { "90%", 0, 1 }, { "95%", 1, 1 },
                                             { "98%", 6, 1 },      { "99.5%", -6, 1 }, { NULL, 0, 0 } };
    static const struct trained killed[] = { { "baseline", 0, 0 }, { "75%", 3, 0 }, { NULL, 0, 0 } };
    static const struct trained table4[] = { { "baseline", 0, 0 },      { "2 workers 90%", 0, 1 },
                                             { "2 workers 95%", 1, 1 }, { "3 workers 90%", 0, 0 },
                                             { "3 workers 95%", 2, 2 }, { "5 workers 90%", 3, 2 },
                                             { "5 workers 95%", 9, 1 }, { NULL, 0, 0 } };
    static const struct trained fig2[] = { { "DP 75%", 0, 0 }, { "DP 95%", 0, 0 }, { NULL, 0, 0 } };
    static const struct trained fig7b[] = { { "baseline", 0, 0 }, { "L=1", -1, 1 },   { "L=10", 0, 1 },
                                            { "L=100", 1, 2 },    { "L=1000", 2, 3 }, { NULL, 0, 0 } };

    static const struct trained table5[] = { { "baseline", 0, 0 }, { "75%", -2, 1 },   { "90%", 1, 1 },
                                             { "95%", 4, 1 },      { "hybrid", 3, 1 }, { NULL, 0, 0 } };

    run(s, "dct-small-table-1", "1", table1, SEEDS, traces);
    run(s, "dct-small-table-2", "2", table2, SEEDS, NULL);
    run(s, "dct-small-table-3", "3", killed, 1, NULL);
    run(s, "dct-small-table-4", "4", table4, SEEDS, NULL);
    run(s, "dct-small-table-5", NULL, table5, SEEDS, NULL);
    run(s, "dct-small-figure-2", NULL, fig2, 1, traces);
    run(s, "dct-small-figure-7b", NULL, fig7b, 2, NULL);
    dct_runs_quickly(s);
}

void dct_runs_quickly(struct store *s)
{
    static const struct trained quick[] = {
        { "baseline", 0, 0 }, { "2 workers 75%", 0, 0 }, { "DP 75%", 0, 0 }, { "DP 95%", 0, 0 }, { NULL, 0, 0 }
    };

    run(s, "dct-quick", NULL, quick, 1, traces);
}
