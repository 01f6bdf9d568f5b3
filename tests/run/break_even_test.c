/* break_even_test.c - break-evens: against a value worked out from the measures, by binding again at the answer, and
 * questions that are refused. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/report/answer/break_even.h"
#include "harness/run/break_even/break_even.h"
#include "harness/scenario/memory.h"
#include "harness/status.h"
#include "tests/test.h"

static const char tiny[] = "tests/run/data/pays.yaml";

static struct scenario_file *open_with(const char *set)
{
    struct scenario_file *file;

    assert_int_equal(scenario_open(tiny, &set, set != NULL, NULL, 0, stderr, &file), NW_OK);
    return file;
}

static struct break_even_question question(const char *path)
{
    return (struct break_even_question){
        .path = path, .variant = "packed", .baseline = "plain", .target = 1, .tolerance = 1e-4, .scan = BREAK_EVEN_SCAN
    };
}

static double measured(const char *set, const char *variant, const char *measure)
{
    struct scenario_file *file = open_with(set);
    struct point p;
    struct measures *m = calloc(1, sizeof(*m));
    char why[256];

    assert_int_equal(scenario_point_variant(file, 0, variant, stderr, &p), NW_OK);
    assert_int_equal(measures_of(&p.scenario, m, why, sizeof(why)), NW_OK);
    double value = measure_value(m, measure);
    point_free(&p);
    free(m);
    scenario_close(file);
    return value;
}

/* A serial step is the sum of its rows. What packing saves on the wire is proportional to 1 / bandwidth; what it
 * costs is not. */
static double worked_out(void)
{
    double saved = measured(NULL, "plain", "to_device_ms") - measured(NULL, "packed", "to_device_ms");
    double cost = measured(NULL, "packed", "pack_ms") + measured(NULL, "packed", "unpack_ms");

    assert_true(saved > 0 && cost > 0);
    return 1e9 * saved / cost;
}

static void the_answer_is_the_one_worked_out(void **state)
{
    struct scenario_file *file = open_with(NULL);
    struct break_even_question q = question("link.wire.bandwidth");
    struct break_even b;

    (void)state;
    assert_int_equal(break_even_find(file, &q, &b), NW_OK);
    assert_string_equal(b.path, "platform.link.wire.bandwidth");
    assert_int_equal(b.verdict, BREAK_EVEN_CROSSES);
    assert_int_equal(b.scope, VARIED_BOTH);
    assert_true(b.present == 1e9 && b.low == 1e6 && b.high == 1e12);
    assert_int_equal(b.found.n, 1);
    const struct crossing *c = &b.crossings[0].at;
    assert_false(c->upwards);
    assert_true(c->high / c->low - 1 <= 1e-4);
    if (fabs(c->x / worked_out() - 1) > 2e-4)
        fail_msg("%.9g, but %.9g was worked out", c->x, worked_out());
    assert_true(b.speedup > 1); /* 1 GB/s lies below it */
    const struct break_even_side *sides = b.crossings[0].sides;
    assert_true(sides[SIDE_BELOW].x == c->low / 2 && sides[SIDE_JUST_BELOW].x == c->low);
    assert_true(sides[SIDE_JUST_ABOVE].x == c->high && sides[SIDE_ABOVE].x == c->high * 2);
    break_even_free(&b);
    q = question("bytes_per_weight"); /* 1 to 4 is all that the key allows */
    assert_int_equal(break_even_find(file, &q, &b), NW_OK);
    assert_true(b.low == 1 && b.high == 4 && b.found.nvalued == b.found.nscan);
    break_even_free(&b);
    scenario_close(file);
}

