// The capacity of a short std::string lies where its text is: loading it waits for the text.
#include <string>

long use(const std::string &text);

long
append(unsigned n, unsigned seed)
{
	std::string text;

	for (; n > 0; n--)
		text += char('a' + (seed = seed * 1664525 + 1013904223) % 6);
	return use(text);
}
