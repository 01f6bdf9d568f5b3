/* timing_test.c - memory-plan: its keys and defaults, and how fast the GPU is, as a file or in place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/memory.h"
#include "harness/status.h"
#include "model/status.h"
#include "tests/scenario/inputs.h"
#include "tests/test.h"

#define HEAD "name: x\nplatform: q.yaml\nmodel: m.yaml\nbatch: 8\n"
#define INLINE "{name: own, rates: [{efficiency: 0.5}]}"
#define FILES HEAD "method:\n  kind: memory-plan\n  timing: t.yaml\n"
#define OWN HEAD "method:\n  kind: memory-plan\n  timing: " INLINE "\n"
#define LOST HEAD "method: {kind: memory-plan, timing: nowhere.yaml}\n"
#define NONE HEAD "method: {kind: memory-plan}\n"

static const char one[] = "name: one\n"
                          "source: a datasheet\n"
                          "memory: {value: 500 GB/s, source: measured}\n"
                          "rates:\n"
                          "  - {kernel: 3, stride: 1, efficiency: 1.5, source: a guess}\n"
                          "  - {plane: 7, in_channels: 512, out_channels: 256, rate: 7 TFlop/s}\n"
                          "  - {rate: 5 TFlop/s}\n";
static const char two[] = "include: t.yaml\nname: two\nmemory: 600 GB/s\nrates: [{efficiency: 0.25}]\n";
static const char wrong[] = "name: wrong\nmemory: 500\nrates: [{kernle: 3, efficiency: 20}]\nspeed: 3\n";
static const char from_home[] = "name: shipped\nmemory: 9 GB/s\nrates: [{efficiency: 0.5}]\n";

struct opened {
    struct scenario_file *file;
    char *printed;
    int rc;
};

static struct opened opened_with(const char *text, const char *const *sets, size_t nsets, const char *const *sweeps,
                                 size_t nsweeps)
{
    struct memory_file files[] = {
        { "s.yaml", text, strlen(text) },
        { "q.yaml", input_other, strlen(input_other) },
        { "m.yaml", input_model, strlen(input_model) },
        { "t.yaml", one, sizeof(one) - 1 },
        { "u.yaml", two, sizeof(two) - 1 },
        { "w.yaml", wrong, sizeof(wrong) - 1 },
        { "near", two, sizeof(two) - 1 },
        { "home/scenarios/timings/near.yaml", from_home, sizeof(from_home) - 1 },
        { "home/scenarios/timings/far.yaml", from_home, sizeof(from_home) - 1 },
    };
    struct memory_files all = { files, COUNT(files) };
    struct opened o = { .file = NULL };
    size_t size;
    FILE *err = open_memstream(&o.printed, &size);

    o.rc = scenario_open_memory(&all, "s.yaml", sets, nsets, sweeps, nsweeps, err, &o.file);
    fclose(err);
    return o;
}

static void closed(struct opened *o)
{
    scenario_close(o->file);
    free(o->printed);
}

static struct point bound(const struct opened *o, size_t index)
{
    struct point p;

    if (o->rc)
        fail_msg("%s", o->printed);
    assert_int_equal(scenario_point(o->file, index, &p), NW_OK);
    return p;
}

static const struct timing *timing_of(const struct point *p)
{
    return &p->scenario.method.memory_planned.plan.timing;
}

static void a_file_is_bound(void **state)
{
    struct opened o = opened_with(FILES, NULL, 0, NULL, 0);
    struct point p = bound(&o, 0);
    const struct timing *t = timing_of(&p);

    (void)state;
    assert_int_equal(p.scenario.method.kind, METHOD_MEMORY_PLAN);
    assert_string_equal(t->name, "one");
    assert_string_equal(t->source, "a datasheet");
    assert_true(t->memory_Bps == 500e9 && t->nrates == 3 && t->split_efficiency == 1);
    assert_true(t->rates[0].kernel == 3 && t->rates[0].stride == 1 && t->rates[0].plane == 0);
    assert_true(t->rates[0].efficiency == 1.5 && t->rates[0].rate_flops == 0);
    assert_string_equal(t->rates[0].source, "a guess");
    assert_true(t->rates[1].plane == 7 && t->rates[1].in_channels == 512 && t->rates[1].out_channels == 256);
    assert_true(t->rates[1].rate_flops == 7e12 && t->rates[2].rate_flops == 5e12 && t->rates[2].kernel == 0);
    point_free(&p);
    closed(&o);
}

static void a_plan_has_defaults(void **state)
{
    struct opened o = opened_with(OWN, NULL, 0, NULL, 0);
    struct point p = bound(&o, 0);
    const struct memory_planned *m = &p.scenario.method.memory_planned;
    const struct memory_plan_options *d = &m->plan;

    (void)state;
    assert_true(d->split.depth == 0 && d->split.rows == 1 && d->split.columns == 1 && d->split.wiggle == 0);
    assert_true(d->split.seed == 1 && d->generated == GENERATED_STORED && d->in_place && d->share_sums);
    assert_true(!d->recompute_norm && d->workspace_factor == 1 && d->workspace_limit == 0);
    assert_true(d->schedule == SCHEDULE_PER_OBJECT && d->granularity == GRANULARITY_GROUP);
    assert_true(d->choice == CHOICE_IN_ORDER && d->limit == 1 && d->limit_by_link && d->keep_last == 2);
    assert_true(d->placement == PLACEMENT_EXACT && d->placement_nodes == 1000000 && d->alignment == 256);
    assert_true(d->parameter_copies == 3 && d->usable == 0.97 && d->timing.memory_Bps == 0);
    assert_true(m->play.contention && m->play.streams == 1 && m->play.pin_s == 0);
    assert_true(!m->largest && !m->fill && !m->strict && m->workers == 1);
    point_free(&p);
    closed(&o);
}

static void names_are_those_of_the_simulator(void **state)
{
    (void)state;
    struct opened o =
        opened_with(OWN, NULL, 0,
                    (const char *const[]){ "zip:method.generated=stored, algorithm-1, cudnn, outputs, outputs",
                                           "zip:method.schedule=keep-all, layer-wise, algorithm-1, clamped, per-object",
                                           "zip:method.placement=first-fit, greedy-by-size, exact, exact, exact" },
                    3);
    for (size_t i = 0; i < 5; i++) {
        struct point p = bound(&o, i);
        const struct memory_plan_options *d = &p.scenario.method.memory_planned.plan;
        assert_string_equal(generated_name(d->generated), p.params[0].text);
        assert_string_equal(schedule_name(d->schedule), p.params[1].text);
        assert_string_equal(placement_name(d->placement), p.params[2].text);
        point_free(&p);
    }
    closed(&o);
}

/* What a scenario is opened with, and what the timings of its points are: name, memory in GB/s, rows. */
static const struct {
    const char *why, *text, *set, *sweep;
    const char *want;
} cases[] = {
    { "as a file", FILES, NULL, NULL, "one 500 3;" },
    { "in place", OWN, NULL, NULL, "own 0 1;" },
    { "in place, on top of a file", HEAD "method: {kind: memory-plan, timing: {include: t.yaml, memory: 1 GB/s}}\n",
      NULL, NULL, "one 1 3;" },
    { "a key set", FILES, "method.timing.memory=550 GB/s", NULL, "one 550 3;" },
    { "a key set by its end", FILES, "timing.memory=550 GB/s", NULL, "one 550 3;" },
    { "a key swept", FILES, NULL, "method.timing.memory=1..3 GB/s:lin:3", "one 1 3;one 2 3;one 3 3;" },
    { "another file", FILES, "method.timing=u.yaml", NULL, "two 600 1;" },
    { "another file, by its end", FILES, "timing=u.yaml", NULL, "two 600 1;" },
    { "one that is shipped", FILES, "timing=far", NULL, "shipped 9 1;" },
    { "shipped ones and files", FILES, NULL, "timing=far, u.yaml, near", "shipped 9 1;two 600 1;two 600 1;" },
    { "one that is shipped where there was none", NONE, "method.timing=far", NULL, "shipped 9 1;" },
    { "a file where there was none", NONE, "method.timing=u.yaml", NULL, "two 600 1;" },
    { "two files", FILES, NULL, "method.timing=t.yaml, u.yaml", "one 500 3;two 600 1;" },
    { "two files where there was none", NONE, NULL, "timing=t.yaml, u.yaml", "one 500 3;two 600 1;" },
    { "two files, a key set in both", NONE, "timing.memory=7 GB/s", "timing=t.yaml, u.yaml", "one 7 3;two 7 1;" },
    { "variants",
      FILES "variants:\n  a: {}\n  b: {method.timing: u.yaml}\n  c: {timing: u.yaml, timing.memory: 8 GB/s}\n", NULL,
      NULL, "one 500 3;two 600 1;two 8 1;" },
    { "set in the file", FILES "set: {timing: u.yaml}\n", NULL, NULL, "two 600 1;" },
    { "swept in the file", NONE "sweep: {method.timing: [t.yaml, u.yaml], method.limit: [0, 1]}\n", NULL, NULL,
      "one 500 3;one 500 3;two 600 1;two 600 1;" },
    { "a missing file replaced by set", LOST "set: {timing: u.yaml}\n", NULL, NULL, "two 600 1;" },
    { "a missing file replaced by sweep", LOST "sweep: {timing: [u.yaml]}\n", NULL, NULL, "two 600 1;" },
    { "a missing file replaced by zip", LOST "sweep: {zip: {timing: [u.yaml], method.limit: [1]}}\n", NULL, NULL,
      "two 600 1;" },
    { "the command line beats the file", FILES "sweep: {timing: [nowhere.yaml]}\n", "timing=u.yaml", NULL,
      "two 600 1;" },
};

