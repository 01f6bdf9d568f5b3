/* transfer_cases.h - shared by transfer_test.c and transfer_limits_test.c. */
#ifndef NARROWS_TESTS_MODEL_TRANSFER_TRANSFER_CASES_H
#define NARROWS_TESTS_MODEL_TRANSFER_TRANSFER_CASES_H

#include "tests/draw.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

#include "model/status.h"
#include "tests/model/transfer/transfer_rig.h"

enum { N = 6 };

/* Forward  operation    0       1        2        3        4        5
 *          runs       0-100  100-110  110-140  140-210  210-250  250-300
 *          copies              s1: 80   s2: 20   s3: 30   s4: 40   s5: 10
 *          link              100-180  180-200  200-230  230-270  270-280
 * Backward operation    6       7        8        9       10       11
 *          runs       0-30    30-90   90-110  110-160  160-250  250-260
 *          needs       s5      s4       s3       s2       s1 */
static const int64_t chain_bytes[N] = { 1000, 80, 20, 30, 40, 10 };

static const int64_t chain_ps[2 * N] = { 100, 10, 30, 70, 40, 50, 30, 60, 20, 50, 90, 10 };

static struct rig rig;

static inline void make_chain(void)
{
    rig_chain(&rig, N, chain_bytes, chain_ps);
    assert_int_equal(rig.s.generated_bytes, 180);
}

static inline struct transfer_list planned(const struct transfer_options *o)
{
    struct transfer_list t = { 0 };
    char why[200] = "";

    if (transfer_plan(&rig.g, &rig.s, rig.ps, o, &t, why, sizeof(why)))
        fail_msg("refused: %s", why);
    return t;
}

/* Operations 0, 1 | 2, 3, 4 | 5 in groups. */
static inline void group(int s4_written)
{
    static const int groups[N] = { 0, 0, 1, 1, 1, 2 };

    make_chain();
    for (int i = 0; i < N; i++)
        rig.operations[i].group = rig.operations[2 * N - 1 - i].group = groups[i];
    rig.storages[4].last_write = s4_written;
}

#endif
