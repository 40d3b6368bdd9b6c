/* loads LIBRARY...: opens each three times, one after the other, and calls it 100 times. */
#include <dlfcn.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	for (int turn = 0; turn < 3; turn++)
		for (int i = 1; i < argc; i++) {
			void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
			void (*call)(void) =
				library ? (void (*)(void))dlsym(library, "library_step") : NULL;

			if (!call)
				return printf("%s\n", dlerror());
			for (int k = 0; k < 100; k++)
				call();
			dlclose(library);
		}
	return 0;
}
