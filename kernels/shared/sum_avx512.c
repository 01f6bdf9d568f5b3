/* sum_avx512.c - the sum with AVX-512. */
#include "kernels/shared/sum_loops.h"
