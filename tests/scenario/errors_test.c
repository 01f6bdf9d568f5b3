/* errors_test.c - every kind of bad input, with the exact messages it must give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "tests/scenario/inputs.h"
#include "tests/test.h"

#define REST "model: m.yaml\nbatch: 64\nmethod: {kind: host-sgd}\n"
#define FILES "platform: p.yaml\n" REST
#define FILES_OF "platform: p.yaml\nmodel: m.yaml\nbatch: 1\n"
#define HEAD "name: x\n" FILES
#define HEAD_OF(method) "name: x\nplatform: p.yaml\nmodel: m.yaml\nbatch: 1\nmethod: " method "\n"
#define LAYERS(text)                                                  \
    "name: x\nplatform: p.yaml\nbatch: 1\nmethod: {kind: host-sgd}\n" \
    "model: {name: m, input: {channels: 1, height: 4, width: 4}, layers: [" text "]}\n"

#define DECODER(keys, more)                                           \
    "name: x\nplatform: p.yaml\nbatch: 1\nmethod: {kind: host-sgd}\n" \
    "model: {name: m, gpt: {" keys "}" more "}\n"

#define TRAINED(more) "name: x\nmodel: m.yaml\ntraining: {batch: 1, steps: 1" more "}\n"
#define USUAL ", data: {kind: images}, learning_rate: {from: 1}"

static const struct {
    const char *why;
    struct input in;
    const char *want; /* the lines with a place, in order */
} cases[] = {
#include "tests/scenario/errors_point.inc"
#include "tests/scenario/errors_text.inc"
#include "tests/scenario/errors_training.inc"
#include "tests/scenario/errors_value.inc"
};

/* The messages without the source lines and carets below them. */
static void drop_excerpts(char *printed)
{
    char *out = printed;

    for (char *line = printed, *next; *line; line = next) {
        next = strchr(line, '\n') + 1;
        if (!strncmp(line, "    ", 4))
            continue;
        memmove(out, line, (size_t)(next - line));
        out += next - line;
    }
    *out = '\0';
}

static void errors_are_reported(void **state)
{
    size_t failed = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct scenario_file *f = NULL;
        char *printed;
        int rc = input_open(&cases[i].in, &printed, &f);

        drop_excerpts(printed);
        if (rc != NW_EINPUT || f || strcmp(printed, cases[i].want)) {
            print_error("%s: answered %d\n  want: %s\n  printed: %s\n", cases[i].why, rc, cases[i].want, printed);
            failed++;
        }
        scenario_close(f);
        free(printed);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(errors_are_reported) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
