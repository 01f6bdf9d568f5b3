#include "harness/tensor/npy.h"

#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/text/whole_file.h"

enum {
    MAGIC = 6,
    MOST_HEADER = 1 << 20, /* bytes; numpy itself refuses 10,000 and more unless the file is trusted */
    ALIGN = 64,
};

bool npy_type(const struct npy_header *h, struct tensor_header *out)
{
    static const struct {
        const char *descr;
        enum tensor_type type;
        bool swapped;
    } types[] = {
        { "<f4", TENSOR_F32, false },  { ">f4", TENSOR_F32, true },   { "<f8", TENSOR_F64, false },
        { ">f8", TENSOR_F64, true },   { "<f2", TENSOR_F16, false },  { ">f2", TENSOR_F16, true },
        { "<V2", TENSOR_BF16, false }, { "|V2", TENSOR_BF16, false }, { "bfloat16", TENSOR_BF16, false },
    };

    if (h->structured)
        return false;
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if (!strcmp(h->descr, types[i].descr)) {
            *out = (struct tensor_header){ types[i].type, types[i].swapped, h->ndims, { 0 } };
            memcpy(out->dims, h->dims, sizeof(out->dims));
            return true;
        }
    return false;
}

void npy_type_in_words(const struct npy_header *h, char *words, size_t size)
{
    static const struct {
        char kind;
        const char *words;
    } kinds[] = {
        { 'i', "int" },   { 'u', "uint" },    { 'b', "booleans" }, { 'c', "complex" }, { 'O', "Python objects" },
        { 'f', "float" }, { 'S', "strings" }, { 'a', "strings" },  { 'U', "strings" }, { 'M', "dates" },
        { 'm', "times" }, { 'V', "void" },    { 'T', "strings" },
    };
    const char *kind = h->descr + (h->descr[0] && strchr("<>|=", h->descr[0]) != NULL);

    if (h->structured) {
        snprintf(words, size, "a structured type");
        return;
    }
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (*kind == kinds[i].kind) {
            size_t digits = strspn(kind + 1, "0123456789");
            bool sized = strchr("iucfV", *kind) && digits && digits < 4;
            snprintf(words, size, sized ? "%s%d" : "%s", kinds[i].words, sized ? 8 * atoi(kind + 1) : 0);
            return;
        }
    snprintf(words, size, "the type '%s'", h->descr);
}

/* Magic, version, length of the header; then the header itself in *text, which the caller frees. */
static int read_text(struct input *in, char **text, size_t *n)
{
    uint8_t b[MAGIC + 2], length[4] = { 0 };
    int rc = input_read(in, b, sizeof(b), "the beginning of a .npy file");

    *text = NULL;
    if (rc)
        return rc;
    if (memcmp(b, "\x93NUMPY", MAGIC) != 0)
        return input_refuse(in, "expected a .npy file, which begins with \\x93NUMPY");
    if (b[MAGIC] < 1 || b[MAGIC] > 3 || b[MAGIC + 1])
        return input_refuse(in, "expected version 1.0, 2.0 or 3.0 of .npy, got %d.%d", b[MAGIC], b[MAGIC + 1]);
    rc = input_read(in, length, b[MAGIC] == 1 ? 2 : 4, "the length of the header");
    if (rc)
        return rc;
    *n = length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
    if (*n > input_left(in))
        return input_refuse(in, "expected a header of %zu bytes, got %llu: it ends there", *n,
                            (unsigned long long)input_left(in));
    if (*n > MOST_HEADER)
        return input_refuse(in, "expected a header of at most %d bytes, got %zu", MOST_HEADER, *n);
    *text = malloc(*n + 1);
    if (!*text)
        return input_no_memory(in, (double)*n);
    rc = input_read(in, *text, *n, "the header");
    (*text)[rc ? 0 : *n] = '\0';
    return rc;
}

int read_npy(struct reading *r, struct input *in, const char *name)
{
    struct npy_header h;
    struct tensor_header what;
    char *text, words[80];
    size_t n = 0;
    int rc = read_text(in, &text, &n);

    if (!rc)
        rc = npy_header_parse(in, text, n, &h);
    free(text);
    if (rc)
        return rc;
    if (!npy_type(&h, &what)) {
        npy_type_in_words(&h, words, sizeof(words));
        return reading_leave_out(r, in, name, words);
    }
    if (h.fortran_order && h.ndims > 1)
        return input_refuse(in, "expected values in C order, got Fortran order: "
                                "numpy.save(OUT, numpy.ascontiguousarray(numpy.load(IN))) changes it");
    return reading_take(r, in, name, &what, true);
}

struct array {
    const float *values;
    size_t ndims;
    const size_t *dims;
};

/* The dictionary with its padding: the values begin on a multiple of 64 bytes. */
static void put(FILE *out, const void *what)
{
    const struct array *a = what;
    char text[64 + 22 * TENSOR_MOST_DIMS];
    size_t count = 1, padding;
    int n = snprintf(text, sizeof(text), "{'descr': '<f4', 'fortran_order': False, 'shape': (");

    for (size_t i = 0; i < a->ndims; i++) {
        n += snprintf(text + n, sizeof(text) - (size_t)n, a->ndims == 1 ? "%zu," : i ? ", %zu" : "%zu", a->dims[i]);
        count *= a->dims[i];
    }
    n += snprintf(text + n, sizeof(text) - (size_t)n, "), }");
    padding = ALIGN - (MAGIC + 4 + (size_t)n + 1) % ALIGN;
    fwrite("\x93NUMPY\x01\x00", 1, MAGIC + 2, out);
    fputc((int)(((size_t)n + padding + 1) & 0xff), out);
    fputc((int)(((size_t)n + padding + 1) >> 8), out);
    fprintf(out, "%s%*s\n", text, (int)padding, "");
    fwrite(a->values, sizeof(float), count, out);
}

int npy_write(const char *path, const float *values, size_t ndims, const size_t *dims, FILE *err)
{
    return whole_file_write(path, put, &(struct array){ values, ndims, dims }, err);
}
