/* tensor.c - move whole tensors between the device and their pinned homes, one copy each, without staging. */
#include <stdio.h>

#include "harness/offload/internal.h"
#include "harness/status.h"

static int check(const struct offload *o, const struct offload_tensor *t, bool way)
{
    if (o->failed)
        return o->failed;
    if (!way)
        fprintf(stderr, "offload: it was opened without the direction that this tensor needs\n");
    else if (t->nbytes && !t->device)
        fprintf(stderr, "offload: the tensor has no address on the device\n");
    else if (t->ticket < 0 || t->ticket > o->last_ticket)
        fprintf(stderr, "offload: the tensor's last ticket is not of this offload\n");
    else if (t->nbytes && !offload_owns(o, BACKEND_PINNED, t->home, t->nbytes))
        fprintf(stderr, "offload: a tensor's home must be memory from offload_alloc(BACKEND_PINNED)\n");
    else
        return NW_OK;
    return NW_EINPUT;
}

/* After the work launched so far, and after the tensor's last transfer, which may have used another queue. */
static int start(struct offload *o, struct offload_tensor *t, enum backend_queue q)
{
    int rc = offload_await_ticket(o);

    if (!rc && t->ticket)
        rc = offload_follow_ticket(o, q, t->ticket);
    if (!rc)
        rc = offload_after_launched(o, q);
    if (!rc && t->nbytes)
        rc = offload_note(o, q == QUEUE_TO_HOST ? o->ops->copy(o->backend, q, t->home, t->device, t->nbytes)
                                                : o->ops->copy(o->backend, q, t->device, t->home, t->nbytes));
    return rc ? rc : offload_ticket_at(o, q, &t->ticket);
}

int offload_evict(struct offload *o, struct offload_tensor *t)
{
    int rc = check(o, t, o->out.pinned != NULL);

    if (!rc)
        rc = start(o, t, QUEUE_TO_HOST);
    o->counts.bytes_to_host += rc ? 0 : (int64_t)t->nbytes;
    return rc;
}

int offload_prefetch(struct offload *o, struct offload_tensor *t)
{
    int rc = check(o, t, o->in.pinned != NULL);

    if (!rc)
        rc = start(o, t, QUEUE_TO_DEVICE);
    o->counts.bytes_to_device += rc ? 0 : (int64_t)t->nbytes;
    return rc;
}
