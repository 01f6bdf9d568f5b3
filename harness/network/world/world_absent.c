/* world_absent.c - a build without MPI: world_open() has said so before anything comes here. */
#include "harness/network/world/world.h"
#include "harness/status.h"

int network_world_open(struct network_world *out)
{
    *out = (struct network_world){ 0 };
    return NW_EENV;
}

int network_world_serve(const struct network_world *w)
{
    (void)w;
    return NW_EENV;
}

struct transport network_transport(struct network_world *w)
{
    (void)w;
    return (struct transport){ 0 };
}

void network_world_stop(const struct network_world *w)
{
    (void)w;
}

void network_world_close(struct network_world *w)
{
    (void)w;
}
