/* options.h - translate a scenario's training into options of the trainer and of its data.
 * Ownership  training_options_free() releases them; the scenario and the model must outlive them.
 * Errors     NW_ESIM with the reason in why[], which begins with the key; NW_ENOMEM. The scenario must have passed
 *            training_check(). */
#ifndef NARROWS_HARNESS_TRAINING_OPTIONS_H
#define NARROWS_HARNESS_TRAINING_OPTIONS_H

#include <stddef.h>

#include "harness/scenario/scenario.h"
#include "train/data/options.h"
#include "train/trainer/trainer.h"

struct training_options {
    struct data_options data;
    struct trainer_options trainer; /* without rate.steps, which depends on the number of samples */
    int64_t *rows;                  /* data.rows */
    int32_t *masked;                /* trainer.mask.layers */
    double *watched;                /* trainer.mask.watched */
};

int training_options_make(const struct scenario *sc, const struct model *model, int threads,
                          struct training_options *out, char *why, size_t nwhy);
void training_options_free(struct training_options *o); /* accepts an all-zero one */

/* "generated images, 10 classes", "CIFAR-10". */
void training_data_text(const struct training_options *o, char *text, size_t size);

#endif
