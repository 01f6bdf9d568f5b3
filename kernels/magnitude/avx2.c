/* avx2.c - the loop with AVX2. */
#include "kernels/magnitude/loop.h"
