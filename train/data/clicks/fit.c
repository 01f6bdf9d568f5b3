/* fit.c - the steepness and the offset of the score that give the requested base rate and difficulty. */
#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "train/data/clicks/truth.h"
#include "train/data/draw.h"
#include "train/data/plain_math.h"
#include "train/data/source.h"

/* Means over the fitted samples at one steepness and offset: of the probability, its slope in the offset, and how often
 * the better guess is right. */
struct outcome {
    double rate, slope, right;
};

static struct outcome outcome_of(const double *scores, double steepness, double offset)
{
    struct outcome o = { 0 };

    for (int i = 0; i < CLICK_FITTED; i++) {
        double p = plain_logistic(steepness * scores[i] + offset);

        o.rate += p / CLICK_FITTED;
        o.slope += p * (1 - p) / CLICK_FITTED;
        o.right += (p > 0.5 ? p : 1 - p) / CLICK_FITTED;
    }
    return o;
}

/* The offset at which 'rate' click: Newton's steps, halving where one would leave what is known to hold it. */
static double offset_for(const double *scores, double steepness, double rate, struct outcome *at)
{
    double low = -50 - 50 * steepness, high = -low, offset = 0;

    for (int i = 0; i < 60; i++) {
        *at = outcome_of(scores, steepness, offset);
        if (fabs(at->rate - rate) < 1e-7)
            break;
        if (at->rate < rate)
            low = offset;
        else
            high = offset;
        offset += (rate - at->rate) / (at->slope + 1e-12);
        if (!(offset > low && offset < high))
            offset = (low + high) / 2;
    }
    return offset;
}

static double *scores_draw(const struct click_truth *t)
{
    double *scores = malloc(CLICK_FITTED * sizeof(*scores));

    for (int i = 0; scores && i < CLICK_FITTED; i++) {
        struct draw d = draw_of(t->seed, DRAW_FITTED, 0, (uint64_t)i);
        float values[CLICK_MOST];
        int32_t ids[CLICK_MOST];

        click_draw(t, &d, values, ids);
        scores[i] = click_score(t, values, ids);
    }
    return scores;
}

int click_truth_fit(struct click_truth *t, double base_rate, double difficulty)
{
    double right = 1 - difficulty * (base_rate < 0.5 ? base_rate : 1 - base_rate), low = 0, high = 64;
    double *scores = scores_draw(t);
    struct outcome at;

    if (!scores)
        return E_NOMEM;
    for (int i = 0; i < 24; i++) {
        double middle = (low + high) / 2;

        offset_for(scores, middle, base_rate, &at);
        if (at.right < right)
            low = middle;
        else
            high = middle;
    }
    t->steepness = difficulty < 1 ? (low + high) / 2 : 0;
    t->offset = offset_for(scores, t->steepness, base_rate, &at);
    free(scores);
    return 0;
}
