/* cuda_arithmetic.h - bits, conversions and operations with a stated rounding. The host rounds to nearest, ties to
 * even. */
#ifndef NARROWS_TESTS_EMULATION_CUDA_ARITHMETIC_H
#define NARROWS_TESTS_EMULATION_CUDA_ARITHMETIC_H

template <class To, class From> static inline To emulated_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    To to;

    memcpy(&to, &from, sizeof(to));
    return to;
}

#define EMULATED(result, name, arguments, value) \
    static inline result name arguments          \
    {                                            \
        return value;                            \
    }
EMULATED(unsigned, __float_as_uint, (float a), emulated_bits<unsigned>(a))
EMULATED(int, __float_as_int, (float a), emulated_bits<int>(a))
EMULATED(float, __uint_as_float, (unsigned a), emulated_bits<float>(a))
EMULATED(float, __int_as_float, (int a), emulated_bits<float>(a))
EMULATED(long long, __double_as_longlong, (double a), emulated_bits<long long>(a))
EMULATED(double, __longlong_as_double, (long long a), emulated_bits<double>(a))

EMULATED(float, __fadd_rn, (float a, float b), a + b)
EMULATED(float, __fsub_rn, (float a, float b), a - b)
EMULATED(float, __fmul_rn, (float a, float b), a *b)
EMULATED(float, __fdiv_rn, (float a, float b), a / b)
EMULATED(float, __frcp_rn, (float a), 1.0f / a)
EMULATED(float, __fsqrt_rn, (float a), sqrtf(a))
EMULATED(float, __fmaf_rn, (float a, float b, float c), fmaf(a, b, c))
EMULATED(double, __dadd_rn, (double a, double b), a + b)
EMULATED(double, __dsub_rn, (double a, double b), a - b)
EMULATED(double, __dmul_rn, (double a, double b), a *b)
EMULATED(double, __ddiv_rn, (double a, double b), a / b)
EMULATED(double, __dsqrt_rn, (double a), sqrt(a))
EMULATED(double, __fma_rn, (double a, double b, double c), fma(a, b, c))

/* Out of range a device gives the nearest integer there is, and 0 for a NaN. */
#define EMULATED_TO_INTEGER(name, from, to, round, lowest, past)                                           \
    static inline to name(from a)                                                                          \
    {                                                                                                      \
        a = round(a);                                                                                      \
        return a != a ? 0 : a <= (from)lowest ? (to)lowest : a >= (from)past ? (to) ~((to)lowest) : (to)a; \
    }
EMULATED_TO_INTEGER(__float2int_rn, float, int, rintf, INT32_MIN, 2147483648.0f)
EMULATED_TO_INTEGER(__float2int_rz, float, int, truncf, INT32_MIN, 2147483648.0f)
EMULATED_TO_INTEGER(__float2int_rd, float, int, floorf, INT32_MIN, 2147483648.0f)
EMULATED_TO_INTEGER(__float2int_ru, float, int, ceilf, INT32_MIN, 2147483648.0f)
EMULATED_TO_INTEGER(__float2uint_rn, float, unsigned, rintf, 0, 4294967296.0f)
EMULATED_TO_INTEGER(__float2uint_rz, float, unsigned, truncf, 0, 4294967296.0f)
EMULATED_TO_INTEGER(__double2int_rn, double, int, rint, INT32_MIN, 2147483648.0)
EMULATED_TO_INTEGER(__double2int_rz, double, int, trunc, INT32_MIN, 2147483648.0)
#undef EMULATED_TO_INTEGER
EMULATED(float, __int2float_rn, (int a), (float)a)
EMULATED(float, __uint2float_rn, (unsigned a), (float)a)
EMULATED(float, __ll2float_rn, (long long a), (float)a)
EMULATED(float, __ull2float_rn, (unsigned long long a), (float)a)
EMULATED(float, __double2float_rn, (double a), (float)a)
EMULATED(double, __int2double_rn, (int a), (double)a)
EMULATED(double, __uint2double_rn, (unsigned a), (double)a)
EMULATED(double, __ll2double_rn, (long long a), (double)a)
EMULATED(double, __ull2double_rn, (unsigned long long a), (double)a)
EMULATED(float, __saturatef, (float a), a > 0 ? a < 1 ? a : 1.0f : 0.0f)

EMULATED(int, __popc, (unsigned a), __builtin_popcount(a))
EMULATED(int, __popcll, (unsigned long long a), __builtin_popcountll(a))
EMULATED(int, __clz, (int a), a ? __builtin_clz((unsigned)a) : 32)
EMULATED(int, __clzll, (long long a), a ? __builtin_clzll((unsigned long long)a) : 64)
EMULATED(int, __ffs, (int a), __builtin_ffs(a))
EMULATED(int, __ffsll, (long long a), __builtin_ffsll(a))
EMULATED(unsigned, __umulhi, (unsigned a, unsigned b), (unsigned)((uint64_t)a *b >> 32))
EMULATED(int, __mulhi, (int a, int b), (int)((int64_t)a *b >> 32))
EMULATED(unsigned long long, __umul64hi, (unsigned long long a, unsigned long long b),
         (unsigned long long)((unsigned __int128)a *b >> 64))
EMULATED(unsigned, __funnelshift_l, (unsigned low, unsigned high, unsigned by),
         (unsigned)(((uint64_t)high << 32 | low) << (by & 31) >> 32))
EMULATED(unsigned, __funnelshift_r, (unsigned low, unsigned high, unsigned by),
         (unsigned)(((uint64_t)high << 32 | low) >> (by & 31)))
#undef EMULATED

static inline unsigned __brev(unsigned a)
{
    unsigned result = 0;

    for (int bit = 0; bit < 32; bit++)
        result |= (a >> bit & 1u) << (31 - bit);
    return result;
}

/* Byte j of the result is the one of b:a that the lowest three bits of digit j say, or its sign if the fourth is
 * set. */
static inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector)
{
    uint64_t both = (uint64_t)b << 32 | a;
    unsigned result = 0;

    for (int j = 0; j < 4; j++) {
        unsigned digit = selector >> (4 * j) & 15u, byte = (unsigned)(both >> (8 * (digit & 7u))) & 255u;

        result |= (digit & 8u ? (byte & 128u ? 255u : 0u) : byte) << (8 * j);
    }
    return result;
}

/* Sum of the four products of bytes, and c. */
static inline int __dp4a(int a, int b, int c)
{
    for (int j = 0; j < 4; j++)
        c += (int)(int8_t)(a >> (8 * j)) * (int8_t)(b >> (8 * j));
    return c;
}

static inline unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int j = 0; j < 4; j++)
        c += (a >> (8 * j) & 255u) * (b >> (8 * j) & 255u);
    return c;
}

#define EMULATED_ORDER(type)               \
    static inline type min(type a, type b) \
    {                                      \
        return b < a ? b : a;              \
    }                                      \
    static inline type max(type a, type b) \
    {                                      \
        return a < b ? b : a;              \
    }
EMULATED_ORDER(int)
EMULATED_ORDER(unsigned)
EMULATED_ORDER(long)
EMULATED_ORDER(unsigned long)
EMULATED_ORDER(long long)
EMULATED_ORDER(unsigned long long)
#undef EMULATED_ORDER

/* A NaN gives way to a number. */
static inline float min(float a, float b)
{
    return fminf(a, b);
}

static inline float max(float a, float b)
{
    return fmaxf(a, b);
}

static inline double min(double a, double b)
{
    return fmin(a, b);
}

static inline double max(double a, double b)
{
    return fmax(a, b);
}

#endif
