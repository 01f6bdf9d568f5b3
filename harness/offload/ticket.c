/* ticket.c - the order of work. Ticket t uses event t modulo the number of tickets N, so it is handed out only after
 * ticket t - N is done. Tickets up to that one are known to be done without an event. */

#include "harness/host/clock.h"
#include "harness/offload/internal.h"
#include "harness/status.h"

int offload_await(struct offload *o, int event, int64_t *stalls, int64_t *stall_ns)
{
    int64_t start = clock_ns();
    int done = o->ops->done(o->backend, event), rc;

    if (done < 0)
        return offload_note(o, done);
    rc = o->ops->wait(o->backend, event);
    if (!done) {
        ++*stalls;
        *stall_ns += clock_ns() - start;
    }
    return offload_note(o, rc);
}

int offload_after_launched(struct offload *o, enum backend_queue q)
{
    int rc = o->ops->record(o->backend, QUEUE_COMPUTE, EVENT_LAUNCHED);

    return offload_note(o, rc ? rc : o->ops->follow(o->backend, q, EVENT_LAUNCHED));
}

static int ticket_event(const struct offload *o, int64_t ticket)
{
    return o->first_ticket_event + (int)(ticket % o->tickets);
}

static int ticket_check(const struct offload *o, int64_t ticket)
{
    if (o->failed)
        return o->failed;
    if (ticket >= 1 && ticket <= o->last_ticket)
        return NW_OK;
    return status_error(NW_EINPUT, "offload: ticket %lld was never given out\n", (long long)ticket);
}

static bool ticket_is_old(const struct offload *o, int64_t ticket)
{
    return ticket <= o->last_ticket - o->tickets;
}

int offload_await_ticket(struct offload *o)
{
    return offload_await(o, ticket_event(o, o->last_ticket + 1), &o->counts.wait_stalls, &o->counts.wait_stall_ns);
}

int offload_ticket_at(struct offload *o, enum backend_queue q, int64_t *ticket)
{
    int rc = offload_note(o, o->ops->record(o->backend, q, ticket_event(o, o->last_ticket + 1)));

    if (!rc)
        *ticket = ++o->last_ticket;
    return rc;
}

int offload_launch(struct offload *o, backend_work_fn *work, void *arg)
{
    return o->failed ? o->failed : offload_note(o, o->ops->launch(o->backend, work, arg));
}

int offload_mark(struct offload *o, int64_t *ticket)
{
    int rc = o->failed ? o->failed : offload_await_ticket(o);

    return rc ? rc : offload_ticket_at(o, QUEUE_COMPUTE, ticket);
}

int offload_follow_ticket(struct offload *o, enum backend_queue q, int64_t ticket)
{
    int rc = ticket_check(o, ticket);

    if (rc || ticket_is_old(o, ticket))
        return rc;
    return offload_note(o, o->ops->follow(o->backend, q, ticket_event(o, ticket)));
}

int offload_order(struct offload *o, int64_t ticket)
{
    return offload_follow_ticket(o, QUEUE_COMPUTE, ticket);
}

int offload_wait(struct offload *o, int64_t ticket)
{
    int rc = ticket_check(o, ticket);

    if (rc || ticket_is_old(o, ticket))
        return rc;
    return offload_await(o, ticket_event(o, ticket), &o->counts.wait_stalls, &o->counts.wait_stall_ns);
}

int offload_done(struct offload *o, int64_t ticket)
{
    int rc = ticket_check(o, ticket);

    if (rc)
        return rc;
    return ticket_is_old(o, ticket) ? 1 : offload_note(o, o->ops->done(o->backend, ticket_event(o, ticket)));
}
