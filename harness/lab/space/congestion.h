/* congestion.h - TCP's congestion control inside a lab: cubic, as the measurements that the simulator's payload ceiling
 * comes from; where the host does not allow it, reno or what the host has. */
#ifndef NARROWS_HARNESS_LAB_SPACE_CONGESTION_H
#define NARROWS_HARNESS_LAB_SPACE_CONGESTION_H

struct lab_state;

/* Sets it in every machine and notes it in s->congestion. As root cubic is added to what the host allows, where it is
 * not. Harness status. */
int congestion_choose(struct lab_state *s);

#endif
