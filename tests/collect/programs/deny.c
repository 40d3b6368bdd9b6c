/* deny NUMBER ERROR PROGRAM [ARGUMENT...]: runs it with a filter by which the system call NUMBER
 * fails with ERROR, or with 0 for that, kills. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	unsigned number = argc > 3 ? (unsigned)atoi(argv[1]) : 0;
	unsigned error = argc > 3 ? (unsigned)atoi(argv[2]) : 0;
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K,
			 error ? SECCOMP_RET_ERRNO | error : SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(*code), code};

	if (argc < 4 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0)) {
		perror("deny");
		return 125;
	}
	execvp(argv[3], argv + 3);
	perror(argv[3]);
	return 126;
}
