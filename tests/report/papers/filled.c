#include "tests/report/papers/filled.h"

#include <stddef.h>

#include "tests/report/cluster.h"
#include "tests/report/papers/dct.h"
#include "tests/report/papers/memory.h"
#include "tests/report/papers/splitcnn.h"
#include "tests/report/papers/threelc.h"
#include "tests/store/support.h"
#include "tests/test.h"

struct store *open_filled(unsigned parts)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    if (parts & (THREELC | THREELC_KILLED))
        cluster_threelc(s, parts & THREELC_KILLED ? 13 : 0);
    if (parts & DCT)
        cluster_dct(s, parts & DCT_CURVES);
    if (parts & DCT_TRAINED)
        dct_runs(s);
    if (parts & SPLITCNN)
        cluster_splitcnn(s);
    if (parts & MEMORY)
        memory_runs(s);
    if (parts & MEMORY_LEAST)
        memory_runs_least(s);
    if (parts & THREELC_TRAINED)
        threelc_trained(s, &(struct threelc_trained){ 0 });
    if (parts & (SPLITCNN_TRAINED | SPLITCNN_QUICK))
        splitcnn_trained(s, &(struct splitcnn_trained){ .quick = parts & SPLITCNN_QUICK });
    return s;
}
