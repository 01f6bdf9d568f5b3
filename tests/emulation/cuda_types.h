/* cuda_types.h - CUDA's short vectors, with CUDA's alignment. */
#ifndef NARROWS_TESTS_EMULATION_CUDA_TYPES_H
#define NARROWS_TESTS_EMULATION_CUDA_TYPES_H

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
};

#define EMULATED_VECTORS(name, type, size)                               \
    struct __align__(size) name##1                                       \
    {                                                                    \
        type x;                                                          \
    };                                                                   \
    struct __align__(2 * size) name##2                                   \
    {                                                                    \
        type x, y;                                                       \
    };                                                                   \
    struct __align__(size) name##3                                       \
    {                                                                    \
        type x, y, z;                                                    \
    };                                                                   \
    struct __align__(4 * size > 16 ? 16 : 4 * size) name##4              \
    {                                                                    \
        type x, y, z, w;                                                 \
    };                                                                   \
    static inline name##1 make_##name##1(type x)                         \
    {                                                                    \
        return { x };                                                    \
    }                                                                    \
    static inline name##2 make_##name##2(type x, type y)                 \
    {                                                                    \
        return { x, y };                                                 \
    }                                                                    \
    static inline name##3 make_##name##3(type x, type y, type z)         \
    {                                                                    \
        return { x, y, z };                                              \
    }                                                                    \
    static inline name##4 make_##name##4(type x, type y, type z, type w) \
    {                                                                    \
        return { x, y, z, w };                                           \
    }
EMULATED_VECTORS(char, signed char, 1)
EMULATED_VECTORS(uchar, unsigned char, 1)
EMULATED_VECTORS(short, short, 2)
EMULATED_VECTORS(ushort, unsigned short, 2)
EMULATED_VECTORS(int, int, 4)
EMULATED_VECTORS(uint, unsigned, 4)
EMULATED_VECTORS(float, float, 4)
EMULATED_VECTORS(longlong, long long, 8)
EMULATED_VECTORS(ulonglong, unsigned long long, 8)
EMULATED_VECTORS(double, double, 8)
#undef EMULATED_VECTORS

#endif
