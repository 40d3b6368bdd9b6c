/* libFuzzer's side: FUZZ_TARGET names the target. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/targets.h"

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = getenv("FUZZ_TARGET");

	(void)argc, (void)argv;
	for (target = fuzz_targets; target->name && name && strcmp(target->name, name); target++)
		;
	if (!name || !target->name) {
		fprintf(stderr, "FUZZ_TARGET has to name a target\n");
		exit(2);
	}
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	target->run(data, size);
	return 0;
}
