/* precheck_test.c - what the simulator would refuse is reported before anything runs: every reason, with its first
 * point or its place. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/precheck.h"
#include "harness/status.h"
#include "tests/test.h"

static const char tiny[] = "tests/run/data/tiny.yaml";

/* The status of opening and judging, and all that was said. */
static int judge(const char *path, const char *const *sets, size_t nsets, const char *sweep, char **said)
{
    struct scenario_file *file = NULL;
    size_t size;
    FILE *err = open_memstream(said, &size);
    int rc = scenario_open(path, sets, nsets, &sweep, sweep != NULL, err, &file);

    if (!rc)
        rc = precheck(file, err);
    fclose(err);
    scenario_close(file);
    return rc;
}

static int judge_fitting(const char *const *sets, size_t nsets, const char *sweep, struct precheck_misfits *misfits,
                         char **said)
{
    struct scenario_file *file = NULL;
    size_t size;
    FILE *err = open_memstream(said, &size);
    int rc = scenario_open(tiny, sets, nsets, &sweep, 1, err, &file);

    assert_int_equal(rc, NW_OK);
    rc = precheck_fitting(file, misfits, err);
    fclose(err);
    scenario_close(file);
    return rc;
}

static void expect_said(const char *said, const char *part)
{
    if (!strstr(said, part))
        fail_msg("expected '%s' in:\n%s", part, said);
}

static void a_good_scenario_passes(void **state)
{
    char *said;

    (void)state;
    assert_int_equal(judge(tiny, NULL, 0, NULL, &said), NW_OK);
    assert_string_equal(said, "");
    free(said);
}

static void every_reason_is_told_once(void **state)
{
    const char *const sets[] = { "gpu.count=3" };
    char *said;

    (void)state;
    assert_int_equal(judge(tiny, sets, 1, "batch=8, 1, 2, 9", &said), NW_EINPUT);
    expect_said(said, "--sweep:1:10: batch: 1 samples are fewer than the 3 GPUs (point 2, variant plain, ");
    expect_said(said, "batch=1)");
    assert_null(strstr(strstr(said, "samples are fewer") + 1, "samples are fewer")); /* not once more for each batch */
    expect_said(said,
                "batch: 11 more points are refused for the same reason, the last of them point 21, variant packed, ");
    expect_said(said, "batch=2");
    free(said);
}

static void a_swept_layer_is_judged_by_point(void **state)
{
    char *said;

    (void)state;
    assert_int_equal(judge(tiny, NULL, 0, "model.layers[0].kernel=3, 11", &said), NW_EINPUT);
    expect_said(said, "--sweep:1:27: model.layers[0]: layer conv1: a 11x11 window does not fit its 8x8 input (pad 1) "
                      "(point 2, variant plain, ");
    free(said);
}

static void a_constant_that_nobody_fits_is_named(void **state)
{
    const char *const sets[] = { "link.wire.efficiency.to_host=calibrated" };
    char *said;

    (void)state;
    assert_int_equal(judge(tiny, sets, 1, NULL, &said), NW_EINPUT);
    expect_said(said, "--set:1:30: platform.link.wire.efficiency.to_host: 'calibrated', but the platform names");
    free(said);
}

static void a_figure_is_a_template(void **state)
{
    const char *const sets[] = { "figure=../../etc/passwd" };
    char *said;

    (void)state;
    assert_int_equal(judge(tiny, sets, 1, NULL, &said), NW_EINPUT);
    expect_said(said, "figure: expected the name of a template in plots/, got '../../etc/passwd'");
    free(said);
}

static void a_layer_that_does_not_fit_is_told_at_its_line(void **state)
{
    char *said;

    (void)state;
    assert_int_equal(judge("tests/run/data/misfit.yaml", NULL, 0, NULL, &said), NW_EINPUT);
    expect_said(said, "misfit.yaml:26:13: model.layers[1].layers[0]: layer block1.conv: a 9x9 window does not fit its "
                      "8x8 input (pad 0)\n");
    expect_said(said, "- {kind: conv, name: conv, channels: 8, kernel: 9}\n"); /* the line itself */
    free(said);
}

/* By hand: 3 x 8 x 9 + 8 and 512 x 10 + 10 parameters, twice; four images of 3 x 8 x 8 and their 8 x 8 x 8 outputs, as
 * much once more while the convolution runs. */
