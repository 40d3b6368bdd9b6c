/* words FILE...: the most frequent words of some texts. A small program to try cgview on:
 *
 *	cgcc -O2 -o words words.c
 *	cgview record -o words.db -- ./words FILE
 *	cgview words.db
 *
 * Questions that its profile answers: which of the two comparison functions is called more often,
 * and from where? How long are the chains of the hash table? Which part of the condition in
 * is_letter() decides most often? */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1024, LONGEST = 64, SHOWN = 10 };

#define MIN(a, b) ((a) < (b) ? (a) : (b))

struct word {
	struct word *next;
	unsigned long count;
	char text[];
};

static struct word *buckets[BUCKETS];
static size_t nr_words;

static inline unsigned
hash(const char *text)
{
	unsigned h = 0;

	while (*text != '\0')
		h = h * 31 + (unsigned char)*text++;
	return h % BUCKETS;
}

static int
is_letter(int c)
{
	return isalpha(c) || c == '\'' || c >= 0x80;
}

static void
count_word(const char *text)
{
	struct word **place = &buckets[hash(text)];
	struct word *w;

	for (w = *place; w != NULL && strcmp(w->text, text) != 0; w = w->next)
		;
	if (w == NULL) {
		w = malloc(sizeof(*w) + strlen(text) + 1);
		if (w == NULL)
			exit(1);
		strcpy(w->text, text);
		w->count = 0;
		w->next = *place;
		*place = w;
		nr_words++;
	}
	w->count++;
}

static void
read_words(FILE *in)
{
	char text[LONGEST + 1];
	size_t length = 0;
	int c;

	while ((c = getc(in)) != EOF) {
		if (is_letter(c)) {
			if (length < LONGEST)
				text[length++] = (char)tolower(c);
		} else if (length > 0) {
			text[length] = '\0';
			count_word(text);
			length = 0;
		}
	}
}

static int
by_text(const struct word *a, const struct word *b)
{
	return strcmp(a->text, b->text);
}

static int
by_count(const struct word *a, const struct word *b)
{
	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return by_text(a, b);
}

static void
sort(struct word **words, size_t nr, int (*compare)(const struct word *, const struct word *))
{
	for (size_t gap = nr / 2; gap > 0; gap /= 2)
		for (size_t i = gap; i < nr; i++) {
			struct word *w = words[i];
			size_t j = i;

			for (; j >= gap && compare(w, words[j - gap]) < 0; j -= gap)
				words[j] = words[j - gap];
			words[j] = w;
		}
}

static struct word **
all_words(void)
{
	struct word **words = calloc(nr_words + 1, sizeof(*words));
	size_t nr = 0;

	if (words == NULL)
		exit(1);
	for (size_t i = 0; i < BUCKETS; i++)
		for (struct word *w = buckets[i]; w != NULL; w = w->next)
			words[nr++] = w;
	return words;
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		FILE *in = fopen(argv[i], "r");

		if (in == NULL) {
			perror(argv[i]);
			return 1;
		}
		read_words(in);
		fclose(in);
	}

	struct word **words = all_words();

	sort(words, nr_words, by_text);
	printf("%zu words, from %s to %s\n", nr_words, nr_words > 0 ? words[0]->text : "-",
	       nr_words > 0 ? words[nr_words - 1]->text : "-");
	sort(words, nr_words, by_count);
	for (size_t i = 0; i < MIN(nr_words, SHOWN); i++)
		printf("%8lu %s\n", words[i]->count, words[i]->text);
	free(words);
	return 0;
}
