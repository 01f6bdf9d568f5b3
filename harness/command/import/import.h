/* import.h - the kinds of files that 'narrows import' reads, one file each. argv[0] is "narrows import KIND". Each
 * answers an nw_status with the message printed; "--help" prints the usage to stdout and answers NW_OK. */
#ifndef NARROWS_HARNESS_COMMAND_IMPORT_IMPORT_H
#define NARROWS_HARNESS_COMMAND_IMPORT_IMPORT_H

int import_chakra(int argc, char **argv);
int import_kineto(int argc, char **argv);
int import_nccl_tests(int argc, char **argv);
int import_onnx(int argc, char **argv);
int import_pytorch_memory(int argc, char **argv);

#endif
