/* play.h - private to the parameter server: the state of one simulation of it. Built in this order: machines
 * (_machines.c), tensors and units (_tensors.c), the tasks of every round (_rounds.c); then the engine runs, and the
 * readings are taken (_readings.c). A round is 'local_steps' steps, the last of which exchanges: a warm-up round, the
 * counted ones, and one after. */
#ifndef NARROWS_SIM_METHOD_PARAMETER_SERVER_PLAY_H
#define NARROWS_SIM_METHOD_PARAMETER_SERVER_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine/engine.h"
#include "sim/method/method.h"
#include "sim/network/topology.h"

/* Labels of the tasks. Copies between a GPU and its host's memory, and the time that a message takes its sender, are
 * part of the push or pull that they serve. */
enum ps_row {
    PS_FORWARD,
    PS_BACKWARD,
    PS_PUSH,
    PS_PULL,
    PS_ENCODE,
    PS_DECODE,
    PS_SUM,
    PS_UPDATE,
    PS_BARRIER,
    PS_ROWS,
};

/* One direction of a tensor's exchange. */
struct ps_message {
    int64_t bytes; /* on the wire, framed */
    int64_t encode_ps, decode_ps;
    int64_t send_ps; /* of the sender's time */
};

struct ps_tensor {
    size_t layer;
    const char *part; /* of the layer: "", " bias", " scale", " shift" */
    int64_t values, row;
    size_t server;
    struct ps_message push, pull;
    int64_t sum_ps, update_ps; /* sum: of one push */
};

/* Layers that compute without a break: none waits for a pull in between, and all their gradients are ready at the
 * end. */
struct ps_unit {
    size_t layer;                          /* that it is named after */
    size_t first_tensor, ntensors;         /* in the order of the layers */
    int64_t forward_ps[2], backward_ps[2]; /* of a worker's samples; [1]: of one sample more */
};

struct ps_path {
    int route, stream; /* stream: the resource of transfers that take turns, -1: they do not */
    int64_t latency_ps;
};

struct ps_worker {
    int64_t machine, samples;
    int more;                       /* 1: has one sample more than the others */
    int compute, codec, send;       /* resources; -1: nothing needs one */
    struct ps_path to_host, to_gpu; /* for codecs that run on the CPU, and sums of a machine */
    struct ps_path ring;            /* from GPU to GPU */
    struct ps_path *push, *pull;    /* per server */
    int links[2];                   /* channels of its GPU's link that computing slows down; [0] -1: none */
    int last;                       /* task that it computed last, -1: none */
    int round;                      /* backups: the group of all its tasks of the present round, -1: none */
    int enters;                     /* backups: the task at whose end it begins that round, or skips it; -1: none */
    int fed;                        /* PS_BARRIER_STEP, _PULLS: all pulls of the last exchange, -1: none to wait for */
};

struct ps_server {
    int64_t machine;
    int codec, memory, send;
};

struct ps_play {
    const struct job *job;
    const struct parameter_server *method;
    struct engine *e;
    struct topology *topology;
    struct ps_tensor *tensors;
    size_t ntensors;
    struct ps_unit *units;
    size_t nunits;
    struct ps_worker *workers;
    size_t nworkers;          /* that are played: of machine_sums one of each machine */
    int64_t crew;             /* workers that each of them stands for, of machine_sums; else 1 */
    int64_t worker_update_ps; /* of all tensors */
    bool alone;               /* machine_sums on one machine */
    struct ps_server *servers;
    size_t nservers;
    struct ps_path *paths;              /* what the workers' push and pull point into */
    int worker_threads, server_threads; /* of each one's pool for codecs */
    bool push_staged, pull_staged;      /* through the host's memory */
    size_t rounds, steps;               /* all of them, warm-up included */
    int *pulled;                        /* per worker and tensor: task that delivered it, -1: none to wait for */
    int *pushed;                        /* per worker and tensor: task after which the server has it, of this round */
    int *backward;                      /* per unit, of this worker and step */
    int *computed;                      /* per worker and step: its first task of 2 * nunits that follow each other */
    int *finished; /* per round and worker: its updates are done; PS_SYNC: everyone's are, the same task for all */
    int *gates;    /* per round: all have finished it */
    /* With backup workers (else NULL): which work was dropped, and which was used. */
    int *late;                    /* per tensor: the group of what the server does with pushes of this round */
    int *closed;                  /* per round and tensor: enough pushes are there */
    int *counted;                 /* per round, worker and tensor: the server has added the push */
    int *push_moves, *pull_moves; /* the same: the transfer */
    int next_finished;            /* of the next round, which is added later; -1: there is none */
};

struct task_graph;

/* What is counted: from one instant to another, and how many rounds each worker completed in between. */
struct ps_window {
    int64_t from_ps, to_ps;
    double *rounds; /* per worker */
    double mean;    /* of them */
};

int ps_machines(struct ps_play *s, char *why, size_t nwhy);
int ps_tensors(struct ps_play *s); /* E_NOMEM */
double ps_most_tensors(const struct job *j);
int ps_rounds(struct ps_play *s); /* E_NOMEM; errors of the engine stay in the engine */
int ps_readings(const struct ps_play *s, struct readings *out, char *why, size_t nwhy);
double ps_samples(const struct ps_play *s, const struct ps_window *w); /* of one round */
int ps_utilisation(const struct ps_play *s, const struct ps_window *w, const int64_t busy_ps[], struct readings *out);
int ps_graph(const struct ps_play *s, struct task_graph *out); /* E_NOMEM */
int ps_timeline(const struct ps_play *s, struct timeline *out);

/* machine_sums.c: a gradient's sum over the GPUs of a worker's machine, in the host's memory unless the machine is
 * alone; and the reverse way. Answers the last task. ps_copied_bytes() are those that a GPU copies of a tensor. */
int ps_machine_sum(struct ps_play *s, size_t worker, size_t tensor, int ready);
int ps_machine_share(struct ps_play *s, size_t worker, size_t tensor, int pulled);
int64_t ps_copied_bytes(const struct ps_play *s, size_t tensor);
int ps_machine_sums_check(const struct job *j, char *why, size_t nwhy);

/* Machines that hold workers. */
static inline int64_t ps_worker_machines(const struct parameter_server *m)
{
    return m->workers / m->workers_per_machine + (m->workers % m->workers_per_machine != 0);
}

/* Rounds that are counted: of local_steps steps each, enough for 'steps'. */
static inline int64_t ps_counted_rounds(const struct parameter_server *m)
{
    return m->steps / m->local_steps + (m->steps % m->local_steps != 0);
}

static inline size_t ps_cell(const struct ps_play *s, size_t round, size_t worker, size_t tensor)
{
    return (round * s->nworkers + worker) * s->ntensors + tensor;
}

/* How many pushes make an update. */
static inline int64_t ps_wanted(const struct parameter_server *m)
{
    return m->mode == PS_SYNC ? m->workers - m->backup_workers : m->workers;
}

static inline bool ps_has_backups(const struct parameter_server *m)
{
    return ps_wanted(m) < m->workers;
}

/* How long a worker's step takes, compared to no jitter: log-normal with mean 1. */
double ps_jitter(const struct parameter_server *m, uint64_t worker, uint64_t step);

#endif
