/* real_data.h - a scenario that is trained on synthetic data, trained on real ones instead: those of a user's folder
 * (harness/data/shelf.h). Synthetic images become CIFAR-10's or, without it, Tiny ImageNet's, and the model takes their
 * size and classes; synthetic clicks become Criteo's, synthetic sentences IWSLT'14's: of those all that fit into the
 * model, since how many fit is known only when they are read. */
#ifndef NARROWS_HARNESS_COMMAND_LINE_REAL_DATA_H
#define NARROWS_HARNESS_COMMAND_LINE_REAL_DATA_H

#include <stdbool.h>
#include <stddef.h>

struct scenario_file;

/* The folder of the environment's NARROWS_DATA; NULL where it is not set or empty. */
const char *real_data_folder(void);

/* What the command line changes in a scenario: --set and --sweep. */
struct real_data_overrides {
    const char *const *sets;
    size_t nsets;
    const char *const *sweeps;
    size_t nsweeps;
};

/* Open the scenario of this path once more, with what it takes from the folder. Overrides win, and where one says which
 * kind of data it is, nothing changes. What was chosen, or why nothing was, is printed to stderr. *file is closed and
 * replaced (NULL after an error), *exchanged set to true, where there is something to take. NW_EINPUT after a message
 * where a set is there but not whole, or where the path is standard input. */
int real_data_exchange(const char *path, const char *folder, const struct real_data_overrides *o,
                       struct scenario_file **file, bool *exchanged);

#endif
