/* kineto_test.c - traces of PyTorch's profiler: a GPU's by hand, one that PyTorch wrote on a CPU, and what is
 * refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/import/kineto/kineto.h"
#include "harness/status.h"
#include "tests/test.h"

struct rest {
    const char *at;
    size_t n, piece;
};

static long take(void *context, char *into, size_t n)
{
    struct rest *r = context;
    size_t k = r->n < r->piece ? r->n : r->piece;

    k = k < n ? k : n;
    memcpy(into, r->at, k);
    r->at += k;
    r->n -= k;
    return (long)k;
}

/* In pieces of so many bytes. */
static int read_text(const char *text, size_t piece, enum kineto_by by, struct kineto_profile *p, char **said)
{
    struct rest rest = { text, strlen(text), piece };
    struct byte_source from = { "t.json", &rest, take };
    size_t n = 0;
    FILE *err = open_memstream(said, &n);
    int rc;

    assert_non_null(err);
    rc = kineto_read(&from, by, p, err);
    fclose(err);
    return rc;
}

static void near_us(const char *what, double s, double us)
{
    if (!(fabs(1e6 * s - us) < 1e-6))
        fail_msg("%s: %.9g us, not %.9g", what, 1e6 * s, us);
}

static struct kineto_profile read_data(const char *name, enum kineto_by by)
{
    struct kineto_profile p;
    char path[512];

    snprintf(path, sizeof(path), "%s/tests/import/data/%s", getenv("NARROWS_HOME"), name);
    assert_int_equal(kineto_read_file(path, by, &p, stderr), NW_OK);
    return p;
}

/* Three steps, of which the convolution's kernels take 100, 140 and 110 us forward, 210, 190 and 200 backward. The
 * ReLU's node has no flow, the gradients' sums have neither flow nor number. */
static void kernels_are_their_layers(void **state)
{
    static const struct {
        const char *name;
        double forward_us, backward_us;
    } want[] = { { "Conv2d_0", 110, 204 }, { "ReLU_0", 10, 12 }, { "Linear_0", 57, 64 }, { "Net_0", 3, 0 } };
    struct kineto_profile p = read_data("gpu.json", KINETO_BY_ANY);

    (void)state;
    assert_int_equal(p.by, KINETO_BY_MODULES);
    assert_true(p.gpu && p.marked);
    assert_int_equal(p.nsteps, 3);
    assert_int_equal(p.samples, 32);
    assert_int_equal(p.nlayers, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++) {
        assert_string_equal(p.layers[i].name, want[i].name);
        near_us(want[i].name, p.layers[i].forward_s, want[i].forward_us);
        near_us(want[i].name, p.layers[i].backward_s, want[i].backward_us);
    }
    near_us("forward", p.forward_s, 185); /* with the loss, 5 */
    near_us("backward", p.backward_s, 286);
    near_us("optimizer", p.optimizer_s, 21);
    near_us("collectives", p.communication_s, 77);
    near_us("copies", p.copies_s, 33);
    near_us("other", p.other_s, 3);
    near_us("lost", p.lost_s, 1000);
    assert_int_equal(p.nlost, 1);
    assert_int_equal(p.nnodes, 18);
    assert_int_equal(p.nunknown, 3); /* the loss's */
    assert_true(fabs(p.forward_share - 180.0 / 185) < 1e-9);
    kineto_free(&p);
}

/* By operators: those of each step in their order. */
static void operators_are_layers_without_modules(void **state)
{
    static const char *const want[] = { "to", "conv2d", "relu", "linear", "add", "mse_loss" };
    struct kineto_profile p = read_data("gpu.json", KINETO_BY_OPERATORS);

    (void)state;
    assert_int_equal(p.nlayers, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++)
        assert_string_equal(p.layers[i].name, want[i]);
    near_us("conv2d", p.layers[1].backward_s, 204);
    near_us("mse_loss", p.layers[5].backward_s, 6);
    assert_int_equal(p.nunknown, 0);
    kineto_free(&p);
}

static struct layer_spec layers[] = {
    { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1, .bias = 1 },
    { .kind = LAYER_BATCHNORM },
    { .kind = LAYER_RELU },
    { .kind = LAYER_MAXPOOL, .kernel = 2 },
    { .kind = LAYER_CONV, .channels = 16, .kernel = 3, .pad = 1, .bias = 1 },
    { .kind = LAYER_RELU },
    { .kind = LAYER_CLASSIFIER, .bias = 1 },
};

static struct model small(size_t nlayers)
{
    struct model_spec spec = {
        .name = "s", .channels = 3, .height = 16, .width = 16, .classes = 10, .layers = layers, .nlayers = nlayers
    };
    struct model m;
    char why[256];

    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), 0);
    return m;
}

