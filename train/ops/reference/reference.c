/* reference.c - the backend that says what is meant. */
#include "train/ops/cpu/cpu.h"

const struct ops_backend ops_reference = {
    .name = "reference",
    .usable = cpu_usable,
    .open = cpu_open,
    .close = cpu_close,
    .held = cpu_none_held,
    .conv_workspace = cpu_no_workspace,
    .conv_forward = reference_conv_forward,
    .conv_backward_data = reference_conv_backward_data,
    .conv_backward_weights = reference_conv_backward_weights,
    .fc_forward = reference_fc_forward,
    .fc_backward_data = reference_fc_backward_data,
    .fc_backward_weights = reference_fc_backward_weights,
    CPU_SHARED_ROWS,
};
