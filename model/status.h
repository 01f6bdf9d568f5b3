/* status.h - what a call of the simulator can answer. 0 is success; every error is negative, so a
 * caller can pass a code up unread. Codes are not shared with errno: the simulator does no I/O. */
#ifndef NARROWS_SIM_STATUS_H
#define NARROWS_SIM_STATUS_H

enum sim_status {
    SIM_OK = 0,
    SIM_ENOMEM = -1, /* memory ran out; the call changed nothing */
    SIM_EINVAL = -2, /* an argument breaks the contract stated beside the function */
    SIM_ERANGE = -3, /* a size or a time left the representable range (2^63 ps is 106 days) */
    SIM_ECYCLE = -4, /* the task graph has a cycle: some task can never start */
};

#endif
