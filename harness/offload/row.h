/* row.h - the best serial host row of kernels/adt. There always is one: the reference runs anywhere. */
#ifndef NARROWS_HARNESS_OFFLOAD_ROW_H
#define NARROWS_HARNESS_OFFLOAD_ROW_H

#include "kernels/adt/adt.h"

static inline const struct adt_impl *best_serial_row(void)
{
    const struct adt_impl *row = adt_impls;

    while (row->impl.where != IMPL_HOST || row->impl.parallel || !row->impl.usable())
        row++;
    return row;
}

#endif
