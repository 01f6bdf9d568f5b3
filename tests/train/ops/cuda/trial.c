#include "tests/train/ops/cuda/trial.h"

#include <math.h>

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Few enough different values that maxima are often equal. */
static float value(uint64_t *state, const struct trial *t)
{
    return ((float)(next(state) % 129) / 64 - 1) * (t->spread != 0 ? t->spread : 1) + t->mean;
}

static int32_t integer(uint64_t *state, const struct operation *op, const struct trial *t)
{
    int64_t classes = t->conv.in_channels * t->conv.in_height;

    switch (op->integers) {
    case LABELS: return (int32_t)(next(state) % (uint64_t)(classes + 2)) - 2;
    case CLICKS: return (int32_t)(next(state) % 2);
    default: return (int32_t)(next(state) % TRIAL_ROWS);
    }
}

static void fill(const struct operation *op, const struct trial *t, int which, float *a, int64_t n, uint64_t *state)
{
    bool of_labels = op->integers == LABELS || op->integers == CLICKS;
    bool integers = which == 1 ? of_labels || op->integers == IDS_SECOND : which == 0 && op->integers == IDS_FIRST;

    for (int64_t i = 0; i < n; i++)
        if (integers) {
            int32_t id = integer(state, op, t);

            memcpy(&a[i], &id, sizeof(id));
        } else if (of_labels && which == 0) {
            a[i] = (float)(next(state) % 65) / 64; /* probabilities, zero among them */
        } else {
            a[i] = value(state, t);
        }
}

static void describe(char *text, size_t size, const struct operation *op, const struct trial *t)
{
    const struct conv_shape *c = &t->conv;

    snprintf(
        text, size,
        "%s: %lld x %lld x %lld x %lld to %lld x %lld x %lld in %lld groups, kernel %lld / %lld, paddings %lld %lld "
        "%lld %lld, n %lld, offsets %x, workspace %zu",
        op->name, (long long)c->batch, (long long)c->in_channels, (long long)c->in_height, (long long)c->in_width,
        (long long)c->out_channels, (long long)c->out_height, (long long)c->out_width, (long long)conv_groups(c),
        (long long)c->kernel, (long long)c->stride, (long long)c->pad_top, (long long)c->pad_bottom,
        (long long)c->pad_left, (long long)c->pad_right, (long long)t->n, t->offsets, t->nworkspace);
}

static void compare(const char *what, const struct operation *op, int which, const float *got, const float *want,
                    int64_t n)
{
    double tolerance = op->written >> which & 1 ? op->tolerance : 0;

    for (int64_t i = 0; i < n; i++) {
        double off = fabs((double)got[i] - (double)want[i]);

        if (tolerance > 0 ? !(off <= tolerance * (1 + fabs((double)want[i]))) : memcmp(&got[i], &want[i], 4) != 0)
            fail_msg("%s: array %d, value %lld of %lld is %.9g, not %.9g", what, which, (long long)i, (long long)n,
                     (double)got[i], (double)want[i]);
    }
}

/* One run on the device from these values; they become its results. */
static int run_on_device(const char *what, const struct ops_backend *device, struct ops *o, const struct operation *op,
                         const struct trial *t, float *const a[], int narrays)
{
    struct buffer arrays[TRIAL_ARRAYS];
    float *at[TRIAL_ARRAYS];
    int rc;

    for (int i = 0; i < narrays; i++) {
        arrays[i] = buffer_of(a[i], 4 * (size_t)op->size[i](t), 4 * (t->offsets >> (2 * i) & 3));
        at[i] = (float *)arrays[i].at;
    }
    buffer_next_order();
    rc = op->run(device, o, t, at);
    buffer_no_error(what);
    for (int i = 0; i < narrays; i++)
        buffer_close(&arrays[i], a[i], what);
    return rc;
}

void trial_compare(const struct ops_backend *device, struct ops *on_device, struct ops *on_host,
                   const struct operation *op, const struct trial *t)
{
    enum { RUNS = 2 }; /* in different orders of the threads */
    float *want[TRIAL_ARRAYS], *got[RUNS][TRIAL_ARRAYS];
    uint64_t state = t->seed;
    struct trial bare = *t;
    char what[400];
    int narrays = 0, rc;

    bare.workspace = NULL;
    bare.nworkspace = 0;
    describe(what, sizeof(what), op, t);
    for (; narrays < TRIAL_ARRAYS && op->size[narrays]; narrays++) {
        size_t size = 4 * (size_t)op->size[narrays](t);

        want[narrays] = malloc(size + 1);
        fill(op, t, narrays, want[narrays], op->size[narrays](t), &state);
        for (int r = 0; r < RUNS; r++) {
            got[r][narrays] = malloc(size + 1);
            memcpy(got[r][narrays], want[narrays], size);
        }
    }
    rc = op->run(&ops_reference, on_host, &bare, want);
    for (int r = 0; r < RUNS; r++) {
        int failed = run_on_device(what, device, on_device, op, t, got[r], narrays);

        if (failed != rc)
            fail_msg("%s: returned %d (%s), not %d (%s)", what, failed, device->error(on_device), rc,
                     ops_reference.error(on_host));
    }
    for (int i = 0; i < narrays; i++) {
        int64_t n = op->size[i](t);

        compare(what, op, i, got[0][i], want[i], n);
        for (int r = 1; r < RUNS; r++)
            if (memcmp(got[r][i], got[0][i], 4 * (size_t)n))
                fail_msg("%s: array %d came out in other bits the next time", what, i);
    }
    for (int i = 0; i < narrays; i++) {
        free(want[i]);
        for (int r = 0; r < RUNS; r++)
            free(got[r][i]);
    }
}
