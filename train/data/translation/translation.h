/* translation.h - a synthetic translation task: sentences of a small grammar, and their translations by fixed rules.
 * Tokens      0 fills up (pad), 1 begins and 2 ends a sentence; words from 3 to vocabulary - 1, of six kinds
 *             (determiners, adjectives, nouns, verbs, prepositions, one conjunction), the frequent ones of a kind first
 *             (Zipf's law with exponent 1).
 * Source      clauses with a conjunction between: NP [PP] verb [NP] [PP], NP = [determiner] adjective* noun, PP =
 *             preposition NP; of half to all of positions - 1 words at most, then 'end', then pads.
 * Target      as many words, of the same vocabulary: a word becomes one of its kind by one of three one-to-one maps.
 *             Which one:
 *               noun          by its role: subject, after a preposition, object (depends on a neighbour)
 *               determiner,   by the gender of the noun that follows; adjectives go behind their noun (order)
 *               adjective
 *               verb          by the gender of the subject's noun, which is up to six words before (agreement over
 *                             distance)
 *               preposition   by whether it follows a noun or a verb
 *             Then a share 'noise' of its words is replaced by others of their kind.
 * A sample    ids: [positions] of the source, then [positions] that a decoder gets: 'begin', then the target without
 *             its end, pads; labels: [positions] of the target, 'end', LABEL_NONE. No values, no variations. */
#ifndef NARROWS_TRAIN_DATA_TRANSLATION_H
#define NARROWS_TRAIN_DATA_TRANSLATION_H

#include "train/data/options.h"
#include "train/data/source.h"

enum { TOKEN_PAD, TOKEN_BEGIN, TOKEN_END, TOKEN_WORDS };

int translation_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy);

#endif
