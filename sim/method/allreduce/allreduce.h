/* allreduce.h - data-parallel SGD with a replica on every GPU. Gradients are collected into buckets in the order of the
 * backward pass; each bucket is encoded and all-reduced as soon as it is full; the next step's forward pass of a layer
 * waits for the update of its buckets. Codecs whose payloads cannot be added (AGGREGATE_GATHER) are all-gathered
 * instead, and every worker decodes all payloads. What powersgd sends is all-reduced in two rounds, one factor after
 * the other; the time between them counts as encoding, before the first.
 * Scatter    with AGGREGATE_SCATTER the coded tensors of a bucket are one vector of V values, cut in a part of
 *            ceil(V / n) for each of n workers; what the last ones lack is filled up with zeros. To the codec a part is
 *            a tensor: a call, a header. A worker encodes all n parts and sends each to whom it belongs to, in an
 *            all-to-all of n - 1 steps; decodes the n - 1 that come and adds its own; encodes the sum, which an
 *            all-gather in a ring brings to all; and decodes the n - 1 of the others. What its own sum decodes to, it
 *            knows from encoding it. The work in between takes its turn on stream or threads, and the bucket is on its
 *            way meanwhile.
 * Machines   worker w is on machine w / workers_per_machine and computes on GPU w mod workers_per_machine of it, or on
 *            its share of the CPU's cores. Messages go from GPU to GPU; with a codec on the CPU, gradients are copied
 *            to the host's memory and sent from there.
 * Levels     FLOWS plays every worker and every transfer. SYMMETRIC plays the workers of two machines (one worker where
 *            that is equivalent) with the transfers of each step of the algorithm. ANALYTIC plays one worker and the
 *            closed form of each bucket, one bucket at a time. Both give FLOWS' step time to 1e-9, or allreduce_check()
 *            refuses them with the reason. It refuses both where machines or workers differ (no star, fewer workers on
 *            one machine, a batch that does not divide evenly), where a bucket's bytes do not divide evenly and links
 *            are shared, where payloads are scattered among workers that share machines (ANALYTIC: or one machine),
 *            and where the ranks of an algorithm differ (a tree, halving-doubling among a number that is no
 *            power of two) and overlap, streams or links let them delay each other. It refuses ANALYTIC also where
 *            other traffic crosses the links, or messages that share them are not in lockstep. level_plan.c has the
 *            argument. For a tree, nic_utilisation is that of the longest path, not of the busiest rank.
 * Parts      a tensor of more than 'partition_bytes' is cut; each part goes into a bucket as a tensor would, and is
 *            updated with it: ByteScheduler, whose order is BUCKET_FORWARD.
 * Buckets    tensors fill one up to 'bucket_bytes', in the order of the backward pass. With 'cycle_s' those alone go
 *            together that are ready at the end of one cycle, and they wait for it: Horovod's tensor fusion. With
 *            'merge_Bps' a tensor joins the bucket before it if it is ready before that bucket's exchange would be
 *            'merge_start_s' old: waiting then costs less than another start (MG-WFBP, arXiv 1912.09268, algorithm 1).
 *            Both are decided from the compute times of the larger share, before anything is played.
 * Start      what all workers agree on before a bucket is exchanged takes 'start_s' + workers x 'start_per_worker_s',
 *            one bucket after another, while others are exchanged: Horovod's negotiation. With 'start_alone' it
 *            takes a turn in the exchange: the latencies of a collective's messages.
 * Measured   with COLLECTIVE_MEASURED a bucket takes as long as platform.collective says (sim/collective/measured.h),
 *            one bucket at a time, at the levels FLOWS (every worker is played, no transfer is) and ANALYTIC, which
 *            agree. Refused are streams, offload_share, unevenness and scattered payloads. sent_bytes and
 *            nic_utilisation are a ring's.
 * Steps      a bucket starts when all workers have it, or, if they send unevenly much, at each when it has it. A step
 *            lasts from the end of one backward pass to that of the next.
 * Units      names end in them. */
