/* host.h - the rows of conv_impls, a file each. */
#ifndef NARROWS_KERNELS_CONV_HOST_H
#define NARROWS_KERNELS_CONV_HOST_H

#include "kernels/conv/conv.h"

conv_sums_fn conv_sums_avx512, conv_sums_avx2, conv_sums_scalar;
conv_gradients_fn conv_gradients_avx512, conv_gradients_avx2, conv_gradients_scalar;
conv_lay_fn conv_lay_avx512, conv_lay_scalar;

#endif
