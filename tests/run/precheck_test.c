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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_scenario_passes),
        cmocka_unit_test(every_reason_is_told_once),
        cmocka_unit_test(a_swept_layer_is_judged_by_point),
        cmocka_unit_test(a_constant_that_nobody_fits_is_named),
        cmocka_unit_test(a_figure_is_a_template),
        cmocka_unit_test(a_layer_that_does_not_fit_is_told_at_its_line),
    };
    return cmocka_run_group_tests_name("precheck", tests, NULL, NULL);
}
