/* truth.h - what is planted in synthetic clicks: from a sample's values and rows to its score. Within train/data/
 * only. */
#ifndef NARROWS_TRAIN_DATA_CLICKS_TRUTH_H
#define NARROWS_TRAIN_DATA_CLICKS_TRUTH_H

#include <stdint.h>

#include "train/data/options.h"

enum { CLICK_MOST = 256, CLICK_LATENTS = 7, CLICK_FITTED = 8192, CLICK_KNOWN = 1 << 16 };

/* Purposes of draws. */
enum { DRAW_CLICK = 1, DRAW_FITTED, DRAW_LATENT, DRAW_EFFECT, DRAW_PAIR };

/* What a dense value does: alone, or together with another or with a table's rows. */
struct dense_effect {
    float straight, bent, joint, with_rows;
    int other, table;
};

struct click_pair {
    int table[2];
    float weight;
};

struct click_truth {
    uint64_t seed;
    int dense, tables;
    int64_t rows[CLICK_MOST], before[CLICK_MOST]; /* of the table; of the tables before */
    double log_rows[CLICK_MOST];                  /* log2(rows + 1) */
    struct dense_effect effects[CLICK_MOST];
    struct click_pair pairs[2 * CLICK_MOST];
    int npairs;
    float *known; /* [rows of all tables][CLICK_LATENTS + 1]: their hidden vectors and biases; NULL: too many */
    double steepness, offset; /* logit = steepness x score + offset */
};

void click_truth_plant(struct click_truth *t);
void click_truth_forget(struct click_truth *t); /* frees what it knows by heart */

/* The features of the sample that (purpose, which, index) stand for. */
struct draw;
void click_draw(const struct click_truth *t, struct draw *d, float *values, int32_t *ids);
double click_score(const struct click_truth *t, const float *values, const int32_t *ids);

/* Sets steepness and offset. 0 or E_NOMEM. */
int click_truth_fit(struct click_truth *t, double base_rate, double difficulty);

#endif
