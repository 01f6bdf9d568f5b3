/* codec_spec.h - what a codec costs and saves, as the simulator sees it: bytes on the wire for so many values, time to
 * encode and decode them, state it keeps, and how payloads of several workers become one.
 * The wire formats are those of kernels/: a test holds the two to each other. What travels is a stream: a header of 64
 * bytes (codec, parameters, number of values, sizes, checksum), then the payload; values that no codec touches travel
 * without one.
 * Units      values of fp32 (4 bytes each), bytes, bytes of fp32 per second (4 x values, in both directions: so encode
 *            and decode of one tensor at one rate take equally long), seconds, integer picoseconds. */
#ifndef NARROWS_SIM_CODEC_CODEC_SPEC_H
#define NARROWS_SIM_CODEC_CODEC_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names as in 'narrows list codecs'; "none" is fp32 sent as it is, without a header. */
enum wire_format {
    WIRE_NONE,
    WIRE_FP32,
    WIRE_BF16,
    WIRE_FP16,
    WIRE_ADT,         /* 'bytes' leading bytes of each value */
    WIRE_8BIT,        /* a scale and one byte a value */
    WIRE_3LC_QUARTIC, /* five ternary values a byte */
    WIRE_3LC,         /* and zero-run encoding: 'bits' a value on average, as trained or published */
    WIRE_STOCH3,
    WIRE_1BIT,      /* two means and one bit a value */
    WIRE_SPARSIFY,  /* a bitmap and the share 'density' of the values */
    WIRE_DCT,       /* the share 'density' of the values, and their indices or a bitmap, whichever is smaller */
    WIRE_DCT_MP,    /* rows: of each a bitmap in words of 64 bits and the share 'density' of the values */
    WIRE_LOCAL,     /* everything, every 'steps' steps; nothing in between */
    WIRE_QSGD,      /* a scale, and of each value one of 2 'levels' + 1 codes in whole bits */
    WIRE_RANDOMK,   /* the share 'density' of the values at places that all workers draw alike, and the step */
    WIRE_TERNGRAD,  /* three multiples of one scale, in two bits of each value */
    WIRE_NATURAL,   /* a power of two of each value, in a byte, and the largest */
    WIRE_POWERSGD,  /* two factors of 'rank' vectors: rows and columns; a vector as it is */
    WIRE_BLOCKWISE, /* codes of 'code_bits' and a scale for each 'block' of values */
    WIRE_RATIO,     /* a user's own codec: 1/'ratio' of the fp32 bytes, and 'header' bytes */
    WIRE_ASKED,     /* a codec without a formula here, which is asked for its sizes ('asked') */
    WIRE_FORMATS,
};

/* How the payloads of all workers become one result. */
enum codec_class_of {
    AGGREGATE_REDUCE,  /* they add up in an allreduce */
    AGGREGATE_GATHER,  /* every worker decodes all of them */
    AGGREGATE_SCATTER, /* each worker decodes, adds up and encodes again one part of all of them: ZeRO++'s qgZ (arXiv
                          2306.10209), torch_cgx's scatter-reduce-allgather */
};
enum codec_place { CODEC_ON_GPU, CODEC_ON_CPU };
enum codec_timing { CODEC_COST_GIVEN, CODEC_COST_MEASURED }; /* measured: the harness turns it into a given curve */

/* A codec of which sim/ knows nothing: whoever builds the spec supplies the functions. They give the same for the
 * same n, at every call and from any thread; 0 or more. */
struct codec_asked {
    const char *text; /* as the scenario names it, with its parameters: "mycodec:s=2" */
    const void *codec;
    double param[4];                                                  /* for the functions alone, as 'codec' is */
    int64_t (*payload_bytes)(const struct codec_asked *a, int64_t n); /* NULL: nobody can be asked */
    int64_t (*state_bytes)(const struct codec_asked *a, int64_t n);
    enum codec_class_of aggregation;
};

struct rate_point {
    double size_B, rate_Bps; /* a tensor of so many fp32 bytes is encoded (or decoded) at this rate */
};

/* How long one direction takes: latency + size / rate. With a curve, the rate is interpolated between its points in the
 * logarithms of both, and held beyond its ends; 'rate_Bps' then multiplies nothing and is ignored. */
struct codec_cost {
    double rate_Bps;  /* 0: takes no time */
    double latency_s; /* of each call */
    struct rate_point *curve;
    size_t ncurve; /* 0: no curve */
};

/* The most that 'bits' can be: five values in a byte. */
#define CODEC_SPEC_MOST_BITS 1.6
/* The most levels of WIRE_QSGD: codes of 16 bits. */
#define CODEC_SPEC_MOST_LEVELS 32767
#define CODEC_SPEC_MOST_RANK 64
/* Blocks of WIRE_BLOCKWISE are whole groups of values. */
#define CODEC_SPEC_BLOCK_GROUP 64
#define CODEC_SPEC_MOST_BLOCK 8192

