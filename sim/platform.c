#include "sim/platform.h"

#include <string.h>

const struct link_spec *platform_gpu_link(const struct platform *p)
{
    for (size_t i = 0; i < p->nlinks; i++)
        if (p->gpu.link && !strcmp(p->links[i].name, p->gpu.link))
            return &p->links[i];
    return NULL;
}

double platform_bytes_per_kflop(const struct platform *p)
{
    const struct link_spec *link = platform_gpu_link(p);

    return link ? link->bandwidth_Bps / (p->peak_flops * p->compute_scale) * 1000 : 0;
}