static void it_is_set_and_swept(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct opened o =
            opened_with(cases[i].text, &cases[i].set, cases[i].set != NULL, &cases[i].sweep, cases[i].sweep != NULL);
        char got[256] = "";

        if (o.rc)
            fail_msg("%s: %s", cases[i].why, o.printed);
        for (size_t k = 0; k < scenario_npoints(o.file); k++) {
            struct point p = bound(&o, k);
            snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s %g %zu;", timing_of(&p)->name,
                     timing_of(&p)->memory_Bps / 1e9, timing_of(&p)->nrates);
            point_free(&p);
        }
        if (strcmp(got, cases[i].want) != 0)
            fail_msg("%s: want '%s', got '%s'", cases[i].why, cases[i].want, got);
        closed(&o);
    }
}

/* As an axis a timing is its name. */
static void an_axis_has_names(void **state)
{
    struct opened o = opened_with(FILES, NULL, 0, (const char *const[]){ "timing=t.yaml, u.yaml" }, 1);
    struct point p = bound(&o, 1);

    (void)state;
    assert_int_equal(p.nparams, 1);
    assert_string_equal(p.params[0].path, "method.timing");
    assert_string_equal(p.params[0].text, "two");
    assert_true(isnan(p.params[0].value));
    point_free(&p);
    closed(&o);
}

