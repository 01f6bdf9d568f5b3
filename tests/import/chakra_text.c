#include "tests/import/chakra_text.h"

#include <stdlib.h>
#include <string.h>

#include "harness/import/chakra/chakra.pb-c.h"
#include "tests/test.h"

static uint8_t *add(uint8_t *at, const void *message)
{
    uint32_t n = (uint32_t)protobuf_c_message_get_packed_size(message);

    for (uint32_t left = n;; left >>= 7) {
        *at++ = (uint8_t)((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
        if (left <= 0x7f)
            break;
    }
    return at + protobuf_c_message_pack(message, at);
}

static void number(Chakra__Attribute *a, const char *name, int64_t value)
{
    chakra__attribute__init(a);
    a->name = (char *)name;
    a->has_int64_val = 1;
    a->int64_val = value;
}

static uint8_t *add_row(uint8_t *at, const struct chakra_row *r)
{
    Chakra__Node n = CHAKRA__NODE__INIT;
    Chakra__Attribute a[6], *list[] = { &a[0], &a[1], &a[2], &a[3], &a[4], &a[5] };

    n.has_id = n.has_type = n.has_duration_micros = n.has_start_time_micros = 1;
    n.id = r->id;
    n.type = r->type;
    n.duration_micros = r->us;
    n.start_time_micros = r->start_us;
    n.n_data_deps = r->ndeps;
    n.data_deps = (uint64_t *)r->deps;
    n.attr = list;
    chakra__attribute__init(&a[0]);
    a[0].name = (char *)"is_cpu_op";
    a[0].has_bool_val = 1;
    a[0].bool_val = !r->gpu;
    n.n_attr = 1;
    if (r->type >= 5 && r->type <= 7 && r->size >= 0)
        number(&a[n.n_attr++], "comm_size", r->size);
    if ((r->type == 5 || r->type == 6) && r->peer >= 0)
        number(&a[n.n_attr++], r->type == 5 ? "comm_dst" : "comm_src", r->peer);
    if (r->type == 7)
        number(&a[n.n_attr++], "comm_type", r->coll);
    if (r->ops)
        number(&a[n.n_attr++], "num_ops", r->ops);
    if (r->group) {
        chakra__attribute__init(&a[n.n_attr]);
        a[n.n_attr].name = (char *)"pg_name";
        a[n.n_attr++].string_val = (char *)r->group;
    }
    return add(at, &n);
}

uint8_t *chakra_text(const struct chakra_row *rows, size_t nrows, int rank, size_t *size)
{
    Chakra__Metadata m = CHAKRA__METADATA__INIT;
    uint8_t *text = malloc(64 + nrows * 256), *at;

    assert_non_null(text);
    m.version = (char *)"0.0.4";
    at = add(text, &m);
    for (size_t i = 0; i < nrows; i++)
        if (rows[i].rank == rank)
            at = add_row(at, &rows[i]);
    *size = (size_t)(at - text);
    return text;
}
