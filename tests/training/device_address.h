/* device_address.h - addresses of the stand-in for a GPU's memory. They are no addresses of the process: whoever takes
 * one for the other crashes, as with a GPU. */
#ifndef NARROWS_TESTS_TRAINING_DEVICE_ADDRESS_H
#define NARROWS_TESTS_TRAINING_DEVICE_ADDRESS_H

#include <stdint.h>

#define DEVICE_ADDRESS ((uintptr_t)1 << 60)

static inline void *device_address(void *p)
{
    return p ? (void *)((uintptr_t)p + DEVICE_ADDRESS) : NULL;
}

static inline void *process_address(const void *device)
{
    return device ? (void *)((uintptr_t)device - DEVICE_ADDRESS) : NULL;
}

#endif
