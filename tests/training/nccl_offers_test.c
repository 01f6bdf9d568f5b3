/* nccl_offers_test.c - which ranks can exchange by NCCL, and what is said where they cannot. */
#include <stdio.h>
#include <string.h>

#include "harness/training/ranks/nccl.h"
#include "tests/test.h"

static struct nccl_offer offer(int gpu, int64_t version, const char *lacks)
{
    struct nccl_offer o = { .version = version, .uuid = { [15] = (uint8_t)gpu } };

    snprintf(o.lacks, sizeof(o.lacks), "%s", lacks);
    snprintf(o.gpu, sizeof(o.gpu), "GPU %d", gpu);
    return o;
}

static void judges(const char *want, struct nccl_offer a, struct nccl_offer b, struct nccl_offer c)
{
    const struct nccl_offer offers[] = { a, b, c };
    char why[512] = "";

    if (nccl_offers_fit(offers, 3, why, sizeof(why)) != !*want || strcmp(why, want))
        fail_msg("expected '%s', got '%s'", want, why);
}

static void finds_what_does_not_fit(void **state)
{
    const struct nccl_offer none = offer(0, 0, "GPU: expected one for each rank, got 'none'");

    (void)state;
    judges("", offer(1, 22809, ""), offer(2, 22809, ""), offer(3, 22809, ""));
    judges("rank 1 has no GPU: expected one for each rank, got 'none'", offer(1, 22809, ""), none, none);
    judges("rank 2 has another NCCL: expected 2.28.9, as rank 0 has, got 2.8.4", offer(1, 22809, ""),
           offer(2, 22809, ""), offer(3, 2804, ""));
    judges("ranks 0 and 2 share GPU 7: expected a GPU for each rank, got 2 for 3 ranks", offer(7, 22809, ""),
           offer(2, 22809, ""), offer(7, 22809, ""));
    judges("ranks 0 and 1 share GPU 7: expected a GPU for each rank, got 1 for 3 ranks", offer(7, 22809, ""),
           offer(7, 22809, ""), offer(7, 22809, ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_does_not_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
