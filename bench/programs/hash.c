/* Hash tables: hash AMOUNT. Words are counted in one of chains and one of open addressing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 15, WORDS = 20000, LENGTH = 16 };

struct entry {
	struct entry *next;
	const char *word;
	unsigned count;
};

static struct entry *chains[SLOTS], entries[WORDS];
static const char *open_words[SLOTS];
static unsigned open_counts[SLOTS], used;
static char words[WORDS][LENGTH];

static unsigned
hash_of(const char *word)
{
	unsigned h = 2166136261u;

	while (*word)
		h = (h ^ (unsigned char)*word++) * 16777619u;
	return h;
}

static void
count_in_chain(const char *word)
{
	struct entry **e = &chains[hash_of(word) % (SLOTS / 8)];

	while (*e && strcmp((*e)->word, word))
		e = &(*e)->next;
	if (!*e) {
		*e = &entries[used++];
		(*e)->word = word;
	}
	(*e)->count++;
}

static void
count_in_open(const char *word)
{
	unsigned i = hash_of(word) % SLOTS;

	while (open_words[i] && strcmp(open_words[i], word))
		i = (i + 1) % SLOTS;
	open_words[i] = word;
	open_counts[i]++;
}

int
main(int argc, char **argv)
{
	unsigned amount = argc > 1 ? (unsigned)atoi(argv[1]) : 1, random = 1, sum = 0;

	for (int i = 0; i < WORDS; i++)
		for (int k = 0, length = 3 + i % 11; k < length; k++) {
			random = random * 1103515245 + 12345;
			words[i][k] = (char)('a' + (random >> 16) % 26);
		}
	for (unsigned round = 0; round < amount; round++)
		for (int i = 0; i < WORDS; i++) {
			count_in_chain(words[(unsigned)i * 7919u % WORDS]);
			count_in_open(words[i]);
		}
	for (int i = 0; i < SLOTS; i++)
		sum += open_counts[i] * (unsigned)i;
	printf("%u %u\n", sum, used);
	return 0;
}
