// LD_PRELOAD loads this into a server or a database. It makes the disk under FAULT_FOLDER fail as FAULT_SWITCH says.
// The first byte of the switch selects the fault. 'F': the disk is full, so nothing can grow. 'R': the disk is read-only.
// 'W': writes fail with EIO. 'E': reads and writes fail with EIO. Anything else: no fault. Reads through mmap do not fail.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[4096];
static size_t folder_length;
static volatile char *fault; // shared with the test

#define REAL(name)                                      \
  ({                                                    \
    static __typeof__(&name) found;                     \
    if (!found) found = (__typeof__(&name))real(#name); \
    found;                                              \
  })

static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

__attribute__((constructor)) static void start(void) {
  const char *name = getenv("FAULT_FOLDER"), *path = getenv("FAULT_SWITCH");
  if (!name || !path) return;
  int fd = REAL(open)(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) abort();
  fault = mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);
  if (fault == MAP_FAILED) abort();
  close(fd);
  snprintf(folder, sizeof folder, "%s", name);
  folder_length = strlen(folder);
}

static char kind(void) { return fault ? *fault : 0; }

static int is_inside(const char *path) {
  return strncmp(path, folder, folder_length) == 0 && (path[folder_length] == '/' || path[folder_length] == 0);
}

static int is_file_inside(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_inside(path);
}

static int is_name_inside(int at, const char *name) {
  if (name[0] == '/') return is_inside(name);
  if (at != AT_FDCWD) return is_file_inside(at);
  char path[4096];
  return getcwd(path, sizeof path) && is_inside(path);
}

// Returns the error for a read of this file, or 0.
static int read_error(int fd) { return kind() == 'E' && is_file_inside(fd) ? EIO : 0; }

// Returns the error for a write that ends at `end`. Overwriting existing bytes still works on a full disk.
static int write_error(int fd, int64_t end) {
  char now = kind();
  if ((now != 'F' && now != 'R' && now != 'W' && now != 'E') || !is_file_inside(fd)) return 0;
  if (now == 'R') return EROFS;
  if (now != 'F') return EIO;
  struct stat found;
  return fstat(fd, &found) == 0 && S_ISREG(found.st_mode) && end > found.st_size ? ENOSPC : 0;
}

// Returns the error for changing a name.
static int name_error(int at, const char *name) {
  char now = kind();
  if ((now != 'R' && now != 'W' && now != 'E') || !is_name_inside(at, name)) return 0;
  return now == 'R' ? EROFS : EIO;
}

#define FAIL(found)     \
  int error = found;    \
  if (error) {          \
    errno = error;      \
    return -1;          \
  }

static int64_t here(int fd) { return kind() == 'F' ? lseek(fd, 0, SEEK_CUR) : 0; }
static int64_t sum(const struct iovec *parts, int count) {
  int64_t bytes = 0;
  for (int part = 0; part < count; part++) bytes += (int64_t)parts[part].iov_len;
  return bytes;
}

ssize_t read(int fd, void *to, size_t size) { FAIL(read_error(fd)) return REAL(read)(fd, to, size); }
ssize_t readv(int fd, const struct iovec *parts, int count) { FAIL(read_error(fd)) return REAL(readv)(fd, parts, count); }
ssize_t pread(int fd, void *to, size_t size, off_t at) { FAIL(read_error(fd)) return REAL(pread)(fd, to, size, at); }
ssize_t pread64(int fd, void *to, size_t size, off64_t at) { FAIL(read_error(fd)) return REAL(pread64)(fd, to, size, at); }
ssize_t preadv(int fd, const struct iovec *parts, int count, off_t at) { FAIL(read_error(fd)) return REAL(preadv)(fd, parts, count, at); }
ssize_t preadv64(int fd, const struct iovec *parts, int count, off64_t at) { FAIL(read_error(fd)) return REAL(preadv64)(fd, parts, count, at); }

