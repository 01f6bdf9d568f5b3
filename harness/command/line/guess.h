/* guess.h - what a person may have meant by an unknown name, printed to stderr after what was expected. */
#ifndef NARROWS_HARNESS_COMMAND_LINE_GUESS_H
#define NARROWS_HARNESS_COMMAND_LINE_GUESS_H

/* "EXPECTED, got 'GIVEN'", and which of the names, NULL at their end, may be meant. */
void guess_word(const char *expected, const char *given, const char *const *names);

/* The same for a file, or a shipped one of this kind ("models", "platforms", "scenarios"), whose names are listed
 * where they are few. Files in the folder where it was looked for are candidates, too. */
void guess_file(const char *kind, const char *given);

#endif
