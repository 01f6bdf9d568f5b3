#include "sim/platform.h"

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
