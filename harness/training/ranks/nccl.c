#include "harness/training/ranks/nccl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/count.h"
#include "harness/training/ranks/device.h"
#include "harness/training/ranks/nccl_calls.h"
#include "train/ops/cuda/library.h"
#include "train/ops/cuda/runtime.h"

/* What is called, in the order of its first use. */
#define FUNCTIONS(F)         \
    F(ncclGetVersion)        \
    F(ncclGetErrorString)    \
    F(ncclGetUniqueId)       \
    F(ncclCommInitRank)      \
    F(ncclGroupStart)        \
    F(ncclSend)              \
    F(ncclRecv)              \
    F(ncclBroadcast)         \
    F(ncclGroupEnd)          \
    F(ncclCommGetAsyncError) \
    F(ncclCommAbort)         \
    F(ncclCommDestroy)

enum { LOOKS = 2000, SLEEP_NS = 50000, ALIGNMENT = 256 };

struct nccl {
    void *library;
    ncclComm_t comm; /* NULL before joining, and after an error */
    int rank, ranks;
    uint8_t *buffer; /* of the device */
    size_t capacity;
#define POINTER(name) __typeof__(name) *name;
    FUNCTIONS(POINTER)
    POINTER(ncclGetLastError) /* NULL in an older NCCL */
#undef POINTER
};

_Static_assert(sizeof(struct nccl_id) == sizeof(ncclUniqueId), "one is copied to the other");

static bool find(struct nccl *n, char *why, size_t nwhy)
{
    const struct library_function functions[] = {
#define ROW(name) { #name, &n->name },
        FUNCTIONS(ROW)
#undef ROW
    };
    const struct library_function newer = { "ncclGetLastError", &n->ncclGetLastError };
    char unused[16];

    n->library = library_open(NCCL_NAME, functions, COUNT(functions), why, nwhy);
    if (n->library)
        library_close(library_open(NCCL_NAME, &newer, 1, unused, sizeof(unused)));
    return n->library;
}

static bool find_gpu(struct nccl_offer *mine)
{
    struct device device;
    const char *why;

    if (!device_current(&device)) {
        why = runtime_error();
        snprintf(mine->lacks, sizeof(mine->lacks), "GPU: expected one for each rank, got '%s'", why ? why : "none");
        return false;
    }
    memcpy(mine->uuid, device.uuid, sizeof(mine->uuid));
    snprintf(mine->gpu, sizeof(mine->gpu), "%s", device.name);
    return true;
}

struct nccl *nccl_open(struct nccl_offer *mine)
{
    struct nccl *n = calloc(1, sizeof(*n));
    char why[200] = "no memory";
    int version = 0;

    *mine = (struct nccl_offer){ .version = 0 };
    if (!n || !find(n, why, sizeof(why)) || n->ncclGetVersion(&version))
        snprintf(mine->lacks, sizeof(mine->lacks), "NCCL: expected " NCCL_NAME " of 2.7 or later, got '%s'",
                 n && n->library ? "one without a version" : why);
    else if (find_gpu(mine)) {
        mine->version = version;
        return n;
    }
    nccl_close(n);
    return NULL;
}

void nccl_close(struct nccl *n)
{
    if (!n)
        return;
    if (n->comm)
        n->ncclCommDestroy(n->comm);
    if (n->buffer)
        runtime_free(n->buffer);
    library_close(n->library);
    free(n);
}

/* Kernels of NCCL that wait for another rank end with it. */
static int leave(struct nccl *n)
{
    if (n->comm)
        n->ncclCommAbort(n->comm);
    n->comm = NULL;
    return -1;
}

static int check(struct nccl *n, ncclResult_t failed, const char *call, char *why, size_t nwhy)
{
    const char *more;

    if (!failed)
        return 0;
    more = n->ncclGetLastError ? n->ncclGetLastError(n->comm) : "";
    snprintf(why, nwhy, "%s on rank %d: %s%s%s", call, n->rank, n->ncclGetErrorString(failed), *more ? ": " : "", more);
    return leave(n);
}

static int check_gpu(struct nccl *n, char *why, size_t nwhy)
{
    const char *failed = runtime_error();

    if (!failed)
        return 0;
    snprintf(why, nwhy, "the GPU of rank %d: %s", n->rank, failed);
    return leave(n);
}

int nccl_new_id(struct nccl *n, struct nccl_id *id, char *why, size_t nwhy)
{
    ncclUniqueId theirs;
    int rc = check(n, n->ncclGetUniqueId(&theirs), "ncclGetUniqueId", why, nwhy);

    if (!rc)
        memcpy(id, &theirs, sizeof(*id));
    return rc;
}