ssize_t write(int fd, const void *bytes, size_t size) { FAIL(write_error(fd, here(fd) + (int64_t)size)) return REAL(write)(fd, bytes, size); }
ssize_t writev(int fd, const struct iovec *parts, int count) { FAIL(write_error(fd, here(fd) + sum(parts, count))) return REAL(writev)(fd, parts, count); }
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) { FAIL(write_error(fd, at + (int64_t)size)) return REAL(pwrite)(fd, bytes, size, at); }
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) { FAIL(write_error(fd, at + (int64_t)size)) return REAL(pwrite64)(fd, bytes, size, at); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) { FAIL(write_error(fd, at + sum(parts, count))) return REAL(pwritev)(fd, parts, count, at); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) { FAIL(write_error(fd, at + sum(parts, count))) return REAL(pwritev64)(fd, parts, count, at); }

int fsync(int fd) { FAIL(kind() == 'F' ? 0 : write_error(fd, 0)) return REAL(fsync)(fd); }
int fdatasync(int fd) { FAIL(kind() == 'F' ? 0 : write_error(fd, 0)) return REAL(fdatasync)(fd); }
int ftruncate(int fd, off_t length) { FAIL(write_error(fd, length)) return REAL(ftruncate)(fd, length); }
int ftruncate64(int fd, off64_t length) { FAIL(write_error(fd, length)) return REAL(ftruncate64)(fd, length); }
// The next two return their error instead of setting errno.
int posix_fallocate(int fd, off_t at, off_t size) { int error = write_error(fd, at + size); return error ? error : REAL(posix_fallocate)(fd, at, size); }
int posix_fallocate64(int fd, off64_t at, off64_t size) { int error = write_error(fd, at + size); return error ? error : REAL(posix_fallocate64)(fd, at, size); }
int fallocate(int fd, int mode, off_t at, off_t size) { FAIL(write_error(fd, at + size)) return REAL(fallocate)(fd, mode, at, size); }
int fallocate64(int fd, int mode, off64_t at, off64_t size) { FAIL(write_error(fd, at + size)) return REAL(fallocate64)(fd, mode, at, size); }

static int open_error(int at, const char *name, int flags) {
  if (kind() == 'E' && is_name_inside(at, name)) return EIO;
  return flags & (O_CREAT | O_WRONLY | O_RDWR | O_TRUNC) ? name_error(at, name) : 0;
}

#define OPEN(name, before, at)                           \
  int name before {                                      \
    mode_t mode = 0;                                     \
    if (flags & (O_CREAT | O_TMPFILE)) {                 \
      va_list rest;                                      \
      va_start(rest, flags);                             \
      mode = va_arg(rest, mode_t);                       \
      va_end(rest);                                      \
    }                                                    \
    FAIL(open_error(at, path, flags))                    \
    return REAL(openat)(at, path, flags, mode);          \
  }
OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int folder_fd, const char *path, int flags, ...), folder_fd)
OPEN(openat64, (int folder_fd, const char *path, int flags, ...), folder_fd)

int access(const char *name, int mode) { FAIL(kind() == 'R' && (mode & W_OK) && is_name_inside(AT_FDCWD, name) ? EROFS : 0) return REAL(access)(name, mode); }
int unlink(const char *name) { FAIL(name_error(AT_FDCWD, name)) return REAL(unlink)(name); }
int unlinkat(int at, const char *name, int flags) { FAIL(name_error(at, name)) return REAL(unlinkat)(at, name, flags); }
int rmdir(const char *name) { FAIL(name_error(AT_FDCWD, name)) return REAL(rmdir)(name); }
int mkdir(const char *name, mode_t mode) { FAIL(name_error(AT_FDCWD, name)) return REAL(mkdir)(name, mode); }
int rename(const char *from, const char *to) { FAIL(name_error(AT_FDCWD, to)) return REAL(rename)(from, to); }
