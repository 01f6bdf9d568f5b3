/* make.h - a lab's namespaces, bridges and links, made where the calling process may: as root, or in a user namespace.
 * In the switch's namespace port pI is machine I's; a star has the bridge "core"; a tree has a bridge swS for each
 * switch, joined to "core" by the link uS (the switch's end) - cS (the core's).
 * Errors     nw_status, the message printed; what was made until then stays, and space_remove() removes it. */
#ifndef NARROWS_HARNESS_LAB_SPACE_MAKE_H
#define NARROWS_HARNESS_LAB_SPACE_MAKE_H

struct lab_state;

/* All of it, shaped. Fills in s->congestion. */
int make_lab(struct lab_state *s);

/* The token buckets of every link as s->plan has them; they are there already. */
int make_rates(const struct lab_state *s);

#endif
