/* vary.h - a random variation of an image, as networks are trained with on CIFAR-10: padded with zeros on each side, a
 * crop of the old size from a random place, mirrored or not (He et al., arXiv 1512.03385, section 4.2: 4 pixels of
 * 32). */
#ifndef NARROWS_TRAIN_DATA_VARY_H
#define NARROWS_TRAIN_DATA_VARY_H

#include <stdbool.h>
#include <stdint.h>

struct variation {
    int64_t down, right; /* by how much the content moves */
    bool mirror;
};

/* Of sample 'index'; augment 0: none. 'crop' moves by up to an eighth of the height and of the width. */
struct variation variation_of(uint64_t augment, int64_t index, int64_t height, int64_t width, bool crop, bool mirror);
void variation_apply(const struct variation *v, int64_t channels, int64_t height, int64_t width, float *values);

#endif
