/* real_data.h - a scenario that is trained on synthetic data, trained on real ones instead: those of a user's folder
 * (harness/data/shelf.h). Synthetic images become CIFAR-10's or, without it, Tiny ImageNet's, and the model takes their
 * size and classes; synthetic clicks become Criteo's, synthetic sentences IWSLT'14's: of those all that fit into the
 * model, since how many fit is known only when they are read. */
#ifndef NARROWS_HARNESS_COMMAND_LINE_REAL_DATA_H
#define NARROWS_HARNESS_COMMAND_LINE_REAL_DATA_H

#include <stddef.h>
#include <stdio.h>

struct scenario_file;

enum { REAL_DATA_SETS = 6 };

/* Overrides as of --set. */
struct real_data {
    char text[REAL_DATA_SETS][4200];
    size_t n; /* 0: the scenario stays as it is */
};

/* The folder of the environment's NARROWS_DATA; NULL where it is not set or empty. */
const char *real_data_folder(void);

/* What this scenario takes from the folder. What was chosen, or why nothing was, is printed to 'say'. NW_EINPUT after a
 * message where a set is there but not whole. */
int real_data_choose(const struct scenario_file *f, const char *folder, struct real_data *out, FILE *say);

#endif
