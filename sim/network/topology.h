/* topology.h - a platform's links as channels, and the routes between its machines and GPUs. Machines are numbered from
 * 0, the GPUs of each from 0. A route holds every channel that its bytes cross: the sender's GPU link (and the links
 * above it), 'network.via', the machine's network link, switches' uplinks, and the same downwards; each channel once.
 * Its latency is the sum of its links' (every instance crossed, up and down).
 * Kinds      a channel's kind is its link's name: "eth", "pcie"; its number that of machine or instance, directions
 *            alternating: 2 * instance leaving (from device to host, from machine to switch), 2 * instance + 1
 *            arriving. A half-duplex link has a further channel of the kind "NAME wire", its number that of the
 *            instance. A tree's uplinks are numbered by switch, those of rails pod * nics + rail; a grid's links first
 *            along the rows, then along the columns, each by the machine that it leaves in forward direction. A link
 *            with several uses (link and uplink) gets instances for each, numbered consecutively. Uplinks of rails that
 *            name no link are of the kind "NAME uplink", NAME being the NICs' link.
 * Host       everything passes the host's memory, but for peer_link: from GPU to GPU, and from GPU to NIC, traffic goes
 *            all the way up and all the way down, even below one instance. cpu.dma_read and dma_write, where they
 *            limit, are channels "dma-read" and "dma-write" of each machine, which traffic of its GPUs crosses. The NIC
 *            counts as a device: what leaves a machine crosses 'network.via' (and the links above it) in the direction
 *            to the device.
 * Peers      of peer_link each GPU has an instance, up to a switch; or, with gpu.peers, each pair has one, as wide as
 *            all its links, 'leaving' from its first GPU to its second. GPUs that are no pair go through the host.
 * NICs       of several of a machine, GPU g of n uses NIC g * nics / n, rounded down, and the instances of what it
 *            crosses by 'network.via' are divided among them in the same way; the machine's memory uses NIC 0. One
 *            switch joins all of them (star), or all of a switch's machines (tree).
 * Rails      NIC r of every machine is on leaf r of the machine's pod: of per_switch machines in order, or of all. From
 *            NIC to NIC of one leaf traffic crosses their two links alone; else, to another rail or pod, also the
 *            uplink of the sender's leaf and that of the receiver's, and between them a spine that never blocks. GPUs
 *            on different rails exchange in this way, never through another GPU of their machine. Without
 *            network.uplink an uplink is as wide as per_switch NICs' links over 'oversubscription', reaches the share
 *            that they reach, and adds no latency.
 * GPUDirect  with network.gpu_direct, what a GPU exchanges with another machine crosses its own link and the NIC's: no
 *            link above the GPU's, no 'via', no dma-read or dma-write. Without, it also crosses those, as far as there
 *            are any; with none of them the two are the same.
 * Lifetime   names of kinds belong to the platform or the topology: both must outlive every use of the engine's kinds.
 * Units      bytes, seconds, integer picoseconds.
 * Errors     status; why[] begins with the scenario's key ("platform.network.link: ..."). */
#ifndef NARROWS_SIM_NETWORK_TOPOLOGY_H
#define NARROWS_SIM_NETWORK_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

#include "sim/engine/engine.h"
#include "sim/platform.h"

struct topology;

/* One end of a transfer. */
enum { END_HOST = -1 };
struct end {
    int64_t machine;
    int64_t gpu; /* END_HOST: the machine's memory */
};

/* Checks a platform: every link named exists, every link given is used, shapes fit, numbers are positive. */
int topology_check(const struct platform *p, char *why, size_t nwhy);

/* Adds the links to the engine, or (engine NULL) to a bare fabric. The platform must outlive the topology.
 * topology_free() releases it. */
int topology_new(const struct platform *p, struct engine *e, struct fabric *f, struct topology **out, char *why,
                 size_t nwhy);
void topology_free(struct topology *t); /* accepts NULL */

/* The route between two ends: made at the first call, the same number afterwards. From an end to itself: the empty
 * route, no latency. Negative status, E_INVAL if an end does not exist. */
int64_t topology_route(struct topology *t, struct end from, struct end to, int64_t *latency_ps);

/* The channels that such a route crosses, without making it: they last until the next call. Status. */
int topology_path(struct topology *t, struct end from, struct end to, const uint32_t **channels, size_t *n,
                  int64_t *latency_ps);

/* The channels that the topology added, from 0 on in an engine or fabric that had none, and what one carries. */
size_t topology_nchannels(const struct topology *t);
double topology_capacity_Bps(const struct topology *t, uint32_t channel);

/* The NICs of all machines, those of each together (star, tree: network.nics of each; else there are none), and the
 * channels of one's network link; -1 if there is none. */
int64_t topology_nics(const struct topology *t);
int topology_nic_out(const struct topology *t, int64_t nic);
int topology_nic_in(const struct topology *t, int64_t nic);

/* Channels of a GPU's own link to the host, -1 if there is none. */
int topology_gpu_out(const struct topology *t, int64_t machine, int64_t gpu);
int topology_gpu_in(const struct topology *t, int64_t machine, int64_t gpu);

/* Payload bytes and framing of one message, and the time that it adds: platform.network.message_*. */
int64_t topology_message_bytes(const struct topology *t, int64_t payload_bytes);
int64_t topology_message_ps(const struct topology *t);

#endif
