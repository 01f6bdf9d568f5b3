/* A forecast is a run of the scenario with the same numbers typed in, and says no where there is no codec to set. */
#include "harness/compare/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare/render/answer.h"
#include "harness/run/point/measures.h"
#include "harness/scenario/scenario.h"
#include "harness/status.h"
#include "tests/test.h"

static const char *const names[] = { "3lc", "fp16", "powersgd", "blockwise", "local" };

enum { TENSORS = 3 };

/* Numbers that a measurement might give, of each contender a tensor of many values, one of few, and one of none. */
static struct outcome outcomes[][TENSORS] = {
    { { .values = 980000, .payload_bytes = 41234, .header_bytes = 64, .encode_s = 2e-3, .decode_s = 1e-3 },
      { .values = 20000, .payload_bytes = 1234, .header_bytes = 64, .encode_s = 1e-4, .decode_s = 1e-4 } },
    { { .values = 980000, .payload_bytes = 2e6, .header_bytes = 64, .encode_s = 7e-4, .decode_s = 6e-4 },
      { .values = 20000, .payload_bytes = 4e4, .header_bytes = 64, .encode_s = 1e-6, .decode_s = 1e-6 } },
    { { .values = 980000, .payload_bytes = 77777, .header_bytes = 64, .encode_s = 3e-2, .decode_s = 1e-2 },
      { .values = 20000, .payload_bytes = 8e4, .header_bytes = 64, .encode_s = 5e-2, .decode_s = 2e-2 } },
    { { .values = 980000, .payload_bytes = 995312, .header_bytes = 64, .encode_s = 1e-3, .decode_s = 1e-3 },
      { .values = 20000, .payload_bytes = 20313, .header_bytes = 64, .encode_s = 1e-4, .decode_s = 2e-4 } },
    { { .values = 980000, .payload_bytes = 0, .header_bytes = 64, .encode_s = 1e-3, .decode_s = 1e-4 },
      { .values = 20000, .payload_bytes = 0, .header_bytes = 64, .encode_s = 1e-4, .decode_s = 1e-5 } },
};

enum { BASE = 3, MORE = 5 }; /* settings of a scenario; those that make a codec cost nothing */

/* A ring of an allreduce at two levels, of which one refuses some, and the push of a parameter server. */
static const struct {
    const char *path, *sets[BASE];
    bool flows; /* some are simulated at level flows only */
} scenarios[] = {
    { "scenarios/examples/break-even.yaml", { "method.workers=4", "batch=256", "method.level=flows" }, false },
    { "scenarios/examples/break-even.yaml", { "method.workers=3", "batch=192", "method.level=symmetric" }, true },
    { "scenarios/examples/stragglers.yaml", { "method.workers=3", "batch=96", "method.steps=2" }, false },
};

static void open_set(size_t which, const char *const *sets, size_t nsets, struct scenario_file **file, struct point *p)
{
    const char *all[BASE + FORECAST_SETS + MORE];
    size_t n = 0;

    while (n < BASE && scenarios[which].sets[n]) {
        all[n] = scenarios[which].sets[n];
        n++;
    }
    for (size_t i = 0; i < nsets; i++) /* level: a later one counts */
        all[n++] = sets[i];
    assert_int_equal(scenario_open(scenarios[which].path, all, n, NULL, 0, stderr, file), 0);
    assert_int_equal(scenario_point(*file, 0, p), 0);
}

static double step_of(size_t which, const char *const *sets, size_t nsets)
{
    struct measures *m = calloc(1, sizeof(*m));
    struct scenario_file *file;
    struct point p;
    char why[256] = "";
    double step_ms;

    assert_non_null(m);
    open_set(which, sets, nsets, &file, &p);
    if (measures_of(&p.scenario, m, why, sizeof(why)))
        fail_msg("%s: %s", scenarios[which].path, why);
    step_ms = measure_value(m, "step_ms");
    free(m);
    point_free(&p);
    scenario_close(file);
    return step_ms;
}

