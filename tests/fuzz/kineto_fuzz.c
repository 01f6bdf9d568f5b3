/* kineto_fuzz.c - libFuzzer's entry to the reader of PyTorch's traces: any bytes, without touching the disk. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/import/kineto/kineto.h"
#include "harness/status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds, const char *why)
{
    if (!holds) {
        fprintf(stderr, "kineto: %s\n", why);
        abort();
    }
}

struct rest {
    const uint8_t *at;
    size_t n;
};

/* In pieces of many sizes, so that an event may lie across any two. */
static long take(void *context, char *into, size_t n)
{
    struct rest *r = context;
    size_t k = r->n % 7 * 13 + 1;

    k = k < r->n ? k : r->n;
    k = k < n ? k : n;
    memcpy(into, r->at, k);
    r->at += k;
    r->n -= k;
    return (long)k;
}

/* What is read is within what the header says, and can be written. */
static void check_profile(const struct kineto_profile *p)
{
    double forward_s = 0, backward_s = 0;
    static FILE *out;

    out = out ? out : fopen("/dev/null", "w");
    check(out && p->nlayers && p->nsteps && p->nunknown <= p->nnodes, "a count that is none");
    for (size_t i = 0; i < p->nlayers; i++) {
        check(p->layers[i].forward_s >= 0 && p->layers[i].backward_s >= 0, "a time below 0");
        forward_s += p->layers[i].forward_s;
        backward_s += p->layers[i].backward_s;
    }
    check(forward_s <= p->forward_s * 1.000001 && backward_s <= p->backward_s * 1.000001, "layers longer than a pass");
    kineto_write(p, NULL, "a\nb", out);
    kineto_report(p, NULL, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rest rest = { data, size };
    struct byte_source from = { "f.json", &rest, take };
    struct kineto_profile p = { 0 };
    char *said = NULL;
    size_t nsaid = 0;
    FILE *err = open_memstream(&said, &nsaid);
    int rc;

    check(err != NULL, "no memory");
    rc = kineto_read(&from, (enum kineto_by)(size % 4), &p, err);
    fclose(err);
    check(rc == NW_OK || rc == NW_EINPUT, "neither read nor refused");
    check(!rc == !nsaid, "refused without a reason, or read with one");
    check(!nsaid || !strncmp(said, "f.json: ", 8), "a reason without its file");
    if (!rc)
        check_profile(&p);
    kineto_free(&p);
    free(said);
    return 0;
}
