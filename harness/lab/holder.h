/* holder.h - the namespaces of an unprivileged user: a process that owns a user, a mount and a network namespace, in
 * which the lab is made as root would, and that stays to hold them.
 * Errors     nw_status, the message printed. */
#ifndef NARROWS_HARNESS_LAB_HOLDER_H
#define NARROWS_HARNESS_LAB_HOLDER_H

#include <stdbool.h>

struct lab_state;

/* Which of the two ways there is: NW_OK with *privileged, or NW_EENV, printed. */
int holder_way(bool *privileged);

/* Start one, and run work() in it. The state is shared memory: what work() writes is seen here. 'claim' is called
 * here as soon as s->holder is known. With 'owned' it ends with this process, killing what has the lab's mark;
 * without it, it stays. Where work() fails, its status is returned, and the holder is gone; so it is where 'stopped'
 * (may be NULL) says so: NW_EINTR. */
int holder_start(struct lab_state *s, bool owned, bool (*stopped)(void),
                 int (*work)(struct lab_state *s, void *argument), void *argument,
                 int (*claim)(struct lab_state *s, void *argument), void *claim_argument);

/* Run work() where the lab's namespaces are named: here, or as a child that joins the holder. */
int holder_inside(struct lab_state *s, int (*work)(struct lab_state *s, void *argument), void *argument);

/* Join the holder's user namespace, unless this process is in it. */
int holder_join_user(const struct lab_state *s);

/* Where the holder's files are: "" or "/proc/PID/root". */
void holder_root(const struct lab_state *s, char *path, unsigned long size);

#endif
