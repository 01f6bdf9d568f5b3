/* nccl_stand_in.c - a libnccl.so.2 for machines without GPUs: what travels goes by MPI, between the addresses of
 * runtime_stand_in.c. Built once more with NW_OLD_NCCL it is one from before ncclSend.
 *   NARROWS_NCCL_FAILS=CALL:RANK:N     of the environment: the N-th of these calls on this rank fails
 *   NARROWS_NCCL_VERSION               its version on this rank */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/training/ranks/nccl_calls.h"
#include "tests/training/device_address.h"

enum { REQUESTS = 64, TAG = 7 };

struct ncclComm {
    MPI_Comm comm;
};

static MPI_Request requests[REQUESTS];
static int nrequests;
static bool grouped;

/* Is this one of the calls that fail? */
static bool fails(const char *call)
{
    static int calls;
    const char *wanted = getenv("NARROWS_NCCL_FAILS");
    char name[64];
    int rank, nth, me;

    if (!wanted || sscanf(wanted, "%63[^:]:%d:%d", name, &rank, &nth) != 3 || strcmp(name, call))
        return false;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    return me == rank && ++calls == nth;
}

#define MAY_FAIL                    \
    do {                            \
        if (fails(__func__))        \
            return ncclSystemError; \
    } while (0)

ncclResult_t ncclGetVersion(int *version)
{
    const char *text = getenv("NARROWS_NCCL_VERSION");

    MAY_FAIL;
    *version = text ? atoi(text) : 22809;
    return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
    MAY_FAIL;
    memset(id, 'x', sizeof(*id));
    return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank)
{
    int n, me;

    MAY_FAIL;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (size_t i = 0; i < sizeof(id); i++)
        if (id.internal[i] != 'x')
            return ncclSystemError;
    if (n != ranks || me != rank || !(*comm = malloc(sizeof(**comm))))
        return ncclSystemError;
    MPI_Comm_dup(MPI_COMM_WORLD, &(*comm)->comm);
    return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
    MAY_FAIL;
    MPI_Comm_free(&comm->comm);
    free(comm);
    return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm)
{
    free(comm);
    return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error)
{
    (void)comm;
    *error = fails(__func__) ? ncclSystemError : ncclSuccess;
    return ncclSuccess;
}

const char *ncclGetErrorString(ncclResult_t result)
{
    return result == ncclSystemError ? "a system call of the stand-in failed" : "no error";
}

const char *ncclGetLastError(ncclComm_t comm)
{
    (void)comm;
    return "as wanted";
}

static ncclResult_t finish(void)
{
    int n = nrequests;

    if (grouped)
        return ncclSuccess;
    nrequests = 0;
    return MPI_Waitall(n, requests, MPI_STATUSES_IGNORE) ? ncclSystemError : ncclSuccess;
}

ncclResult_t ncclGroupStart(void)
{
    MAY_FAIL;
    grouped = true;
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void)
{
    MAY_FAIL;
    grouped = false;
    return finish();
}

#ifndef NW_OLD_NCCL
ncclResult_t ncclSend(const void *from, size_t n, ncclDataType_t type, int to_rank, ncclComm_t comm,
                      cudaStream_t stream)
{
    (void)stream;
    MAY_FAIL;
    if (type != ncclUint8 || nrequests == REQUESTS)
        return ncclSystemError;
    MPI_Isend(process_address(from), (int)n, MPI_BYTE, to_rank, TAG, comm->comm, &requests[nrequests++]);
    return finish();
}
#endif

ncclResult_t ncclRecv(void *to, size_t n, ncclDataType_t type, int from_rank, ncclComm_t comm, cudaStream_t stream)
{
    (void)stream;
    MAY_FAIL;
    if (type != ncclUint8 || nrequests == REQUESTS)
        return ncclSystemError;
    MPI_Irecv(process_address(to), (int)n, MPI_BYTE, from_rank, TAG, comm->comm, &requests[nrequests++]);
    return finish();
}

ncclResult_t ncclBroadcast(const void *from, void *to, size_t n, ncclDataType_t type, int root, ncclComm_t comm,
                           cudaStream_t stream)
{
    (void)stream;
    MAY_FAIL;
    if (type != ncclUint8 || from != to || MPI_Bcast(process_address(to), (int)n, MPI_BYTE, root, comm->comm))
        return ncclSystemError;
    return ncclSuccess;
}
