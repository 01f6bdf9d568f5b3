/* topology_check_test.c - which platforms have no topology, each refused with the key that is wrong. */

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/status.h"
#include "sim/network/topology.h"
#include "tests/sim/network/clusters.h"
#include "tests/test.h"

#define CHANGE(name, ...)                  \
    static void name(struct cluster *c)    \
    {                                      \
        struct platform *p = &c->platform; \
        (void)p;                           \
        __VA_ARGS__                        \
    }
CHANGE(no_machines, p->machines = 0;)
CHANGE(many_machines, p->machines = INT64_MAX;)
CHANGE(too_many_links, p->machines = 1 << 20; p->gpu.count = 1024;)
CHANGE(negative_gpus, p->gpu.count = -1;)
CHANGE(no_network, p->network.topology = TOPOLOGY_SINGLE;)
CHANGE(single_with_eth, p->network.topology = TOPOLOGY_SINGLE; p->machines = 1;)
CHANGE(unknown_link, p->network.link = "ethernet";)
CHANGE(no_link, p->network.link = NULL;)
CHANGE(tree_without_uplink, p->network.topology = TOPOLOGY_TREE; p->network.per_switch = 2;)
CHANGE(unknown_uplink, p->network.uplink = "fibre";)
CHANGE(star_with_uplink, cluster_link(c, p->network.uplink = "up", 1e9, 0);)
CHANGE(no_per_switch, p->network.topology = TOPOLOGY_TREE; cluster_link(c, p->network.uplink = "up", 1e9, 0);)
CHANGE(no_width, p->network.topology = TOPOLOGY_MESH;)
CHANGE(ragged, p->network.topology = TOPOLOGY_TORUS; p->network.width = 3;)
CHANGE(unused, cluster_link(c, "ib", 1e9, 0);)
CHANGE(gpu_without_link, p->gpu.link = "";)
CHANGE(gpu_on_unknown, p->gpu.link = "pci";)
CHANGE(no_gpus_but_link, p->gpu.count = 0;)
CHANGE(peer_unknown, p->gpu.peer_link = "nvlink";)
CHANGE(peer_shared, cluster_link(c, p->gpu.peer_link = "nvlink", 1e9, 0)->shared_by = 2;)
CHANGE(eth_shared, c->links[0].shared_by = 2;)
CHANGE(eth_above, c->links[0].above = "pcie";)
CHANGE(above_unknown, c->links[1].above = "root";)
CHANGE(above_itself, c->links[1].above = "pcie";)
CHANGE(above_in_a_ring, c->links[1].above = "root"; cluster_link(c, "root", 1e9, 0)->above = "pcie";)
CHANGE(ring_above_the_nic, p->network.via = "slot"; cluster_link(c, "slot", 1e9, 0)->above = "bus";
       cluster_link(c, "bus", 1e9, 0)->above = "slot";)
