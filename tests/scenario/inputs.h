/* inputs.h - a platform, a model and a scenario that are right, and a way to open texts as if they were files. */
#ifndef NARROWS_TESTS_SCENARIO_INPUTS_H
#define NARROWS_TESTS_SCENARIO_INPUTS_H

#include "harness/scenario/memory.h"

extern const char input_platform[]; /* p.yaml; its link is 'pcie', calibrated are memory_efficiency and to_host */
extern const char input_other[];    /* q.yaml: another platform, whose link is 'nvlink' */
extern const char input_model[];    /* m.yaml: a convolution, a block, a classifier */
extern const char input_small[];    /* n.yaml: one classifier */
extern const char input_scenario[]; /* s.yaml: p.yaml and m.yaml, nothing swept */

enum { MAX_INPUT_ARGUMENTS = 4 };

/* What is opened: 's.yaml' with that text beside the files above and one more, with arguments up to the first NULL. */
struct input {
    const char *text;
    size_t size; /* 0: strlen(text) */
    const char *more_path, *more_text;
    const char *sets[MAX_INPUT_ARGUMENTS], *sweeps[MAX_INPUT_ARGUMENTS];
};

/* scenario_open_memory() on it; what was printed is in *said, which the caller frees. */
int input_open(const struct input *in, char **said, struct scenario_file **out);

/* The same, which must succeed: prints what was said and fails the test otherwise. */
struct scenario_file *input_opened(const struct input *in);

#endif
