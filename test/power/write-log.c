// LD_PRELOAD loads this into a server. It logs every change to the files in POWER_HOME to POWER_LOG, in order, with its bytes.
// From this log, disk.ts reconstructs the disk that a power cut would have left. An fsync is only logged and reaches no disk.
// Changes through mmap are not logged. SQLite makes such changes only to its -shm files, which it rebuilds.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_FD 65536

// Held while a change is made and logged, so that the log has the same order as the changes.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t inode_of[MAX_FD]; // 0 if it is not a file in the home
static char home[4096];
static size_t home_length;
static int log_file = -1;
static uint64_t syncs;

#define REAL(name)                                                  \
  ({                                                                \
    static __typeof__(&name) found;                                 \
    if (!found) found = (__typeof__(&name))real(#name);             \
    found;                                                          \
  })

static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

__attribute__((constructor)) static void start(void) {
  const char *folder = getenv("POWER_HOME"), *path = getenv("POWER_LOG");
  if (!folder || !path) return;
  snprintf(home, sizeof home, "%s", folder);
  home_length = strlen(home);
  log_file = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log_file < 0) abort();
}

struct head {
  uint8_t kind;
  uint8_t unused[3];
  uint32_t name_length; // bytes of names that follow: one path, or two with a zero byte between them
  uint64_t inode;
  uint64_t place; // an offset, a length, or the number of a sync
  uint64_t data_length;
};

static void write_line(char kind, uint64_t inode, uint64_t place, const char *names, size_t names_length,
                       const struct iovec *parts, int count, size_t length) {
  struct head head = {.kind = (uint8_t)kind, .name_length = (uint32_t)names_length, .inode = inode, .place = place,
                      .data_length = length};
  size_t total = sizeof head + names_length + length;
  char *line = malloc(total);
  if (!line) abort();
  memcpy(line, &head, sizeof head);
  memcpy(line + sizeof head, names, names_length);
  char *to = line + sizeof head + names_length;
  for (int part = 0; part < count && length > 0; part++) {
    size_t take = parts[part].iov_len < length ? parts[part].iov_len : length;
    memcpy(to, parts[part].iov_base, take);
    to += take;
    length -= take;
  }
  for (size_t written = 0; written < total;) {
    ssize_t done = REAL(write)(log_file, line + written, total - written);
    if (done < 0 && errno != EINTR) abort();
    if (done > 0) written += (size_t)done;
  }
  free(line);
}

static void write_names(char kind, uint64_t inode, const char *from, const char *to) {
  char names[8194];
  size_t length = strlen(from);
  memcpy(names, from, length);
  if (to) {
    names[length++] = 0;
    memcpy(names + length, to, strlen(to));
    length += strlen(to);
  }
  write_line(kind, inode, 0, names, length, NULL, 0, 0);
}

// Writes the absolute path of a name. Returns true if it is the home or in the home.
static int in_home(int folder, const char *name, char *path) {
  if (log_file < 0 || !name) return 0;
  if (name[0] == '/') snprintf(path, 4096, "%s", name);
  else if (folder == AT_FDCWD) return 0;
  else {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, path, 4095);
    if (length < 0) return 0;
    snprintf(path + length, 4096 - (size_t)length, "/%s", name);
  }
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') path[--length] = 0;
  return strncmp(path, home, home_length) == 0 && (path[home_length] == '/' || path[home_length] == 0);
}

// libuv closes files without libc, so a descriptor may refer to another file by now.
static uint64_t known(int fd) {
  if (fd < 0 || fd >= MAX_FD || inode_of[fd] == 0) return 0;
  struct stat found;
  if (fstat(fd, &found) != 0 || found.st_ino != inode_of[fd]) return 0;
  return found.st_ino;
}

static uint64_t inode_at(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 ? found.st_ino : 0;
}

static int open_logged(int folder, const char *name, int flags, mode_t mode) {
  char path[4096];
  if (!in_home(folder, name, path)) return REAL(openat)(folder, name, flags, mode);
  pthread_mutex_lock(&lock);
  int was_there = inode_at(path) != 0;
  int fd = REAL(openat)(folder, name, flags, mode);
  int error = errno;
  struct stat found;
  if (fd >= 0 && fd < MAX_FD && fstat(fd, &found) == 0) {
    inode_of[fd] = found.st_ino;
    if (!was_there) write_names('C', found.st_ino, path, NULL);
    else if (S_ISDIR(found.st_mode)) write_names('O', found.st_ino, path, NULL);
    else if (flags & O_TRUNC) write_line('T', found.st_ino, 0, "", 0, NULL, 0, 0);
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return fd;
}

#define OPEN(name, before, folder)                                         \
  int name before {                                                        \
    mode_t mode = 0;                                                       \
    if (flags & (O_CREAT | O_TMPFILE)) {                                   \
      va_list rest;                                                        \
      va_start(rest, flags);                                               \
      mode = va_arg(rest, mode_t);                                         \
      va_end(rest);                                                        \
    }                                                                      \
    return open_logged(folder, path, flags, mode);                         \
  }
OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int at, const char *path, int flags, ...), at)
OPEN(openat64, (int at, const char *path, int flags, ...), at)

