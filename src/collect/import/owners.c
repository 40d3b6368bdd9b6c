#include "collect/import/owners.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/securebits.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/child.h"
#include "util/input.h"

enum { NOBODYS_GROUP = 65534 };    /* of a user that the system does not know by name */

struct owner {
	uid_t uid;
	pid_t child;               /* which has become that user; 0: there is none */
	int socket;                /* to it */
};

/* ---- the process that is the owner ---- */

/* Gives up all rights of ours. PW: NULL, nobody knows the user. */
static int
become(uid_t uid, const struct passwd *pw)
{
	gid_t group = pw ? pw->pw_gid : NOBODYS_GROUP;
	int bits = prctl(PR_GET_SECUREBITS);

	if (bits < 0 || bits & (SECBIT_NO_SETUID_FIXUP | SECBIT_KEEP_CAPS)) {
		errno = EPERM;     /* root's capabilities would outlive its number */
		return -1;
	}
	if ((pw ? initgroups(pw->pw_name, group) : setgroups(0, NULL)) ||
	    setresgid(group, group, group) || setresuid(uid, uid, uid))
		return -1;
	/* The user may neither look into this process, which was root, nor trace it. */
	return prctl(PR_SET_DUMPABLE, 0);
}

/* The answer to one path: a number of an error, and a descriptor when it is 0. */
static int
answer(int socket, const char *path)
{
	struct error err = ERROR_INIT;
	struct stat st;
	int fd = input_open(path, &st, &err), errnum = fd < 0 ? err.errnum : 0;
	struct iovec part = { &errnum, sizeof(errnum) };
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { .head = { .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET,
				.cmsg_type = SCM_RIGHTS } };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	ssize_t sent;

	if (fd < 0 && !errnum)
		errnum = EIO;
	if (fd >= 0) {
		memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(sizeof(int));
	}
	sent = sendmsg(socket, &message, MSG_NOSIGNAL);
	if (fd >= 0)
		close(fd);
	return sent == (ssize_t)sizeof(errnum) ? 0 : -1;
}

/* Ends when the other end of the socket is closed, as it is when its process has died. The first
 * answer tells whether it has become the user. */
static void __attribute__((noreturn))
serve(int socket, uid_t uid, const struct passwd *pw)
{
	char path[PATH_MAX + 1];
	int errnum = become(uid, pw) ? errno : 0;
	ssize_t n;

	signal(SIGPIPE, SIG_IGN);
	if (socket > 0)
		close_range(0, (unsigned)socket - 1, 0);
	close_range((unsigned)socket + 1, ~0u, 0);
	if (send(socket, &errnum, sizeof(errnum), MSG_NOSIGNAL) < 0 || errnum)
		child_end(1);
	while ((n = recv(socket, path, PATH_MAX, 0)) > 0 || (n < 0 && errno == EINTR)) {
		if (n < 0)
			continue;
		path[n] = '\0';
		if (answer(socket, path))
			break;
	}
	child_end(0);
}

static void
stop(struct owner *w)
{
	if (!w->child)
		return;
	close(w->socket);
	while (waitpid(w->child, NULL, 0) < 0 && errno == EINTR)
		;
	w->child = 0;
}

/* It stays without a process when none can be made, or cannot become that user. */
static void
start(struct owner *w)
{
	const struct passwd *pw = getpwuid(w->uid);
	int sockets[2], errnum = EPERM;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return;
	fflush(NULL);
	w->child = fork();
	if (!w->child)
		serve(sockets[1], w->uid, pw);
	close(sockets[1]);
	w->socket = sockets[0];
	if (w->child < 0) {
		w->child = 0;
		close(w->socket);
		return;
	}
	if (recv(w->socket, &errnum, sizeof(errnum), 0) != (ssize_t)sizeof(errnum) || errnum)
		stop(w);
}

void
owners_add(struct owners *o, uid_t uid)
{
	size_t i;

	if (!uid || uid == geteuid())
		return;
	for (i = 0; i < o->nr; i++)
		if (o->items[i].uid == uid)
			return;
	GROW(o->items, o->nr + 1, o->alloc);
	o->items[o->nr++] = (struct owner){ .uid = uid };
	if (!geteuid())
		start(&o->items[o->nr - 1]);
}