CHANGE(via_unknown, p->network.via = "root";)
CHANGE(shared_by_none, c->links[1].shared_by = 0;)
CHANGE(bandwidth_nan, c->links[1].bandwidth_Bps = NAN;)
CHANGE(bandwidth_zero, c->links[0].bandwidth_Bps = 0;)
CHANGE(bandwidth_infinite, c->links[0].bandwidth_Bps = INFINITY;)
CHANGE(bandwidth_negative, c->links[0].bandwidth_Bps = -1;)
CHANGE(bandwidth_vanishes, c->links[0].bandwidth_Bps = 1e-320; c->links[0].efficiency_wire = 1e-10;)
CHANGE(efficiency_wire, c->links[0].efficiency_wire = 0;)
CHANGE(efficiency_in, c->links[1].efficiency_to_device = NAN;)
CHANGE(efficiency_out, c->links[1].efficiency_to_host = -0.5;)
CHANGE(latency_negative, c->links[1].latency_s = -1e-9;)
CHANGE(latency_nan, c->links[0].latency_s = NAN;)
CHANGE(burst_negative, c->links[0].burst_bytes = -1;)
CHANGE(burst_nan, c->links[0].burst_bytes = NAN;)
CHANGE(burst_time_negative, c->links[0].burst_s = -1;)
CHANGE(burst_time_inside, c->links[1].burst_s = 1;)
CHANGE(burst_inside, c->links[1].burst_bytes = 1000;)
CHANGE(dma_nan, p->cpu.dma_read_Bps = NAN;)
CHANGE(dma_negative, p->cpu.dma_write_Bps = -1;)
CHANGE(message_negative, p->network.message_bytes = -1;)
CHANGE(message_nan, p->network.message_s = NAN;)
CHANGE(unshaped_negative, p->network.unshaped_Bps = -1;)
CHANGE(unshaped_mesh, p->network.topology = TOPOLOGY_MESH; p->network.width = 2; p->network.unshaped_Bps = 1;)
CHANGE(unshaped_machines_alone, p->network.unshaped_machines = 2;)
CHANGE(nics_too_many, p->network.nics = 3;)
CHANGE(nics_negative, p->network.nics = -1;)
CHANGE(nics_of_memory, p->gpu.count = 0; p->gpu.link = NULL; p->nlinks = 1; p->network.nics = 2;)
CHANGE(nics_mesh, p->network.topology = TOPOLOGY_MESH; p->network.width = 2; p->network.nics = 2;)
CHANGE(oversubscribed_star, p->network.oversubscription = 2;)
CHANGE(rails_right, p->network.topology = TOPOLOGY_RAILS; p->network.nics = 2; p->network.oversubscription = 1.5;)
CHANGE(rails_oversubscribed_below, p->network.topology = TOPOLOGY_RAILS; p->network.oversubscription = 0.5;)
CHANGE(rails_oversubscribed_nan, p->network.topology = TOPOLOGY_RAILS; p->network.oversubscription = NAN;)
CHANGE(rails_negative_pod, p->network.topology = TOPOLOGY_RAILS; p->network.per_switch = -1;)
CHANGE(rails_uplink, p->network.topology = TOPOLOGY_RAILS; p->network.oversubscription = 1;
       cluster_link(c, p->network.uplink = "up", 1e9, 0);)
CHANGE(rails_uplink_twice, rails_uplink(c); p->network.oversubscription = 2;)
CHANGE(rails_unknown_uplink, p->network.topology = TOPOLOGY_RAILS; p->network.uplink = "fibre";)
CHANGE(rails_infinite, p->network.topology = TOPOLOGY_RAILS; c->links[0].bandwidth_Bps = 1e308;)
static struct gpu_pair pairs[3];
static void peers(struct cluster *c, struct gpu_pair a, struct gpu_pair b)
{
    cluster_link(c, c->platform.gpu.peer_link = "nvlink", 1e9, 0);
    pairs[0] = (struct gpu_pair){ 0, 1, 1 };
    pairs[1] = a;
    pairs[2] = b;
    c->platform.gpu.count = 4;
    c->platform.gpu.peers = pairs;
    c->platform.gpu.npeers = COUNT(pairs);
}
CHANGE(peers_right, peers(c, (struct gpu_pair){ 1, 2, 1 }, (struct gpu_pair){ 2, 0, 4 });)
CHANGE(peers_without_link, peers(c, (struct gpu_pair){ 1, 2, 1 }, (struct gpu_pair){ 2, 0, 4 }); p->gpu.peer_link = "";)
CHANGE(peers_outside, peers(c, (struct gpu_pair){ 1, 4, 1 }, (struct gpu_pair){ 2, 0, 4 });)
CHANGE(peers_negative, peers(c, (struct gpu_pair){ -1, 2, 1 }, (struct gpu_pair){ 2, 0, 4 });)
CHANGE(peers_itself, peers(c, (struct gpu_pair){ 1, 2, 1 }, (struct gpu_pair){ 3, 3, 4 });)
CHANGE(peers_no_links, peers(c, (struct gpu_pair){ 1, 2, 0 }, (struct gpu_pair){ 2, 0, 4 });)
CHANGE(peers_twice, peers(c, (struct gpu_pair){ 1, 2, 1 }, (struct gpu_pair){ 1, 0, 4 });)
CHANGE(nothing, )
CHANGE(nothing_much, c->links[0].efficiency_to_device = NAN; c->links[1].efficiency_wire = 0;
       c->links[0].shared_by = 0;)