int nccl_join(struct nccl *n, const struct nccl_id *id, int rank, int ranks, char *why, size_t nwhy)
{
    ncclUniqueId theirs;

    memcpy(&theirs, id, sizeof(theirs));
    n->rank = rank;
    n->ranks = ranks;
    return check(n, n->ncclCommInitRank(&n->comm, ranks, theirs, rank), "ncclCommInitRank", why, nwhy);
}

static int reserve(struct nccl *n, size_t nbytes, char *why, size_t nwhy)
{
    size_t capacity = nbytes + nbytes / 4; /* what a codec writes differs from step to step */
    const char *failed;

    if (nbytes <= n->capacity)
        return 0;
    runtime_free(n->buffer);
    n->buffer = runtime_alloc(capacity);
    n->capacity = n->buffer ? capacity : 0;
    if (n->buffer)
        return 0;
    failed = runtime_error();
    snprintf(why, nwhy, "the GPU of rank %d: expected %zu bytes of its memory for messages, got '%s'", n->rank,
             capacity, failed ? failed : "none");
    return leave(n);
}

/* A rank that is gone would keep the GPU waiting: NCCL knows. */
static int wait_for_all(struct nccl *n, char *why, size_t nwhy)
{
    for (int looks = 0; !device_done(NULL); looks++) {
        ncclResult_t failed = ncclSuccess;

        if (check(n, n->ncclCommGetAsyncError(n->comm, &failed), "ncclCommGetAsyncError", why, nwhy) ||
            check(n, failed == ncclInProgress ? ncclSuccess : failed, "what NCCL had begun", why, nwhy))
            return -1;
        if (looks > LOOKS)
            nanosleep(&(struct timespec){ .tv_nsec = SLEEP_NS }, NULL);
    }
    return check_gpu(n, why, nwhy);
}

static int send_mine(struct nccl *n, const struct trainer_message *m, char *why, size_t nwhy)
{
    if (!m->n)
        return 0;
    if (reserve(n, m->n, why, nwhy))
        return -1;
    runtime_upload(n->buffer, m->bytes + TRAINER_HEAD, m->n, NULL);
    if (check(n, n->ncclSend(n->buffer, m->n, ncclUint8, 0, n->comm, NULL), "ncclSend", why, nwhy))
        return -1;
    return wait_for_all(n, why, nwhy);
}

/* In the device's buffer messages lie one behind the other. */
static size_t space_of(const struct trainer_message *m)
{
    return (m->n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static int receive_theirs(struct nccl *n, struct trainer_message *theirs, char *why, size_t nwhy)
{
    size_t all = 0, at = 0;
    ncclResult_t failed = ncclSuccess;

    for (int r = 1; r < n->ranks; r++)
        all += space_of(&theirs[r]);
    if (!all)
        return 0;
    if (reserve(n, all, why, nwhy) || check(n, n->ncclGroupStart(), "ncclGroupStart", why, nwhy))
        return -1;
    for (int r = 1; r < n->ranks && !failed; at += space_of(&theirs[r++]))
        if (theirs[r].n)
            failed = n->ncclRecv(n->buffer + at, theirs[r].n, ncclUint8, r, n->comm, NULL);
    ncclResult_t ended = n->ncclGroupEnd();

    if (check(n, failed, "ncclRecv", why, nwhy) || check(n, ended, "ncclGroupEnd", why, nwhy) ||
        wait_for_all(n, why, nwhy))
        return -1;
    at = 0;
    for (int r = 1; r < n->ranks; at += space_of(&theirs[r++]))
        if (theirs[r].n)
            runtime_download(theirs[r].bytes + TRAINER_HEAD, n->buffer + at, theirs[r].n, NULL);
    runtime_finish(NULL);
    return check_gpu(n, why, nwhy);
}

int nccl_gather(struct nccl *n, const struct trainer_message *mine, struct trainer_message *theirs, char *why,
                size_t nwhy)
{
    return n->rank ? send_mine(n, mine, why, nwhy) : receive_theirs(n, theirs, why, nwhy);
}

int nccl_share(struct nccl *n, struct trainer_message *message, char *why, size_t nwhy)
{
    if (!message->n)
        return 0;
    if (reserve(n, message->n, why, nwhy))
        return -1;
    if (!n->rank)
        runtime_upload(n->buffer, message->bytes + TRAINER_HEAD, message->n, NULL);
    if (check(n, n->ncclBroadcast(n->buffer, n->buffer, message->n, ncclUint8, 0, n->comm, NULL), "ncclBroadcast", why,
              nwhy) ||
        wait_for_all(n, why, nwhy))
        return -1;
    if (n->rank)
        runtime_download(message->bytes + TRAINER_HEAD, n->buffer, message->n, NULL);
    runtime_finish(NULL);
    return check_gpu(n, why, nwhy);
}
