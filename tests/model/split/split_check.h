/* split_check.h - what must hold of every split network. */
#ifndef NARROWS_TESTS_MODEL_SPLIT_CHECK_H
#define NARROWS_TESTS_MODEL_SPLIT_CHECK_H

#include <stdbool.h>

#include "model/split/patches.h"

/* Output positions of a window operation over 'length' input positions; below 1 if the window does not fit. */
static inline int64_t window_outputs(const struct window *w, int64_t length)
{
    int64_t rest = length + w->pad_begin + w->pad_end - w->kernel;

    return rest < 0 ? 0 : rest / w->stride + 1;
}

/* Join: nothing behind it reads past it, and no place was nearer to the depth. Outputs of the patches tile each split
 * layer's; a layer's patches read what the patches of the layer before put out; sizes follow from the paddings; cuts
 * lie in their bounds. Fails the test, naming the model. */
void split_check(const struct split_spec *spec, const struct split_net *s, const struct model *m);

/* The zeros, tap by tap in the plane: slow. */
void split_check_zeros(const struct split_net *s, const struct model *m);

/* Is layer l a place to join? Asked layer by layer. */
bool split_check_join(const struct model *m, size_t l);

/* Convolutions of layers 0 .. l. */
int64_t split_check_convs(const struct model *m, size_t l);

#endif
