// What allocators are asked for: nodes of 24 or 32 bytes, trees, maps of strings; or a block again and again. Prints
// how many blocks were asked for.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

struct node {
	node *left, *right;
	long key;
};
struct large_node : node {
	long more;
};
static long blocks;

template <class T> static node *tree(int depth)
{
	T *t = new T();
	blocks++;
	t->key = depth;
	t->left = depth ? tree<T>(depth - 1) : nullptr;
	t->right = depth ? tree<T>(depth - 1) : nullptr;
	return t;
}

template <class T> static void cut(node *t)
{
	if (!t)
		return;
	cut<T>(t->left);
	cut<T>(t->right);
	delete static_cast<T *>(t);
}

/* Nothing but nodes. */
template <class T> static void nodes(int times)
{
	for (int i = 0; i < times; i++)
		cut<T>(tree<T>(16));
}

/* Trees, a map of strings and a vector that grows. */
static void trees(int times)
{
	std::map<std::string, int> names;
	std::vector<std::string> kept;

	for (int i = 0; i < times; i++) {
		cut<node>(tree<node>(16));
		for (int k = 0; k < 4000; k++) {
			std::string name = "a name that is longer than the object " + std::to_string(k * 7 % 3000);
			names[name]++;
			kept.push_back(name);
		}
	}
	printf("%zu %zu\n", names.size(), kept.size());
}

/* Maps that are asked as much as they are filled. */
static void maps(int times)
{
	long sum = 0;

	for (int i = 0; i < times; i++) {
		std::map<std::string, std::vector<int>> m;
		for (int k = 0; k < 20000; k++)
			m["key number " + std::to_string(k * 31 % 5000)].push_back(k);
		for (auto &p : m)
			for (int v : p.second)
				sum += v;
	}
	printf("%ld\n", sum);
}

/* So many nodes that all live at the end. */
static void live(long n)
{
	node *list = nullptr;

	while (blocks < n) {
		node *t = new node{list, nullptr, blocks++};
		list = t;
	}
	printf("%p\n", static_cast<void *>(list));
}

static void again(long n)
{
	for (; blocks < n; blocks++) {
		char *volatile p = static_cast<char *>(malloc(16 + blocks % 64));
		free(p);
	}
}

int main(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 1;

	if (!strcmp(argv[1], "nodes"))
		nodes<node>(n);
	else if (!strcmp(argv[1], "large"))
		nodes<large_node>(n);
	else if (!strcmp(argv[1], "trees"))
		trees(n);
	else if (!strcmp(argv[1], "maps"))
		maps(n);
	else if (!strcmp(argv[1], "live"))
		live(n);
	else
		again(n);
	printf("%ld\n", blocks);
}
