/* chrome_test.c - a timeline as Chrome trace JSON: its contents, to the picosecond, and that nothing breaks the
 * file. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/trace/chrome.h"
#include "tests/test.h"

static struct track tracks[] = { { "gpu 0" }, { "cpu 0" }, { "gpu 1" }, { "idle 7" }, { "nic-out 0" }, { "odd" } };
static struct span spans[] = {
    { .start_ps = 0, .end_ps = 1500000, .bytes = -1, .track = 0, .slot = 0, .id = 3, .name = "forward" },
    { .start_ps = 1, .end_ps = 2, .bytes = -1, .track = 1, .slot = 2, .id = 4, .name = "a \"b\"\\c\n\x01\xff" },
    { .start_ps = 1500000, .end_ps = 2500000, .bytes = 1250, .track = 4, .slot = 0, .id = 5, .name = "push \xc3\xa9" },
    { .start_ps = 2000000, .end_ps = 3000000, .bytes = 2500, .track = 4, .slot = 1, .id = 6, .name = "pull" },
    { .start_ps = 9223372036854000001,
      .end_ps = 9223372036854775807,
      .bytes = -1,
      .track = 2,
      .id = 7,
      .name = "late" },
    { .start_ps = 5, .end_ps = 6, .bytes = 0, .track = 5, .id = 8, .name = "" },
    { .start_ps = 7, .end_ps = 7, .bytes = 40, .track = 5, .id = 9, .name = "at once" },
};
static const struct timeline timeline = { .spans = spans, .nspans = 7, .tracks = tracks, .ntracks = 6, .left_out = 42 };

static char *write(const struct timeline *t, bool load)
{
    static const struct chrome_note notes[] = { { "scenario", "a \"quoted\" one" }, { "variant", "x" } };
    struct chrome_options o = { .notes = notes, .nnotes = 2, .load = load };
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_int_equal(chrome_write(t, &o, out), NW_OK);
    fclose(out);
    return text;
}

static const char *const wanted[] = {
    "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"gpu\"}}",
    "{\"ph\":\"M\",\"pid\":2,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"cpu\"}}",
    "{\"ph\":\"M\",\"pid\":5,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"odd\"}}",
    "\"name\":\"thread_name\",\"args\":{\"name\":\"cpu 0\"}}",
    "\"name\":\"thread_name\",\"args\":{\"name\":\"cpu 0 #2\"}}",
    "\"name\":\"thread_name\",\"args\":{\"name\":\"nic-out 0 #1\"}}",
    "{\"ph\":\"X\",\"name\":\"forward\",\"pid\":1,\"tid\":1,\"ts\":0.000000,\"dur\":1.500000,\"args\":{\"id\":3}}",
    "{\"ph\":\"X\",\"name\":\"a \\\"b\\\"\\\\c\\u000a\\u0001\\ufffd\",\"pid\":2,\"tid\":4,\"ts\":0.000001,"
    "\"dur\":0.000001,",
    ("\"name\":\"push \xc3\xa9\",\"pid\":4,\"tid\":6,\"ts\":1.500000,\"dur\":1.000000,"
     "\"args\":{\"id\":5,\"bytes\":1250,\"GB/s\":1.25}}"),
    "\"ts\":9223372036854.000001,\"dur\":0.775806,",
    "\"args\":{\"id\":8,\"bytes\":0,\"GB/s\":0}}",
    "\"args\":{\"id\":9,\"bytes\":40}}", /* JSON has no infinite rate */
    "\"otherData\":{\"scenario\":\"a \\\"quoted\\\" one\",\n\"variant\":\"x\",\n\"spans\":7,\"spans_left_out\":42}}",
};

/* Brackets closed in their order, none within a text that is open. */
static void expect_nested(const char *text)
{
    char stack[64];
    size_t depth = 0;
    bool quoted = 0;

    for (const char *c = text; *c; c++) {
        if (quoted) {
            c += *c == '\\';
            quoted = *c != '"' || c[-1] == '\\';
            assert_true((unsigned char)*c >= 0x20);
        } else if (*c == '"') {
            quoted = 1;
        } else if (*c == '{' || *c == '[') {
            assert_true(depth < sizeof(stack));
            stack[depth++] = *c == '{' ? '}' : ']';
        } else if (*c == '}' || *c == ']') {
            assert_true(depth > 0 && stack[--depth] == *c);
        }
    }
    assert_true(depth == 0 && !quoted);
}