/* Changing a point in place gives what binding it again does. */
static void binding_again_at_the_answer_agrees(void **state)
{
    static const char *const paths[] = { "link.wire.bandwidth", "bytes_per_weight", "gpu.memory_bandwidth" };
    static const size_t crossings[] = { 1, 2, 1 }; /* at 4 bytes nothing is packed, so that nothing is lost either */

    (void)state;
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        struct scenario_file *file = open_with(NULL);
        struct break_even_question q = question(paths[i]);
        struct break_even b;

        assert_int_equal(break_even_find(file, &q, &b), NW_OK);
        if (b.found.n != crossings[i])
            fail_msg("%s: %zu crossings", paths[i], b.found.n);
        for (int side = 0; side < SIDES; side++) {
            const struct break_even_side *s = &b.crossings[0].sides[side];
            char set[128];

            snprintf(set, sizeof(set), "%s=%.17g%s%s", paths[i], s->x, strchr(paths[i], '_') ? "" : " ",
                     strstr(paths[i], "bandwidth") ? "B/s" : "");
            if (strstr(paths[i], "gpu.memory"))
                snprintf(set, sizeof(set), "%s=%.17g B/s", paths[i], s->x);
            double again = measured(set, "plain", "sample_us") / measured(set, "packed", "sample_us");
            if (again != s->speedup)
                fail_msg("%s: %.17g, bound again %.17g", set, s->speedup, again);
            assert_true(*s->variant.kind && s->variant.share > 0 && s->variant.share <= 1 + 1e-9);
            assert_true(*s->baseline.kind);
        }
        break_even_free(&b);
        scenario_close(file);
    }
}

/* Downwards and upwards; an answer with another number of crossings has nothing to say of this one. */
static void a_crossing_has_a_range(void **state)
{
    struct break_even_crossing at[] = { { .at.x = 10 } }, lower[] = { { .at.x = 8 } }, higher[] = { { .at.x = 13 } };
    struct break_even_crossing two[] = { { .at.x = 1 }, { .at.x = 100 } };
    struct break_even b = { .found.n = 1, .crossings = at };

    (void)state;
    break_even_widen(&b, &(struct break_even){ .found.n = 1, .crossings = lower });
    assert_true(at[0].least == 8 && at[0].largest == 10);
    break_even_widen(&b, &(struct break_even){ .found.n = 1, .crossings = higher });
    break_even_widen(&b, &(struct break_even){ .found.n = 2, .crossings = two });
    assert_true(at[0].least == 8 && at[0].largest == 13);
    assert_true(at[0].refits == 2 && b.nrefits == 3);
}

static void whole_numbers_are_exact(void **state)
{
    struct scenario_file *file = open_with("link.wire.bandwidth=1 GB/s");
    struct break_even_question q = question("batch");
    struct break_even b;
    char set[64];

    (void)state;
    q.target = 1.2;
    assert_int_equal(break_even_find(file, &q, &b), NW_OK);
    assert_int_equal(b.found.n, 1);
    const struct crossing *c = &b.crossings[0].at;
    assert_true(c->high == c->low + 1);
    for (int i = 0; i < 2; i++) {
        snprintf(set, sizeof(set), "batch=%.0f", i ? c->high : c->low);
        double again = measured(set, "plain", "sample_us") / measured(set, "packed", "sample_us");
        assert_true((again >= 1.2) == (i ? c->upwards : !c->upwards));
    }
    assert_true(b.low == 2 || *b.refused); /* one sample is too few for two GPUs */
    break_even_free(&b);
    scenario_close(file);
}

static void a_verdict_without_a_crossing(void **state)
{
    static const struct {
        const char *path, *from, *to;
        double target;
        enum break_even_verdict verdict;
    } cases[] = {
        { "link.wire.bandwidth", "1 MB/s", "2 MB/s", 1, BREAK_EVEN_ALWAYS },
        { "link.wire.bandwidth", "1 TB/s", "2 TB/s", 1, BREAK_EVEN_NEVER },
        { "link.wire.bandwidth", NULL, NULL, 100, BREAK_EVEN_NEVER },
        { "gpu.memory", NULL, NULL, 1, BREAK_EVEN_UNCHANGED },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct scenario_file *file = open_with(NULL);
        struct break_even_question q = question(cases[i].path);
        struct break_even b;

        q.from = cases[i].from;
        q.to = cases[i].to;
        q.target = cases[i].target;
        assert_int_equal(break_even_find(file, &q, &b), NW_OK);
        if (b.verdict != cases[i].verdict || b.found.n)
            fail_msg("%s to %s: verdict %d, %zu crossings", cases[i].path, cases[i].to, b.verdict, b.found.n);
        break_even_free(&b);
        scenario_close(file);
    }
}

