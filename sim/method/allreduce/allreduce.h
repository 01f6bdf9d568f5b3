/* allreduce.h - data-parallel SGD with a replica on every GPU: gradients of tensors are gathered into buckets in the order
 * of the backward pass, each bucket is encoded and all-reduced as soon as it is full, and the next step's forward pass of
 * a layer waits for its bucket's update. Codecs whose payloads do not add (AGGREGATE_GATHER) are all-gathered instead, and
 * every worker decodes all payloads.
 * Machines   worker w is on machine w / workers_per_machine and computes on its GPU w mod workers_per_machine, or on its
 *            share of the CPU's cores. Messages go from GPU to GPU; a codec on the CPU has the gradients copied to the host's
 *            memory and sends them from there.
 * Levels     FLOWS plays every worker and every transfer. SYMMETRIC plays the workers of two machines (one worker where that
 *            is the same) with the transfers that each step of the algorithm means for them. ANALYTIC plays one worker and the
 *            closed form of each bucket, one bucket at a time. Both give the step that FLOWS gives, to 1e-9, or are refused
 *            by allreduce_check(), with the reason: where machines or workers are not alike (no star, fewer workers on one
 *            machine, a batch that leaves samples over), where the bytes of a bucket do not divide evenly and links are
 *            shared, where the ranks of an algorithm are not alike (a tree, halvings of a number that is no power of two)
 *            and overlap, streams or links let them get in each other's way; ANALYTIC also where other traffic crosses the
 *            links or messages that share them do not keep step. allreduce_alike.c has the argument. Of a tree
 *            nic_utilisation is that of the longest path, not of the busiest rank.
 * Steps      a bucket sets out when all workers have it. A step reaches from one backward pass's end to the next's.
 * Units      names end in them. */
#ifndef NARROWS_SIM_METHOD_ALLREDUCE_H
#define NARROWS_SIM_METHOD_ALLREDUCE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/codec/codec_spec.h"
#include "sim/collective/collective.h"
#include "sim/method/profile.h"

enum bucket_order {
    BUCKET_BACKWARD, /* as they fill: last layer first */
    BUCKET_SIZE,     /* among those ready, the smallest first */
    BUCKET_FORWARD,  /* among those ready, what the next forward pass needs first, first */
};

struct allreduce {
    int64_t workers, workers_per_machine;
    enum compute_device device;
    enum collective_algorithm algorithm;
    enum collective_level level;
    int64_t bucket_bytes; /* fp32 bytes that fill a bucket; a larger tensor is one by itself; 0: one bucket a tensor */
    enum bucket_order order;
    bool overlap;    /* else: communicate after the whole backward pass */
    int64_t streams; /* buckets on the way at once */
    int64_t local_steps;
    struct codec_spec gradients;
    double offload_share; /* of each layer's activations: copied to the host after its forward pass, and back before its
                             backward pass, over the GPU's link, beside the collective */
    bool pinned;          /* host memory of the offload; else link.efficiency.pageable counts */
    int64_t steps;        /* simulated in steady state, after an exchange or three */
    struct compute_profile profile;
};

struct job;
struct readings;
struct timeline;

int allreduce_check(const struct job *j, char *why, size_t nwhy);

/* Besides what every method reports, all of one step:
 *   compute_ms comm_ms encode_ms decode_ms update_ms offload_ms   time during which some task of it ran: of the first
 *                     worker, who has one of the larger shares; comm of all; encode and decode with the copies to and from
 *                     the CPU that runs the codec
 *   exposed_ms        step_ms - compute_ms
 *   sent_bytes        by one worker; wire_ratio: fp32 bytes that an uncoded step would send over these
 *   nic_utilisation   busiest direction; gpu_utilisation, cpu_utilisation: of a worker's GPU or cores
 *   closed_form_ms    T_forward + max(T_backward, 2 |G| / B), Split-CNN section 6.4
 *   state_bytes       codec state of one worker
 *   scaling           samples/s over workers x samples/s of one worker alone */
int allreduce_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy);

#endif