static const struct {
    void (*change)(struct cluster *c);
    const char *why; /* "": not refused */
} refusals[] = {
    { nothing, "" },
    { nothing_much, "" },
    { no_machines, "platform.machines: expected 1 to 1048576, got 0" },
    { many_machines, "platform.machines: expected 1 to 1048576, got 9223372036854775807" },
    { too_many_links, "platform.machines: expected at most 16777216 links in all, got more" },
    { negative_gpus, "platform.gpu.count: expected 0 to 1024, got -1" },
    { no_network, "platform.network.topology: 4 machines need a network to reach each other" },
    { single_with_eth, "platform.link.eth: no GPU, machine or switch uses it (platform.network names it, but a single"
                       " machine has no network)" },
    { unknown_link, "platform.network.link: expected a link of the platform, got 'ethernet'" },
    { no_link, "platform.network.link: a star needs the name of a link, got none" },
    { tree_without_uplink, "platform.network.uplink: a tree needs the name of a link, got none" },
    { unknown_uplink, "platform.network.uplink: expected a link of the platform, got 'fibre'" },
    { star_with_uplink,
      "platform.link.up: no GPU, machine or switch uses it (platform.network.uplink names it, but only"
      " a tree and rails have uplinks)" },
    { no_per_switch, "platform.network.per_switch: expected 1 machine or more, got 0" },
    { no_width, "platform.network.width: expected 1 machine or more a row, got 0" },
    { ragged, "platform.network.width: a torus needs whole rows, got 4 machines in rows of 3" },
    { unused, "platform.link.ib: no GPU, machine or switch uses it" },
    { gpu_without_link, "platform.gpu.link: a GPU needs the name of a link, got none" },
    { gpu_on_unknown, "platform.gpu.link: expected a link of the platform, got 'pci'" },
    { no_gpus_but_link,
      "platform.link.pcie: no GPU, machine or switch uses it (platform.gpu names it, but platform.gpu.count is 0)" },
    { peer_unknown, "platform.gpu.peer_link: expected a link of the platform, got 'nvlink'" },
    { peer_shared, "platform.link.nvlink.shared_by: expected 1 for a link that is one device's, got 2" },
    { eth_shared, "platform.link.eth.shared_by: expected 1 for a link that is one device's, got 2" },
    { eth_above, "platform.link.eth.above: only a link of the host has one above it, got 'pcie' (a network's traffic"
                 " crosses the host's links by platform.network.via)" },
    { above_unknown, "platform.link.pcie.above: expected a link of the platform, got 'root'" },
    { above_itself, "platform.link.pcie.above: expected a root in the end, came back to 'pcie'" },
    { above_in_a_ring, "platform.link.root.above: expected a root in the end, came back to 'pcie'" },
    { ring_above_the_nic, "platform.link.bus.above: expected a root in the end, came back to 'slot'" },
    { via_unknown, "platform.network.via: expected a link of the platform, got 'root'" },
    { shared_by_none, "platform.link.pcie.shared_by: expected 1 or more, got 0" },
    { bandwidth_nan, "platform.link.pcie.bandwidth: expected a positive number, got nan (a calibrated constant that no"
                     " calibration supplied)" },
    { bandwidth_zero, "platform.link.eth.bandwidth: expected a positive number, got 0" },
    { bandwidth_infinite, "platform.link.eth.bandwidth: expected a positive number, got inf" },
    { bandwidth_negative, "platform.link.eth.bandwidth: expected a positive number, got -1" },
    { bandwidth_vanishes, "platform.link.eth.bandwidth: times its efficiency it is 0 B/s" },
    { efficiency_wire, "platform.link.eth.efficiency.wire: expected a positive number, got 0" },
    { efficiency_in, "platform.link.pcie.efficiency.to_device: expected a positive number, got nan (a calibrated"
                     " constant that no calibration supplied)" },
    { efficiency_out, "platform.link.pcie.efficiency.to_host: expected a positive number, got -0.5" },
    { latency_negative, "platform.link.pcie.latency: expected 0 or more, got -1e-09" },
    { latency_nan,
      "platform.link.eth.latency: expected 0 or more, got nan (a calibrated constant that no calibration supplied)" },
    { burst_negative, "platform.link.eth.burst: expected 0 or more, got -1" },
    { burst_nan,
      "platform.link.eth.burst: expected 0 or more, got nan (a calibrated constant that no calibration supplied)" },
    { burst_time_negative, "platform.link.eth.burst_time: expected 0 or more, got -1" },
    { burst_time_inside, "platform.link.pcie.burst: expected 0 for a link inside of a machine, got 1e+10" },
    { burst_inside, "platform.link.pcie.burst: expected 0 for a link inside of a machine, got 1000" },
    { dma_nan,
      "platform.cpu.dma_read: expected 0 or more, got nan (a calibrated constant that no calibration supplied)" },
    { dma_negative, "platform.cpu.dma_write: expected 0 or more, got -1" },
    { unshaped_negative, "platform.network.unshaped: expected 0 or more, got -1" },
    { unshaped_mesh, "platform.network.unshaped: only machines on a switch have one link each, got a mesh" },
    { unshaped_machines_alone, "platform.network.unshaped_machines: 2 machines need platform.network.unshaped" },
    { peers_right, "" },
    { peers_without_link, "platform.gpu.peers: joined by platform.gpu.peer_link, which names no link" },
    { peers_outside, "platform.gpu.peers[1]: expected two of the GPUs 0 to 3, got 1 and 4" },
    { peers_negative, "platform.gpu.peers[1]: expected two of the GPUs 0 to 3, got -1 and 2" },
    { peers_itself, "platform.gpu.peers[2]: expected two of the GPUs 0 to 3, got 3 and 3" },
    { peers_no_links, "platform.gpu.peers[1].links: expected 1 or more, got 0" },
    { peers_twice, "platform.gpu.peers[2]: expected each pair once, got that of peers[0]" },
    { nics_too_many, "platform.network.nics: expected one for each GPU of a machine at most, or 1 (its memory uses the"
                     " first alone), got 3 with 2 GPUs" },
    { nics_negative, "platform.network.nics: expected one for each GPU of a machine at most, or 1 (its memory uses the"
                     " first alone), got -1 with 2 GPUs" },
    { nics_of_memory, "platform.network.nics: expected one for each GPU of a machine at most, or 1 (its memory uses the"
                      " first alone), got 2 with 0 GPUs" },
    { oversubscribed_star, "platform.network.oversubscription: only rails have it, got a star" },
    { rails_right, "" },
    { rails_oversubscribed_below, "platform.network.oversubscription: expected 1 or more, got 0.5" },
    { rails_oversubscribed_nan, "platform.network.oversubscription: expected 1 or more, got nan" },
    { rails_negative_pod, "platform.network.per_switch: expected 1 machine or more, or 0 for all, got -1" },
    { rails_uplink, "" },
    { rails_uplink_twice, "platform.network.oversubscription: how wide an uplink is says platform.network.uplink:"
                          " expected 1, got 2" },
    { rails_unknown_uplink, "platform.network.uplink: expected a link of the platform, got 'fibre'" },
    { rails_infinite, "platform.link.eth.bandwidth: expected a positive number, got inf" },
    { nics_mesh, "platform.network.nics: only machines on switches have several, got a mesh" },
    { message_negative, "platform.network.message_bytes: expected 0 or more, got -1" },
    { message_nan, "platform.network.message_time: expected 0 or more, got nan (a calibrated constant that no"
                   " calibration supplied)" },
};

/* Each change of a star of 4 machines with 2 GPUs each; "eth" is link 0 and "pcie" link 1. */
static void errors_name_their_key(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(refusals); i++) {
        struct cluster c;
        struct fabric *f = fabric_new();
        struct topology *t = NULL;
        char why[256] = "", again[256] = "";
        int want = *refusals[i].why ? E_INVAL : E_OK;
        cluster_gpus(cluster_make(&c, TOPOLOGY_STAR, 4, 0), 2, 1);
        refusals[i].change(&c);
        int rc = topology_check(&c.platform, why, sizeof(why));
        if (rc != want || strcmp(why, refusals[i].why))
            fail_msg("row %zu: answered %d and said '%s', not '%s'", i, rc, why, refusals[i].why);
        assert_int_equal(topology_new(&c.platform, NULL, f, &t, again, sizeof(again)), want);
        assert_string_equal(again, why);
        assert_int_equal(t == NULL, want != E_OK);
        topology_free(t);
        fabric_free(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(errors_name_their_key) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
