/* inputs.h - a valid platform, model and scenario, and a way to open texts as if they were files. */
#ifndef NARROWS_TESTS_SCENARIO_INPUTS_H
#define NARROWS_TESTS_SCENARIO_INPUTS_H

#include "harness/scenario/memory.h"

extern const char input_platform[]; /* p.yaml; its link is 'pcie', calibrated are memory_efficiency and to_host */
extern const char input_other[];    /* q.yaml: another platform, whose link is 'nvlink' */
extern const char input_model[];    /* m.yaml: a convolution, a block, a classifier */
extern const char input_small[];    /* n.yaml: one classifier */
extern const char input_scenario[]; /* s.yaml: p.yaml and m.yaml, nothing swept */

enum { MAX_INPUT_ARGUMENTS = 4 };

/* An input: 's.yaml' with that text, next to the files above and one more; the arguments end at the first NULL. */
struct input {
    const char *text;
    size_t size; /* 0: strlen(text) */
    const char *more_path, *more_text;
    const char *sets[MAX_INPUT_ARGUMENTS], *sweeps[MAX_INPUT_ARGUMENTS];
};

/* scenario_open_memory() on it; what was printed is in *printed, which the caller frees. */
int input_open(const struct input *in, char **printed, struct scenario_file **out);

/* The same, which must succeed: otherwise the test fails with what was printed. */
struct scenario_file *input_opened(const struct input *in);

#endif
