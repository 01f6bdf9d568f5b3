/* cuda_threads.h - what threads do together: barriers, warp functions, atomic operations, fences; and the loads and
 * stores with a hint for the caches. */
#ifndef NARROWS_TESTS_EMULATION_CUDA_THREADS_H
#define NARROWS_TESTS_EMULATION_CUDA_THREADS_H

#define __syncthreads() ((void)emulation_barrier(0, __FILE__, __LINE__))
#define __syncthreads_count(predicate) ((int)(emulation_barrier((predicate) != 0, __FILE__, __LINE__) & 0xffffu))
#define __syncthreads_or(predicate) (__syncthreads_count(predicate) != 0)
#define __syncthreads_and(predicate) emulated_all(emulation_barrier((predicate) != 0, __FILE__, __LINE__))

static inline int emulated_all(uint32_t count_and_predicates)
{
    return count_and_predicates >> 16 == (count_and_predicates & 0xffffu);
}

static inline void __syncwarp(unsigned mask = 0xffffffffu)
{
    emulation_warp(EMULATION_SYNC, mask, 0, 0);
}

static inline unsigned __ballot_sync(unsigned mask, int predicate)
{
    return (unsigned)emulation_warp(EMULATION_BALLOT, mask, predicate != 0, 0);
}

static inline int __any_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, predicate) != 0;
}

static inline int __all_sync(unsigned mask, int predicate)
{
    uint64_t votes = emulation_warp(EMULATION_BALLOT, mask, predicate != 0, 0);

    return (unsigned)votes == votes >> 32;
}

template <class T> static inline uint64_t emulated_word(T value)
{
    uint64_t word = 0;

    static_assert(sizeof(T) <= sizeof(word), "a warp function takes up to 8 bytes");
    memcpy(&word, &value, sizeof(value));
    return word;
}

template <class T> static inline unsigned __match_any_sync(unsigned mask, T value)
{
    return (unsigned)emulation_warp(EMULATION_MATCH, mask, emulated_word(value), 0);
}

template <class T> static inline T emulated_shuffle(unsigned mask, T value, unsigned source)
{
    uint64_t word = emulation_warp(EMULATION_SHUFFLE, mask, emulated_word(value), source);
    T result;

    memcpy(&result, &word, sizeof(result));
    return result;
}

/* 'width' cuts the warp into segments; a source outside of the caller's segment is the caller itself. */
template <class T> static inline T __shfl_sync(unsigned mask, T value, int source, int width = 32)
{
    unsigned first = emulation_lane() & ~((unsigned)width - 1u);

    return emulated_shuffle(mask, value, first | ((unsigned)source & ((unsigned)width - 1u)));
}

template <class T> static inline T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32)
{
    unsigned lane = emulation_lane(), within = lane & ((unsigned)width - 1u);

    return emulated_shuffle(mask, value, within >= by ? lane - by : lane);
}

template <class T> static inline T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32)
{
    unsigned lane = emulation_lane(), within = lane & ((unsigned)width - 1u);

    return emulated_shuffle(mask, value, within + by < (unsigned)width ? lane + by : lane);
}

template <class T> static inline T __shfl_xor_sync(unsigned mask, T value, int with, int width = 32)
{
    unsigned lane = emulation_lane(), first = lane & ~((unsigned)width - 1u), source = lane ^ (unsigned)with;

    return emulated_shuffle(mask, value, source < first + (unsigned)width ? source : lane);
}

#define EMULATED_ATOMIC(name, operation)                                                  \
    template <class T> static inline T name(T *to, typename emulated_same<T>::type value) \
    {                                                                                     \
        emulation_pause();                                                                \
        T old = *to;                                                                      \
        *to = (operation);                                                                \
        return old;                                                                       \
    }
EMULATED_ATOMIC(atomicAdd, old + value)
EMULATED_ATOMIC(atomicSub, old - value)
EMULATED_ATOMIC(atomicMax, old < value ? value : old)
EMULATED_ATOMIC(atomicMin, value < old ? value : old)
EMULATED_ATOMIC(atomicOr, old | value)
EMULATED_ATOMIC(atomicAnd, old &value)
EMULATED_ATOMIC(atomicXor, old ^ value)
EMULATED_ATOMIC(atomicExch, value)
EMULATED_ATOMIC(atomicInc, old >= value ? 0 : old + 1)
#undef EMULATED_ATOMIC

template <class T>
static inline T atomicCAS(T *to, typename emulated_same<T>::type expected, typename emulated_same<T>::type value)
{
    emulation_pause();
    T old = *to;

    if (old == expected)
        *to = value;
    return old;
}

static inline void __threadfence_block()
{
    emulation_pause();
}

static inline void __threadfence()
{
    emulation_pause();
}

static inline void __threadfence_system()
{
    emulation_pause();
}

static inline void __nanosleep(unsigned)
{
    emulation_pause();
}

#define EMULATED_LOAD(name)                                \
    template <class T> static inline T name(const T *from) \
    {                                                      \
        return *from;                                      \
    }
EMULATED_LOAD(__ldg)
EMULATED_LOAD(__ldca)
EMULATED_LOAD(__ldcg)
EMULATED_LOAD(__ldcs)
EMULATED_LOAD(__ldlu)
EMULATED_LOAD(__ldcv)
#undef EMULATED_LOAD

#define EMULATED_STORE(name)                                                                 \
    template <class T> static inline void name(T *to, typename emulated_same<T>::type value) \
    {                                                                                        \
        *to = value;                                                                         \
    }
EMULATED_STORE(__stwb)
EMULATED_STORE(__stcg)
EMULATED_STORE(__stcs)
EMULATED_STORE(__stwt)
#undef EMULATED_STORE

#endif
