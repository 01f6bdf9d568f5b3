/* onnx.c - narrows import onnx: the network of an ONNX file as a model file. */
#include "harness/command/import/import.h"
#include "harness/status.h"

int import_onnx(int argc, char **argv)
{
    (void)argc;
    return status_error(NW_EENV, "%s: this build does not read ONNX\n", argv[0]);
}
