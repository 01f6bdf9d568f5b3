/* wire_bytes.c - the sizes of what kernels/ writes, format by format. */
#include <math.h>

#include "sim/codec/codec_spec.h"

enum {
    STREAM_HEADER_B = 64, /* of every stream */
    SPARSE_HEADER_B = 16, /* form, number of values */
    SCALE_B = 4,
    STEP_B = 8,       /* randomk */
    CHUNK_B = 16384,  /* 3lc: quartic bytes that are run-encoded together */
    LONGEST_RUN = 14, /* and how many of them one byte can stand for */
    VALUE_B = 4,
    INDEX_B = 4,
};

static int64_t quotient_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* Up to whole bytes, but for what rounding has added. */
static int64_t bytes_up(double x)
{
    return (int64_t)ceil(x * (1 - 1e-12));
}

/* A share of n as whole values: at least one, unless it is nothing. */
static int64_t kept(double density, int64_t n)
{
    int64_t k = (int64_t)floor((double)n * density + 0.5);

    if (density > 0 && k < 1)
        k = 1;
    return k < n ? k : n;
}

static int64_t bitmap_bytes(int64_t n)
{
    return 8 * quotient_up(n, 64);
}

/* Scale, a length for each chunk, and the chunks: no shorter than runs alone. */
static int64_t threelc_bytes(double bits, int64_t n)
{
    int64_t quartic = quotient_up(n, 5), rest = quartic % CHUNK_B, encoded = bytes_up(bits * (double)n / 8);
    int64_t least = quartic / CHUNK_B * quotient_up(CHUNK_B, LONGEST_RUN) + quotient_up(rest, LONGEST_RUN);

    encoded = encoded > least ? encoded : least;
    return 4 + 4 * quotient_up(quartic, CHUNK_B) + encoded;
}

static int64_t dct_bytes(const struct codec_spec *c, int64_t n)
{
    int64_t count = kept(c->density, n), places = INDEX_B * count;

    if (!c->indices && places > bitmap_bytes(n))
        places = bitmap_bytes(n);
    return SPARSE_HEADER_B + places + VALUE_B * count;
}

/* Values that all rows send: as many in each, and what a shorter last one has of them. */
static int64_t kept_of_rows(const struct codec_spec *c, int64_t n, int64_t row)
{
    int64_t each = kept(c->density, row), rest = n % row;

    return n / row * each + (each < rest ? each : rest);
}

static int64_t rows_bytes(const struct codec_spec *c, int64_t n, int64_t row)
{
    int64_t count = kept_of_rows(c, n, row);
    int64_t places = c->indices ? INDEX_B * count : n / row * bitmap_bytes(row) + bitmap_bytes(n % row);

    return places + VALUE_B * count;
}

/* ceil(log2(2 levels + 1)) bits a value, in planes of whole bytes for every eight values. */
static int64_t qsgd_bytes(int64_t levels, int64_t n)
{
    int64_t bits = 1;

    while (2 * levels >> bits)
        bits++;
    return bits * quotient_up(n, 8) + SCALE_B;
}

/* Rows of a matrix that is worth its factors; 0: it is sent as it is. */
static int64_t powersgd_rows(const struct codec_spec *c, int64_t n, int64_t columns)
{
    int64_t rows = quotient_up(n, columns);

    return c->rank * (rows + columns) < n ? rows : 0;
}

static int64_t powersgd_bytes(const struct codec_spec *c, int64_t n, int64_t row)
{
    int64_t columns = row < n ? row : n, rows = powersgd_rows(c, n, columns);

    return VALUE_B * (rows ? c->rank * (rows + columns) : n);
}

/* Codes up to whole words, and a scale for each block begun. */
static int64_t blockwise_bytes(const struct codec_spec *c, int64_t n)
{
    return 4 * quotient_up(c->code_bits * n, 32) + SCALE_B * quotient_up(n, c->block);
}

static int64_t payload_bytes(const struct codec_spec *c, int64_t n, int64_t row)
{
    switch (c->format) {
    case WIRE_BF16:
    case WIRE_FP16: return 2 * n;
    case WIRE_ADT: return bytes_up(c->bytes * (double)n);
    case WIRE_8BIT: return n + 4;
    case WIRE_3LC_QUARTIC:
    case WIRE_STOCH3: return quotient_up(n, 5) + 4;
    case WIRE_3LC: return threelc_bytes(c->bits, n);
    case WIRE_1BIT: return quotient_up(n, 8) + 8;
    case WIRE_SPARSIFY: return SPARSE_HEADER_B + bitmap_bytes(n) + VALUE_B * kept(c->density, n);
    case WIRE_DCT: return dct_bytes(c, n);
    case WIRE_DCT_MP: return rows_bytes(c, n, row);
    case WIRE_QSGD: return qsgd_bytes(c->levels, n);
    case WIRE_TERNGRAD: return qsgd_bytes(1, n);
    case WIRE_NATURAL: return qsgd_bytes(127, n); /* 8 bits */
    case WIRE_POWERSGD: return powersgd_bytes(c, n, row);
    case WIRE_BLOCKWISE: return blockwise_bytes(c, n);
    case WIRE_RANDOMK: return VALUE_B * kept(c->density, n) + STEP_B;
    case WIRE_ASKED: return c->asked.payload_bytes(&c->asked, n);
    default: return VALUE_B * n;
    }
}

int64_t codec_spec_wire_bytes(const struct codec_spec *c, int64_t n, int64_t row)
{
    if (n <= 0)
        return 0;
    if (!codec_spec_codes(c, n))
        return VALUE_B * n;
    if (c->format == WIRE_RATIO)
        return bytes_up(VALUE_B * (double)n / c->ratio) + c->header;
    if (c->format == WIRE_LOCAL)
        return quotient_up(VALUE_B * n + STREAM_HEADER_B, c->steps);
    return STREAM_HEADER_B + payload_bytes(c, n, row > 0 ? row : n);
}

int64_t codec_spec_second_bytes(const struct codec_spec *c, int64_t n, int64_t row)
{
    int64_t columns = row > 0 && row < n ? row : n;

    if (c->format != WIRE_POWERSGD || !codec_spec_codes(c, n) || !powersgd_rows(c, n, columns))
        return 0;
    return VALUE_B * c->rank * columns;
}

/* A stream of fp32 values, under a mask that both sides have. */
int64_t codec_spec_wire_values_bytes(const struct codec_spec *c, int64_t n, int64_t row)
{
    if (codec_spec_codes(c, n)) {
        if (c->format == WIRE_SPARSIFY || c->format == WIRE_DCT)
            return STREAM_HEADER_B + VALUE_B * kept(c->density, n);
        if (c->format == WIRE_DCT_MP)
            return STREAM_HEADER_B + VALUE_B * kept_of_rows(c, n, row > 0 ? row : n);
    }
    return codec_spec_wire_bytes(c, n, row);
}

int64_t codec_spec_gathered_bytes(const struct codec_spec *c, int64_t n, int64_t terms)
{
    int64_t one = codec_spec_wire_bytes(c, n, 0);

    return codec_spec_codes(c, n) && codec_spec_aggregation(c) == AGGREGATE_GATHER ? terms * one : one;
}
