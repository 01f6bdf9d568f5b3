#include "harness/run/fit/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "harness/count.h"
#include "harness/status.h"

static void add_text(XXH3_state_t *state, const char *text)
{
    XXH3_128bits_update(state, text ? text : "", text ? strlen(text) + 1 : 1);
}

static int add_points(XXH3_state_t *state, const struct scenario_file *f)
{
    int rc = NW_OK;

    for (size_t i = 0; !rc && i < scenario_npoints(f); i++) {
        char key[POINT_KEY_LENGTH + 1];
        struct point p;
        rc = scenario_point(f, i, &p);
        if (rc)
            break;
        rc = point_key(&p, key);
        add_text(state, key);
        point_free(&p);
    }
    return rc;
}

static int add_rows(XXH3_state_t *state, const struct scenario_file *f, struct store *store)
{
    const struct fit *fits;
    size_t n = scenario_fits(f, &fits);

    for (size_t i = 0; i < n; i++) {
        const struct cell *c = &fits[i].cell;
        const char *const texts[] = { fits[i].constant, c->paper, c->table, c->row, c->column, c->measure };
        double published = 0;
        int there = store_paper_value(store, c->paper, c->table, c->row, c->column, &published, NULL);
        if (there < 0)
            return there;
        for (size_t k = 0; k < COUNT(texts); k++)
            add_text(state, texts[k]);
        XXH3_128bits_update(state, &published, sizeof(published));
        XXH3_128bits_update(state, &fits[i].start, sizeof(fits[i].start));
    }
    add_text(state, scenario_fit_variant(f));
    add_text(state, scenario_baseline(f));
    return NW_OK;
}

int fit_key(const struct scenario_file *f, struct store *store, char key[POINT_KEY_LENGTH + 1])
{
    XXH3_state_t *state = XXH3_createState();
    int rc = state ? NW_OK : NW_ENOMEM;

    if (!rc) {
        XXH3_128bits_reset(state);
        rc = add_points(state, f);
    }
    if (!rc)
        rc = add_rows(state, f, store);
    if (!rc) {
        XXH128_hash_t hash = XXH3_128bits_digest(state);
        snprintf(key, POINT_KEY_LENGTH + 1, "%016llx%016llx", (unsigned long long)hash.high64,
                 (unsigned long long)hash.low64);
    }
    XXH3_freeState(state);
    return rc;
}

void fit_key_without(const char *key, size_t left, double elsewhere, char out[POINT_KEY_LENGTH + 1])
{
    char text[POINT_KEY_LENGTH + 96];
    int n = snprintf(text, sizeof(text), "%s without %zu, elsewhere %.17g", key, left, elsewhere);
    XXH128_hash_t hash = XXH3_128bits(text, (size_t)n);

    snprintf(out, POINT_KEY_LENGTH + 1, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
}

/* The platform's name lives as long as the file. */
static int platform_name(const struct scenario_file *f, const char **name)
{
    struct point p;
    int rc = scenario_point(f, 0, &p);

    if (!rc) {
        *name = p.scenario.platform.name;
        point_free(&p);
    }
    return rc;
}

int fit_recall(const struct scenario_file *f, struct store *store, const char *key, struct fit_result out[])
{
    const struct fit *fits;
    const char *platform = "";
    size_t n = scenario_fits(f, &fits);
    struct fit_fact *facts = calloc(n + 1, sizeof(*facts));
    int found = facts ? store_fit_find(store, key, facts, n) : NW_ENOMEM;
    int rc = found > 0 ? platform_name(f, &platform) : NW_OK;

    for (size_t i = 0; !rc && found > 0 && i < n; i++) {
        const struct cell *c = &fits[i].cell;
        out[i] = (struct fit_result){
            .fit = &fits[i], .value = facts[i].value, .reached = facts[i].reached, .platform = platform
        };
        int there = store_paper_value(store, c->paper, c->table, c->row, c->column, &out[i].published, NULL);
        rc = there < 0 ? there : NW_OK;
    }
    free(facts);
    return rc ? rc : found;
}

int fit_remember(const struct scenario_file *f, struct store *store, const char *key, const struct fit_result results[])
{
    const struct fit *fits;
    size_t n = scenario_fits(f, &fits);
    struct fit_fact *facts = calloc(n + 1, sizeof(*facts));
    int rc = facts ? NW_OK : NW_ENOMEM;

    for (size_t i = 0; !rc && i < n; i++)
        facts[i] = (struct fit_fact){ results[i].value, results[i].reached };
    if (!rc)
        rc = store_fit(store, key, facts, n);
    free(facts);
    return rc;
}