#ifndef NARROWS_SIM_METHOD_ALLREDUCE_ALLREDUCE_H
#define NARROWS_SIM_METHOD_ALLREDUCE_ALLREDUCE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/codec/codec_spec.h"
#include "sim/collective/collective.h"
#include "sim/method/profile.h"

enum bucket_order {
    BUCKET_BACKWARD, /* as they fill: last layer first */
    BUCKET_SIZE,     /* among those ready, the smallest first */
    BUCKET_FORWARD,  /* among those ready, the one that the next forward pass needs first */
};

enum allreduce_barrier {
    ALLREDUCE_BARRIER_LAYER, /* a layer's forward pass waits for its own updates */
    ALLREDUCE_BARRIER_STEP,  /* the forward pass waits for all updates, like an optimizer that steps once */
};

struct allreduce {
    int64_t workers, workers_per_machine;
    enum compute_device device;
    enum collective_algorithm algorithm;
    enum collective_level level;
    int64_t bucket_bytes; /* fp32 bytes that fill a bucket; a larger tensor has its own; 0: one bucket per tensor */
    enum bucket_order order;
    bool attention_apart;            /* an attention's four matrices, and their biases, are a tensor each */
    int64_t partition_bytes;         /* most fp32 bytes of a part; 0: whole tensors */
    double cycle_s;                  /* from the start of the backward pass on; 0: none */
    double merge_start_s, merge_Bps; /* an exchange's time as MG-WFBP takes it: start + bytes / rate; rate 0: it decides
                                        nothing */
    int64_t merge_least_bytes;       /* with merge_Bps: a bucket of fewer fp32 bytes always waits for the next tensor */
    double start_s, start_per_worker_s;
    bool start_alone; /* no bucket is exchanged while another one starts: starts take turns with exchanges */
    enum allreduce_barrier barrier;
    /* ALLREDUCE_BARRIER_STEP: of each worker, from the last update of an exchange to the forward pass, if there are
     * others to wait for; counts as updating. */
    double barrier_s;
    double computing_share; /* of the rate of a GPU's link to the host, while the GPU computes */
    double update_bytes;    /* of memory, for each parameter */
    bool overlap;           /* else: communicate after the whole backward pass */
    int64_t streams;        /* buckets that are exchanged at once */
    int64_t rings;          /* COLLECTIVE_RING at COLLECTIVE_FLOWS: into which a bucket is divided; 0 is 1 */
    int64_t local_steps;
    struct codec_spec gradients;
    double unevenness; /* 0..1: of n workers, number w sends 1 + unevenness x (2 w / (n - 1) - 1) times its density */
    /* Of each layer's activations: copied to the host after its forward pass and back before its backward pass, over
       the GPU's link, which the collective may use too. */
    double offload_share;
    bool pinned;   /* host memory of the offload; else link.efficiency.pageable counts */
    int64_t steps; /* simulated in steady state, after one or three warm-up exchanges */
    struct compute_profile profile;
};

/* How much denser than the mean a worker's payloads are. */
double allreduce_density_ratio(const struct allreduce *a, int64_t worker);

struct job;
struct readings;
struct task_graph;
struct timeline;

int allreduce_check(const struct job *j, char *why, size_t nwhy);

/* Besides what every method reports, all of one step:
 *   compute_ms comm_ms encode_ms decode_ms update_ms offload_ms   time during which some task of it ran: of the first
 *                     worker, which has one of the larger shares; comm of all; encode and decode with the copies to and
 *                     from the CPU that runs the codec
 *   exposed_ms        step_ms - compute_ms
 *   sent_bytes        by one worker; wire_ratio: fp32 bytes that an uncoded step would send over these
 *   nic_utilisation   busiest direction; gpu_utilisation, cpu_utilisation: of a worker's GPU or cores
 *   closed_form_ms    T_forward + max(T_backward, 2 |G| / B), Split-CNN section 6.4
 *   state_bytes       codec state of one worker
 *   scaling           samples/s over workers x samples/s of one worker alone */
int allreduce_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy);

/* The same as tasks to execute: ranks are workers. Refuses levels at which one worker stands for others, and bounds. */
int allreduce_graph(const struct job *j, struct task_graph *out, char *why, size_t nwhy);

#endif
