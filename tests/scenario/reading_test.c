/* reading_test.c - how errors are shown, what sizes are refused, and files on disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/status.h"
#include "tests/scenario/inputs.h"
#include "tests/test.h"

#define TEN "0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

static const struct {
    const char *why, *text, *want; /* stands in what is printed */
} shown[] = {
    { "a caret under the column", "name: [a]\n",
      "s.yaml:1:7: name: expected text of at most 63 characters, got a list\n"
      "    name: [a]\n"
      "          ^\n" },
    { "a tab before the column stays a tab", "name:\t[a]\n",
      "s.yaml:1:7: name: expected text of at most 63 characters, got a list\n    name:\t[a]\n         \t^\n" },
    { "a caret behind a wide character", "{\xc3\xa9: 1, name: [a]}\n",
      "s.yaml:1:14: name: expected text of at most 63 characters, got a list\n"
      "    {\xc3\xa9: 1, name: [a]}\n                 ^\n" },
    { "stray bytes are escaped", "a\xff\xfe\x01\x1b[31m\n",
      "s.yaml:1:2: expected text in UTF-8, got a byte that is not UTF-8\n    a\\xff\\xfe\\x01\\x1b[31m\n     ^\n" },
    { "escaped bytes before the caret", "\x01\n",
      "s.yaml:1:1: expected text in UTF-8, got a control character\n    \\x01\n    ^\n" },
    { "line ends of other systems", "name: x\r\nname: y\r\n",
      "s.yaml:2:1: name: expected each key once, got 'name' again (first on line 1)\n    name: y\n    ^\n" },
    { "a byte order mark is not a column", "\xef\xbb\xbf[]\n",
      "s.yaml:1:1: expected keys and values, got a list\n    []\n    ^\n" },
    { "a long line is cut behind", "name: [" HUNDRED HUNDRED "]\n",
      "s.yaml:1:7: name: expected text of at most 63 characters, got a list\n"
      "    name: [" TEN TEN TEN TEN TEN TEN TEN TEN TEN "01...\n"
      "          ^\n" },
    { "a long line is cut on both sides", "{a: " HUNDRED ", name: [a], b: " HUNDRED "}\n",
      "s.yaml:1:113: name: expected text of at most 63 characters, got a list\n"
      "    ...89" TEN TEN TEN TEN TEN TEN ", name: [a], b: " TEN TEN "01...\n"
      "                                                                             ^\n" },
};

static void errors_are_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(shown); i++) {
        struct input in = { .text = shown[i].text };
        struct scenario_file *f = NULL;
        char *printed;

        assert_int_equal(input_open(&in, &printed, &f), NW_EINPUT);
        if (!strstr(printed, shown[i].want))
            fail_msg("%s: want\n%s\ngot\n%s", shown[i].why, shown[i].want, printed);
        free(printed);
    }
}

static char *repeated(const char *before, char c, size_t n, const char *after)
{
    size_t nb = strlen(before), na = strlen(after);
    char *text = malloc(nb + n + na + 1);

    assert_non_null(text);
    memcpy(text, before, nb);
    memset(text + nb, c, n);
    memcpy(text + nb + n, after, na + 1);
    return text;
}

static void expect_said(const char *text, const char *want, size_t longest)
{
    struct input in = { .text = text };
    struct scenario_file *f = NULL;
    char *printed;

    assert_int_equal(input_open(&in, &printed, &f), NW_EINPUT);
    if (!strstr(printed, want) || strlen(printed) > longest)
        fail_msg("want '%s' in at most %zu bytes, got %zu: %.300s", want, longest, strlen(printed), printed);
    free(printed);
}

static void large_texts_are_refused_briefly(void **state)
{
    enum { MIB = 1 << 20 };
    char *text = repeated("name: ", 'x', MIB - 7, "\n");

    (void)state;
    expect_said(text, "s.yaml:1:7: name: expected text of at most 63 characters, got 'xxxx", 2000);
    free(text);
    text = repeated("name: ", 'x', MIB, "\n");
    expect_said(text, "s.yaml: expected at most 1048576 bytes (1 MiB), got more\n", 200);
    free(text);
    text = repeated("", '[', 200000, "");
    expect_said(text, "s.yaml:1:17: expected at most 16 levels, got more\n", 400);
    free(text);
    text = repeated("name: \"", '\n', MIB - 20, "\"\n");
    expect_said(text, "required key 'batch'", 2000);
    free(text);
}

static void many_keys(char *text, size_t n, const char *format)
{
    for (size_t i = 0; i < n; i++)
        text += sprintf(text, format, i);
}

static void many_errors_are_cut(void **state)
{
    char *text = malloc(1 << 20), *printed, *last;
    struct input in = { .text = text };
    struct scenario_file *f = NULL;
    size_t lines = 0;

    (void)state;
    many_keys(text, 300, "unknown%zu: 1\n");
    assert_int_equal(input_open(&in, &printed, &f), NW_EINPUT);
    for (char *p = printed; (p = strstr(p, "s.yaml:")); p++)
        lines++;
    last = strstr(printed, "and ");
    assert_int_equal(lines, 50);
    assert_non_null(last);
    assert_string_equal(last, "and 255 more\n"); /* 300 unknown and 5 missing */
    free(printed);
    many_keys(text, 600, "k%zu: 1\n");
    assert_int_equal(input_open(&in, &printed, &f), NW_EINPUT);
    assert_non_null(strstr(printed, "s.yaml:513:1: expected at most 512 keys in a mapping, got more\n"));
    free(printed);
    free(text);
}