/* What PyTorch 2.15 wrote of a small network on a CPU, packed: all but the flattening is a layer of the model's. */
static void layers_are_found_in_the_model(void **state)
{
    static const char *const want[] = {
        "conv1", "batchnorm1", "relu1", "maxpool1", "conv2", "relu2", "", "classifier1"
    };
    struct kineto_profile p = read_data("cpu.json.gz", KINETO_BY_ANY);
    struct model m = small(COUNT(layers)), less = small(4);

    (void)state;
    assert_false(p.gpu);
    assert_int_equal(p.nlayers, COUNT(want));
    assert_int_equal(p.samples, 16);
    assert_true(p.backward_share > 0.99 && p.forward_share > 0.9);
    assert_int_equal(kineto_match(&p, &m), COUNT(layers));
    for (size_t i = 0; i < COUNT(want); i++) {
        int k = p.layers[i].model_layer;

        assert_true(p.layers[i].forward_s > 0 && p.layers[i].backward_s > 0);
        assert_string_equal(k < 0 ? "" : m.layers[k].name, want[i]);
        p.layers[i].model_layer = -1;
    }
    assert_int_equal(kineto_match(&p, &less), 2); /* one norm and one pool: of convolutions and ReLUs it has one each */
    kineto_free(&p);
    model_free(&m);
    model_free(&less);
}

#define STEP(n, ts)                                                                                            \
    "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#" n "\",\"pid\":1,\"tid\":1,\"ts\":" ts \
    ",\"dur\":100},"
#define EVENT(cat, name, tid, ts, dur, args)                                                                       \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur \
    ",\"args\":{" args "}}"
#define FLOW(ph, tid, ts) "{\"ph\":\"" ph "\",\"id\":3,\"pid\":1,\"tid\":" tid ",\"ts\":" ts ",\"cat\":\"fwdbwd\"}"
#define OP(name, tid, ts, dur, args) EVENT("cpu_op", name, tid, ts, dur, args)

/* Small traces, whatever the pieces that they arrive in. */
static void cases_by_hand(void **state)
{
    static const struct {
        const char *what, *text, *layer;
        double forward_us, backward_us; /* of that layer */
        double all_forward_us;
    } cases[] = {
        { "a list, no steps", "[" OP("aten::mm", "1", "5", "7", "") "]", "mm", 7, 0, 7 },
        { "an annotation, twice in a step, is one layer",
          "{\"x\":[{\"}\":\"]\\\"\"}],\"traceEvents\":[" STEP("1", "0")
              EVENT("user_annotation", "a", "1", "1", "9", "") "," OP("aten::mm", "1", "2", "3", "") "," EVENT(
                  "user_annotation", "a", "1", "11", "9", "") "," OP("aten::mm", "1", "12", "4",
                                                                     "") "," OP("aten::add", "1", "30", "1", "") "]}",
          "a", 7, 0, 8 },
        { "the second call of a module is a layer of its own",
          "[" EVENT("python_function", "nn.Module: R_0", "1", "0", "9", "") "," OP(
              "aten::relu", "1", "1", "2", "") "," EVENT("python_function", "nn.Module: R_0", "1", "20", "9",
                                                         "") "," OP("aten::relu", "1", "21", "3", "") "]",
          "R_0#2", 3, 0, 5 },
        { "an operator within an operator counts once",
          "[" OP("aten::linear", "1", "0", "9", "") "," OP("aten::addmm", "1", "1", "7", "") "]", "linear", 9, 0, 9 },
        { "the last operator with a number made the node",
          "[" OP("aten::a", "1", "0", "1", "\"Sequence number\":5") "," OP(
              "aten::b", "1", "2", "1", "\"Sequence number\":5") "," OP("autograd::engine::evaluate_function: B", "2",
                                                                        "9", "4", "\"Sequence number\":5") "]",
          "b", 1, 4, 2 },
        { "a flow leads to the operator that made the node",
          "[" OP("aten::a", "1", "0", "1", "") "," FLOW("s", "1", "0") "," OP("aten::b", "1", "2", "1", "") "," OP(
              "autograd::engine::evaluate_function: A", "2", "9", "4", "") "," FLOW("f", "2", "9") "]",
          "a", 1, 4, 2 },
        { "the median of four steps",
          "[" STEP("1", "0") STEP("2", "100") STEP("3", "200") STEP("4", "300")
              OP("aten::a", "1", "1", "1", "") "," OP("aten::a", "1", "101", "9", "") "," OP(
                  "aten::a", "1", "201", "4", "") "," OP("aten::a", "1", "301", "2", "") "]",
          "a", 3, 0, 3 },
        { "the optimizer and data loading are no layer",
          "[" STEP("1", "0") EVENT("user_annotation", "Optimizer.step#SGD.step", "1", "50", "9", "") "," OP(
              "aten::add_", "1", "51", "5", "") "," EVENT("user_annotation", "enumerate(DataLoader)#x", "1", "70", "9",
                                                          "") "," OP("aten::cat", "1", "71", "5",
                                                                     "") "," OP("aten::a", "1", "1", "2", "") "]",
          "a", 2, 0, 2 },
        { "a number that means none, names of old",
          "[" EVENT("Operator", "aten::a", "\"x\"", "1.25", "2.5", "\"Sequence number\":18446744073709551615") "]", "a",
          2.5, 0, 2.5 },
    };
    const size_t pieces[] = { 1, 7, 1 << 20 };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (size_t k = 0; k < COUNT(pieces); k++) {
            struct kineto_profile p;
            char *said = NULL;
            size_t l = 0;

            if (read_text(cases[i].text, pieces[k], KINETO_BY_ANY, &p, &said))
                fail_msg("%s: %s", cases[i].what, said);
            while (l < p.nlayers && strcmp(p.layers[l].name, cases[i].layer) != 0)
                l++;
            if (l == p.nlayers)
                fail_msg("%s: no layer %s", cases[i].what, cases[i].layer);
            near_us(cases[i].what, p.layers[l].forward_s, cases[i].forward_us);
            near_us(cases[i].what, p.layers[l].backward_s, cases[i].backward_us);
            near_us(cases[i].what, p.forward_s, cases[i].all_forward_us);
            kineto_free(&p);
            free(said);
        }
}

