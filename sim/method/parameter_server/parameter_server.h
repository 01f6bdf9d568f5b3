/* parameter_server.h - data-parallel SGD with the parameters on servers, as 3LC uses it (arXiv 1802.07389, sections 2
 * and 5): each worker pushes a tensor's gradient as soon as its layer's backward pass is done; the server decodes and
 * sums the pushes, updates the tensor, encodes the change, and the workers pull it before that layer's next forward
 * pass.
 * Machines   worker w computes on GPU w mod workers_per_machine of machine w / workers_per_machine (on the CPU's cores
 *            for COMPUTE_ON_CPU); servers are the machines after those, or, colocated, machines 0, 1, ...; tensors go
 *            to servers in turn, largest first onto the one with the fewest values so far.
 * Tensors    of a layer: its weights, and its biases (batch norm: scales and shifts, two tensors).
 * Parts      a tensor of more than 'partition_bytes' is cut: each part is pushed, summed and pulled by itself, by a
 *            server of its own. With 'merged' all tensors are one vector that is cut.
 * Machines' sums: with 'machine_sums' the GPUs of a machine sum a tensor in a ring and copy a share each to the host's
 *            memory, from where one push goes to the server; what is pulled takes the reverse way (BytePS). A machine's
 *            rings take turns, each after 'ring_start_s'. All GPUs do the same at the same time, so one of each machine
 *            is played, with a link of its own, and a message is the machine's. Machines that are alone push nothing.
 * Ways       of a gradient on a GPU: with a codec on the CPU, a separate transfer first copies it to the host's memory
 *            (uncoded tensors too); a codec on the GPU takes turns with the layers, and one transfer goes from there to
 *            the server's memory. Pulls take the reverse way. Servers run codecs on their CPU only.
 * CPUs       each worker and each server has a pool of threads for its codecs (the wider of push's and pull's), and one
 *            thread that its messages take in turn (network.message_s). A server sums and updates one tensor at a time,
 *            as fast as the machine's memory streams: 12 bytes a value to add a push, 20 to update.
 * Backups    an update uses the first pushes to arrive, as many as there are workers without the backups. Later pushes
 *            are not used: what is not yet decoded or added by then is dropped. Their workers go on with the newest
 *            model, as with TensorFlow's SyncReplicasOptimizer: a worker has finished a step when it has computed it
 *            and its pushes have arrived (barrier 'layer': those of its first layer), and begins the step after the
 *            last one whose tensors are all updated. No tensor is pulled before it was pushed. A worker is never
 *            interrupted while computing. samples_per_s and sample_us count only the pushes that updates use.
 * Units      names end in them. */
#ifndef NARROWS_SIM_METHOD_PARAMETER_SERVER_PARAMETER_SERVER_H
#define NARROWS_SIM_METHOD_PARAMETER_SERVER_PARAMETER_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/codec/codec_spec.h"
#include "sim/method/profile.h"

enum ps_mode {
    PS_SYNC,  /* bulk synchronous: a tensor is updated from the pushes of all workers (except the backups) */
    PS_STALE, /* as async, and no worker begins step i before every worker has finished step i - staleness - 1 */
    PS_ASYNC, /* hogwild: each push updates the tensor at once, and only its own worker waits for it */
};

enum ps_barrier {
    PS_BARRIER_LAYER,  /* a tensor is sent as soon as possible: Poseidon's fine-grained barrier */
    PS_BARRIER_UPDATE, /* pushes as soon as possible; pulls start 'barrier_s' after the servers have updated every
                          tensor, like the tokens of TensorFlow's SyncReplicasOptimizer */
    PS_BARRIER_STEP,   /* pushes start after the whole backward pass, forward after all pulls */
    PS_BARRIER_PULLS,  /* pushes as soon as possible, forward after all pulls, like an optimizer that steps once */
};

enum ps_order {
    PS_ORDER_READY,   /* as they become ready */
    PS_ORDER_FORWARD, /* among those ready, the one that the next forward pass needs first */
};

struct parameter_server {
    int64_t workers, servers, workers_per_machine;
    bool colocated;
    enum compute_device device;
    enum ps_mode mode;
    int64_t staleness;      /* PS_STALE */
    int64_t backup_workers; /* PS_SYNC: an update uses the first pushes only, of all workers but so many */
    /* Steps from one exchange to the next. 'steps' is rounded up to a multiple of it, staleness counts exchanges, and
     * what is reported is an average of all steps. A codec of WIRE_LOCAL gives the same average without the bursts: in
     * every step a message with the average bytes, framing and sender's time, but with the full time per message of
     * servers and links. */
    int64_t local_steps;
    enum ps_barrier barrier;
    double barrier_s; /* PS_SYNC and PS_BARRIER_UPDATE: from the last update to the first pull */
    /* How many tensors are sent at once between one worker and one server, in each direction, in the order in which
     * they became ready; 0: all that are ready, each with its own share of the links. */
    int64_t streams;
    enum ps_order order;     /* of tensors and parts that wait for their turn: streams, rings, senders */
    int64_t partition_bytes; /* most fp32 bytes that go together; 0: a whole tensor */
    bool merged;             /* PS_BARRIER_STEP */
    bool machine_sums;
    double ring_start_s;
    double computing_share;  /* of the rate of a GPU's link to the host, while the GPU computes */
    bool updates_on_workers; /* with what they pulled, PS_BARRIER_STEP and _PULLS; servers only sum */
    double update_bytes;     /* of memory, for each parameter */
    bool shared_pull;        /* PS_SYNC: the server encodes a tensor once for all workers, not once for each */
    struct codec_spec push, pull;
    double jitter; /* relative standard deviation of a step's computing time, log-normal with mean 1, drawn from seed */
    int64_t seed;
    int64_t steps; /* simulated in steady state, a warm-up step before them and one after */
    struct compute_profile profile;
};

struct job;
struct readings;
struct task_graph;
struct timeline;

int parameter_server_check(const struct job *j, char *why, size_t nwhy);

/* Besides what every method reports, all of one step (averages over 'steps'):
 *   compute_ms push_ms pull_ms encode_ms decode_ms aggregate_ms update_ms   time during which some task of it ran
 *   exposed_ms            step_ms - compute_ms of the slowest worker's GPU: what was not hidden
 *   push_bytes pull_bytes of one worker, framing included (with backups: of a step that it takes up)
 *   wire_ratio            fp32 bytes of push and pull over the bytes that travelled
 *   nic_utilisation server_nic_utilisation   busiest direction: carried / (capacity x time); star and tree only
 *   server_cpu_utilisation worker_cpu_utilisation   the busiest pool of the busiest machine; gpu_utilisation: mean of
 *                                                   the GPUs
 *   state_bytes           codec state of one worker and its share of the servers' */
int parameter_server_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy);

/* The same as tasks to execute: workers are ranks 0, 1, ..., then come the servers. */
int parameter_server_graph(const struct job *j, struct task_graph *out, char *why, size_t nwhy);

#endif
