#include "cmd/run/sampler_file.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <zstd.h>

#include "util/mem.h"

/* Records of the tool, and a part that it tells of. */
enum { RECORD_ATTR = 64, RECORD_ROUND = 68, RECORD_UPDATE = 78, RECORD_FEATURE = 80,
       RECORD_COMPRESSED = 81 };
enum { FEATURE_HOSTNAME = 3, FEATURE_RELEASE = 4, FEATURE_VERSION = 5 };
enum { NAME_OF_EVENT = 2, MOST_RECORD = 60 << 10, LEVEL = 1 };

struct sampler_file {
	FILE *to;
	char *path;
	ZSTD_CStream *zstd;
	uint8_t packed[MOST_RECORD];
	struct strbuf record;      /* that is being made */
	bool failed;
};

/* ---- records ---- */

static void
write_all(struct sampler_file *f, const void *bytes, size_t n)
{
	if (n)
		f->failed |= fwrite(bytes, 1, n, f->to) != n;
}

static void
write_record(struct sampler_file *f, uint32_t type, const void *body, size_t n)
{
	struct perf_event_header h = { type, 0, (uint16_t)(sizeof(h) + n) };

	write_all(f, &h, sizeof(h));
	write_all(f, body, n);
}

static void
pack(struct sampler_file *f, const void *bytes, size_t n, ZSTD_EndDirective how)
{
	ZSTD_inBuffer in = { bytes, n, 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { f->packed, sizeof(f->packed), 0 };

		left = ZSTD_compressStream2(f->zstd, &out, &in, how);
		if (ZSTD_isError(left)) {
			f->failed = true;
			return;
		}
		if (out.pos)
			write_record(f, RECORD_COMPRESSED, f->packed, out.pos);
	} while (in.pos < in.size || (how != ZSTD_e_continue && left));
}

void
sampler_file_add(struct sampler_file *f, const void *records, size_t size)
{
	pack(f, records, size, ZSTD_e_continue);
}

void
sampler_file_end_round(struct sampler_file *f)
{
	pack(f, NULL, 0, ZSTD_e_flush);
	write_record(f, RECORD_ROUND, "", 0);
}

void
sampler_file_show(struct sampler_file *f)
{
	fflush(f->to);
}

static void
put(struct sampler_file *f, const void *bytes, size_t n)
{
	strbuf_add(&f->record, bytes, n);
}

static void
put_u64(struct sampler_file *f, uint64_t v)
{
	put(f, &v, sizeof(v));
}

static void
put_u32(struct sampler_file *f, uint32_t v)
{
	put(f, &v, sizeof(v));
}

/* With the NUL behind it, and up to a whole number of words. */
static void
put_text(struct sampler_file *f, const char *text)
{
	put(f, text, strlen(text) + 1);
	while (f->record.len % 8)
		strbuf_char(&f->record, '\0');
}

static void
end_record(struct sampler_file *f, uint32_t type)
{
	if (f->record.len < MOST_RECORD)
		write_record(f, type, f->record.buf, f->record.len);
	strbuf_clear(&f->record);
}

static void
write_feature(struct sampler_file *f, uint64_t feature, const char *text)
{
	size_t n = strlen(text) + 1;

	put_u64(f, feature);
	put_u32(f, (uint32_t)((n + 3) / 8 * 8 + 4)); /* with the padding, to a whole record */
	put_text(f, text);
	end_record(f, RECORD_FEATURE);
}

static void
write_head(struct sampler_file *f, const struct perf_event_attr *attr, const char *event)
{
	const uint64_t head_size = 16;
	struct utsname u = { .nodename = "" };

	uname(&u);
	write_all(f, "PERFILE2", 8);
	write_all(f, &head_size, sizeof(head_size));
	put(f, attr, attr->size);
	put_u64(f, 0);
	end_record(f, RECORD_ATTR);
	put_u64(f, NAME_OF_EVENT);
	put_u64(f, 0);
	put_text(f, event);
	end_record(f, RECORD_UPDATE);
	write_feature(f, FEATURE_HOSTNAME, u.nodename);
	write_feature(f, FEATURE_RELEASE, u.release);
	write_feature(f, FEATURE_VERSION, "cgview");
}