void
owners_release(struct owners *o)
{
	size_t i;

	for (i = 0; i < o->nr; i++)
		stop(&o->items[i]);
	free(o->items);
	*o = (struct owners){ .items = NULL };
}

/* ---- may he? ---- */

/* Returns -1 when the process is gone. */
static int
ask(const struct owner *w, const char *path, int *fd)
{
	int errnum = 0;
	struct iovec part = { &errnum, sizeof(errnum) };
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *c;
	ssize_t n;

	*fd = -1;
	if (strlen(path) >= PATH_MAX || !*path)
		return *path ? ENAMETOOLONG : ENOENT;
	if (send(w->socket, path, strlen(path), MSG_NOSIGNAL) < 0)
		return -1;
	do
		n = recvmsg(w->socket, &message, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(errnum))
		return -1;
	c = CMSG_FIRSTHDR(&message);
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
	    c->cmsg_len == CMSG_LEN(sizeof(*fd)))
		memcpy(fd, CMSG_DATA(c), sizeof(*fd));
	return *fd < 0 && !errnum ? -1 : errnum;
}

static bool
owned_or(const struct stat *st, uid_t uid, mode_t bit)
{
	return st->st_uid == uid || st->st_mode & bit;
}

/* Who is not root can only look: at the file that was opened, and at all directories above it. */
static bool
anybody_may(int fd, uid_t uid)
{
	char link[64], path[PATH_MAX + 1], *slash;
	struct stat st;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, PATH_MAX);
	if (n <= 0 || *path != '/' || fstat(fd, &st) || !owned_or(&st, uid, S_IROTH))
		return false;
	path[n] = '\0';
	while ((slash = strrchr(path, '/'))) {
		slash[slash == path] = '\0';
		if (stat(path, &st) || !S_ISDIR(st.st_mode) || !owned_or(&st, uid, S_IXOTH))
			return false;
		if (slash == path)
			return true;
	}
	return false;
}

static bool
same_file(int fd, const struct stat *st)
{
	struct stat other;

	return !fstat(fd, &other) && other.st_dev == st->st_dev && other.st_ino == st->st_ino;
}

static int
refuse(const struct owner *w, const char *path, struct error *err)
{
	const struct passwd *pw = getpwuid(w->uid);

	if (err && !err->set)
		err->errnum = EACCES;
	if (pw)
		return error_set(err, "%s: is not read, as the owner of the raw profile (%s) may "
				 "not read it", path, pw->pw_name);
	return error_set(err, "%s: is not read, as the owner of the raw profile (user %ld) may "
			 "not read it", path, (long)w->uid);
}

/* FD is PATH, opened by us or for another owner; -1: not yet, and it is opened. Both: as W may. */
static int
open_as(const struct owner *w, const char *path, int fd, struct stat *st, struct error *err)
{
	int own, errnum;

	if (!w->child) {
		if (fd < 0)
			fd = input_open(path, st, err);
		if (fd < 0 || anybody_may(fd, w->uid))
			return fd;
		close(fd);
		return refuse(w, path, err);
	}
	errnum = ask(w, path, &own);
	if (!errnum && fd < 0 && !fstat(own, st))
		return own;
	if (!errnum && fd >= 0 && same_file(own, st)) {
		close(own);
		return fd;
	}
	if (own >= 0)
		close(own);
	if (fd >= 0)
		close(fd);
	if (errnum == ENOENT || errnum == ENOTDIR)
		return error_set_errno(err, errnum, "%s: cannot open", path);
	if (errnum && input_is_answer(errnum))
		return refuse(w, path, err);
	return input_failed(path, errnum > 0 ? errnum : EIO, err);
}

int
owners_open(struct owners *o, const char *path, struct stat *st, struct error *err)
{
	int fd = -1;
	size_t i;

	if (!o || !o->nr)
		return input_open(path, st, err);
	for (i = 0; i < o->nr; i++) {
		fd = open_as(&o->items[i], path, fd, st, err);
		if (fd < 0)
			return -1;
	}
	return fd;
}
