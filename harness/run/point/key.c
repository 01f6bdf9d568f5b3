#include "harness/run/point/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "harness/status.h"
#include "narrows_build.h"
#include "train/ops/ops.h"

/* With its NUL, so that no text runs into the next. */
static void add(XXH3_state_t *state, const char *text)
{
    XXH3_128bits_update(state, text, strlen(text) + 1);
}

static void add_sources(XXH3_state_t *state, const struct scenario *sc, const struct source_digests *sources)
{
    const struct ops_backend *backend;

    if (sc->simulated)
        add(state, sources->sim);
    if (!sc->trained)
        return;
    backend = ops_backend_find(training_backend_name(sc->training.backend));
    add(state, sources->train);
    add(state, backend ? backend->name : "");
}

int point_key(const struct point *p, char key[POINT_KEY_LENGTH + 1])
{
    static const struct source_digests sources = { NW_SIM_DIGEST, NW_TRAIN_DIGEST };

    return point_key_of(p, &sources, key);
}

int point_key_of(const struct point *p, const struct source_digests *sources, char key[POINT_KEY_LENGTH + 1])
{
    char *text = scenario_canonical(&p->scenario);
    XXH3_state_t *state = XXH3_createState();
    int rc = NW_ENOMEM;

    if (text && state) {
        XXH3_128bits_reset(state);
        add_sources(state, &p->scenario, sources);
        add(state, p->variant);
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