struct codec_spec {
    enum wire_format format;
    double bytes;   /* WIRE_ADT: 1..4 a value */
    double bits;    /* WIRE_3LC: a value, after zero-run encoding; the tensor's scale and lengths come on top */
    double density; /* WIRE_SPARSIFY, WIRE_DCT, WIRE_DCT_MP, WIRE_RANDOMK: share of the values that is sent, 0..1 */
    bool indices;   /* WIRE_DCT, WIRE_DCT_MP: an index of 4 bytes with each value and never a bitmap, as DCT's Table 5
                       has it and kernels/ does not */
    double ratio;   /* WIRE_RATIO */
    int64_t header; /* WIRE_RATIO: bytes of each tensor */
    int64_t steps;  /* WIRE_LOCAL */
    int64_t rank;   /* WIRE_POWERSGD: 1..CODEC_SPEC_MOST_RANK */
    int64_t levels; /* WIRE_QSGD: between 0 and the norm, 1..CODEC_SPEC_MOST_LEVELS */
    int64_t code_bits; /* WIRE_BLOCKWISE: of a value, 4 or 8; */
    int64_t block;     /* and values to a scale: a multiple of CODEC_SPEC_BLOCK_GROUP, up to CODEC_SPEC_MOST_BLOCK */
    struct codec_asked asked; /* WIRE_ASKED */
    /* WIRE_RATIO. The others have their own; those that do not reduce are gathered or scattered if it says so, and as
       they are by themselves with AGGREGATE_REDUCE. */
    enum codec_class_of aggregation;
    enum codec_place place;
    int64_t threads; /* of the CPU pool that encode and decode run on; each call takes one */
    enum codec_timing timing;
    double scale; /* what if the codec ran this many times as fast; 1 is as given */
    struct codec_cost encode, decode;
    /* An exact threshold (top-K by sorting, DCT's Algorithm 1) is found once every 'life' steps, on the encoder's
       side. */
    double select_rate_Bps; /* 0: takes no time */
    int64_t life;           /* L, at least 1 */
    int64_t min_values;     /* tensors smaller than this are sent as fp32, uncoded */
    const char *layers; /* which layers' tensors it codes, the others are sent as fp32: names with * and ?, separated by
                               blanks; "" or NULL: all */
};

const char *wire_format_name(enum wire_format f);
/* The same, or what a WIRE_ASKED is called in its scenario. */
const char *codec_spec_name(const struct codec_spec *c);

/* Can its time be measured on this host? Not that of a user's own codec, nor of one on a GPU. */
bool codec_spec_measurable(const struct codec_spec *c);

/* E_INVAL with "KEY: reason" in why[] (KEY as in the scenario: "density", "encode.rate", "decode.curve") for a
 * parameter out of its range; WIRE_NONE has none, and parameters of other formats are ignored. */
int codec_spec_check(const struct codec_spec *c, char *why, size_t nwhy);

/* Does the policy of 'layers' name this layer? */
bool codec_spec_takes(const struct codec_spec *c, const char *layer);

/* The codec as it is for one layer's tensors: itself, or one that codes nothing. */
struct codec_spec codec_spec_of_layer(const struct codec_spec *c, const char *layer);

/* Is a tensor of n values coded at all, or sent as fp32? */
bool codec_spec_codes(const struct codec_spec *c, int64_t n);

/* Bytes on the wire for n values in rows of 'row' values (row <= 0: one row of all); 0 for n = 0, which is not sent. An
 * average over steps for WIRE_LOCAL ((4 n + header) / steps, rounded up; nothing travels in between). Headers, scales
 * and indices are counted. A density is rounded to whole values (of each row), at least one unless it is 0; a shorter
 * last row sends as many as the others, if it has them. */
int64_t codec_spec_wire_bytes(const struct codec_spec *c, int64_t n, int64_t row);

/* How many of them an allreduce adds up in a second round, when it has the first one's result: of WIRE_POWERSGD the
 * second factor. 0 for the others. */
int64_t codec_spec_second_bytes(const struct codec_spec *c, int64_t n, int64_t row);

/* Bytes on the wire when the receiver knows the indices already: the gradient that goes back through DCT-MP's mask.
 * Equal to the above for formats without indices. */
int64_t codec_spec_wire_values_bytes(const struct codec_spec *c, int64_t n, int64_t row);

/* Wire bytes of 'terms' independent payloads together: gathered ones follow each other, the others become one
 * payload. */
int64_t codec_spec_gathered_bytes(const struct codec_spec *c, int64_t n, int64_t terms);
enum codec_class_of codec_spec_aggregation(const struct codec_spec *c);
bool codec_spec_scatters(const struct codec_spec *c); /* is there a codec, and of AGGREGATE_SCATTER? */

/* E_INVAL with "aggregation: reason" for AGGREGATE_SCATTER of a format of which a sum of parts is no payload, or whose
 * payloads add up as they are. For whoever aggregates: codec_spec_check() does not ask it. */
int codec_spec_check_aggregation(const struct codec_spec *c, char *why, size_t nwhy);

/* Memory that the codec keeps per tensor and direction between steps (unsent changes, thresholds); 'row' as above. */
int64_t codec_spec_state_bytes(const struct codec_spec *c, int64_t n, int64_t row);

/* Time to encode or decode a tensor of n values: 0 for one that is not coded. Encoding includes the average time of
 * finding thresholds: transform + select / life (a step that selects takes transform + select, the others transform).
 * 'scale' applies to all of it. A measured timing must have become a given one before. */
int64_t codec_spec_encode_ps(const struct codec_spec *c, int64_t n);
int64_t codec_spec_decode_ps(const struct codec_spec *c, int64_t n);
int64_t codec_spec_transform_ps(const struct codec_spec *c, int64_t n); /* encoding under a threshold that is known */
int64_t codec_spec_select_ps(const struct codec_spec *c, int64_t n);    /* finding one, exactly: 4 n bytes */

#endif
