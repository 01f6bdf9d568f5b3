/* readers.h - files as sources of samples; data.h says what they have in common. Images are normalized per channel:
 * (byte / 255 - mean) / deviation; what a shifted crop leaves empty is 0, the mean.
 * cifar10   path: the folder with data_batch_1.bin .. data_batch_5.bin and test_batch.bin, the binary version of
 *           CIFAR-10 (https://www.cs.toronto.edu/~kriz/cifar.html): records of a label and 3 x 32 x 32 bytes. Kept in
 *           memory.
 * idx       path: the folder with train-images-idx3-ubyte, train-labels-idx1-ubyte and the same with t10k-, not
 *           gzipped (MNIST, Fashion-MNIST: http://yann.lecun.com/exdb/mnist/). Normalized by mean and deviation of
 *           the training images. Kept in memory.
 * criteo    path: the Kaggle set's train.txt: lines of a label, 13 integers and 26 hexadecimal numbers, separated by
 *           tabs; all but the label may be empty. The first 6/7 of the lines (six of seven days) are for training,
 *           the rest for tests, as in DLRM. Values: log(1 + x), 0 where x is empty or negative. Ids: an empty
 *           category is row 0 of its table, the others are hashed into rows 1 and up. Numbering the distinct values
 *           instead would need a dictionary of 34 million, made in a pass that parses all 11 GB; hashing needs
 *           neither and works with tables of any size. Opening reads the file once to find its lines. The offset of
 *           every 16th is kept (23 MB for 45,840,617 lines), and a sample reads and parses its own line, so there is
 *           no converted copy on the disk that could be out of date. The file is not mapped into memory, since a
 *           mapped file that shrinks kills its reader.
 * jpeg      path: a folder with train/CLASS/FILE.jpg and test/CLASS/FILE.jpg (or val/), or with CLASS/FILE.jpg, of
 *           which every tenth file of a class is for tests; or Tiny ImageNet as it is distributed, with
 *           train/CLASS/images/FILE.JPEG, val/images/FILE.JPEG and the tests' classes in val/val_annotations.txt.
 *           Classes are numbered in the order of their names. An image is resized to cover 8/7 of the requested size
 *           (256 for 224), then its middle is cropped, or any place with augmentation that crops. Normalized as for
 *           torchvision's models.
 * iwslt     path: IWSLT'14's folder de-en, as it unpacks: German sentences and their English translations.
 *           Training    train.tags.de-en.de and .en: a sentence a line, the i-th of one file being the translation of
 *                       the i-th of the other. Lines that begin with '<' (titles, keywords, addresses) are no
 *                       sentences. A pair of which one sentence is empty, or too long for a sample, is left out, as
 *                       fairseq's recipe does with those of more than 175 words.
 *           Tests       the segments of dev2010, dev2012, tst2010, tst2011 and tst2012, those of the five that are
 *                       there, in this order: together they are fairseq's 6,750. All of them, the longer ones cut.
 *           Words       words.h says what they are. The vocabulary of a language has the most frequent words of the
 *                       training pairs that were not left out; equally frequent ones come in the order of their
 *                       bytes. Both have the size that the options ask for.
 *           Tokens      as in train/data/translation/translation.h, but the first word is IWSLT_UNKNOWN, which stands
 *                       for all that the vocabulary has not. A vocabulary with fewer words leaves the last ones
 *                       unused.
 *           A sample    as there: at most positions - 1 words, then 'end', on both sides.
 *           Kept in memory, as tokens. */
#ifndef NARROWS_HARNESS_DATA_READERS_H
#define NARROWS_HARNESS_DATA_READERS_H

#include "train/data/options.h"
#include "train/data/source.h"
#include "train/data/translation/translation.h"

enum { IWSLT_UNKNOWN = TOKEN_WORDS };

int cifar10_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy);
int idx_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy);
int criteo_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy);
int iwslt_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy);
int jpeg_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy);

#endif
