#include "sim/platform.h"

#include <math.h>
#include <string.h>

const struct link_spec *platform_link(const struct platform *p, const char *name)
{
    for (size_t i = 0; name && i < p->nlinks; i++)
        if (!strcmp(p->links[i].name, name))
            return &p->links[i];
    return NULL;
}

const struct link_spec *platform_gpu_link(const struct platform *p)
{
    return platform_link(p, p->gpu.link);
}

double platform_bytes_per_kflop(const struct platform *p)
{
    const struct link_spec *link = platform_gpu_link(p);

    return link ? link->bandwidth_Bps / (p->peak_flops * p->compute_scale) * 1000 : 0;
}

double platform_peak_flops(const struct platform *p, enum compute_precision precision)
{
    return precision == COMPUTE_FP32 ? p->gpu.peak_flops : p->gpu.precision_flops[precision];
}

static double larger_of(double bytes, double seconds, double Bps)
{
    return isnan(bytes) || isnan(seconds) ? NAN : fmax(bytes, seconds * Bps);
}

double link_burst_bytes(const struct link_spec *link)
{
    return larger_of(link->burst_bytes, link->burst_s, link->bandwidth_Bps);
}

double platform_send_buffer_bytes(const struct platform *p)
{
    const struct link_spec *link = platform_link(p, p->network.link);

    return larger_of(p->network.send_buffer_bytes, p->network.send_buffer_s, link ? link->bandwidth_Bps : 0);
}

struct collective_group platform_group(const struct platform *p, int64_t ranks, int64_t ranks_per_machine)
{
    const struct link_spec *link = platform_link(p, p->network.link);
    double nics = p->network.nics > 1 ? (double)p->network.nics : 1;

    return (struct collective_group){ .ranks = ranks,
                                      .machines = (ranks + ranks_per_machine - 1) / ranks_per_machine,
                                      .network_Bps = link ? nics * link->bandwidth_Bps * link->efficiency_wire : 0 };
}
