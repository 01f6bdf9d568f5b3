/* nccl_header_test.c - what is declared of NCCL is what NCCL's own header declares: this file compiles. */
#include <nccl.h>

#include "harness/training/ranks/nccl_calls.h"

_Static_assert(ncclSuccess == 0 && ncclInProgress == 7 && ncclUint8 == 1, "as nccl_calls.h has them");
_Static_assert(sizeof(ncclUniqueId) == 128 && sizeof(ncclResult_t) == sizeof(int), "as nccl_calls.h has them");

int main(void)
{
    return 0;
}
