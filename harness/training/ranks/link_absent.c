/* link_absent.c - a build without MPI: the only rank has nobody to talk to. */
#include <assert.h>

#include "harness/status.h"
#include "harness/training/ranks/link.h"

int link_gather(const struct world *w, const struct trainer_message *mine, struct trainer_message *theirs,
                uint64_t *word, size_t piece)
{
    (void)mine;
    (void)theirs;
    (void)word;
    (void)piece;
    assert(w->ranks <= 1);
    return NW_OK;
}

int link_share(const struct world *w, struct trainer_message *message, uint64_t *word, size_t piece)
{
    (void)message;
    (void)word;
    (void)piece;
    assert(w->ranks <= 1);
    return NW_OK;
}