/* A number that the variants differ in is the variant's own: the baseline keeps its value. */
static void a_variants_own_number_is_varied_in_it_alone(void **state)
{
    struct scenario_file *file = open_with(NULL);
    struct break_even_question q = question("bytes_per_weight");
    struct break_even b, c;

    (void)state;
    q.baseline = "three";
    assert_int_equal(break_even_find(file, &q, &b), NW_OK);
    assert_int_equal(b.scope, VARIED_VARIANT);
    assert_true(b.kept == 3);
    assert_int_equal(b.found.n, 1);
    assert_true(fabs(b.crossings[0].at.x - 3) < 1e-3);
    q = question("bytes_per_weight");
    assert_int_equal(break_even_find(file, &q, &c), NW_OK);
    assert_int_equal(c.scope, VARIED_BOTH);
    break_even_free(&b);
    break_even_free(&c);
    scenario_close(file);
}

#define STAR(link)                                                                                               \
    "name: c\nmachines: 3\nnetwork: {topology: star, link: " link "}\nlink: {" link ": {bandwidth: 8 Mbit/s}}\n" \
    "cpu: {cores_per_socket: 4, memory_bandwidth: 50 GB/s, peak: 1 TFlop/s}\n"

/* Of two variants on links of their own, the number of one's link is varied in that one, whichever side it is; they
 * are equally fast where the links are. */
static void a_number_of_one_side_is_varied_there(void **state)
{
    static const char text[] =
        "name: x\nmodel: {name: m, input: {channels: 1, height: 1, width: 8}, layers: [{kind: fc, units: 1000}]}\n"
        "batch: 8\nmethod: {kind: parameter-server, workers: 2, device: cpu}\nplatform: eth.yaml\n"
        "variants: {near: {}, far: {platform: ib.yaml}}\nbaseline: near\n";
    struct memory_file files[] = { { "s.yaml", text, sizeof(text) - 1 },
                                   { "eth.yaml", STAR("eth"), sizeof(STAR("eth")) - 1 },
                                   { "ib.yaml", STAR("ib"), sizeof(STAR("ib")) - 1 } };
    struct memory_files all = { files, COUNT(files) };
    struct scenario_file *file;

    (void)state;
    assert_int_equal(scenario_open_memory(&all, "s.yaml", NULL, 0, NULL, 0, stderr, &file), NW_OK);
    for (int far = 0; far <= 1; far++) {
        struct break_even_question q = question("link.ib.bandwidth");
        struct break_even b;

        q.variant = far ? "far" : "near";
        q.baseline = far ? "near" : "far";
        assert_int_equal(break_even_find(file, &q, &b), NW_OK);
        assert_int_equal(b.scope, far ? VARIED_VARIANT : VARIED_BASELINE);
        assert_int_equal(b.found.n, 1);
        assert_true(b.crossings[0].at.upwards == far);
        assert_true(fabs(b.crossings[0].at.x / 1e6 - 1) < 1e-4);
        break_even_free(&b);
    }
    scenario_close(file);
}

static void a_point_chooses_its_combination(void **state)
{
    struct scenario_file *file;

    (void)state;
    assert_int_equal(scenario_open("tests/run/data/tiny.yaml", NULL, 0, NULL, 0, stderr, &file), NW_OK);
    for (size_t i = 0; i < scenario_npoints(file); i++) {
        static const char *const names[] = { "plain", "packed" };

        for (size_t k = 0; k < 2; k++) {
            struct point p;

            assert_int_equal(scenario_point_variant(file, i, names[k], stderr, &p), NW_OK);
            assert_int_equal(p.index, i / 2 * 2 + k);
            assert_string_equal(p.variant, names[k]);
            point_free(&p);
        }
    }
    scenario_close(file);
}

static int count_play(void *context, const struct varied *v, double x, const struct point *p, const struct measures *m)
{
    (void)x;
    (void)p;
    assert_string_equal(v->path, "platform.link.wire.bandwidth");
    assert_true(measure_value(m, "sample_us") > 0);
    ++*(size_t *)context;
    return NW_OK;
}

