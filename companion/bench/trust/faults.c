/* Lets one call to the system fail, of those that touch files below one folder: the n-th open for
   writing, write, sync, truncation, rename, link, removal or making of a folder. Put before a
   program with LD_PRELOAD; armed from inside it. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static char below[4096];
static long calls, fails_at;
static int fails_with;

void faults_arm(const char *folder, long at, int error) {
    strncpy(below, folder, sizeof below - 1);
    calls = 0;
    fails_at = at;
    fails_with = error;
}

long faults_calls(void) { return calls; }

static int fails(const char *path) {
    if (!below[0] || !path || strncmp(path, below, strlen(below))) return 0;
    if (++calls != fails_at) return 0;
    errno = fails_with;
    return 1;
}

static int fails_on(int file) {
    char link[64], path[4096];
    if (!below[0]) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t got = readlink(link, path, sizeof path - 1);
    if (got < 0) return 0;
    path[got] = 0;
    return fails(path);
}

#define NEXT(name) \
    static __typeof__(name) *next; \
    if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define WRITES(flags) ((flags) & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC))

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        NEXT(name); \
        va_list rest; va_start(rest, flags); mode_t mode = va_arg(rest, mode_t); va_end(rest); \
        return WRITES(flags) && fails(path) ? -1 : next(path, flags, mode); \
    }
#define OPENAT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        NEXT(name); \
        va_list rest; va_start(rest, flags); mode_t mode = va_arg(rest, mode_t); va_end(rest); \
        return WRITES(flags) && fails(path) ? -1 : next(folder, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

ssize_t write(int file, const void *data, size_t size) {
    NEXT(write);
    return fails_on(file) ? -1 : next(file, data, size);
}
ssize_t pwrite(int file, const void *data, size_t size, off_t at) {
    NEXT(pwrite);
    return fails_on(file) ? -1 : next(file, data, size, at);
}
ssize_t pwrite64(int file, const void *data, size_t size, off64_t at) {
    NEXT(pwrite64);
    return fails_on(file) ? -1 : next(file, data, size, at);
}
int fsync(int file) { NEXT(fsync); return fails_on(file) ? -1 : next(file); }
int fdatasync(int file) { NEXT(fdatasync); return fails_on(file) ? -1 : next(file); }
int ftruncate(int file, off_t size) { NEXT(ftruncate); return fails_on(file) ? -1 : next(file, size); }
int ftruncate64(int file, off64_t size) {
    NEXT(ftruncate64);
    return fails_on(file) ? -1 : next(file, size);
}
int rename(const char *from, const char *to) { NEXT(rename); return fails(to) ? -1 : next(from, to); }
int link(const char *from, const char *to) { NEXT(link); return fails(to) ? -1 : next(from, to); }
int unlink(const char *path) { NEXT(unlink); return fails(path) ? -1 : next(path); }
int mkdir(const char *path, mode_t mode) { NEXT(mkdir); return fails(path) ? -1 : next(path, mode); }
