/* avx512.c - the loops with AVX-512. */
#include "kernels/natural/loops.h"
