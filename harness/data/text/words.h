/* words.h - text as words, by a rule that needs no tables of a language.
 * Text       UTF-8, but no byte is refused: one that is neither white space nor a punctuation mark belongs to a word.
 * Letters    A to Z become a to z, in place; all other bytes stay as they are, so that an umlaut keeps its case.
 * White space ends a word: bytes up to 0x20, 0x7f, the blanks and invisible characters of U+0085, U+00A0, U+2000 to
 *            U+206F, U+3000 and U+FEFF.
 * Marks      are words of their own, each of them: ASCII's, the five of U+00A1, U+00AB, U+00B7, U+00BB and U+00BF, and
 *            those of U+2010 to U+205E (dashes, quotation marks). "don't" is three words, "1.5" too.
 * Escapes    &amp; &lt; &gt; &quot; and &apos; are the marks that they stand for. */
#ifndef NARROWS_HARNESS_DATA_TEXT_WORDS_H
#define NARROWS_HARNESS_DATA_TEXT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the text, or of a constant. */
struct word {
    const char *at;
    size_t n;
};

/* The next word of *text .. end, which moves behind it; false if there is none. */
bool word_next(char **text, const char *end, struct word *out);

#endif
