/* readers.h - files as sources of samples; data.h says what they have in common. Images are normalized per channel: (byte / 255 -
 * mean) / deviation, and what a shifted crop leaves empty is 0, the mean.
 * cifar10   path: the folder with data_batch_1.bin .. data_batch_5.bin and test_batch.bin, the binary version of CIFAR-10
 *           (https://www.cs.toronto.edu/~kriz/cifar.html): records of a label and 3 x 32 x 32 bytes. All of it is kept in memory.
 * idx       path: the folder with train-images-idx3-ubyte, train-labels-idx1-ubyte and the same with t10k-, unpacked (MNIST, Fashion-
 *           MNIST: http://yann.lecun.com/exdb/mnist/). Normalized by mean and deviation of the training images. Kept in memory. */
#ifndef NARROWS_HARNESS_DATA_READERS_H
#define NARROWS_HARNESS_DATA_READERS_H

#include "train/data/options.h"
#include "train/data/source.h"

int cifar10_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy);
int idx_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy);

#endif
