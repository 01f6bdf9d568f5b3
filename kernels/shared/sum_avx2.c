/* sum_avx2.c - the sum with AVX2. */
#include "kernels/shared/sum_loops.h"