// Changes an open file and logs the change. `call` returns the number of bytes written.
#define WRITE(fd, call, parts, count, offset)                                                      \
  if (!known(fd)) return call;                                                                     \
  pthread_mutex_lock(&lock);                                                                       \
  ssize_t written = call;                                                                          \
  int error = errno;                                                                               \
  if (written > 0) write_line('W', known(fd), (uint64_t)(offset), "", 0, parts, count, (size_t)written); \
  pthread_mutex_unlock(&lock);                                                                     \
  errno = error;                                                                                   \
  return written;

#define ONE(bytes, size) (&(struct iovec){(void *)(bytes), size})
#define BEFORE_HERE (lseek(fd, 0, SEEK_CUR) - written)

ssize_t write(int fd, const void *bytes, size_t size) { WRITE(fd, REAL(write)(fd, bytes, size), ONE(bytes, size), 1, BEFORE_HERE) }
ssize_t writev(int fd, const struct iovec *parts, int count) { WRITE(fd, REAL(writev)(fd, parts, count), parts, count, BEFORE_HERE) }
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) { WRITE(fd, REAL(pwrite)(fd, bytes, size, at), ONE(bytes, size), 1, at) }
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) { WRITE(fd, REAL(pwrite64)(fd, bytes, size, at), ONE(bytes, size), 1, at) }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) { WRITE(fd, REAL(pwritev)(fd, parts, count, at), parts, count, at) }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) { WRITE(fd, REAL(pwritev64)(fd, parts, count, at), parts, count, at) }

static int truncate_logged(int fd, off64_t length) {
  if (!known(fd)) return REAL(ftruncate64)(fd, length);
  pthread_mutex_lock(&lock);
  int result = REAL(ftruncate64)(fd, length), error = errno;
  if (result == 0) write_line('T', known(fd), (uint64_t)length, "", 0, NULL, 0, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}
int ftruncate(int fd, off_t length) { return truncate_logged(fd, length); }
int ftruncate64(int fd, off64_t length) { return truncate_logged(fd, length); }

// Everything written before a sync began is on the disk when it ends. Other threads write meanwhile, as during a real sync.
static int sync_logged(int fd) {
  pthread_mutex_lock(&lock);
  uint64_t number = ++syncs;
  write_line('B', known(fd), number, "", 0, NULL, 0, 0);
  pthread_mutex_unlock(&lock);
  usleep((useconds_t)(number * 7919 % 3000));
  pthread_mutex_lock(&lock);
  write_line('E', 0, number, "", 0, NULL, 0, 0);
  pthread_mutex_unlock(&lock);
  return 0;
}
int fsync(int fd) { return known(fd) ? sync_logged(fd) : REAL(fsync)(fd); }
int fdatasync(int fd) { return known(fd) ? sync_logged(fd) : REAL(fdatasync)(fd); }

#define CHANGE(call, kind, first, second)            \
  pthread_mutex_lock(&lock);                         \
  int result = call, error = errno;                  \
  if (result == 0) write_names(kind, 0, first, second); \
  pthread_mutex_unlock(&lock);                       \
  errno = error;                                     \
  return result;

#define ON_NAME(call, kind, folder, name)        \
  char path[4096];                               \
  if (!in_home(folder, name, path)) return call; \
  CHANGE(call, kind, path, NULL)

int unlink(const char *name) { ON_NAME(REAL(unlink)(name), 'U', AT_FDCWD, name) }
int remove(const char *name) { ON_NAME(REAL(remove)(name), 'U', AT_FDCWD, name) }
int rmdir(const char *name) { ON_NAME(REAL(rmdir)(name), 'U', AT_FDCWD, name) }
int unlinkat(int folder, const char *name, int flags) { ON_NAME(REAL(unlinkat)(folder, name, flags), 'U', folder, name) }
int mkdir(const char *name, mode_t mode) { ON_NAME(REAL(mkdir)(name, mode), 'M', AT_FDCWD, name) }
int mkdirat(int folder, const char *name, mode_t mode) { ON_NAME(REAL(mkdirat)(folder, name, mode), 'M', folder, name) }

#define ON_TWO_NAMES(call, kind, folder, from, to_folder, to)                                       \
  char old_path[4096], new_path[4096];                                                              \
  if (!in_home(folder, from, old_path) || !in_home(to_folder, to, new_path)) return call;           \
  CHANGE(call, kind, old_path, new_path)

int rename(const char *from, const char *to) { ON_TWO_NAMES(REAL(rename)(from, to), 'R', AT_FDCWD, from, AT_FDCWD, to) }
int renameat(int a, const char *from, int b, const char *to) { ON_TWO_NAMES(REAL(renameat)(a, from, b, to), 'R', a, from, b, to) }
int link(const char *from, const char *to) { ON_TWO_NAMES(REAL(link)(from, to), 'L', AT_FDCWD, from, AT_FDCWD, to) }
