/* labour.h - private to the parameter server: the tasks that rounds are made of. */
#ifndef NARROWS_SIM_METHOD_PARAMETER_SERVER_LABOUR_H
#define NARROWS_SIM_METHOD_PARAMETER_SERVER_LABOUR_H

#include "sim/method/parameter_server/play.h"

/* A piece of work on a tensor: what it takes of which resource, and which rank does it for which. */
struct labour {
    int resource;
    int64_t ps;
    enum ps_row row;
    int32_t rank, peer;
};

/* Ranks, where the graph is executed: workers first, then servers. */
int32_t server_rank(const struct ps_play *s, size_t server);

int after(struct ps_play *s, int task, int earlier);  /* -1: nothing; answers the task */
int in_group(struct ps_play *s, int task, int group); /* -1: none; answers the task */
int item_of(const struct ps_play *s, size_t tensor);  /* in a timeline: layers first, then tensors */
int order(struct ps_play *s, int32_t rank); /* a synchronization at a rank, or (RANK_EACH) at each by itself */

/* What takes no time is no task. 'group' -1: it is never given up. */
int takes(struct ps_play *s, struct labour l, size_t tensor, int earlier, int group);

/* A transfer; with backups its number goes to *moved (NULL: not wanted). Streams take turns in sending: the latency is
 * no part of a turn. */
int moves(struct ps_play *s, struct ps_path path, int64_t bytes, struct labour l, size_t tensor, int earlier, int group,
          int *moved);

#endif
