/* clicks.h - a synthetic log of advertisements shown and clicked or not, in the shape of Criteo's: 'dense' counts (as
 * their logarithms, not below 0), 'tables' categories, and whether somebody clicked.
 * Categories   row r of a table of n is drawn with probability log((r + 2) / (r + 1)) / log(n + 1), Zipf's law with
 *              exponent 1, so a few rows of a table of millions are half of what is looked up. ids: the row, plus the
 *              rows of the tables before.
 * Clicks       have a score, and are drawn with probability 1 / (1 + e^-score): a bias of each row, products of the
 *              hidden vectors of two rows for chosen pairs of tables, straight, bent and joint effects of the dense
 *              values, and of dense values with rows. Hidden vectors are drawn when needed, so large tables cost no
 *              memory; they are weaker in rare rows.
 * How hard     steepness and offset of the score are fitted to 8192 samples, so that a share of base_rate clicks, and
 *              that the best possible guess is wrong for difficulty x min(base_rate, 1 - base_rate) of all: difficulty
 *              0.8 at a base rate of 0.25 is 80 % right, which is about what models reach on Criteo's; 1 is a log where
 *              nothing can be known.
 * Augment      there is no variation of a click. */
#ifndef NARROWS_TRAIN_DATA_CLICKS_H
#define NARROWS_TRAIN_DATA_CLICKS_H

#include "train/data/options.h"
#include "train/data/source.h"

int clicks_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy);

/* The true probability of a click for these values and ids: the best possible prediction. */
double clicks_probability(const struct data_source *s, const float *values, const int32_t *ids);

#endif
