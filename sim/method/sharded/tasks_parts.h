/* tasks_parts.h - private to tasks.c: a step under construction; its acts (task_acts.c) and the turns of its stages
 * (task_turns.c) as tasks. */
#ifndef NARROWS_SIM_METHOD_SHARDED_TASKS_PARTS_H
#define NARROWS_SIM_METHOD_SHARDED_TASKS_PARTS_H

#include "sim/method/sharded/tasks.h"

/* Where a rank's work stands. */
struct strand {
    int gpu, host;               /* resources */
    int compute;                 /* the last piece of its passes */
    int gather;                  /* the last of its gathers has left the wires */
    int reduce;                  /* the last of its reductions has */
    int reduced;                 /* all of its reductions, and what is decoded of them, are done */
    int *use_ended;              /* of each use of a unit so far */
    int64_t uses;                /* how many */
    const struct unit *resident; /* gathered last, and still there */
};

struct build {
    struct engine *e;
    const struct step_plan *p;
    const struct fold *f;
    size_t shown;
    struct step_traffic *traffic;
    struct strand *strands; /* of each class */
    size_t **of_stage;      /* the classes of a stage */
    size_t *nof_stage;
    int64_t *turn; /* of each stage: the next one */
    int *arrived;  /* [class][turn kind][micro-batch][chunk]: what a pass waits for; -1: nothing */
    int *now;      /* of each class, while an act is added */
    int *ready;    /* the same */
    int *off;      /* the same: when the act's last piece on a wire was done; -1: it had none */
    bool *kept;    /* of each unit of a stage: gathered in this step (keep_gathered) */
    int rc;
};

enum { PASSES = 2 };

/* 'task' waits for an earlier one; -1: for nothing. */
void tasks_after(struct build *b, int task, int earlier);

/* The flows of one class on a piece's wire, from 'ready' on; 'done' waits for them. */
void tasks_flows(struct build *b, size_t class, const struct piece *piece, int ready, int done);

/* A GPU's piece, a host's or a wait, after now[] of the class. */
void tasks_work(struct build *b, size_t class, const struct piece *piece);

/* An act of all classes of a stage, after now[] of each; now[] is then its end. */
void tasks_act(struct build *b, int64_t stage, const struct act *a);

/* A stage's next turn. False: it waits for another stage's. */
bool tasks_turn(struct build *b, int64_t stage);

#endif
