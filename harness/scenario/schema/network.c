/* network.c - the keys of links, and of how machines are joined by them. */
#include "harness/scenario/schema/rows.h"
#include "sim/platform.h"

static const char *const duplex_names[] = { "full", "half", NULL };

static const struct field link_efficiency_fields[] = {
    { "to_device", NUMBER(link_spec, efficiency_to_device), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(1),
      DEFAULT("1"), DOC("share of the bandwidth that transfers from host to GPU reach") },
    { "to_host", NUMBER(link_spec, efficiency_to_host), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(1), DEFAULT("1"),
      DOC("share of the bandwidth that transfers from GPU to host reach") },
    { "wire", NUMBER(link_spec, efficiency_wire), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(1), DEFAULT("1"),
      DOC("share of a network link's bandwidth that payload reaches, in both directions") },
    { "pageable", NUMBER(link_spec, efficiency_pageable), FLAGS(FIELD_CALIBRATED | FIELD_ABOVE), MOST(1), DEFAULT("1"),
      DOC("additional factor for transfers from and to host memory that is not pinned") },
};
static const struct schema link_efficiency = SCHEMA("efficiency", link_spec, link_efficiency_fields, NULL);

static const struct field link_fields[] = {
    { "bandwidth", NUMBER(link_spec, bandwidth_Bps), FLAGS(FIELD_REQUIRED | FIELD_ABOVE), UNIT(DIM_BYTES_PER_S),
      DOC("per direction, from the datasheet") },
    { "latency", NUMBER(link_spec, latency_s), FLAGS(FIELD_CALIBRATED), MOST(1), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("latency of each transfer") },
    { "burst", NUMBER(link_spec, burst_bytes), FLAGS(FIELD_CALIBRATED), MOST(1e9), UNIT(DIM_BYTES), DEFAULT("0 B"),
      DOC("bytes that a network link which a token bucket shapes passes at once after idling; the bucket fills at the "
          "link's rate") },
    { "burst_time", NUMBER(link_spec, burst_s), MOST(1), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("what the link moves in so long is its burst, if that is more: a burst that follows the bandwidth") },
    { "duplex", CHOICE(link_spec, duplex, duplex_names), DEFAULT("full"),
      DOC("half: both directions share the bandwidth") },
    { "shared_by", INTEGER(link_spec, shared_by), RANGE(1, 1024), DEFAULT("1"),
      DOC("GPUs attached to each instance of the link") },
    { "efficiency", SAME(link_efficiency), DOC("reached shares of the bandwidth") },
    { "above", TEXT(link_spec, above), FLAGS(FIELD_LINK),
      DOC("name of the link one level up, for nested links: a PCIe tree") },
    { "source", TEXT(link_spec, source), FLAGS(FIELD_SILENT), DOC("where the figures come from") },
};
_Static_assert(!offsetof(struct link_spec, name), "the name of a FIELD_NAMED element comes first");
const struct schema schema_link = SCHEMA("link", link_spec, link_fields, NULL);

static const char *const topology_names[] = { "single", "star", "tree", "mesh", "torus", "rails", NULL };

static const struct field network_fields[] = {
    { "topology", CHOICE(network_spec, topology, topology_names), DEFAULT("single"),
      DOC("single: one machine; star: all on one switch; tree: switches under a core; mesh, torus: a grid of "
          "machines; rails: a leaf switch for each NIC of a pod's machines, leaves under a spine") },
    { "link", TEXT(network_spec, link), FLAGS(FIELD_LINK),
      DOC("name of a machine's link to its switch, or to each neighbour") },
    { "uplink", TEXT(network_spec, uplink), FLAGS(FIELD_LINK),
      DOC("name of the link between a switch and the core: tree; between a leaf and the spine: rails, where "
          "'oversubscription' is the shorter way to say it") },
    { "per_switch", INTEGER(network_spec, per_switch), RANGE(1, 1 << 20),
      DOC("machines on a switch: tree; machines of a pod: rails, by default all of them") },
    { "oversubscription", NUMBER(network_spec, oversubscription), RANGE(1, 1e6), DEFAULT("1"),
      DOC("how much narrower a leaf's uplink is than the links of per_switch NICs together: rails without 'uplink'") },
    { "width", INTEGER(network_spec, width), RANGE(1, 1 << 20), DOC("machines in a row of the grid: mesh, torus") },
    { "nics", INTEGER(network_spec, nics), RANGE(1, 1024), DEFAULT("1"),
      DOC("NICs of each machine, each with a 'link' of its own (rails): its GPUs are divided among them in order, its "
          "memory uses the first; star, tree, rails; with the methods allreduce, collective and flows") },
    { "via", TEXT(network_spec, via), FLAGS(FIELD_LINK),
      DOC("name of the host's link that network traffic crosses as well: the PCIe root that the GPUs are attached "
          "to") },
    { "gpu_direct", BOOL(network_spec, gpu_direct), DEFAULT("false"),
      DOC("what GPUs exchange with other machines crosses their own link and the NIC's, not the host: no link above "
          "theirs, no 'via', no dma_read or dma_write (GPUDirect RDMA)") },
    { "unshaped", NUMBER(network_spec, unshaped_Bps), UNIT(DIM_BYTES_PER_S), DEFAULT("0 B/s"),
      DOC("bandwidth of a machine's link where it is not shaped, as Linux's tc shapes only what leaves: into machines; "
          "0 B/s: the link's own in both directions; star, tree, rails") },
    { "unshaped_machines", INTEGER(network_spec, unshaped_machines), MOST(1 << 20), DEFAULT("0"),
      DOC("first machines whose link is not shaped in either direction") },
    { "message_bytes", NUMBER(network_spec, message_bytes), FLAGS(FIELD_CALIBRATED), MOST(1e9), UNIT(DIM_BYTES),
      DEFAULT("0 B"), DOC("overhead bytes of each message: headers, metadata, acknowledgements") },
    { "message_time", NUMBER(network_spec, message_s), FLAGS(FIELD_CALIBRATED), MOST(1), UNIT(DIM_SECONDS),
      DEFAULT("0 s"), DOC("overhead time of each message, in addition to its bytes and the latency of the links") },
    { "message_latency", NUMBER(network_spec, message_latency_s), FLAGS(FIELD_CALIBRATED), MOST(1), UNIT(DIM_SECONDS),
      DEFAULT("0 s"),
      DOC("time until a message from another machine is noticed, in addition to the latency of the links: libraries "
          "look for messages now and then") },
    { "send_buffer", NUMBER(network_spec, send_buffer_bytes), MOST(1e12), UNIT(DIM_BYTES), DEFAULT("0 B"),
      DOC("a rank of a tree goes on with its next message before one of at most so many bytes has left: a buffer "
          "takes it; 0 B: it waits") },
    { "connections", INTEGER(network_spec, connections), RANGE(1, 1024), DEFAULT("1"),
      DOC("messages from one rank of a tree to another that are on their way at once, where the buffer takes them: MPI "
          "libraries let them take turns on several connections") },
    { "send_buffer_time", NUMBER(network_spec, send_buffer_s), MOST(1e3), UNIT(DIM_SECONDS), DEFAULT("0 s"),
      DOC("what the network's link moves in so long is the buffer, if that is more") },
};
const struct schema schema_network = SCHEMA("network", network_spec, network_fields, NULL);
