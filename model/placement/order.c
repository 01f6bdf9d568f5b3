/* order.c - the orders in which items are placed. */
#include <stdlib.h>

#include "model/numbers.h"
#include "model/placement/private.h"
#include "model/status.h"

struct rank {
    unsigned __int128 key;
    int32_t item;
};

static int falling(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;

    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    return compare64(x->item, y->item);
}

int items_order(const struct item *items, int32_t n, enum item_key key, int32_t order[])
{
    struct rank *ranks = malloc(((size_t)n + 1) * sizeof(*ranks));

    if (!ranks)
        return E_NOMEM;
    for (int32_t i = 0; i < n; i++) {
        unsigned __int128 size = (uint64_t)items[i].size, duration = (uint32_t)(items[i].to - items[i].from);
        size = key == BY_SIZE || key == BY_AREA ? size : 1;
        duration = key == BY_DURATION || key == BY_AREA ? duration : 1;
        ranks[i] = (struct rank){ size * duration, i };
    }
    qsort(ranks, (size_t)n, sizeof(*ranks), falling);
    for (int32_t i = 0; i < n; i++)
        order[i] = ranks[i].item;
    free(ranks);
    return E_OK;
}
