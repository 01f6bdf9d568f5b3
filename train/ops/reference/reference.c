/* reference.c - the backend that says what is meant. */
#include "train/ops/cpu/cpu.h"

/* clang-format off */
const struct ops_backend ops_reference = {
    .name = "reference",
    .usable = cpu_usable,
    .open = cpu_open,
    .close = cpu_close,
    .held = cpu_none_held,
    .conv_workspace = cpu_no_workspace,
    OPS_CONV_ROWS(OPS_FILL, reference) OPS_FC_ROWS(OPS_FILL, reference) CPU_SHARED_ROWS
};
/* clang-format on */