static void what_does_not_fit_is_refused(void **state)
{
    const char *const small[] = { "gpu.memory=60 kB" }, *const anyway[] = { small[0], "gpu.memory_checked=false" };
    char *said;

    (void)state;
    assert_int_equal(judge(tiny, small, 1, NULL, &said), NW_EINPUT);
    expect_said(said,
                "--set:1:12: platform.gpu.memory: a GPU needs 65.36 kB of the 60 kB that it has (weights 21.42 kB, "
                "gradients 21.42 kB, activations 11.26 kB, workspace 11.26 kB, in fp32; most in conv1); "
                "what fits: batch=6 (point 0, variant plain, ");
    expect_said(said, "gpu.memory=60 kB\n");
    expect_said(said, "5 more points are refused for the same reason, the last of them point 11, variant packed, ");
    expect_said(said, "12 of 12 points do not fit in a GPU's memory\n");
    expect_said(said, "with platform.gpu.memory_checked=false what does not fit is simulated all the same\n");
    free(said);
    assert_int_equal(judge(tiny, anyway, 2, NULL, &said), NW_OK);
    assert_string_equal(said, "");
    free(said);
}

/* What is advised fits, and the next larger batch that divides among the two GPUs does not. */
static void the_batch_advised_is_the_largest(void **state)
{
    static const char *const memories[] = { "gpu.memory=49 kB", "gpu.memory=100 kB", "gpu.memory=1 MB" };

    (void)state;
    for (size_t i = 0; i < COUNT(memories); i++) {
        const char *sets[] = { memories[i] }, *at;
        char *said, sweep[64];
        long batch;

        assert_int_equal(judge(tiny, sets, 1, "batch=2000", &said), NW_EINPUT);
        at = strstr(said, "what fits: batch=");
        assert_non_null(at);
        batch = strtol(at + strlen("what fits: batch="), NULL, 10);
        free(said);
        assert_true(batch > 0 && batch % 2 == 0);
        for (int more = 0; more <= 2; more += 2) {
            snprintf(sweep, sizeof(sweep), "batch=%ld", batch + more);
            int rc = judge(tiny, sets, 1, sweep, &said);
            if (rc != (more ? NW_EINPUT : NW_OK))
                fail_msg("%s, %s: status %d\n%s", memories[i], sweep, rc, said);
            free(said);
        }
    }
}

/* 25 samples would fit, but 64 are four equal micro-batches. */
static void the_batch_advised_divides_into_micro_batches(void **state)
{
    char *said;

    (void)state;
    assert_int_equal(judge("tests/run/data/stages.yaml", NULL, 0, NULL, &said), NW_EINPUT);
    expect_said(said, "; what fits: batch=24\n");
    free(said);
    assert_int_equal(judge("tests/run/data/stages.yaml", NULL, 0, "batch=24, 25", &said), NW_OK);
    free(said);
}

static void no_batch_may_fit(void **state)
{
    const char *const sets[] = { "gpu.memory=40 kB" };
    char *said;

    (void)state;
    assert_int_equal(judge(tiny, sets, 1, NULL, &said), NW_EINPUT);
    expect_said(said, "); no batch fits (point 0");
    free(said);
}

/* Two variants at each of three places, and batches of which the first and the third fit. */
static void a_sweep_goes_on_with_what_fits(void **state)
{
    const char *const sets[] = { "gpu.memory=100 kB" }, *const wrong[] = { sets[0], "gpu.count=3" };
    struct precheck_misfits misfits;
    char *said;

    (void)state;
    assert_int_equal(judge_fitting(sets, 1, "batch=8, 64, 10, 32", &misfits, &said), NW_OK);
    assert_int_equal(misfits.n, 12);
    for (size_t i = 0; i < misfits.n; i++)
        assert_int_equal(misfits.points[i], i / 4 * 8 + (i % 4 < 2 ? 2 : 6) + i % 2);
    expect_said(said, "12 of 24 points do not fit in a GPU's memory and are left out\n");
    free(misfits.points);
    free(said);
    assert_int_equal(judge_fitting(sets, 1, "batch=64, 32", &misfits, &said), NW_EINPUT); /* none fits */
    assert_int_equal(misfits.n, 0);
    free(said);
    assert_int_equal(judge_fitting(wrong, 2, "batch=8, 64, 2", &misfits, &said), NW_EINPUT); /* another error counts */
    expect_said(said, "batch: 2 samples are fewer than the 3 GPUs");
    expect_said(said, "platform.gpu.memory: a GPU needs ");
    free(said);
    assert_int_equal(judge(tiny, sets, 1, "batch=8, 64", &said), NW_EINPUT); /* to check a file is to refuse them */
    expect_said(said, "6 of 12 points do not fit in a GPU's memory\n");
    free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_scenario_passes),
        cmocka_unit_test(every_reason_is_told_once),
        cmocka_unit_test(a_swept_layer_is_judged_by_point),
        cmocka_unit_test(a_constant_that_nobody_fits_is_named),
        cmocka_unit_test(a_figure_is_a_template),
        cmocka_unit_test(a_layer_that_does_not_fit_is_told_at_its_line),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(the_batch_advised_is_the_largest),
        cmocka_unit_test(the_batch_advised_divides_into_micro_batches),
        cmocka_unit_test(no_batch_may_fit),
        cmocka_unit_test(a_sweep_goes_on_with_what_fits),
    };
    return cmocka_run_group_tests_name("precheck", tests, NULL, NULL);
}
