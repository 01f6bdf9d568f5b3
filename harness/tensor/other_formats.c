/* other_formats.c - files that are no tensors: what they seem to be, and how they become some. */
#include <string.h>

#include "harness/status.h"
#include "harness/tensor/reading.h"

enum { TEXT = 256 }; /* bytes that have to be of a text */

static const struct {
    size_t at, n;
    const char *begins, *what;
    bool certain; /* long enough to be no fp32 values */
} formats[] = {
    { 0, 8, "\x89HDF\r\n\x1a\n",
      "an HDF5 file: numpy.save(OUT, h5py.File(IN)[NAME][:].astype('float32')) takes a tensor out of it", true },
    { 0, 8, "NRWSTATE", "the state of a codec (--state)", true },
    { 0, 6, "NRWS\x01\x00", "a compressed stream: narrows decompress IN OUT.npy makes a tensor of it", true },
    { 0, 8, "\x89PNG\r\n\x1a\n", "a PNG image", true },
    { 0, 16, "SQLite format 3\0", "a SQLite database", true },
    { 0, 19, "MATLAB 5.0 MAT-file",
      "a MATLAB file: numpy.save(OUT, scipy.io.loadmat(IN)[NAME]) takes a tensor out of it", true },
    { 0, 6, "ARROW1", "an Arrow file", true },
    { 0, 6,
      "\xfd"
      "7zXZ\0",
      "an xz file: unxz it first", true },
    { 0, 4, "\x28\xb5\x2f\xfd", "a zstd file: unzstd it first", true },
    { 0, 4, "GGUF", "a GGUF file", true },
    { 0, 4, "PAR1", "a Parquet file", true },
    { 0, 4,
      "\x7f"
      "ELF",
      "a program", true },
    { 0, 4, "%PDF", "a PDF document", true },
    { 257, 5, "ustar", "a tar archive: tar -xf it first", true },
    { 0, 3, "\x1f\x8b\x08", "a gzip file: gunzip it first", false },
    { 0, 3, "BZh", "a bzip2 file: bunzip2 it first", false },
    { 0, 3, "\xff\xd8\xff", "a JPEG image", false },
    { 0, 2, "\x80\x02",
      "a pickle of Python (an old .pt?), which could run code: safetensors.torch.save_file(torch.load(IN, "
      "weights_only=True), OUT) converts PyTorch's",
      false },
    { 0, 2, "\x80\x03", "a pickle of Python, which could run code: numpy.save or numpy.savez writes its arrays",
      false },
    { 0, 2, "\x80\x04", "a pickle of Python, which could run code: numpy.save or numpy.savez writes its arrays",
      false },
    { 0, 2, "\x80\x05", "a pickle of Python, which could run code: numpy.save or numpy.savez writes its arrays",
      false },
};

static bool is_text(const uint8_t *head, size_t n)
{
    for (size_t i = 0; i < n && i < TEXT; i++)
        if ((head[i] < ' ' && head[i] != '\t' && head[i] != '\n' && head[i] != '\r') || head[i] >= 0x7f)
            return false;
    return true;
}

int refuse_other_format(const struct input *in, const uint8_t *head, size_t n, bool certain)
{
    static const char expected[] = "expected .npy, .npz, safetensors or, with --raw or named *.f32, raw fp32 values";

    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
        if ((formats[i].certain || !certain) && n >= formats[i].at + formats[i].n &&
            !memcmp(head + formats[i].at, formats[i].begins, formats[i].n))
            return input_refuse(in, "%s, got %s", expected, formats[i].what);
    if (certain)
        return NW_OK;
    if (!n)
        return input_refuse(in, "%s, got an empty file", expected);
    if (is_text(head, n))
        return input_refuse(in, "%s, got text: numpy.save(OUT, numpy.loadtxt(IN, dtype='float32')) converts numbers",
                            expected);
    return input_refuse(in, "%s, got a file that begins with the bytes %02x %02x %02x %02x", expected, head[0],
                        n > 1 ? head[1] : 0, n > 2 ? head[2] : 0, n > 3 ? head[3] : 0);
}
