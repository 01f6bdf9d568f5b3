#include "train/policy/dynamic_precision.h"

#include <math.h>

#include "model/status.h"

struct dynamic_precision_config dynamic_precision_of_the_paper(void)
{
    return (struct dynamic_precision_config){ .batches_mp = 10, .batches_bf16 = 1000, .threshold = 0.04 };
}

int dynamic_precision_init(struct dynamic_precision *d, const struct dynamic_precision_config *config)
{
    /* Comparisons with NaN are false. */
    if (config->batches_mp < 1 || config->batches_bf16 < 1 || isnan(config->threshold) ||
        !(config->weight >= 0 && config->weight <= 1))
        return E_INVAL;
    *d = (struct dynamic_precision){ .config = *config, .mode = PRECISION_MP, .ema = NAN, .checked = NAN };
    if (d->config.weight == 0)
        d->config.weight = 2 / ((double)config->batches_mp + 1);
    return 0;
}

static void take_loss(struct dynamic_precision *d, double loss)
{
    if (!isfinite(loss)) {
        d->diverged = 1;
        return;
    }
    d->ema = isnan(d->ema) ? loss : d->ema + d->config.weight * (loss - d->ema);
    if (isnan(d->checked))
        d->checked = d->ema;
}

/* Lines 7 and 16. */
static bool fell_enough(const struct dynamic_precision *d)
{
    return !d->diverged && d->checked > 0 && (d->checked - d->ema) / d->checked > d->config.threshold;
}

static void check(struct dynamic_precision *d)
{
    enum precision next = fell_enough(d) ? PRECISION_BF16 : PRECISION_MP;

    d->switches += next != d->mode;
    d->mode = next;
    d->in_stretch = 0;
    d->checked = d->ema;
    d->diverged = 0;
}

enum precision dynamic_precision_batch(struct dynamic_precision *d, double loss)
{
    take_loss(d, loss);
    d->ran[d->mode]++;
    if (++d->in_stretch == (d->mode == PRECISION_MP ? d->config.batches_mp : d->config.batches_bf16))
        check(d);
    return d->mode;
}
