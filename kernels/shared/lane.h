/* lane.h - NW_LANE: a function that both compilers see. The definition of an operation is written once with it and
 * used by the scalar reference and by the device code. */
#ifndef NARROWS_KERNELS_SHARED_LANE_H
#define NARROWS_KERNELS_SHARED_LANE_H

#ifdef __CUDACC__
#define NW_LANE static inline __host__ __device__
#else
#define NW_LANE static inline
#endif

#endif
