/* wire_absent.c - a build without MPI: world_open() has refused before any of this could be called. */
#include <stdlib.h>

#include "harness/exec/rank/wire.h"
#include "harness/status.h"

int wire_open(int ranks, struct wire **out)
{
    (void)ranks;
    *out = NULL;
    return NW_EENV;
}

void wire_close(struct wire *w)
{
    (void)w;
}

int wire_send(struct wire *w, int peer, int32_t task, const void *bytes, size_t n, int32_t act)
{
    (void)w, (void)peer, (void)task, (void)bytes, (void)n, (void)act;
    return NW_EENV;
}

int wire_reduce(struct wire *w, float *values, size_t n, int32_t act)
{
    (void)w, (void)values, (void)n, (void)act;
    return NW_EENV;
}

int wire_notify(struct wire *w, int peer, enum notice_of what, int32_t number, bool flag)
{
    (void)w, (void)peer, (void)what, (void)number, (void)flag;
    return NW_EENV;
}

int wire_poll(struct wire *w, const struct wire_events *on, bool *some)
{
    (void)w, (void)on;
    *some = false;
    return NW_EENV;
}

void wire_release(struct wire *w, void *bytes)
{
    (void)w;
    free(bytes);
}

bool wire_idle(const struct wire *w)
{
    (void)w;
    return true;
}

void wire_barrier(struct wire *w)
{
    (void)w;
}

void wire_share(struct wire *w, void *bytes, size_t n)
{
    (void)w, (void)bytes, (void)n;
}

void wire_gather(struct wire *w, const void *mine, size_t n, void *all)
{
    (void)w, (void)mine, (void)n, (void)all;
}

void wire_most(struct wire *w, int64_t values[], size_t n)
{
    (void)w, (void)values, (void)n;
}
