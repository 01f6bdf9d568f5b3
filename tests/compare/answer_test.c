/* The sentences, on comparisons with numbers made up for them. */
#include "harness/compare/render/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare/steps.h"
#include "tests/test.h"

enum { CODECS = 4 };

/* Bits and cosines of four codecs, and what is said of them. */
static const struct {
    const char *what;
    double bar, bits[CODECS], each[CODECS], arrived[CODECS]; /* cosine NaN: none */
    size_t nsteps;
    const char *says;
} cases[] = {
    { "the fewest bits, not the largest cosine",
      0.9,
      { 32, 16, 8, 2 },
      { 1, 0.99, 0.95, 0.5 },
      { 1, 1, 1, 0.9 },
      2,
      "Of 4 codecs, c keeps a cosine of 0.9 in the fewest bits: it has 0.95 in 8 bits a value, 4x smaller "
      "than fp32.\nAfter 2 steps, with what each codec sends later, d keeps a cosine of 0.9 in the fewest bits: it has "
      "0.9 in 2 bits a value, 16x smaller than fp32.\n" },
    { "of equal bits the greater cosine",
      0.9,
      { 32, 8, 8, 8 },
      { 1, 0.92, 0.97, 0.91 },
      { 0, 0, 0, 0 },
      1,
      "Of 4 codecs, c keeps a cosine of 0.9 in the fewest bits: it has 0.97 in 8 bits a value, 4x smaller "
      "than fp32.\n" },
    { "exactly the cosine",
      0.5,
      { 32, 16, 8, 2 },
      { 1, 1, 1, 0.5 },
      { 0, 0, 0, 0 },
      1,
      "Of 4 codecs, d keeps a cosine of 0.5 in the fewest bits: it has 0.5 in 2 bits a value, 16x smaller "
      "than fp32.\n" },
    { "none does",
      0.9,
      { 32, 16, 8, 2 },
      { NAN, 0.6, 0.8, 0.1 },
      { 0, 0, 0, 0 },
      1,
      "Of 4 codecs, none keeps a cosine of 0.9; the closest is c with 0.8 in 8 bits a value, 4x smaller "
      "than fp32.\n" },
    { "none has one",
      0.9,
      { 32, 16, 8, 2 },
      { NAN, NAN, NAN, NAN },
      { NAN, NAN, NAN, NAN },
      1,
      "Of 4 codecs, no codec has a cosine: the gradients are zero, or what arrives is not finite.\n" },
};

static struct fidelity with_cosine(double cosine)
{
    return (struct fidelity){ .true2 = { !isnan(cosine), 0 }, .arrived2 = { 1, 0 }, .product = { cosine, 0 } };
}

/* What a comparison needs to be asked: fewest bits first, as it is sorted. */
struct asked {
    struct contender list[CODECS];
    struct contenders contenders;
    struct outcome whole[CODECS];
    size_t order[CODECS];
    struct steps steps;
    struct comparison comparison;
};

static void ask(struct asked *a, size_t i)
{
    static char *const names[] = { "a", "b", "c", "d" };

    *a = (struct asked){ .contenders = { a->list, CODECS }, .steps = { .n = cases[i].nsteps } };
    for (size_t k = 0; k < CODECS; k++) {
        a->list[k].name = names[k];
        a->whole[k] = (struct outcome){ .values = 8,
                                        .payload_bytes = cases[i].bits[k],
                                        .each = with_cosine(cases[i].each[k]),
                                        .arrived = with_cosine(cases[i].arrived[k]) };
        a->order[k] = CODECS - 1 - k;
    }
    a->comparison =
        (struct comparison){ .contenders = &a->contenders, .steps = &a->steps, .whole = a->whole, .order = a->order };
}

static void expect_said(const struct asked *a, const struct forecasts *f, double bar, const char *want,
                        const char *what)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    answer_print(&a->comparison, f, bar, out);
    fclose(out);
    if (strcmp(text, want) != 0)
        fail_msg("%s: expected\n%s\ngot\n%s", what, want, text);
    free(text);
}

static void sentences(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct asked a;

        ask(&a, i);
        expect_said(&a, NULL, cases[i].bar, cases[i].says, cases[i].what);
    }
}

/* Of those that keep the cosine (a to c of the second case all do): the fastest here is not the fastest for free. */
static void of_a_cluster(void **state)
{
    struct forecast list[] = { { .step_ms = 120, .free_step_ms = 110 },
                               { .step_ms = 80, .free_step_ms = 70 },
                               { .step_ms = 200, .free_step_ms = 50 },
                               { .step_ms = NAN, .free_step_ms = NAN } };
    const struct forecasts f = { .list = list, .fp32_step_ms = 100, .edge = "method.gradients", .name = "S" };
    char want[1024];
    struct asked a;

    (void)state;
    ask(&a, 1);
    snprintf(want, sizeof(want),
             "%sA step of S takes 100 ms with fp32. Of the codecs that keep a cosine of 0.9 it is shortest with b, "
             "80 ms (1.25x), at the rates measured here; with codecs that took no time, with c, 50 ms (2x).\n",
             cases[1].says);
    expect_said(&a, &f, 0.9, want, "a cluster");
    list[0].step_ms = list[1].step_ms = list[2].step_ms = NAN;
    snprintf(want, sizeof(want),
             "%sA step of S takes 100 ms with fp32. No codec that keeps a cosine of 0.9 can be simulated on it.\n",
             cases[1].says);
    expect_said(&a, &f, 0.9, want, "a cluster that refuses them");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences),
        cmocka_unit_test(of_a_cluster),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
