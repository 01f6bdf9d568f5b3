/* status.h - return codes of model/, sim/ and train/: 0 is success, every error is negative, and callers pass codes up
 * unchanged. They are not values of errno: model/ and sim/ do no I/O. */
#ifndef NARROWS_MODEL_STATUS_H
#define NARROWS_MODEL_STATUS_H

enum status {
    E_OK = 0,
    E_NOMEM = -1,  /* out of memory; the call changed nothing */
    E_INVAL = -2,  /* an argument breaks the contract stated with the function */
    E_RANGE = -3,  /* a size or a time left the representable range (2^63 ps is 106 days) */
    E_CYCLE = -4,  /* the task graph has a cycle: some task can never start */
    E_DATA = -5,   /* training data could not be read, or is not what its options say */
    E_FAILED = -6, /* the backend of a layer's operations failed */
};

#endif
