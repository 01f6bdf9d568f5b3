// simgrid_peer.cpp - the simulator's own benchmarks on SimGrid (S4U), a program apart: so neither its libraries nor its
// memory weigh on narrows. Built where SimGrid is installed.
//
//   narrows-simgrid version
//   narrows-simgrid ring RANKS BYTES RATE_Bps LATENCY_s          a ring allreduce
//   narrows-simgrid loop|burst HOSTS FLOWS RATE_Bps LATENCY_s [full]
//                    the flows from stdin, records of uint32 src, uint32 dst, int64 bytes; loop: each host sends its
//                    flows one after another; burst: all at once; full: every rate solved again, the exact option
//
// Prints: nanoseconds of the run alone (the platform is built before), simulated end in seconds, peak memory in bytes.
// Its network model is CM02 without cross traffic and without a TCP window, so that it means what ours means.
#include <simgrid/s4u.hpp>
#include <simgrid/version.h>
#include <xbt/log.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace s4u = simgrid::s4u;

struct flow {
    uint32_t src, dst;
    int64_t bytes;
};

static std::vector<s4u::Host *> star(int hosts, double rate, double latency)
{
    auto *zone = s4u::create_star_zone("star");
    std::vector<s4u::Host *> out;

    for (int i = 0; i < hosts; i++) {
        auto *host = zone->create_host("h" + std::to_string(i), 1e9);
        auto *link = zone->create_split_duplex_link("l" + std::to_string(i), rate)->set_latency(latency)->seal();

        zone->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, { { link, s4u::LinkInRoute::Direction::UP } },
                        true);
        out.push_back(host);
    }
    zone->seal();
    return out;
}

/* Every chunk is as long as the longest, which determines the end: SimGrid merges events closer than a nanosecond, so
 * it would complete the shorter ones alone. */
static void ring_rank(int rank, int ranks, int64_t bytes)
{
    auto *out = s4u::Mailbox::by_name(std::to_string((rank + 1) % ranks));
    auto *in = s4u::Mailbox::by_name(std::to_string(rank));
    const int64_t chunk = (bytes + ranks - 1) / ranks;
    static int token;

    for (int step = 0; step < 2 * (ranks - 1); step++) {
        int *got = nullptr;
        auto put = out->put_async(&token, static_cast<uint64_t>(chunk));
        auto get = in->get_async<int>(&got);
        get->wait();
        put->wait();
    }
}

static void host_in_turn(const std::vector<s4u::Host *> &hosts, const std::vector<flow> &flows)
{
    for (const auto &f : flows)
        s4u::Comm::sendto(hosts[f.src], hosts[f.dst], static_cast<uint64_t>(f.bytes));
}

static void host_at_once(const std::vector<s4u::Host *> &hosts, const std::vector<flow> &flows)
{
    std::vector<s4u::CommPtr> comms;

    for (const auto &f : flows)
        comms.push_back(s4u::Comm::sendto_async(hosts[f.src], hosts[f.dst], static_cast<uint64_t>(f.bytes)));
    s4u::Comm::wait_all(comms);
}

static std::vector<std::vector<flow>> read_flows(int hosts, long n)
{
    std::vector<std::vector<flow>> out(static_cast<size_t>(hosts));
    flow f;

    for (long i = 0; i < n; i++) {
        if (fread(&f, sizeof(f), 1, stdin) != 1 || f.src >= out.size() || f.dst >= out.size()) {
            fputs("narrows-simgrid: bad flows on the standard input\n", stderr);
            exit(1);
        }
        out[f.src].push_back(f);
    }
    return out;
}

/* Of this program alone: getrusage() would also count what it was started from. */
static long peak_bytes()
{
    char line[256];
    long kB = 0;
    FILE *f = fopen("/proc/self/status", "r");

    while (f && fgets(line, sizeof(line), f))
        if (!strncmp(line, "VmHWM:", 6))
            kB = strtol(line + 6, nullptr, 10);
    if (f)
        fclose(f);
    return 1024 * kB;
}

static int usage()
{
    fputs(
        "usage: narrows-simgrid version | ring RANKS BYTES RATE LATENCY | loop|burst HOSTS FLOWS RATE LATENCY [full]\n",
        stderr);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "version")) {
        printf("%d.%d\n", SIMGRID_VERSION_MAJOR, SIMGRID_VERSION_MINOR);
        return 0;
    }
    if (argc < 6)
        return usage();
    const std::string what = argv[1];
    const int hosts = atoi(argv[2]);
    const long n = atol(argv[3]);
    const double rate = atof(argv[4]), latency = atof(argv[5]);
    const bool full = argc > 6 && !strcmp(argv[6], "full");
    int argc_of_engine = 1;
    xbt_log_control_set("xbt_cfg.threshold:warning");
    s4u::Engine engine(&argc_of_engine, argv);

    s4u::Engine::set_config("network/model:CM02");
    s4u::Engine::set_config("network/crosstraffic:0");
    s4u::Engine::set_config("network/TCP-gamma:0");
    s4u::Engine::set_config("contexts/stack-size:32");
    if (full)
        s4u::Engine::set_config("network/optim:Full");
    const auto machines = star(hosts, rate, latency);
    std::vector<std::vector<flow>> flows;
    if (what == "ring") {
        for (int i = 0; i < hosts; i++)
            s4u::Actor::create("r" + std::to_string(i), machines[static_cast<size_t>(i)], ring_rank, i, hosts, n);
    } else if (what == "loop" || what == "burst") {
        flows = read_flows(hosts, n);
        for (size_t i = 0; i < flows.size(); i++)
            if (!flows[i].empty())
                s4u::Actor::create("h" + std::to_string(i), machines[i], what == "loop" ? host_in_turn : host_at_once,
                                   std::cref(machines), std::cref(flows[i]));
    } else {
        return usage();
    }
    const auto began = std::chrono::steady_clock::now();
    engine.run();
    const auto took = std::chrono::steady_clock::now() - began;
    printf("%lld %.17g %ld\n", static_cast<long long>(std::chrono::nanoseconds(took).count()), s4u::Engine::get_clock(),
           peak_bytes());
    return 0;
}
