/* avx512.c - the loop with AVX-512. */
#include "kernels/magnitude/loop.h"
