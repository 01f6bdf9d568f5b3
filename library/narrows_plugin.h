/* narrows_plugin.h - a codec of one's own for the program narrows, without building narrows: one C file that includes
 * this header alone and defines one object,
 *
 *      const struct narrows_plugin narrows_plugin_codec = { NARROWS_PLUGIN_HEAD, .name = "mycodec", ... };
 *      cc -O3 -ffp-contract=off -fPIC -shared -Ilibrary -o mycodec.so mycodec.c -lm
 *      NARROWS_PLUGINS=./mycodec.so narrows list codecs
 *
 * plugin_template.c is a whole one; docs/CODECS.md has the recipe. Words and error numbers are those of narrows.h.
 * Shapes     n values of fp32 in order, at most 2^40; a payload is the bytes that cross the wire. The header of a
 *            sealed stream (codec, parameters, n, checksum) is written and checked by narrows.
 * State      what the codec keeps of a tensor from one step to the next (unsent changes, say): state_bytes(), one for
 *            each tensor and direction. All zero bytes is a fresh state.
 * Work       scratch of one call: work_bytes(); nothing in it outlives the call.
 * Ownership  all buffers are the caller's; the codec allocates nothing that outlives a call. The object and its texts
 *            live as long as the file is loaded, which is until the program ends.
 * Alignment  payload, state and work start on a 64-byte boundary, values on that of a float. Nothing is written outside
 *            payload[0 .. payload_bound()), state, work and values[0 .. n), and nothing is read outside of the inputs.
 * Threads    every function is called from several threads at once, for different tensors: no function writes what
 *            another call may use; no static variables. A function may start no threads of its own.
 * Bits       what a function gives depends on its arguments alone: no clock, no rand(), no environment. The same
 *            payload, state and values, bit for bit, at every call. Draws come from a parameter named "seed" and a
 *            counter in the state; training sets "seed" of each tensor and worker, to a whole number below 2^53.
 * Errors     encode has none: the codec defines what becomes of NaN and infinities. decode and reduce check the whole
 *            payload before they write: after an error values and payload are unchanged.
 * Parameters param[i] is the value of params[i], within its range. */
#ifndef NARROWS_PLUGIN_H
#define NARROWS_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when struct narrows_plugin or what its members mean changes. narrows loads plug-ins of its own ABI alone. */
#define NARROWS_PLUGIN_ABI 1

/* The first two members. */
#define NARROWS_PLUGIN_HEAD .abi = NARROWS_PLUGIN_ABI, .bytes = sizeof(struct narrows_plugin)

enum { NARROWS_PLUGIN_PARAMS = 4 };

/* What decode and reduce return. */
enum narrows_plugin_error {
    NARROWS_PLUGIN_OK = 0,
    NARROWS_PLUGIN_SHORT = 1,   /* the payload is shorter than n values need */
    NARROWS_PLUGIN_LONG = 2,    /* bytes are left over */
    NARROWS_PLUGIN_CONTENT = 8, /* encode cannot have written this payload */
};

/* How payloads of several workers become one sum. */
enum narrows_plugin_class {
    NARROWS_PLUGIN_REDUCIBLE = 0, /* payloads are arrays of numbers that an allreduce adds up */
    NARROWS_PLUGIN_GATHERED = 2,  /* every payload reaches every receiver, which decodes and adds */
    NARROWS_PLUGIN_SCATTERED = 3, /* each part is summed by its owner ('reduce') and gathered */
};

struct narrows_plugin_param {
    const char *name, *unit, *what; /* [a-z][a-z0-9_]*; "" for a plain number; one line */
    double lowest, highest, preset; /* within -2^53 .. 2^53 */
    double multiple;                /* only multiples of it, 1: whole numbers; 0: any number */
};

struct narrows_plugin {
    uint32_t abi, bytes;            /* NARROWS_PLUGIN_HEAD */
    const char *name;               /* [a-z0-9][a-z0-9._-]*, at most 23 characters, of no other codec */
    const char *what, *source;      /* one line each: what is sent; where it is from */
    enum narrows_plugin_class adds; /* 0 is REDUCIBLE, so it is better written down */
    struct narrows_plugin_param params[NARROWS_PLUGIN_PARAMS]; /* those in use first, the others zero */

    /* Bytes that a payload of n values has at most: at most 64 n + 65536. */
    size_t (*payload_bound)(size_t n, const double *param);
    /* Of a codec whose payloads depend on the values: bytes that the simulator is to count. NULL: payload_bound. */
    size_t (*expected_bytes)(size_t n, const double *param);
    /* NULL: none. Both at most 64 n + 65536; work_bytes serves encode, decode and reduce. */
    size_t (*state_bytes)(size_t n, const double *param);
    size_t (*work_bytes)(size_t n, const double *param);

    /* *nbytes: the payload's size. 'state' is that of this tensor. */
    void (*encode)(void *payload, size_t *nbytes, const float *values, size_t n, const double *param, void *state,
                   void *work);
    /* values = decoded, or with 'add' values += decoded. An enum narrows_plugin_error. */
    int (*decode)(float *values, size_t n, int add, const void *payload, size_t nbytes, const double *param,
                  void *work);
    /* NARROWS_PLUGIN_SCATTERED, else NULL: the sum of 'count' payloads of 'nbytes' each, 'stride' bytes apart, as one
     * payload: what decoding them one after another, adding, and encoding the sum without state gives, bit for bit. */
    int (*reduce)(void *payload, size_t *nsum, const void *payloads, size_t stride, size_t nbytes, size_t count,
                  size_t n, const double *param, void *work);
};

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
extern const struct narrows_plugin narrows_plugin_codec;

#ifdef __cplusplus
}
#endif

#endif