static void every_span_and_track_is_there(void **state)
{
    char *text = write(&timeline, 0);

    (void)state;
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
        if (!strstr(text, wanted[i]))
            fail_msg("expected %s in:\n%s", wanted[i], text);
    if (strstr(text, "idle 7"))
        fail_msg("a track on which nothing ran has a thread");
    if (strstr(text, "\"ph\":\"C\""))
        fail_msg("counters without being asked");
    expect_nested(text);
    free(text);
}

/* Rates add up while transfers overlap, and come back to exactly nothing. */
static void the_load_is_the_sum_of_the_rates(void **state)
{
    static const char *const loads[] = { "\"ts\":1.500000,\"args\":{\"GB/s\":1.25}}",
                                         "\"ts\":2.000000,\"args\":{\"GB/s\":3.75}}",
                                         "\"ts\":2.500000,\"args\":{\"GB/s\":2.5}}",
                                         "\"ts\":3.000000,\"args\":{\"GB/s\":0}}" };
    char *text = write(&timeline, 1), *at = text;

    (void)state;
    for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
        at = strstr(at, "{\"ph\":\"C\",\"name\":\"load of nic-out 0\",\"pid\":4,\"tid\":0,");
        if (!at)
            fail_msg("%zu loads in:\n%s", i, text);
        at = strstr(at, "\"ts\"");
        if (strncmp(at, loads[i], strlen(loads[i])) != 0)
            fail_msg("expected %s, got %.60s", loads[i], at);
    }
    assert_null(strstr(at, "\"ph\":\"C\""));
    expect_nested(text);
    free(text);
}

static void an_empty_timeline_is_a_file_too(void **state)
{
    static const struct timeline empty = { .left_out = 0 };
    char *text = write(&empty, 1);

    (void)state;
    assert_non_null(strstr(text, "{\"traceEvents\":[],"));
    expect_nested(text);
    free(text);
}

/* From what a span waited for to where it begins; what is left out has none. */
static void arrows_and_the_critical_path_are_drawn(void **state)
{
    static struct track lanes[] = { { "gpu 0" }, { "nic 0" } };
    static struct span chain[] = {
        { .start_ps = 0, .end_ps = 5000000, .bytes = -1, .track = 0, .id = 0, .critical = 1, .name = "a" },
        { .start_ps = 1, .end_ps = 500, .bytes = -1, .track = 1, .id = 2, .after = 100, .name = "lost" },
        { .start_ps = 5000000, .end_ps = 6000000, .bytes = -1, .track = 1, .id = 1, .after = 1, .name = "b" },
        { .start_ps = 6000000, .end_ps = 7000000, .bytes = -1, .track = 0, .id = 9, .after = 3, .name = "c" },
    };
    static const int64_t at_ps[] = { 0, 7000000 };
    static const double values[] = { 1.5, 0 };
    const struct timeline t = { .spans = chain, .nspans = 4, .tracks = lanes, .ntracks = 2 };
    const struct chrome_counter counter = { "live \"memory\"", "GB", 2, at_ps, values };
    const struct chrome_options o = { .arrows = 1, .counters = &counter, .ncounters = 1 };
    static const char *const parts[] = {
        "{\"ph\":\"X\",\"name\":\"a\",\"cat\":\"critical\",\"pid\":1,\"tid\":1,\"ts\":0.000000,\"dur\":5.000000,"
        "\"args\":{\"id\":0,\"critical path\":true}}",
        "{\"ph\":\"s\",\"cat\":\"after\",\"name\":\"after\",\"id\":1,\"pid\":1,\"tid\":1,\"ts\":4.999000}",
        "{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"after\",\"name\":\"after\",\"id\":1,\"pid\":2,\"tid\":2,\"ts\":5.000000}",
        "{\"ph\":\"s\",\"cat\":\"after\",\"name\":\"after\",\"id\":2,\"pid\":2,\"tid\":2,\"ts\":0.000001}",
        "{\"ph\":\"C\",\"name\":\"live \\\"memory\\\"\",\"pid\":1,\"tid\":0,\"ts\":0.000000,\"args\":{\"GB\":1.5}}",
    };
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    assert_int_equal(chrome_write(&t, &o, out), NW_OK);
    fclose(out);
    expect_nested(text);
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        if (!strstr(text, parts[i]))
            fail_msg("expected %s in:\n%s", parts[i], text);
    assert_null(strstr(text, "\"id\":3,\"pid\"")); /* of what is left out no arrow comes */
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_span_and_track_is_there),
                                        cmocka_unit_test(arrows_and_the_critical_path_are_drawn),
                                        cmocka_unit_test(the_load_is_the_sum_of_the_rates),
                                        cmocka_unit_test(an_empty_timeline_is_a_file_too) };
    return cmocka_run_group_tests_name("chrome", tests, NULL, NULL);
}