static void answers_are_asked_for_one_by_one(void **state)
{
    static const struct {
        const char *set;
        bool largest, fill, strict;
    } asked[] = { { "method.largest=true", 1, 0, 0 }, { "fill=true", 0, 1, 0 }, { "strict=true", 0, 0, 1 } };

    (void)state;
    for (size_t i = 0; i < COUNT(asked); i++) {
        struct opened o = opened_with(OWN, &asked[i].set, 1, NULL, 0);
        struct point p = bound(&o, 0);
        const struct memory_planned *m = &p.scenario.method.memory_planned;
        assert_true(m->largest == asked[i].largest && m->fill == asked[i].fill && m->strict == asked[i].strict);
        point_free(&p);
        closed(&o);
    }
}

static void the_schema_says_what_may_stand_there(void **state)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    assert_int_equal(scenario_document("method", out), NW_OK);
    fclose(out);
    assert_non_null(strstr(text, "\ntiming\n    a mapping, or the path of a file; required\n"));
    assert_non_null(strstr(text, "\ntiming.rates[0].kernel\n"));
    free(text);
    out = open_memstream(&text, &size);
    assert_int_equal(scenario_document("timing", out), NW_OK);
    fclose(out);
    assert_non_null(strstr(text, "\nrates[0].kernel\n"));
    free(text);
}

/* Points are bound on many threads: what one is given, no other may see. */
static void points_have_rates_of_their_own(void **state)
{
    struct opened o =
        opened_with(FILES, NULL, 0, (const char *const[]){ "method.timing.rates[2].rate=1 TFlop/s, 2 TFlop/s" }, 1);
    struct point a = bound(&o, 0), b = bound(&o, 1);

    (void)state;
    assert_true(timing_of(&a)->rates[2].rate_flops == 1e12 && timing_of(&b)->rates[2].rate_flops == 2e12);
    assert_true(timing_of(&a)->rates != timing_of(&b)->rates);
    assert_string_equal(a.params[0].path, "method.timing.rates[2].rate");
    point_free(&a);
    point_free(&b);
    closed(&o);
}

