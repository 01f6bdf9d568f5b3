/* dynamic_precision.h - when to train with bf16 accumulators: "A Dynamic Approach to Accelerate Deep Learning Training"
 * (paper 003, section 4, Algorithm 1).
 * Rule       Training starts in mixed precision. Every numBatchesMP batches of it the exponential moving average (EMA)
 *            of the training loss is checked: if it fell by more than emaThreshold, the next numBatchesBF16 batches run
 *            in BF16. After these it is checked again: if it fell by more than the threshold, as many more run in BF16,
 *            else training returns to mixed precision.
 * The paper prints less than a program needs. Decided here:
 *   Average    EMA_1 = loss_1, EMA_t = EMA_(t-1) + weight * (loss_t - EMA_(t-1)). The paper names no weight; its
 *              default here is 2 / (numBatchesMP + 1), the usual one of an average over as many batches as lie between
 *              checks. It goes on through both modes and never starts again.
 *   Reduction  (before - now) / before, in the paper's "4 %" a share of what it was: 'before' is the EMA at the check
 *              before, whichever mode that was in. The first check, with nothing before, takes the EMA after the first
 *              batch. So each check asks what its own stretch of batches has brought.
 *   Threshold  more than it, as line 7 has it: a reduction of just the threshold is not enough. A negative one makes
 *              BF16 stay while the loss grows by less.
 *   Counting   lines 12 and 13 increment before they compare, so that printed BF16 lasts numBatchesBF16 + 1 batches
 *              where the counter is read after a batch; the text says numBatchesBF16, and that is done. Line 20 leaves
 *              the counter as it is, and a later BF16 phase would then end at once; it is set to 0 here on each entry,
 *              as the text has the "next numBatchesBF16". A return to mixed precision starts a full stretch of
 *              numBatchesMP.
 *   Undefined  a loss that is NaN or infinite does not enter the average, which goes on from the one before it; but it
 *              is a batch, and the check that ends its stretch fails: a stretch in which training diverged is no
 *              progress. So BF16 goes back to mixed precision at its end, not at once: the algorithm has no other way
 *              out. If no loss has been finite there is no average, and the check fails as well. Where 'before' is 0 or
 *              negative a share of it means nothing, and the check fails.
 * Ownership  the state is a plain struct; nothing is allocated.
 * Errors     dynamic_precision_init() checks the settings: 0, or E_INVAL and nothing changed. */
#ifndef NARROWS_TRAIN_POLICY_DYNAMIC_PRECISION_H
#define NARROWS_TRAIN_POLICY_DYNAMIC_PRECISION_H

#include <stdbool.h>
#include <stdint.h>

enum precision { PRECISION_MP, PRECISION_BF16, NPRECISIONS };

struct dynamic_precision_config {
    int64_t batches_mp;   /* numBatchesMP, at least 1 */
    int64_t batches_bf16; /* numBatchesBF16, at least 1 */
    double threshold;     /* emaThreshold, a share: 4 % is 0.04 */
    double weight;        /* of the newest loss in the EMA, over 0 and up to 1; 0: 2 / (batches_mp + 1) */
};

struct dynamic_precision {
    struct dynamic_precision_config config;
    enum precision mode;      /* of the next batch */
    int64_t in_stretch;       /* batches since the check before */
    double ema;               /* NaN before the first finite loss */
    double checked;           /* the EMA that the next check compares with; NaN if there is none */
    bool diverged;            /* a loss of this stretch was not finite */
    int64_t ran[NPRECISIONS]; /* batches done in each mode */
    int64_t switches;         /* from one mode to the other */
};

/* The paper's section 5.3: 10, 1000, 4 %. */
struct dynamic_precision_config dynamic_precision_of_the_paper(void);

int dynamic_precision_init(struct dynamic_precision *d, const struct dynamic_precision_config *config);

/* A batch is done, in the mode that was asked for; 'loss' is its training loss. Returns the mode of the next one. */
enum precision dynamic_precision_batch(struct dynamic_precision *d, double loss);

#endif
