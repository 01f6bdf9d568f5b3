/* readers.h - files as sources of samples; data.h says what they have in common. Images are normalized per channel: (byte / 255 -
 * mean) / deviation, and what a shifted crop leaves empty is 0, the mean.
 * cifar10   path: the folder with data_batch_1.bin .. data_batch_5.bin and test_batch.bin, the binary version of CIFAR-10
 *           (https://www.cs.toronto.edu/~kriz/cifar.html): records of a label and 3 x 32 x 32 bytes. All of it is kept in memory.
 * idx       path: the folder with train-images-idx3-ubyte, train-labels-idx1-ubyte and the same with t10k-, unpacked (MNIST, Fashion-
 *           MNIST: http://yann.lecun.com/exdb/mnist/). Normalized by mean and deviation of the training images. Kept in memory.
 * criteo    path: the Kaggle set's train.txt: lines of a label, 13 integers and 26 hexadecimal numbers, separated by tabs; all but the
 *           label may be empty. The first 6/7 of the lines (six of seven days) are for training, the rest for tests, as DLRM does it.
 *           Values: log(1 + x), 0 where x is empty or negative. Ids: an empty category is row 0 of its table, the others are hashed
 *           into rows 1 and up. Counting the distinct values instead would take a pass over all 11 GB that parses them and a
 *           dictionary of 34 million; hashing takes neither, and does with tables of any size.
 *           Opening reads the file once, for its lines: the place of every 16th is kept (23 MB for 45,840,617), and a sample reads
 *           and parses its own line. That needs no second copy of the data on the disk that could be out of date; it is not mapped
 *           into memory, as a mapped file that shrinks kills its reader.
 * jpeg      path: a folder with train/CLASS/FILE.jpg and test/CLASS/FILE.jpg (or val/), or with CLASS/FILE.jpg, of which every tenth
 *           file of a class is for tests. Classes are numbered in their names' order. Resized so that an image covers 8/7 of the size
 *           asked for (256 for 224); its middle, or of variations any place, is cut out. Normalized as torchvision's models have it. */
#ifndef NARROWS_HARNESS_DATA_READERS_H
#define NARROWS_HARNESS_DATA_READERS_H

#include "train/data/options.h"
#include "train/data/source.h"

int cifar10_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy);
int idx_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy);
int criteo_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy);
int jpeg_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy);

#endif
