/* share_serial.c - a pass on this thread. */
#include "kernels/shared/share.h"

void share_serial(share_pass *pass, void *job, size_t n, size_t unit)
{
    (void)unit;
    if (n)
        pass(job, 0, n);
}
