/* version.c - NARROWS_VERSION is the build's. */
#include "library/narrows.h"

const char *narrows_version(void)
{
    return NARROWS_VERSION;
}

const char *narrows_error_text(int error)
{
    switch (error) {
    case NARROWS_OK: return "no error";
    case NARROWS_SHORT: return "the input ends before what it announces";
    case NARROWS_LONG: return "bytes are left over behind what the input announces";
    case NARROWS_FOREIGN: return "not a stream of narrows, or one of a later version";
    case NARROWS_UNKNOWN: return "no codec of that name or number";
    case NARROWS_PARAMETER: return "a parameter of the codec is outside of its range, or not one that it has";
    case NARROWS_COUNT: return "not the expected number of values, or more than there can be";
    case NARROWS_CHECKSUM: return "the checksum does not match: damaged on the way";
    case NARROWS_CONTENT: return "the payload is not one that this codec writes";
    case NARROWS_MISALIGNED: return "a buffer does not start on its boundary";
    case NARROWS_ARGUMENT: return "an argument that cannot be: a null pointer, buffers that overlap, an unknown flag";
    case NARROWS_ABSENT: return "this machine, build or codec does not have what was asked for";
    }
    return "not an error of narrows";
}