static void bad_traces_are_refused(void **state)
{
    static const struct {
        const char *text, *want;
        enum kineto_by by;
    } cases[] = {
        { "", "t.json: byte 0: expected a trace in JSON, which begins with '{' or '[', got the end of the file", 0 },
        { "PK\3\4", "t.json: byte 0: expected a trace in JSON, which begins with '{' or '[', got 'P'", 0 },
        { "{}", "t.json: byte 1: expected a key \"traceEvents\" in the object, got '}'", 0 },
        { "{\"a\":1}", "t.json: byte 6: expected a key \"traceEvents\" in the object", 0 },
        { "{\"traceEvents\":7}", "t.json: byte 15: expected the list of traceEvents, which begins with '[', got '7'",
          0 },
        { "{traceEvents:[]}", "t.json: byte 1: expected a key, which begins with '\"', got 't'", 0 },
        { "{\"a\" 1}", "t.json: byte 5: expected ':' after a key, got '1'", 0 },
        { "{\"a\":1", "t.json: byte 6: expected ',' or '}' after a value, got the end of the file", 0 },
        { "[1]", "t.json: byte 1: expected an event, which begins with '{', got '1'", 0 },
        { "[{} {}]", "t.json: byte 4: expected ',' or ']' after an event, got '{'", 0 },
        { "[{\"a\":\"b]", "t.json: byte 6: expected text that ends with '\"', got the end of the file", 0 },
        { "[{\"a\":[", "t.json: byte 1: expected an object or a list that ends, got the end of the file", 0 },
        { "[{\"a\":[}]}]", "t.json: event 0 (byte 1): ", 0 },
        { "[{}, {\"ph\":\"X\" \"x\":1}]", "t.json: event 1 (byte 5): ", 0 },
        { "[]", "t.json: expected operators of a forward pass ('cat': 'cpu_op'), got none", 0 },
        { "[" OP("a", "1", "\"x\"", "1", "") "]", "t.json: event 0 (byte 1): expected numbers 'ts' and 'dur'", 0 },
        { "[" OP("a", "1", "1", "-1", "") "]", "t.json: event 0 (byte 1): expected numbers 'ts' and 'dur'", 0 },
        { "[" OP("a", "1", "1", "1", "") "]", "t.json: expected operators within calls of modules", KINETO_BY_MODULES },
        { "[" OP("a", "1", "1", "1", "") "]", "t.json: expected operators within record_function()",
          KINETO_BY_ANNOTATIONS },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct kineto_profile p;
        char *said = NULL;

        assert_int_equal(read_text(cases[i].text, 3, cases[i].by, &p, &said), NW_EINPUT);
        if (strncmp(said, cases[i].want, strlen(cases[i].want)) != 0)
            fail_msg("'%s': '%s' does not begin with '%s'", cases[i].text, said, cases[i].want);
        free(said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_their_layers),      cmocka_unit_test(operators_are_layers_without_modules),
        cmocka_unit_test(layers_are_found_in_the_model), cmocka_unit_test(cases_by_hand),
        cmocka_unit_test(bad_traces_are_refused),
    };

    return cmocka_run_group_tests_name("kineto", tests, NULL, NULL);
}
