/* model_parallel.h - a network cut into stages on several machines, alone or as trainers of hybrid data x model
 * parallelism, as DCT uses it (arXiv 2010.08899, sections 1 and 3.3). Each stage of a trainer computes its layers.
 * Activations cross the cuts forward and their gradients backward, sparsified per row (sample). With servers, each
 * stage pushes the gradients of its parameters and pulls the parameters.
 * Schedules  GPipe: the micro-batches of a step flow through the stages: all forward, all backward, then the exchange.
 *            Hogwild: 'threads' iterations of each trainer are under way at once, each on one core of each stage in
 *            turn, and none waits for another: the asynchronous system of section 3.3.
 * Machines   stage s of trainer t is machine t * stages + s (one GPU, or the CPU's pool of cores); servers follow.
 * Device     GPipe: the GPU, or all cores together, work on one micro-batch at a time. Hogwild: each pass of a thread
 *            over a stage takes one core (or the GPU's stream).
 * Codecs     run where their 'place' says. On the GPU: on the stream that computes. On the CPU: on 'threads' threads,
 *            with fp32 copies over the GPU's link where a GPU computes; if hogwild threads compute on the CPU, on the
 *            same cores ('threads' then limits nothing). Servers run codecs on their cores. An exact threshold costs
 *            its average, select / life. A cut's gradient under a known mask needs no selection.
 * Links      a message holds the connection between its two machines: messages of one pair follow each other, and pairs
 *            share links max-min fair. 'message_time' is spent on the sender, one message at a time.
 * Tensors    a layer's weights, and its biases (batch norm: scales and shifts), coded separately and sent as one
 *            message. Layers go to servers largest first, each to the one with the fewest values so far. With at least
 *            k times as many servers as layers, each tensor is split evenly into k parts on different servers.
 * Updates    stream 16 bytes for a value and 4 for a summed gradient through the server's memory, one update at a time,
 *            however few values a push has. Without servers a stage updates its parameters where it computes.
 * Embeddings stay on the servers: a sample's rows (layer.sparse_values, fp32) reach their stage before it computes, and
 *            their gradients return; both count as 'sample' bytes. Without servers the stage owns them.
 * Units      names end in them. */
#ifndef NARROWS_SIM_METHOD_MODEL_PARALLEL_MODEL_PARALLEL_H
#define NARROWS_SIM_METHOD_MODEL_PARALLEL_MODEL_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/codec/codec_spec.h"
#include "sim/method/profile.h"

enum { MODEL_PARALLEL_MAX_CUTS = 64 };

enum mp_schedule { MP_GPIPE, MP_HOGWILD };

/* The name of the layer that a stage ends with. */
struct cut {
    const char *after;
};

struct model_parallel {
    int64_t trainers, stages, servers;
    enum compute_device device;
    enum mp_schedule schedule;
    int64_t micro_batches; /* GPipe: of equal size, the first ones a sample larger where it does not divide */
    int64_t threads;       /* hogwild: iterations under way in each trainer, over all of its stages */
    struct cut *cuts;      /* stages - 1 of them, in order; none: cut where FLOPs divide most evenly */
    size_t ncuts;
    struct codec_spec activations; /* over the cuts: forward with indices; back, with 'mask_known', values only */
    bool mask_known;
    struct codec_spec push, pull;
    /* Further uncoded bytes per sample between each stage's NIC and a server. In (features, embedding rows): from the
       begin of the iteration, before the stage computes. Out (their gradients): after its backward pass; the iteration
       ends when they have arrived. */
    double sample_in_bytes, sample_out_bytes;
    /* What if pushed and pulled tensors, or what crosses a cut, had this many times as many values (a table or layer
       that the model file does not show); 1 is the model's. */
    double parameter_scale, activation_scale;
    int64_t steps; /* counted iterations of each trainer (and thread), after two of warm-up */
    struct compute_profile profile;
};

struct job;
struct readings;
struct timeline;

int model_parallel_check(const struct job *j, char *why, size_t nwhy);

/* Hogwild threads start evenly spread over the time of an idle iteration. The readings cover a window. GPipe: 'steps'
 * steps. Hogwild: from the end of an iteration to the end of a later one of the same thread, 'steps' iterations or as
 * many as all threads are busy for. Besides what every method reports:
 *   step_ms               GPipe: one step; hogwild: window / iterations finished in it, of one trainer
 *   iteration_ms          one iteration of one thread, start to end
 *   compute_ms activation_ms push_ms pull_ms encode_ms decode_ms select_ms update_ms copy_ms
 *                         per iteration, summed over stages; waiting for a core or a connection not counted
 *   activation_bytes push_bytes pull_bytes sample_bytes    per iteration of one trainer, framing included
 *   nic_utilisation       busiest direction of the stages' NICs; nic_mean_utilisation: mean over stages and directions
 *                         (both are 0 where machines have no NIC of their own: a mesh). A transfer that crosses an end
 *                         of the window counts in proportion to its time within it
 *   cpu_utilisation       of the stages' cores (or GPUs: gpu_utilisation), busy / available
 *   server_nic_utilisation server_cpu_utilisation server_memory_utilisation
 *   bubble_share          GPipe: idle share of the stages' devices within a step */
int model_parallel_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy);

#endif
