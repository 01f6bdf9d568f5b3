/* nccl_absent.c - a build without CUDA: no rank gets beyond nccl_open(). */
#include <stdio.h>

#include "harness/training/ranks/nccl.h"

struct nccl *nccl_open(struct nccl_offer *mine)
{
    *mine = (struct nccl_offer){ .version = 0 };
    snprintf(mine->lacks, sizeof(mine->lacks), "NCCL: expected a program built with CUDA, got one built without it");
    return NULL;
}

void nccl_close(struct nccl *n)
{
    (void)n;
}

static int absent(char *why, size_t nwhy)
{
    snprintf(why, nwhy, "built without CUDA");
    return -1;
}

int nccl_new_id(struct nccl *n, struct nccl_id *id, char *why, size_t nwhy)
{
    (void)n;
    (void)id;
    return absent(why, nwhy);
}

int nccl_join(struct nccl *n, const struct nccl_id *id, int rank, int ranks, char *why, size_t nwhy)
{
    (void)n;
    (void)id;
    (void)rank;
    (void)ranks;
    return absent(why, nwhy);
}

int nccl_gather(struct nccl *n, const struct trainer_message *mine, struct trainer_message *theirs, char *why,
                size_t nwhy)
{
    (void)n;
    (void)mine;
    (void)theirs;
    return absent(why, nwhy);
}

int nccl_share(struct nccl *n, struct trainer_message *message, char *why, size_t nwhy)
{
    (void)n;
    (void)message;
    return absent(why, nwhy);
}