struct sampler_file *
sampler_file_new(const char *path, const struct perf_event_attr *attr, const char *event,
		 struct error *err)
{
	struct sampler_file *f = xcalloc(1, sizeof(*f));

	strbuf_init(&f->record);
	f->path = xstrdup(path);
	f->to = fopen(path, "wxe");
	f->zstd = f->to ? ZSTD_createCStream() : NULL;
	if (f->zstd && !ZSTD_isError(ZSTD_CCtx_setParameter(f->zstd, ZSTD_c_compressionLevel,
							    LEVEL))) {
		write_head(f, attr, event);
		return f;
	}
	error_set_errno(err, errno, "%s: cannot be made", path);
	sampler_file_close(f, NULL);
	return NULL;
}

int
sampler_file_close(struct sampler_file *f, struct error *err)
{
	int status = 0;

	if (f->to && (ferror(f->to) | fclose(f->to) | f->failed) && err)
		status = error_set_errno(err, errno, "%s: cannot be written", f->path);
	ZSTD_freeCStream(f->zstd);
	strbuf_release(&f->record);
	free(f->path);
	free(f);
	return status;
}

/* ---- processes that run already ---- */

/* What each record of the kernel's has at its end: who, and when, which is before all others. */
static void
end_made_up(struct sampler_file *f, uint32_t type, uint16_t misc, pid_t pid, pid_t tid)
{
	struct perf_event_header h = { type, misc, 0 };

	put_u32(f, (uint32_t)pid);
	put_u32(f, (uint32_t)tid);
	put_u64(f, 0);
	h.size = (uint16_t)(sizeof(h) + f->record.len);
	pack(f, &h, sizeof(h), ZSTD_e_continue);
	pack(f, f->record.buf, f->record.len, ZSTD_e_continue);
	strbuf_clear(&f->record);
}

static void
add_name(struct sampler_file *f, pid_t pid, pid_t tid)
{
	char *path = xasprintf("/proc/%d/task/%d/comm", pid, tid), name[64] = "";
	FILE *in = fopen(path, "re");

	free(path);
	if (!in)
		return;
	if (!fgets(name, sizeof(name), in))
		*name = '\0';
	fclose(in);
	name[strcspn(name, "\n")] = '\0';
	put_u32(f, (uint32_t)pid);
	put_u32(f, (uint32_t)tid);
	put_text(f, name);
	end_made_up(f, PERF_RECORD_COMM, 0, pid, tid);
}

static void
add_maps(struct sampler_file *f, pid_t pid)
{
	enum { LONGEST = 8192 };
	char *path = xasprintf("/proc/%d/maps", pid), *line = NULL;
	FILE *in = fopen(path, "re");
	size_t room = 0;

	free(path);
	while (in && getline(&line, &room, in) > 0) {
		uint64_t begin, end, offset;
		int name = 0;
		char executable;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*c%*c%c%*c %" SCNx64 " %*s %*s %n",
			   &begin, &end, &executable, &offset, &name) < 4 ||
		    executable != 'x' || strlen(line) > LONGEST)
			continue;
		line[strcspn(line, "\n")] = '\0';
		put_u32(f, (uint32_t)pid);
		put_u32(f, (uint32_t)pid);
		put_u64(f, begin);
		put_u64(f, end - begin);
		put_u64(f, offset);
		put_text(f, name && line[name] ? line + name : "//anon");
		end_made_up(f, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, pid, pid);
	}
	free(line);
	if (in)
		fclose(in);
}

void
sampler_file_add_process(struct sampler_file *f, pid_t pid)
{
	char *path = xasprintf("/proc/%d/task", pid);
	DIR *d = opendir(path);
	struct dirent *e;

	free(path);
	while (d && (e = readdir(d)))
		if (*e->d_name != '.')
			add_name(f, pid, (pid_t)strtol(e->d_name, NULL, 10));
	if (d)
		closedir(d);
	add_maps(f, pid);
}
