/* files.h - tiny data files for the tests of the readers, in the test's own folder. */
#ifndef NARROWS_TESTS_DATA_FILES_H
#define NARROWS_TESTS_DATA_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "train/data/options.h"
#include "train/data/source.h"

/* "FOLDER/NAME" of the test's folder; folders on the way are made. Good for the next 15 calls. */
const char *file_path(const char *format, ...) __attribute__((format(printf, 1, 2)));
void file_write(const char *path, const void *bytes, size_t n);
void file_remove(const char *path);

/* An empty folder of this name in the test's folder; good for the next 15 calls. */
const char *folder_fresh(const char *name);

/* CIFAR-10's six files of 'records' each: record r of file f has label (f + r) % 10 and bytes (7 f + 3 r + i + 50 c) %
 * 256 in channel c = i / 1024: no channel is another's copy. */
void cifar10_write(const char *folder, int records);
uint8_t cifar10_byte(int file, int record, int i);

/* MNIST's four files: image i of set s has bytes (31 s + 5 i + j) % 256 and label i % 10. */
void idx_write(const char *folder, int train, int test, int height, int width);

/* 'lines' lines of Criteo's form; criteo_line gives one, without its newline, in text[0 .. returned). */
void criteo_write(const char *path, int lines);
size_t criteo_text(int line, char *text, size_t ntext);

/* IWSLT'14's training files and tst2010, with so many pairs of one to four words with their marks. */
void iwslt_write(const char *folder, int train, int test);

enum jpeg_scans { SCAN_ONE, SCANS_PROGRESSIVE, SCANS_APART /* one for each of 3 channels */ };

/* A smooth picture that depends on 'which', as a JPEG of 1, 3 or 4 channels. Returns its bytes, freed by the caller. */
uint8_t *jpeg_make(int width, int height, int channels, int which, enum jpeg_scans scans, size_t *n);
/* The value that was encoded, at the middle of pixel (y, x) or between pixels. */
double jpeg_value(int width, int height, int channel, int which, double y, double x);

struct data_source *data_open_or_fail(const struct data_options *o);

/* Opening, or reading this sample of what opens, is refused with exactly this text. */
void assert_refused(const struct data_options *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
void assert_unreadable(const struct data_source *s, enum data_set set, int64_t index, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
