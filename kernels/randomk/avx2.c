/* avx2.c - the loops with AVX2. */
#include "kernels/randomk/loops.h"