static void every_play_is_reported(void **state)
{
    struct scenario_file *file = open_with(NULL);
    struct break_even_question q = question("link.wire.bandwidth");
    struct break_even b;
    size_t n = 0;

    (void)state;
    q.simulated = count_play;
    q.context = &n;
    assert_int_equal(break_even_find(file, &q, &b), NW_OK);
    assert_int_equal(n, b.nsimulated);
    assert_true(n >= 2 * b.found.nscan);
    break_even_free(&b);
    scenario_close(file);
}

static void what_cannot_be_asked_is_refused(void **state)
{
    static const struct {
        const char *path, *from, *to, *variant;
    } cases[] = {
        { "link.wire.bandwith", NULL, NULL, "packed" },          /* misspelled */
        { "method.codec", NULL, NULL, "packed" },                /* no number */
        { "latency", "1 GB", NULL, "packed" },                   /* another unit */
        { "link.wire.bandwidth", "2 GB/s", "1 GB/s", "packed" }, /* backwards */
        { "bytes_per_weight", "0.5", NULL, "packed" },           /* out of the key's range */
        { "bytes_per_weight", NULL, "5", "packed" },
        { "batch", "2.5", NULL, "packed" },
        { "link.wire.bandwidth", NULL, NULL, "no-such-variant" }, /* */
        { "dma_read", NULL, NULL, "packed" },                     /* 0 is unlimited: no range around it */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct scenario_file *file = open_with(NULL);
        struct break_even_question q = question(cases[i].path);
        struct break_even b;

        q.from = cases[i].from;
        q.to = cases[i].to;
        q.variant = cases[i].variant;
        if (break_even_find(file, &q, &b) != NW_EINPUT)
            fail_msg("case %zu was taken", i);
        break_even_free(&b);
        scenario_close(file);
    }
}

/* The values and the words of the three formats. */
static void the_formats_say_the_same(void **state)
{
    struct scenario_file *file = open_with(NULL);
    struct break_even_question q = question("link.wire.bandwidth");
    struct break_even b;
    char *text, number[40];
    size_t size;

    (void)state;
    assert_int_equal(break_even_find(file, &q, &b), NW_OK);
    snprintf(number, sizeof(number), "%.17g", b.crossings[0].at.x);
    FILE *out = open_memstream(&text, &size);
    break_even_csv_header(out);
    break_even_csv(&b, &q, "a \"name\", quoted", out);
    fclose(out);
    assert_non_null(strstr(text, number));
    assert_non_null(strstr(text,
                           "\n\"a \"\"name\"\", quoted\",packed,plain,platform.link.wire.bandwidth,bytes/s,both,1,"
                           "crosses,below,"));
    free(text);
    out = open_memstream(&text, &size);
    break_even_json(&b, &q, "a \"name\"", out);
    fclose(out);
    assert_non_null(strstr(text, number));
    assert_non_null(strstr(text, "\"scenario\": \"a \\\"name\\\"\""));
    free(text);
    out = open_memstream(&text, &size);
    break_even_text(&b, &q, out);
    fclose(out);
    assert_non_null(strstr(text, "\npacked pays below "));
    assert_non_null(strstr(text, "packed bound by"));
    assert_non_null(strstr(text, "it is 1 GB/s (8 Gbit/s), where"));
    free(text);
    break_even_free(&b);
    scenario_close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_is_the_one_worked_out),
        cmocka_unit_test(binding_again_at_the_answer_agrees),
        cmocka_unit_test(a_crossing_has_a_range),
        cmocka_unit_test(whole_numbers_are_exact),
        cmocka_unit_test(a_verdict_without_a_crossing),
        cmocka_unit_test(a_number_of_one_side_is_varied_there),
        cmocka_unit_test(a_variants_own_number_is_varied_in_it_alone),
        cmocka_unit_test(a_point_chooses_its_combination),
        cmocka_unit_test(every_play_is_reported),
        cmocka_unit_test(what_cannot_be_asked_is_refused),
        cmocka_unit_test(the_formats_say_the_same),
    };
    return cmocka_run_group_tests_name("break_even", tests, NULL, NULL);
}
