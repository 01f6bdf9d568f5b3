#include "train/data/order.h"

#include <stdlib.h>

#include "model/status.h"
#include "train/draw.h"

int order_open(bool shuffled, uint64_t seed, int64_t samples, int64_t workers, int64_t batch, struct order *out)
{
    struct order o = {
        .seed = seed, .shuffled = shuffled, .samples = samples, .workers = workers, .batch = batch, .epoch = -1
    };

    if (shuffled) {
        o.places = malloc((size_t)samples * sizeof(*o.places));
        if (!o.places)
            return E_NOMEM;
    }
    *out = o;
    return 0;
}

void order_close(struct order *o)
{
    free(o->places);
    *o = (struct order){ 0 };
}

int64_t order_steps(const struct order *o)
{
    return o->samples / (o->workers * o->batch);
}

/* Fisher and Yates: each order is as likely as any other, but for a bias of less than samples / 2^32. */
static void shuffle(struct order *o, int64_t epoch)
{
    struct draw d = draw_of(o->seed, DRAW_ORDER, (uint32_t)epoch, 0);

    for (int64_t i = 0; i < o->samples; i++)
        o->places[i] = (uint32_t)i;
    for (int64_t i = o->samples - 1; i > 0; i--) {
        int64_t j = (int64_t)((uint64_t)draw_word(&d) * (uint64_t)(i + 1) >> 32);
        uint32_t moved = o->places[i];

        o->places[i] = o->places[j];
        o->places[j] = moved;
    }
    o->epoch = epoch;
}

int64_t order_batch(struct order *o, int64_t step, int64_t worker, int64_t *index)
{
    int64_t steps = order_steps(o), epoch = step / steps, first = step % steps * o->workers * o->batch;

    if (o->shuffled && epoch != o->epoch)
        shuffle(o, epoch);
    for (int64_t i = 0; i < o->batch; i++) {
        int64_t place = first + i * o->workers + worker;

        index[i] = o->shuffled ? o->places[place] : place;
    }
    return epoch;
}
