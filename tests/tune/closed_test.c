/* closed_test.c - the closed form of steps on layouts drawn at random: the same bits from a plan that lists what is
 * alike once as from a whole one, and as long as the events take, in the median and nearly everywhere. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/point/measures.h"
#include "harness/status.h"
#include "harness/tune/layouts.h"
#include "sim/method/sharded/survey.h"
#include "tests/draw.h"
#include "tests/test.h"

enum { DRAWN = 150 };

static const char *const varied[] = { "method.unit_layers=1, 3", "method.context=1, 2", "method.chunks=1, 2, 3, 4",
                                      "method.overlap=true, false", "method.schedule=1f1b, gpipe" };
static const char *const edges[] = { "weights=blockwise:bits=8", "gradients=blockwise:bits=4", "activations=fp16" };

static void open_space(struct layouts *s, const char *const *vary, size_t nvary)
{
    struct tune_question q = { .path = "tests/tune/data/small.yaml",
                               .varied = vary,
                               .nvaried = nvary,
                               .codecs = edges,
                               .ncodecs = COUNT(edges),
                               .db = STORE_NOWHERE,
                               .command = "test" };

    assert_int_equal(layouts_open(&q, s), NW_OK);
}

/* A layout that can be, with its point's number. */
static size_t draw_layout(const struct layouts *s, struct survey *survey, uint64_t *seed, struct method *method,
                          struct job *job, struct survey_view *view)
{
    size_t number;

    do {
        size_t block = draw(seed) % s->nblocks, inside = draw(seed) % s->block_size;
        *method = *s->job.method;
        *job = s->job;
        job->method = method;
        view->end = SURVEY_REFUSED;
        if (layouts_at(s, block, inside, &method->sharded, &number))
            assert_int_equal(survey_look(survey, job, INFINITY, true, view), 0);
    } while (view->end == SURVEY_REFUSED);
    return number;
}

static void same_double(double a, double b)
{
    assert_true(a == b || fabs(a - b) <= 1e-12 * fabs(b));
}

/* Stages, chunks and units that are alike are counted, not listed: nothing else differs. */
static void alike_is_whole(void **state)
{
    struct layouts s;
    struct survey *survey;
    uint64_t seed = 7;
    char why[256];
    size_t fewer = 0;

    (void)state;
    open_space(&s, varied, COUNT(varied));
    assert_int_equal(survey_new(s.job.platform, &survey, why, sizeof(why)), 0);
    struct engine *e = engine_new();
    struct topology *topology;
    assert_int_equal(topology_new(s.job.platform, e, NULL, &topology, why, sizeof(why)), 0);
    for (int i = 0; i < DRAWN; i++) {
        struct method method;
        struct job job;
        struct survey_view view;
        struct plan_links links;
        struct sharded_plan whole;
        draw_layout(&s, survey, &seed, &method, &job, &view);
        assert_int_equal(plan_links_of(job.platform, topology, &view.layout, &links), 0);
        assert_int_equal(plan_make(&job, &links, PLAN_WHOLE, &whole), 0);
        struct closed_step step = closed_step(&whole);
        struct stage_memory fullest = memory_fullest(&whole);
        same_double(view.closed.step_ps, step.step_ps);
        same_double(view.closed.compute_ps, step.compute_ps);
        same_double(view.closed.blocking_ps, step.blocking_ps);
        same_double(view.closed.bubble_ps, step.bubble_ps);
        same_double(view.memory.total, fullest.total);
        assert_int_equal(view.memory.stage, fullest.stage);
        assert_int_equal(whole.step.nstages, whole.step.pipeline.stages);
        fewer += whole.step.nstages > 4;
        assert_true(view.closed.compute_ps <= view.closed.step_ps);
        plan_free(&whole);
    }
    assert_true(fewer > 10);
    topology_free(topology);
    engine_free(e);
    survey_free(survey);
    layouts_close(&s, NW_OK);
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static double played_ps(struct layouts *s, size_t number)
{
    struct measures *m = calloc(1, sizeof(*m));
    struct point p;
    char why[256];

    assert_int_equal(layouts_point(s, number, &p), NW_OK);
    assert_int_equal(measures_of(&p.scenario, m, why, sizeof(why)), NW_OK);
    double ps = 1e9 * measure_value(m, "step_ms");
    point_free(&p);
    free(m);
    return ps;
}

/* Those that fit: others are not played. */
static void closed_is_near_events(void **state)
{
    struct layouts s;
    struct survey *survey;
    double ratio[DRAWN];
    uint64_t seed = 11;
    char why[256];

    (void)state;
    open_space(&s, NULL, 0);
    assert_int_equal(survey_new(s.job.platform, &survey, why, sizeof(why)), 0);
    for (int i = 0; i < DRAWN;) {
        struct method method;
        struct job job;
        struct survey_view view;
        size_t number = draw_layout(&s, survey, &seed, &method, &job, &view);
        if (view.memory.total > view.memory_limit)
            continue;
        ratio[i] = view.step_ps / played_ps(&s, number);
        if (ratio[i] < 0.8 || ratio[i] > 1.2)
            print_message(
                "%.3f: tensor %d, sequence %d, stages %d, chunks %d, micro %d, level %d, shard %d, codecs %d %d "
                "%d\n",
                ratio[i], (int)method.sharded.tensor, method.sharded.sequence, (int)method.sharded.pipeline,
                (int)method.sharded.chunks, (int)method.sharded.micro_batch, (int)method.sharded.level,
                (int)method.sharded.shard, method.sharded.codec_weights.format, method.sharded.codec_gradients.format,
                method.sharded.codec_activations.format);
        i++;
    }
    qsort(ratio, DRAWN, sizeof(*ratio), by_value);
    print_message("closed form over events: least %.3f, 5 %% %.3f, median %.3f, 95 %% %.3f, most %.3f\n", ratio[0],
                  ratio[DRAWN / 20], ratio[DRAWN / 2], ratio[DRAWN - 1 - DRAWN / 20], ratio[DRAWN - 1]);
    assert_true(fabs(ratio[DRAWN / 2] - 1) < 0.03);
    assert_true(ratio[DRAWN / 20] > 0.9 && ratio[DRAWN - 1 - DRAWN / 20] < 1.1);
    survey_free(survey);
    layouts_close(&s, NW_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alike_is_whole),
        cmocka_unit_test(closed_is_near_events),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
