/* host.h - how the host rows fit together; for kernels/natural. */
#ifndef NARROWS_KERNELS_NATURAL_HOST_H
#define NARROWS_KERNELS_NATURAL_HOST_H

#include "kernels/drawn/drawn.h"
#include "kernels/magnitude/magnitude.h"
#include "kernels/natural/natural_lane.h"

struct natural_spans {
    struct drawn_spans drawn;
    magnitude_span *magnitude;
};
extern const struct natural_spans natural_scalar, natural_avx2, natural_avx512;

#endif
