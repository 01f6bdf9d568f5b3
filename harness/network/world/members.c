/* members.c - one rank speaks for each machine; on a single machine, all. */
#include <string.h>

#include "harness/network/world/world.h"

int network_members(char (*host)[NETWORK_HOST], int ranks, int *member, int *hosts)
{
    int n = 0;

    for (int r = 0; r < ranks; r++) {
        int k = 0;

        while (k < n && strcmp(host[member[k]], host[r]) != 0)
            k++;
        if (k == n)
            member[n++] = r;
    }
    *hosts = n;
    if (n > 1)
        return n;
    for (int r = 0; r < ranks; r++)
        member[r] = r;
    return ranks;
}
