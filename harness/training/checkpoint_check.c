/* checkpoint_check.c - check the head and the checksum of a checkpoint. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/training/checkpoint_format.h"

enum { CHUNK = 1 << 20 };

static int hash_all(const struct checkpoint *c, int64_t end, XXH3_state_t *hash, char *chunk)
{
    int rc = NW_OK;

    XXH3_128bits_reset(hash);
    for (int64_t at = 0; !rc && at < end;) {
        size_t n = end - at < CHUNK ? (size_t)(end - at) : CHUNK;

        rc = checkpoint_get(c, at, chunk, n);
        if (!rc)
            XXH3_128bits_update(hash, chunk, n);
        at += (int64_t)n;
    }
    return rc;
}

static int check_sum(const struct checkpoint *c)
{
    int64_t end = c->size - (int64_t)sizeof(XXH128_canonical_t);
    XXH128_canonical_t found, expected;
    XXH3_state_t *hash = XXH3_createState();
    char *chunk = malloc(CHUNK);
    int rc = hash && chunk ? hash_all(c, end, hash, chunk) : NW_ENOMEM;

    if (!rc)
        rc = checkpoint_get(c, end, &found, sizeof(found));
    if (!rc) {
        XXH128_canonicalFromHash(&expected, XXH3_128bits_digest(hash));
        if (memcmp(&found, &expected, sizeof(found)) != 0)
            rc = checkpoint_refuse(
                c, end,
                "expected the checksum of all before it, found another: the checkpoint is damaged or incomplete");
    }
    free(chunk);
    XXH3_freeState(hash);
    return rc;
}

static bool is_key(const char key[CHECKPOINT_KEY])
{
    for (int i = 0; i < CHECKPOINT_KEY; i++)
        if (!key[i] || !strchr("0123456789abcdef", key[i]))
            return false;
    return true;
}

/* First the kind of file, so that the message names it. The rest counts only if the checksum fits. */
int checkpoint_check(struct checkpoint *c, const char *key)
{
    struct checkpoint_head head = { 0 };
    int64_t least = (int64_t)(sizeof(head) + sizeof(struct checkpoint_tail));
    int rc = checkpoint_get(c, 0, &head, c->size < (int64_t)sizeof(head) ? (size_t)c->size : sizeof(head));

    if (rc)
        return rc;
    if (memcmp(head.magic, CHECKPOINT_MAGIC, sizeof(head.magic)) != 0)
        return checkpoint_refuse(c, 0, "expected a checkpoint ('%s'), found another kind of file", CHECKPOINT_MAGIC);
    if (c->size < least)
        return checkpoint_refuse(c, c->size, "expected a checkpoint of at least %lld bytes, the file ends here",
                                 (long long)least);
    if (head.version != CHECKPOINT_VERSION)
        return checkpoint_refuse(c, offsetof(struct checkpoint_head, version), "expected version %d, found %u",
                                 CHECKPOINT_VERSION, head.version);
    rc = check_sum(c);
    if (rc)
        return rc;
    if (!is_key(head.key) || head.zero)
        return checkpoint_refuse(c, offsetof(struct checkpoint_head, zero),
                                 "expected 0 and a key of 32 hex digits, found others");
    if (head.step < 0)
        return checkpoint_refuse(c, offsetof(struct checkpoint_head, step), "expected steps, found %lld",
                                 (long long)head.step);
    if (memcmp(head.key, key, CHECKPOINT_KEY) != 0)
        return checkpoint_refuse(c, offsetof(struct checkpoint_head, key), "expected the training %s, found %.*s", key,
                                 CHECKPOINT_KEY, head.key);
    c->step = head.step;
    return NW_OK;
}