/* The text that a result is known by has every figure, and no source. */
static void the_canonical_text_has_the_rates(void **state)
{
    static const char *const lines[] = {
        "method.kind = memory-plan\n",
        "method.timing.memory = 500000000000 bytes/s\n",
        "method.timing.rates[0].efficiency = 1.5\n",
        "method.timing.rates[1].rate = 7000000000000 FLOP/s\n",
        "method.timing.rates[2].plane = 0\n",
        "method.timing.split_efficiency = 1\n",
        "method.split.depth = 0\n",
        "method.workspace.limit = 0 bytes\n",
        "method.placement = exact\n",
        "method.pin = 0 s\n",
    };
    struct opened o = opened_with(FILES, NULL, 0, NULL, 0);
    struct point p = bound(&o, 0);
    char *text = scenario_canonical(&p.scenario);

    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++)
        if (!strstr(text, lines[i]))
            fail_msg("no line '%s' in\n%s", lines[i], text);
    assert_null(strstr(text, "guess"));
    assert_null(strstr(text, "timing.name"));
    free(text);
    point_free(&p);
    closed(&o);
}

static const struct {
    const char *why, *text, *set;
    size_t n;
    const char *want; /* what the first one begins with */
} errors[] = {
    { "none", NONE, NULL, 1, "s.yaml:5:9: method.timing: expected the required key 'timing', got none\n" },
    { "a file that there is not", HEAD "method: {kind: memory-plan, timing: v.yaml}\n", NULL, 1,
      "s.yaml:5:37: method.timing: expected a file, got 'v.yaml': No such file or directory\n" },
    { "a name that is not shipped", FILES, "timing=fear", 1,
      "--set:1:8: method.timing: expected the path of a file or the name of a shipped timing (near, far), got "
      "'fear'; did you mean 'near'?\n" },
    { "a path is no name", FILES, "timing=./far", 1,
      "--set:1:8: method.timing: expected a file, got './far': No such file or directory\n" },
    { "a list", HEAD "method: {kind: memory-plan, timing: [t.yaml]}\n", NULL, 1,
      "s.yaml:5:37: method.timing: expected the path of a timing file or its keys, got a list\n" },
    { "nothing", HEAD "method:\n  kind: memory-plan\n  timing:\n", NULL, 1,
      "s.yaml:7:10: method.timing: expected the path of a timing file or its keys, got nothing\n" },
    { "errors in its file", HEAD "method: {kind: memory-plan, timing: w.yaml}\n", NULL, 4,
      "w.yaml:2:12: method.timing.memory: expected a number with a unit" },
    { "no rates", HEAD "method: {kind: memory-plan, timing: {name: x}}\n", NULL, 1,
      "s.yaml:5:37: method.timing.rates: expected the required key 'rates', got none\n" },
    { "another method has none", HEAD "method: {kind: allreduce, workers: 1, timing: v.yaml}\n", NULL, 1,
      "s.yaml:5:39: method.timing: expected a key of kind 'allreduce', got 'timing'\n" },
    { "another method has none to set", HEAD "method: {kind: allreduce, workers: 1}\n", "method.timing=t.yaml", 1,
      "--set:1:1: --set: expected the path of a key, got 'method.timing'\n" },
    { "a key that there is not", FILES, "method.timing.memry=1 GB/s", 1,
      "--set:1:1: --set: expected the path of a key, got 'method.timing.memry'; "
      "did you mean 'method.timing.memory'?\n" },
    { "a share above 1", FILES, "method.limit=1.1", 1,
      "--set:1:14: method.limit: expected a number in 0..1, got '1.1': out of range\n" },
    { "a link of no bandwidth", FILES, "link.nvlink.bandwidth=0 GB/s", 1,
      "--set:1:23: platform.link.nvlink.bandwidth: expected a number with a unit (GB/s, MB/s, GiB/s, Gbit/s) above 0, "
      "got '0 GB/s': out of range\n" },
};

static size_t errors_in(const char *text)
{
    size_t n = 0;

    for (const char *at = text; (at = strstr(at, ": expected ")); at++)
        n++;
    return n;
}

static void errors_have_their_line(void **state)
{
    size_t failed = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(errors); i++) {
        struct opened o = opened_with(errors[i].text, &errors[i].set, errors[i].set != NULL, NULL, 0);

        if (o.rc != NW_EINPUT || strncmp(o.printed, errors[i].want, strlen(errors[i].want)) != 0 ||
            errors_in(o.printed) != errors[i].n) {
            print_error("%s: %d\n  want: %s\n  printed: %s\n", errors[i].why, o.rc, errors[i].want, o.printed);
            failed++;
        }
        closed(&o);
    }
    assert_int_equal(failed, 0);
}

