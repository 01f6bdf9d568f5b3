/* inline.h - INLINE: a function that becomes part of its caller, so that arguments that are constants there are
 * constants in it. */
#ifndef NARROWS_KERNELS_SHARED_INLINE_H
#define NARROWS_KERNELS_SHARED_INLINE_H

#define INLINE __attribute__((always_inline)) static inline

#endif
