#include "harness/run/point_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "harness/status.h"
#include "narrows_build.h"

int point_key(const struct point *p, char key[POINT_KEY_LENGTH + 1])
{
    char *text = scenario_canonical(&p->scenario);
    XXH3_state_t *state = XXH3_createState();
    int rc = NW_ENOMEM;

    if (text && state) {
        XXH3_128bits_reset(state);
        XXH3_128bits_update(state, NW_SIM_DIGEST, sizeof(NW_SIM_DIGEST));
        XXH3_128bits_update(state, p->variant, strlen(p->variant) + 1);
        XXH3_128bits_update(state, text, strlen(text));
        XXH128_hash_t hash = XXH3_128bits_digest(state);
        snprintf(key, POINT_KEY_LENGTH + 1, "%016llx%016llx", (unsigned long long)hash.high64,
                 (unsigned long long)hash.low64);
        rc = NW_OK;
    }
    XXH3_freeState(state);
    free(text);
    return rc;
}