/* Errors that only the simulator finds are reported at the line of the file that they come from. */
static void refusals_have_their_line(void **state)
{
    static const struct {
        const char *why, *text, *set, *reason, *want;
    } refused[] = {
        { "in the file", FILES, NULL, "method.timing.rates[1].plane: x", "t.yaml:6:13: " },
        { "of the file as a whole", FILES, NULL, "method.timing.rates: x", "t.yaml:4:1: " },
        { "a default of the file", FILES, NULL, "method.timing.split_efficiency: x", "t.yaml:1:1: " },
        { "a default in place", OWN, NULL, "method.timing.split_efficiency: x", "s.yaml:7:3: " },
        { "in place", OWN, NULL, "method.timing.rates[0].efficiency: x", "s.yaml:7:44: " },
        { "its name", FILES, NULL, "method.timing: x", "s.yaml:7:11: " },
        { "another file", FILES, "timing=u.yaml", "method.timing.rates: x", "u.yaml:4:1: " },
        { "a set key", FILES, "timing.rates[0].efficiency=2", "method.timing.rates[0].efficiency: x", "--set:1:28: " },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct opened o = opened_with(refused[i].text, &refused[i].set, refused[i].set != NULL, NULL, 0);
        struct point p = bound(&o, 0);
        char *printed = NULL;
        size_t size;
        FILE *err = open_memstream(&printed, &size);

        scenario_refuse(o.file, &p, refused[i].reason, err);
        fclose(err);
        if (strncmp(printed, refused[i].want, strlen(refused[i].want)) != 0)
            fail_msg("%s: want %s, printed %s", refused[i].why, refused[i].want, printed);
        free(printed);
        point_free(&p);
        closed(&o);
    }
}

/* There is a row for each layer of the paper's networks. */
static void check_networks(const char *path, const struct timing *t)
{
    static const char *const networks[] = { "vgg-19", "resnet-18", "resnet-50", "resnet-50-v1.5" };
    struct platform *p = NULL;

    assert_int_equal(scenario_load_platform("scenarios/platforms/power8-p100.yaml", stderr, &p), NW_OK);
    for (size_t i = 0; i < COUNT(networks); i++) {
        char file[256], why[256] = "";
        struct model_spec *spec = NULL;
        struct model m = { 0 };
        snprintf(file, sizeof(file), "scenarios/models/%s.yaml", networks[i]);
        assert_int_equal(scenario_load_model(file, stderr, &spec), NW_OK);
        assert_int_equal(model_infer(spec, &m, why, sizeof(why)), E_OK);
        if (timing_check(t, p, &m, why, sizeof(why)))
            fail_msg("%s, %s: %s", path, networks[i], why);
        model_free(&m);
        scenario_free_model(spec);
    }
    scenario_free_platform(p);
}

/* Every shipped timing, and what kind of file it is. */
static void timing_files_stand_alone(void **state)
{
    static const char *const shipped[] = { "scenarios/timings/p100-winograd.yaml",
                                           "scenarios/timings/p100-deepbench.yaml" };

    (void)state;
    for (size_t i = 0; i < COUNT(shipped); i++) {
        struct timing *t = NULL;
        assert_int_equal(scenario_kind(shipped[i]), KIND_TIMING);
        assert_int_equal(scenario_load_timing(shipped[i], stderr, &t), NW_OK);
        assert_true(t->nrates > 0 && t->memory_Bps == 550e9 && *t->source);
        for (size_t k = 0; k < t->nrates; k++)
            assert_true(*t->rates[k].source);
        check_networks(shipped[i], t);
        scenario_free_timing(t);
    }
    scenario_free_timing(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_bound),
        cmocka_unit_test(a_plan_has_defaults),
        cmocka_unit_test(names_are_those_of_the_simulator),
        cmocka_unit_test(it_is_set_and_swept),
        cmocka_unit_test(an_axis_has_names),
        cmocka_unit_test(answers_are_asked_for_one_by_one),
        cmocka_unit_test(the_schema_says_what_may_stand_there),
        cmocka_unit_test(points_have_rates_of_their_own),
        cmocka_unit_test(the_canonical_text_has_the_rates),
        cmocka_unit_test(errors_have_their_line),
        cmocka_unit_test(refusals_have_their_line),
        cmocka_unit_test(timing_files_stand_alone),
    };

    return cmocka_run_group_tests_name("timing", tests, NULL, NULL);
}
