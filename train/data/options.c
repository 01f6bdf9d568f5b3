#include "train/data/options.h"

#include <stdio.h>

const int64_t criteo_rows[CRITEO_TABLES] = { 1460,  583,  10131227, 2202608, 305, 24,     12517,   633,   3,
                                             93145, 5683, 8351593,  3194,    27,  14992,  5461306, 10,    5652,
                                             2173,  4,    7046547,  18,      15,  286181, 105,     142572 };

const char *data_kind_name(enum data_kind kind)
{
    static const char *const names[DATA_KINDS] = { "images", "clicks", "translation", "cifar10",
                                                   "idx",    "criteo", "jpeg",        "iwslt" };

    return kind < DATA_KINDS ? names[kind] : "unknown";
}

struct data_options data_options_of(enum data_kind kind)
{
    struct data_options o = { .kind = kind, .seed = 1, .path = "" };
    bool synthetic = kind == DATA_IMAGES || kind == DATA_CLICKS || kind == DATA_TRANSLATION;

    if (synthetic) {
        o.train = 50000;
        o.test = 10000;
    }
    switch (kind) {
    case DATA_IMAGES:
        o.classes = 10;
        o.channels = 3;
        o.height = o.width = 32;
        o.difficulty = 0.5;
        break;
    case DATA_CLICKS:
        o.train = 1000000;
        o.test = 100000;
        o.difficulty = 0.8;
        o.base_rate = 0.25;
        o.dense = CRITEO_DENSE;
        break;
    case DATA_TRANSLATION:
    case DATA_IWSLT:
        o.positions = 16;
        o.vocabulary = 256;
        o.noise = 0.02;
        break;
    case DATA_IDX: o.classes = 10; break;
    case DATA_JPEG:
        o.channels = 3;
        o.height = o.width = 224;
        break;
    default: break;
    }
    if (kind == DATA_CLICKS || kind == DATA_CRITEO) {
        o.tables = CRITEO_TABLES;
        o.rows = criteo_rows;
    }
    return o;
}

bool data_refused(const struct data_range *ranges, size_t n, char *why, size_t nwhy)
{
    for (const struct data_range *r = ranges; r < ranges + n; r++)
        if (r->value < r->low || r->value > r->high) {
            snprintf(why, nwhy, "%s: expected %lld to %lld, got %lld", r->name, (long long)r->low, (long long)r->high,
                     (long long)r->value);
            return 1;
        }
    return 0;
}

bool data_real_refused(const char *name, double value, double low, double high, char *why, size_t nwhy)
{
    bool within = value >= low && value <= high; /* not a NaN either */

    if (!within)
        snprintf(why, nwhy, "%s: expected %g to %g, got %g", name, low, high, value);
    return !within;
}

bool data_rows_refused(const struct data_options *o, char *why, size_t nwhy)
{
    int64_t sum = 0;

    for (size_t i = 0; i < o->tables; i++) {
        if (o->rows[i] < 1 || o->rows[i] > INT32_MAX - sum) {
            snprintf(why, nwhy, "rows[%zu]: expected 1 or more, and fewer than 2^31 in all tables, got %lld", i,
                     (long long)o->rows[i]);
            return 1;
        }
        sum += o->rows[i];
    }
    return 0;
}