static char *printed_by(const char *path, int want, struct scenario_file **f)
{
    char *printed;
    size_t size;
    FILE *err = open_memstream(&printed, &size);

    assert_int_equal(scenario_open(path, NULL, 0, NULL, 0, err, f), want);
    fclose(err);
    return printed;
}

static void files_are_read_from_disk(void **state)
{
    static const char path[] = "tests/scenario/data/scenario.yaml";
    struct scenario_file *f = NULL;
    struct platform *platform;
    struct model_spec *model;
    struct point p;
    char *printed = printed_by(path, NW_OK, &f);

    (void)state;
    free(printed);
    assert_string_equal(scenario_path(f), path);
    assert_int_equal(scenario_point(f, 0, &p), NW_OK);
    assert_string_equal(p.scenario.platform.calibration, "tests/scenario/data/sub/../scenario.yaml");
    assert_string_equal(p.scenario.model.name, "on-disk");
    point_free(&p);
    scenario_close(f);
    assert_int_equal(scenario_kind(path), KIND_SCENARIO);
    assert_int_equal(scenario_kind("tests/scenario/data/sub/platform.yaml"), KIND_PLATFORM);
    assert_int_equal(scenario_kind("tests/scenario/data/sub/model.yaml"), KIND_MODEL);
    assert_int_equal(scenario_kind("scenarios/models/gpt.yaml"), KIND_MODEL);
    assert_int_equal(scenario_load_platform("tests/scenario/data/sub/platform.yaml", stderr, &platform), NW_OK);
    assert_true(platform->gpu.memory_bytes == 4294967296);
    scenario_free_platform(platform);
    assert_int_equal(scenario_load_model("tests/scenario/data/sub/model.yaml", stderr, &model), NW_OK);
    assert_int_equal(model->classes, 2);
    scenario_free_model(model);
    scenario_free_model(NULL);
    scenario_free_platform(NULL);
}

static void what_is_no_file_is_refused(void **state)
{
    struct scenario_file *f = NULL;
    struct model_spec *model;
    char *printed;

    (void)state;
    printed = printed_by("tests/scenario/data/nope.yaml", NW_EINPUT, &f);
    assert_string_equal(printed, "tests/scenario/data/nope.yaml: expected a file, got No such file or directory\n");
    free(printed);
    printed = printed_by("tests/scenario/data", NW_EINPUT, &f);
    assert_string_equal(printed, "tests/scenario/data: expected a file, got Is a directory\n");
    free(printed);
    printed = printed_by("/dev/null", NW_EINPUT, &f);
    assert_string_equal(printed, "/dev/null: expected keys, got nothing: the file is empty\n");
    free(printed);
    printed = printed_by("/dev/zero", NW_EINPUT, &f);
    assert_string_equal(printed, "/dev/zero: expected at most 1048576 bytes (1 MiB), got more\n");
    free(printed);
    assert_null(f);
    assert_int_equal(scenario_kind("tests/scenario/data/nope.yaml"), KIND_UNKNOWN);
    assert_int_equal(scenario_load_model("tests/scenario/data/nope.yaml", stderr, &model), NW_EINPUT);
}

static void every_key_is_documented(void **state)
{
    static const struct {
        const char *what, *want;
    } rows[] = {
        { "platform", "\nlink.NAME.bandwidth\n"
                      "    a number with a unit (GB/s, MB/s, GiB/s, Gbit/s) above 0; required\n    per direction" },
        { "platform", "\ncpu.codec\n"
                      "    a number with a unit (GB/s, MB/s, GiB/s, Gbit/s) above 0, "
                      "'calibrated' or 'measured'; default calibrated\n" },
        { "model", "\nlayers[0].units\n    a whole number in 1..16777216; required; for fc, linear\n" },
        { "method", "\nawp\n    true or false; default false\n" },
        { "scenario", "\nmethod.bytes_per_weight\n    a number in 1..4; default 4\n" },
        /* Under the kind that has them, what several have in common once. */
        { "method", "\n\n## kind: host-sgd\nschedule\n" },
        { "method", "\n\n## kind: parameter-server\nworkers\n" },
        { "method", "\n\n## kind: allreduce\nworkers\n" },
        { "method", "\n\n## kind: model-parallel\ntrainers\n" },
        { "method", "\n\n## kind: flows\nfile\n" },
        { "method", "\npush.density\n    a number in 0..1; default 1\n" },
        { "method", "\ngradients\n    a mapping; optional\n    codec of the gradients\n"
                    "    its keys are those of parameter-server's push\noffload_share\n" },
        { "scenario", "\n\ntraining\n    a mapping; optional\n" },
        { "scenario", "\nset\n    optional\n    path: value" },
        { "scenario", "\nsweep\n    optional\n" },
        /* Long texts are broken between words. */
        { "method",
          "\n    layer: a tensor is sent as soon as possible; update: pulls wait until every tensor is updated; "
          "step: pushes wait\n    for the whole backward pass, and the forward pass for all pulls; pulls: the "
          "forward pass waits for all pulls\n" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);

        assert_int_equal(scenario_document(rows[i].what, out), NW_OK);
        fclose(out);
        if (!strstr(text, rows[i].want))
            fail_msg("%s: want '%s' in\n%s", rows[i].what, rows[i].want, text);
        if (!strcmp(rows[i].what, "method") && strstr(text, "gradients.density"))
            fail_msg("a codec's keys twice");
        free(text);
    }
    assert_int_equal(scenario_document("plaform", stderr), NW_EINPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_shown),           cmocka_unit_test(large_texts_are_refused_briefly),
        cmocka_unit_test(many_errors_are_cut),        cmocka_unit_test(files_are_read_from_disk),
        cmocka_unit_test(what_is_no_file_is_refused), cmocka_unit_test(every_key_is_documented),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
