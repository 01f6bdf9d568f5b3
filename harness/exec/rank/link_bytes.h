/* link_bytes.h - the bytes that this host's links have carried, as the kernel counts them: all but the loopback. In a
 * network namespace those of the namespace. Zero where /proc has no such file. */
#ifndef NARROWS_HARNESS_EXEC_RANK_LINK_BYTES_H
#define NARROWS_HARNESS_EXEC_RANK_LINK_BYTES_H

#include <stdint.h>

struct link_bytes {
    int64_t sent, received;
};

struct link_bytes link_bytes(void);

#endif
