/* iwslt_text.h - the sentences in IWSLT'14's folder de-en, pair by pair, as text.
 * Training   lines of train.tags.de-en.LANGUAGE, those that begin with '<' left out.
 * Tests      what stands between <seg ...> and </seg> in IWSLT14.TED.NAME.de-en.LANGUAGE.xml.
 * Errors     0, E_DATA or E_NOMEM, with the reason in why[0..nwhy): "FILE:LINE: expected X, got Y". Refused are bytes
 *            of 0 (text of another encoding), files without sentences, segments or documents that do not end, and
 *            files of a pair with different numbers of sentences. A carriage return is white space (words.h), and the
 *            last newline may be missing.
 * Ownership  zeroed texts are empty; a failed one may be freed. */
#ifndef NARROWS_HARNESS_DATA_TEXT_IWSLT_TEXT_H
#define NARROWS_HARNESS_DATA_TEXT_IWSLT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIDE_GERMAN, SIDE_ENGLISH, SIDES };
enum { IWSLT_TESTS = 5 };

/* The sentences of a file, in bytes[], which the caller may change. */
struct text {
    uint8_t *bytes;
    size_t nbytes;
    struct text_part {
        char *at;
        size_t n;
    } * parts;
    size_t n, capacity;
};

int iwslt_train_read(const char *folder, struct text pair[SIDES], char *why, size_t nwhy);

/* Test set 0 .. IWSLT_TESTS - 1, in the order in which fairseq's recipe joins them. *there: it is; if not, 0 is
 * returned and 'pair' stays empty. */
int iwslt_test_read(const char *folder, int which, struct text pair[SIDES], bool *there, char *why, size_t nwhy);

void iwslt_text_free(struct text pair[SIDES]);

#endif
