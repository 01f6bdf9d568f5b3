/* onnx_text.h - small ONNX files from texts, a line each:
 *   in NAME TYPE DIM...            an input; TYPE: 1 floating point, 7 whole numbers; a DIM that is a word is named
 *   w NAME TYPE DIM...             an initializer, without values
 *   ints NAME VALUE...             an initializer of whole numbers
 *   out NAME
 *   OP INPUT... > OUTPUT... [KEY=VALUE,...]...
 */
#ifndef NARROWS_TESTS_IMPORT_ONNX_TEXT_H
#define NARROWS_TESTS_IMPORT_ONNX_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct onnx_bytes {
    uint8_t bytes[1 << 14];
    size_t n;
};

void onnx_from_text(const char *text, struct onnx_bytes *out);

#endif
