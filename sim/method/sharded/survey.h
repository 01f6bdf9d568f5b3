/* survey.h - many jobs of the method sharded on one platform, each looked at as briefly as may be: its keys, then its
 * memory, then the time of its passes, then the step in closed form. What jobs have in common is kept from one to the
 * next: the platform's topology, what its links give a layout, and how long a step's passes compute. So look at those
 * of one layout after each other, and at those whose passes are alike.
 * Threads    each has its own survey. What a job comes to does not depend on the jobs before it. */
#ifndef NARROWS_SIM_METHOD_SHARDED_SURVEY_H
#define NARROWS_SIM_METHOD_SHARDED_SURVEY_H

#include "sim/method/sharded/closed.h"
#include "sim/method/sharded/memory.h"

enum survey_end {
    SURVEY_REFUSED, /* its keys are no layout, or do not go together */
    SURVEY_FULL,    /* it does not fit: 'memory' says why */
    SURVEY_SLOWER,  /* its GPUs alone compute for longer than the bound */
    SURVEY_TIMED,
    SURVEY_ENDS,
};

struct survey_view {
    enum survey_end end;
    struct parallel layout;
    struct stage_memory memory; /* of the fullest stage; but for SURVEY_REFUSED */
    double memory_limit;
    double step_ps; /* SURVEY_TIMED: with what copies exchange besides (outer.h) */
    struct closed_step closed;
};

struct survey;

/* E_NOMEM, or E_INVAL with the reason if the platform's links cannot be made. The platform must outlive it. */
int survey_new(const struct platform *platform, struct survey **out, char *why, size_t nwhy);
void survey_free(struct survey *s); /* accepts NULL */

/* 'most_ps': longer steps need not be timed; INFINITY: all. 'roomy': as if everything fitted. Status: E_NOMEM. */
int survey_look(struct survey *s, const struct job *j, double most_ps, bool roomy, struct survey_view *out);

#endif