/* --set with the numbers, and with codecs that cost nothing. */
static void check_typed(size_t which, const struct comparison *c, const struct forecasts *f, size_t i)
{
    char sets[FORECAST_SETS][FORECAST_SET];
    const char *list[FORECAST_SETS + MORE];
    size_t n = forecast_sets(c, f, i, sets);

    for (size_t k = 0; k < n; k++)
        list[k] = sets[k];
    if (step_of(which, list, n) != f->list[i].step_ms)
        fail_msg("%s, %s: typed in %.17g ms, forecast %.17g", scenarios[which].path, names[i], step_of(which, list, n),
                 f->list[i].step_ms);

    char place[FORECAST_SET], encode[FORECAST_SET], decode[FORECAST_SET];
    char encode_latency[FORECAST_SET], decode_latency[FORECAST_SET];
    snprintf(place, sizeof(place), "%s.place=gpu", f->edge);
    snprintf(encode, sizeof(encode), "%s.encode.rate=unlimited", f->edge);
    snprintf(decode, sizeof(decode), "%s.decode.rate=unlimited", f->edge);
    list[n++] = place;
    list[n++] = encode;
    list[n++] = decode;
    snprintf(encode_latency, sizeof(encode_latency), "%s.encode.latency=0 s", f->edge);
    snprintf(decode_latency, sizeof(decode_latency), "%s.decode.latency=0 s", f->edge);
    list[n++] = encode_latency;
    list[n++] = decode_latency;
    if (step_of(which, list, n) != f->list[i].free_step_ms)
        fail_msg("%s, %s, free: typed in %.17g ms, forecast %.17g", scenarios[which].path, names[i],
                 step_of(which, list, n), f->list[i].free_step_ms);
}

static void check_scenario(size_t which, const struct comparison *c)
{
    struct scenario_file *file;
    struct forecasts f;
    struct point p;
    char none[FORECAST_SET];
    const char *sets[] = { none };
    bool flows = false;

    open_set(which, NULL, 0, &file, &p);
    assert_int_equal(forecasts_make(file, &p, c, &f), 0);
    snprintf(none, sizeof(none), "%s.format=none", f.edge);
    assert_true(f.fp32_step_ms == step_of(which, sets, 1));
    for (size_t i = 0; i < COUNT(names); i++) {
        if (!(f.list[i].step_ms > f.list[i].free_step_ms))
            fail_msg("%s, %s: %.17g ms, free %.17g ms: %s", scenarios[which].path, names[i], f.list[i].step_ms,
                     f.list[i].free_step_ms, f.list[i].why);
        check_typed(which, c, &f, i);
        flows |= f.list[i].flows;
    }
    assert_int_equal(flows, scenarios[which].flows);
    forecasts_free(&f);
    point_free(&p);
    scenario_close(file);
}

static void forecasts_are_runs(void **state)
{
    struct contenders contenders = { 0 };
    struct steps steps = { .n = 1, .ntensors = TENSORS };
    struct outcome whole[COUNT(names)] = { 0 };
    struct comparison c = { .contenders = &contenders, .steps = &steps, .tensors = &outcomes[0][0], .whole = whole };

    (void)state;
    assert_int_equal(contenders_choose(&contenders, names, COUNT(names), NULL, stderr), 0);
    for (size_t i = 0; i < COUNT(names) * TENSORS; i++)
        outcome_merge(&whole[i / TENSORS], &outcomes[i / TENSORS][i % TENSORS]);
    for (size_t i = 0; i < COUNT(scenarios); i++)
        check_scenario(i, &c);
    contenders_free(&contenders);
}

static const char *const refusals[] = { "scenarios/examples/memory.yaml", "scenarios/examples/flows.yaml",
                                        "scenarios/examples/dlrm.yaml", "scenarios/training/resnet-8-3lc.yaml" };

/* What it says is a matter of compare_test.sh. */
static void others_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(refusals); i++) {
        struct scenario_file *file;
        struct point p;

        assert_int_equal(scenario_open(refusals[i], NULL, 0, NULL, 0, stderr, &file), 0);
        assert_int_equal(scenario_point(file, 0, &p), 0);
        assert_int_equal(forecasts_check(file, &p), NW_EINPUT);
        point_free(&p);
        scenario_close(file);
    }
}

static void costs_of_calls(void **state)
{
    static const struct {
        const char *what;
        size_t n;
        double bytes[3], seconds[3], latency_s, rate_Bps;
    } cases[] = {
        { "a latency and a rate", 2, { 100, 300 }, { 3, 5 }, 2, 100 },
        { "not on one line", 3, { 100, 200, 300 }, { 3, 7, 5 }, 3, 100 },
        { "one size", 2, { 100, 100 }, { 3, 1 }, 0, 50 },
        { "one tensor", 1, { 100 }, { 4 }, 0, 25 },
        { "larger ones are faster", 2, { 100, 300 }, { 5, 3 }, 0, 50 },
        { "a latency below 0", 2, { 100, 300 }, { 1, 7 }, 0, 50 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct call_cost c = call_cost_of(cases[i].bytes, cases[i].seconds, cases[i].n);

        if (fabs(c.latency_s - cases[i].latency_s) > 1e-12 || fabs(c.rate_Bps - cases[i].rate_Bps) > 1e-9)
            fail_msg("%s: expected %g s and %g B/s, got %g and %g", cases[i].what, cases[i].latency_s,
                     cases[i].rate_Bps, c.latency_s, c.rate_Bps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_of_calls),
        cmocka_unit_test(forecasts_are_runs),
        cmocka_unit_test(others_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
