/* npz.c - an archive of .npy files, as numpy.savez writes it: stored or deflated members of a ZIP file. */
#include <string.h>
#include <unistd.h>
#include <zip.h>

#include "harness/status.h"
#include "harness/tensor/npy.h"

enum { MOST_DEFLATED = 1032 }; /* bytes that a byte inflates to at most */

static int64_t pull(struct input *in, void *to, size_t n)
{
    int64_t got = zip_fread(in->source, to, n);

    return got < 0 ? input_refuse(in, "damaged: %s", zip_file_strerror(in->source)) : got;
}

/* What ends in a checksum is right only once its end was read. */
static int check_end(struct input *member)
{
    char byte;
    int64_t more = zip_fread(member->source, &byte, 1);

    if (more < 0)
        return input_refuse(member, "damaged: %s", zip_file_strerror(member->source));
    return more ? input_refuse(member, "expected %llu bytes, got more", (unsigned long long)member->size) : NW_OK;
}

static int check_sizes(const struct input *in, const zip_stat_t *s)
{
    if (s->encryption_method != ZIP_EM_NONE)
        return input_refuse(in, "%s: expected a member without a password", s->name);
    if (s->comp_method != ZIP_CM_STORE && s->comp_method != ZIP_CM_DEFLATE)
        return input_refuse(in, "%s: expected a stored or deflated member, got compression method %d", s->name,
                            s->comp_method);
    if (s->comp_size > in->size)
        return input_refuse(in, "%s: expected at most the %llu bytes of the file, got %llu", s->name,
                            (unsigned long long)in->size, (unsigned long long)s->comp_size);
    if (s->comp_method == ZIP_CM_STORE ? s->size != s->comp_size : s->size / MOST_DEFLATED > s->comp_size)
        return input_refuse(in, "%s: %llu bytes cannot become %llu", s->name, (unsigned long long)s->comp_size,
                            (unsigned long long)s->size);
    return NW_OK;
}

static int read_member(struct reading *r, struct input *in, zip_t *zip, uint64_t index, const zip_stat_t *s)
{
    struct input member = { in->file, s->name, in->err, s->size, 0, pull, NULL, NULL, -1 };
    char name[4096];
    size_t before = r->out->n, n = strlen(s->name) - strlen(".npy");
    int rc = check_sizes(in, s);

    if (rc)
        return rc;
    if (n >= sizeof(name))
        return input_refuse(in, "expected a name of at most %zu characters, got %.100s...", sizeof(name) - 1, s->name);
    memcpy(name, s->name, n);
    name[n] = '\0';
    if (!reading_wants(r, name))
        return NW_OK;
    member.source = zip_fopen_index(zip, index, 0);
    if (!member.source)
        return input_refuse(in, "%s: %s", s->name, zip_strerror(zip));
    rc = read_npy(r, &member, name);
    if (!rc && r->out->n > before && !r->options->list)
        rc = check_end(&member);
    zip_fclose(member.source);
    return rc;
}

static bool ends_in(const char *name, const char *ending)
{
    size_t n = strlen(name), k = strlen(ending);

    return n >= k && !strcmp(name + n - k, ending);
}

static int read_members(struct reading *r, struct input *in, zip_t *zip)
{
    const zip_uint64_t needed =
        ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    zip_int64_t n = zip_get_num_entries(zip, 0);
    zip_stat_t s;
    int rc = NW_OK;

    for (zip_int64_t i = 0; !rc && i < n; i++) {
        if (zip_stat_index(zip, (zip_uint64_t)i, 0, &s) || (s.valid & needed) != needed)
            return input_refuse(in, "member %lld: %s", (long long)i, zip_strerror(zip));
        if (zip_name_locate(zip, s.name, 0) != i)
            return input_refuse(in, "expected a name once, got '%s' twice", s.name);
        if (ends_in(s.name, "data.pkl"))
            return input_refuse(in, "expected tensors, got PyTorch's own archive (.pt), whose pickle could run code: "
                                    "safetensors.torch.save_file(torch.load(IN, weights_only=True), OUT) converts it");
        if (ends_in(s.name, ".npy"))
            rc = read_member(r, in, zip, (zip_uint64_t)i, &s);
        else if (!r->options->only)
            rc = reading_leave_out(r, in, s.name, "not a .npy file");
    }
    return rc;
}

static zip_source_t *source(const struct input *in, zip_error_t *e)
{
    FILE *f;
    int fd;
    zip_source_t *s;

    if (in->bytes)
        return zip_source_buffer_create(in->bytes, in->size, 0, e);
    fd = dup(in->fd);
    f = fd < 0 ? NULL : fdopen(fd, "rb");
    s = f ? zip_source_filep_create(f, 0, -1, e) : NULL;
    if (!s && f)
        fclose(f);
    else if (!s && fd >= 0)
        close(fd);
    return s;
}

int read_npz(struct reading *r, struct input *in)
{
    zip_source_t *s;
    zip_error_t e;
    zip_t *zip;
    int rc;

    zip_error_init(&e);
    s = source(in, &e);
    zip = s ? zip_open_from_source(s, ZIP_RDONLY, &e) : NULL;
    if (zip) {
        rc = read_members(r, in, zip);
        zip_discard(zip);
    } else {
        rc = input_refuse(in, "expected a ZIP archive (.npz): %s", zip_error_strerror(&e));
        zip_source_free(s);
    }
    zip_error_fini(&e);
    return rc;
}
