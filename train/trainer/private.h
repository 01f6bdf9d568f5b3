/* private.h - a trainer's state, and what each of its files does in a step. */
#ifndef NARROWS_TRAIN_TRAINER_PRIVATE_H
#define NARROWS_TRAIN_TRAINER_PRIVATE_H

#include <stdbool.h>

#include "train/data/order.h"
#include "train/net/context.h"
#include "train/trainer/mask.h"
#include "train/trainer/trainer.h"

/* One worker. */
struct worker {
    struct batch batch; /* host memory */
    int32_t *ids;       /* of one sample */
    int64_t *index;     /* [batch] samples of the step */
    /* [ndense] on the host; the first worker's becomes the mean. NULL in a resident trainer: copies.gradient. */
    float *gradient;
    float *row_errors; /* of the embeddings' outputs, layer by layer, in the backend's memory */
    double loss;
    struct mask_traffic masked;
    double *thresholds; /* [mask.nlayers][mask.nwatched] */
};

/* The copies of the parameters. Workers compute with 'model'. If pulls are not compressed the server has no copy of its
 * own: server == host_model. In a resident trainer (one worker, no codec) the worker's gradient is the mean, and the
 * backend updates the model in place. */
struct parameter_copies {
    float *model, *tables; /* backend memory */
    float *gradient;       /* [context][ndense] in the backend's memory */
    float *velocity;       /* in the backend's memory where resident, else in the host's */
    float *server;
    float *change;     /* of the server's copy in a step; NULL if no codec needs it */
    float *host_model; /* what the workers pull, in host memory: == model on the CPU */
};

/* Sums over all steps so far; checkpoints store the struct unchanged. */
struct progress_so_far {
    int64_t steps;
    struct multiply_adds multiply_adds;
    struct dynamic_precision dynamic;
};

struct trainer {
    struct trainer_options options;
    const struct model *model;
    const struct data_source *data;
    struct parameter_map map;
    struct exchange exchange;
    struct order order;
    struct context *contexts;
    int ncontexts;
    struct context host; /* on the CPU, for the server's computations; without a handle if 'contexts' are on the CPU */
    struct net training, evaluating;
    struct worker *workers;
    struct parameter_copies copies;
    /* Norms' statistics for evaluation: mean, then variance, norm by norm, of the unsplit network. */
    float *running;
    int64_t nrunning;
    float *fresh; /* scratch for one context's statistics, in host memory */
    int64_t row_error_values;
    int64_t target_at; /* integers of a sample before the target's tokens; -1: no target */
    struct progress_so_far so_far;
    struct awp awp; /* with units and norms below */
    struct awp_unit *units;
    size_t *unit_of, *tensor_of; /* of AWP's layers */
    double *norms, *norm_work;
    struct mask mask;
    double *thresholds; /* of all workers */
    bool watches;
    uint64_t counted[FMA_NMODES][OPS_NPASSES]; /* by the backends of all contexts, before this step */
    void *staged_velocity, *staged_tables;     /* copies of a device's memory, while a checkpoint is written or read */
    bool resident, stochastic;
    int64_t first, nworkers;                  /* those of this process: all, without peers */
    struct trainer_message message, *arrived; /* sent, or shared; at the server, of each peer */
    uint64_t theirs[FMA_NMODES][OPS_NPASSES]; /* multiply-adds of the other peers' step */
    char why[512];
};

/* At least one byte in the host's memory, at a multiple of 64; NULL: no memory. */
void *trainer_alloc(size_t nbytes);

__attribute__((format(printf, 3, 4))) int trainer_fail(struct trainer *t, int rc, const char *format, ...);
int trainer_context_failed(struct trainer *t, const struct context *context); /* E_FAILED, with its reason */

/* Multiply-adds since the last step count for no step. */
void trainer_forget_multiply_adds(struct trainer *t);

/* Those of this process since the last call. */
void trainer_count_products(struct trainer *t, uint64_t products[FMA_NMODES][OPS_NPASSES]);
void trainer_count_step(struct trainer *t, struct multiply_adds *step); /* of all processes; adds to the sums */

/* peers.c: messages between processes. Nothing happens without peers. */
bool peers_serve(const struct trainer *t); /* is the server in this process? */
int peers_open(struct trainer *t);         /* who has which worker; before anything else is opened */
void peers_close(struct trainer *t);
void peers_begin(const struct trainer *t, enum trainer_part part);
int peers_push(struct trainer *t);               /* what the workers of this step have goes to the server */
int peers_pull(struct trainer *t, double *loss); /* what the server has goes to the others: loss, model, rows */

/* The backend that works in host memory. */
struct context *trainer_host(struct trainer *t);

/* workers.c: the gradients of a step, pushed. */
int workers_open(struct trainer *t);
void workers_close(struct trainer *t);
int workers_step(struct trainer *t);
int workers_update_tables(struct trainer *t, double rate); /* rows that the step looked up */

/* server.c: the update. */
int server_open(struct trainer *t);
void server_close(struct trainer *t);
int server_begin(struct trainer *t);               /* the workers' model before the first step */
int server_send(struct trainer *t);                /* the workers' model, to the backend */
int server_update(struct trainer *t, double rate); /* mean, update; pull of the change */
int server_publish(struct trainer *t);             /* pull of the weights; the pulled model, to the backend */
int server_fetch(struct trainer *t);               /* brings copies.server up to date */

/* statistics.c: running statistics of the norms, for evaluation. */
int statistics_open(struct trainer *t);
int statistics_fetch(struct trainer *t); /* into t->fresh, from context 0, whose last worker was worker 0 */
int statistics_learn(struct trainer *t); /* from t->fresh */
int statistics_use(struct trainer *t, struct context *context); /* into a context, for t->evaluating */

/* policies.c: AWP and dynamic precision. */
int policies_open(struct trainer *t);
void policies_close(struct trainer *t);
enum fma_mode policies_mode(const struct trainer *t);
void policies_step(struct trainer *t, double loss);
double policies_ema(const struct trainer *t);

#endif
