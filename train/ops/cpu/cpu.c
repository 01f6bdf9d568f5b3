#include "train/ops/cpu/cpu.h"
#include "train/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

int cpu_fail(struct ops *o, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(o->error, sizeof(o->error), format, args);
    va_end(args);
    return -1;
}

int cpu_no_memory(struct ops *o, size_t nbytes)
{
    return cpu_fail(o, "no memory for %zu bytes of scratch", nbytes);
}

#ifdef _OPENMP
int64_t cpu_threads(void)
{
    return omp_get_max_threads();
}

int64_t cpu_team(void)
{
    return omp_get_num_threads();
}

int64_t cpu_thread_number(void)
{
    return omp_get_thread_num();
}
#else
int64_t cpu_threads(void)
{
    return 1;
}

int64_t cpu_team(void)
{
    return 1;
}

int64_t cpu_thread_number(void)
{
    return 0;
}
#endif

bool cpu_usable(void)
{
    return 1;
}

struct ops *cpu_open(char *why, size_t nwhy)
{
    struct ops *o = calloc(1, sizeof(*o));

    if (o)
        o->backend = &ops_reference;
    else
        snprintf(why, nwhy, "no memory");
    return o;
}

void cpu_close(struct ops *o)
{
    free(o);
}

const char *cpu_error(const struct ops *o)
{
    return o->error;
}

int cpu_set_precision(struct ops *o, enum fma_mode mode)
{
    if (mode != FMA_FP32 && mode != FMA_MP && mode != FMA_BF16)
        return cpu_fail(o, "precision: fp32, mp or bf16 was expected, %s came",
                        mode == FMA_BF16DOT ? "bf16dot" : "no mode");
    o->mode = mode;
    return 0;
}

void cpu_set_chains(struct ops *o, enum ops_chains chains)
{
    o->chains = chains;
}

bool cpu_whole_chains(const struct ops *o)
{
    return o->mode == FMA_BF16 && o->chains == OPS_CHAINS_WHOLE;
}

void cpu_multiply_adds(const struct ops *o, uint64_t counts[FMA_NMODES][OPS_NPASSES])
{
    memcpy(counts, o->multiply_adds, sizeof(o->multiply_adds));
}

void cpu_count_conv(struct ops *o, enum ops_pass pass, const struct conv_shape *s)
{
    o->multiply_adds[o->mode][pass] +=
        (uint64_t)(s->batch * s->out_channels * s->out_height * s->out_width) * (uint64_t)conv_taps(s);
}

void cpu_count_fc(struct ops *o, enum ops_pass pass, int64_t batch, int64_t in, int64_t out)
{
    o->multiply_adds[o->mode][pass] += (uint64_t)batch * (uint64_t)in * (uint64_t)out;
}

size_t cpu_none_held(const struct ops *o)
{
    (void)o;
    return 0;
}

size_t cpu_no_workspace(struct ops *o, const struct conv_shape *s)
{
    (void)o;
    (void)s;
    return 0;
}

/* C rounds towards zero; these round down, for b > 0. */
static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

struct cpu_range cpu_taps(int64_t begin, int64_t end, int64_t k, int64_t pad, int64_t stride, int64_t nout)
{
    struct cpu_range r;

    r.from = clamp(floor_divide(begin + pad - k + stride - 1, stride), 0, nout);
    r.to = clamp(floor_divide(end - 1 + pad - k, stride) + 1, r.from, nout);
    return r;
}

static bool axis_fits(int64_t in, int64_t out, const struct conv_shape *s, int64_t before, int64_t after)
{
    int64_t space = in + before + after - s->kernel;

    return in > 0 && out > 0 && space >= 0 && space / s->stride + 1 == out;
}

int cpu_check_conv(struct ops *o, const struct conv_shape *s)
{
    if (s->batch < 1 || s->in_channels < 1 || s->out_channels < 1 || s->kernel < 1 || s->stride < 1)
        return cpu_fail(o, "window operation: batch %lld, channels %lld to %lld, kernel %lld, stride %lld",
                        (long long)s->batch, (long long)s->in_channels, (long long)s->out_channels,
                        (long long)s->kernel, (long long)s->stride);
    if (s->groups < 0 || s->in_channels % conv_groups(s) || s->out_channels % conv_groups(s))
        return cpu_fail(o, "window operation: %lld groups do not divide %lld to %lld channels", (long long)s->groups,
                        (long long)s->in_channels, (long long)s->out_channels);
    if (!axis_fits(s->in_height, s->out_height, s, s->pad_top, s->pad_bottom) ||
        !axis_fits(s->in_width, s->out_width, s, s->pad_left, s->pad_right))
        return cpu_fail(o,
                        "window operation: %lld x %lld with kernel %lld, stride %lld, paddings %lld %lld %lld %lld "
                        "does not give %lld x %lld",
                        (long long)s->in_height, (long long)s->in_width, (long long)s->kernel, (long long)s->stride,
                        (long long)s->pad_top, (long long)s->pad_bottom, (long long)s->pad_left,
                        (long long)s->pad_right, (long long)s->out_height, (long long)s->out_width);
    return 0;
}

int cpu_check_image(struct ops *o, const struct image_shape *s)
{
    if (s->batch < 1 || s->channels < 1 || s->height < 1 || s->width < 1)
        return cpu_fail(o, "image: %lld x %lld x %lld x %lld", (long long)s->batch, (long long)s->channels,
                        (long long)s->height, (long long)s->width);
    return 0;
}

int cpu_check_fc(struct ops *o, int64_t batch, int64_t in, int64_t out)
{
    if (batch < 1 || in < 1 || out < 1)
        return cpu_fail(o, "fully connected: batch %lld, %lld to %lld", (long long)batch, (long long)in,
                        (long long)out);
    return 0;
}

/* Eight sums side by side, so that the compiler may use vectors without changing the order. */
enum { LANES = 8 };

static double sum_lanes(const double lane[LANES])
{
    return ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
}

double cpu_sum(const float *x, int64_t n)
{
    double lane[LANES] = { 0 };
    int64_t i = 0;

    for (; i + LANES <= n; i += LANES)
        for (int64_t j = 0; j < LANES; j++)
            lane[j] += (double)x[i + j];
    for (int64_t j = 0; i < n; i++, j++)
        lane[j] += (double)x[i];
    return sum_lanes(lane);
}

double cpu_dot(const float *x, const float *y, int64_t n)
{
    double lane[LANES] = { 0 };
    int64_t i = 0;

    for (; i + LANES <= n; i += LANES)
        for (int64_t j = 0; j < LANES; j++)
            lane[j] += (double)x[i + j] * (double)y[i + j];
    for (int64_t j = 0; i < n; i++, j++)
        lane[j] += (double)x[i] * (double)y[i];
    return sum_lanes(lane);
}

void cpu_add_bias_gradient(int64_t batch, int64_t channels, int64_t area, const float *dy, float *dbias)
{
    CPU_PARALLEL_FOR(batch * channels * area)
    for (int64_t c = 0; c < channels; c++) {
        double sum = 0;

        for (int64_t n = 0; n < batch; n++)
            sum += cpu_sum(dy + (n * channels + c) * area, area);
        dbias[c] += (float)sum;
    }
}
