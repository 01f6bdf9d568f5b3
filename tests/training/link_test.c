/* link_test.c - a program for mpirun: messages of all lengths between the ranks arrive as they were sent, in one piece
 * or in many, with the words of all. ranks_test.sh starts it, and nccl_test.sh with an argument: 'nccl', then messages
 * travel by NCCL; or 'long', then one of them is too long for the space that rank 0 has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/training/ranks/gpu.h"
#include "harness/training/ranks/link.h"
#include "harness/training/ranks/link_nccl.h"

enum { MOST = 300000, RANKS = 16 };

static const size_t lengths[] = { 0, 1, 15, 16, 17, 1000, 65535, 299999 };
static const size_t pieces[] = { 16, 17, 4096, LINK_PIECE };

static struct link_nccl *nccl;

static int gather(const struct world *w, struct trainer_message *mine, struct trainer_message *theirs, uint64_t *word,
                  size_t piece)
{
    char why[1024] = "";
    int rc =
        nccl ? link_nccl_gather(nccl, mine, theirs, word, why, sizeof(why)) : link_gather(w, mine, theirs, word, piece);

    return *why ? status_error(rc, "gather: %s\n", why) : rc;
}

static int share(const struct world *w, struct trainer_message *m, uint64_t *word, size_t piece)
{
    char why[1024] = "";
    int rc = nccl ? link_nccl_share(nccl, m, word, why, sizeof(why)) : link_share(w, m, word, piece);

    return *why ? status_error(rc, "share: %s\n", why) : rc;
}

static uint8_t byte_of(int rank, size_t round, size_t i)
{
    return (uint8_t)(31 * rank + 7 * (int)round + (int)(i % 251));
}

static struct trainer_message message(void)
{
    struct trainer_message m = { malloc(TRAINER_HEAD + MOST), 0, MOST };

    if (!m.bytes)
        abort();
    return m;
}

static void fill(struct trainer_message *m, int rank, size_t round, size_t n)
{
    m->n = n;
    for (size_t i = 0; i < n; i++)
        m->bytes[TRAINER_HEAD + i] = byte_of(rank, round, i);
}

static int wrong(const struct trainer_message *m, int rank, size_t round, size_t n)
{
    int failed = m->n != n;

    for (size_t i = 0; i < n && !failed; i++)
        failed = m->bytes[TRAINER_HEAD + i] != byte_of(rank, round, i);
    if (failed)
        printf("round %zu: the message of rank %d, %zu bytes, is not what was sent (%zu bytes)\n", round, rank, m->n,
               n);
    return failed;
}

/* Each rank has another length in each round. */
static size_t length(int rank, size_t round)
{
    return lengths[((size_t)rank + round) % (sizeof(lengths) / sizeof(*lengths))];
}

static int gathers(const struct world *w, struct trainer_message *mine, struct trainer_message *theirs, size_t round,
                   size_t piece)
{
    uint64_t word = w->rank ? (uint64_t)1 << w->rank : 0;
    int failed = 0;

    fill(mine, w->rank, round, length(w->rank, round));
    if (gather(w, mine, theirs, &word, piece))
        return 1;
    for (int r = 1; r < w->ranks && !w->rank; r++)
        failed |= wrong(&theirs[r], r, round, length(r, round));
    if (!w->rank && word != ((uint64_t)1 << w->ranks) - 2) {
        printf("round %zu: the words are %llx\n", round, (unsigned long long)word);
        failed = 1;
    }
    return failed;
}

static int shares(const struct world *w, struct trainer_message *m, size_t round, size_t piece)
{
    uint64_t word = w->rank ? 0 : 77 + round;

    m->n = 12345; /* whatever it was */
    if (!w->rank)
        fill(m, 0, round, length(0, round));
    return share(w, m, &word, piece) || wrong(m, 0, round, length(0, round)) || word != 77 + round;
}

/* The last byte has no space. */
static int too_long(const struct world *w, struct trainer_message *mine, struct trainer_message *theirs)
{
    uint64_t word = 0;

    mine->n = 1000;
    theirs[1].capacity = 999;
    return gather(w, mine, theirs, &word, LINK_PIECE);
}

static int all(const struct world *w, struct trainer_message *mine, struct trainer_message *theirs)
{
    int failed = 0;

    for (size_t p = 0; p < sizeof(pieces) / sizeof(*pieces); p++)
        for (size_t round = 0; round < sizeof(lengths) / sizeof(*lengths) && !failed; round++)
            failed = gathers(w, mine, theirs, round, pieces[p]) || shares(w, mine, round, pieces[p]);
    return failed;
}

int main(int argc, char **argv)
{
    struct trainer_message mine = message(), theirs[RANKS] = { 0 };
    struct world w;
    int failed = 0, rc = NW_OK;

    if (world_open(&w) || w.ranks > RANKS)
        return 1;
    if (argc > 1) {
        gpu_take(&w);
        rc = link_nccl_open(&w, &nccl);
    }
    for (int r = 0; r < w.ranks; r++)
        theirs[r] = message();
    if (!rc)
        failed = argc > 1 && !strcmp(argv[1], "long") ? too_long(&w, &mine, theirs) : all(&w, &mine, theirs);
    for (int r = 0; r < w.ranks; r++)
        free(theirs[r].bytes);
    free(mine.bytes);
    if (failed)
        world_abort(1);
    link_nccl_close(nccl);
    world_close();
    return exit_code(rc);
}
