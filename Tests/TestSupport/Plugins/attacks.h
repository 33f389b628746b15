/* SPDX-License-Identifier: Apache-2.0
 *
 * The attacks of hostile.c. Each function returns a non-zero value if its attack succeeded.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define SENTINEL FOLDER "/sentinel"

#define SUCCEEDED(call) ((call) >= 0)

/* Closes a descriptor that should have been unavailable. Returns whether it was valid. */
static int got(int descriptor)
{
    if (descriptor >= 0)
        close(descriptor);
    return descriptor >= 0;
}

/* Files. */

static int try_read(void) { return got(open(SENTINEL, O_RDONLY)); }
static int try_passwd(void) { return got(open("/etc/passwd", O_RDONLY)); }
static int try_write(void) { return got(open(SENTINEL, O_WRONLY | O_APPEND)); }
static int try_truncate(void) { return SUCCEEDED(truncate(SENTINEL, 1)); }
static int try_unlink(void) { return SUCCEEDED(unlink(SENTINEL)); }
static int try_rename(void) { return SUCCEEDED(rename(SENTINEL, FOLDER "/renamed")); }
static int try_chmod(void) { return SUCCEEDED(chmod(SENTINEL, 0)); }
static int try_chown(void) { return SUCCEEDED(chown(SENTINEL, getuid(), getgid())); }
static int try_fchmodat2(void)
{
    return SUCCEEDED(syscall(452, AT_FDCWD, SENTINEL, 0777, AT_SYMLINK_NOFOLLOW));
}
static int try_utime(void)
{
    struct timespec times[2] = {{1, 0}, {1, 0}};
    return SUCCEEDED(utimensat(AT_FDCWD, SENTINEL, times, 0));
}
static int try_setxattr(void) { return SUCCEEDED(setxattr(SENTINEL, "user.hostile", "x", 1, 0)); }
static int try_mkfile(void) { return got(open(FOLDER "/made", O_WRONLY | O_CREAT, 0600)); }
static int try_mktmp(void)
{
    char path[] = "/tmp/edithost-hostile-XXXXXX";
    int made = mkstemp(path);
    if (made >= 0)
        unlink(path);
    return got(made);
}
static int try_unnamed(void) { return got(open("/tmp", O_TMPFILE | O_RDWR, 0600)); }
static int try_mkdir(void) { return SUCCEEDED(mkdir(FOLDER "/folder", 0700)); }
static int try_link(void) { return SUCCEEDED(link(SENTINEL, FOLDER "/linked")); }
static int try_symlink(void) { return SUCCEEDED(symlink(SENTINEL, FOLDER "/symbolic")); }
static int try_mknod(void) { return SUCCEEDED(mknod(FOLDER "/fifo", S_IFIFO | 0600, 0)); }

static int lists(const char *path)
{
    DIR *folder = opendir(path);
    if (folder)
        closedir(folder);
    return folder != NULL;
}
static int try_listdir(void) { return lists(FOLDER); }
static int try_listtmp(void) { return lists("/tmp"); }
static int try_plugins(void)
{
    return got(open(FOLDER "/extensions/made", O_WRONLY | O_CREAT, 0600));
}

static int opens_of_victim(const char *name, int flags)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", VICTIM, name);
    return got(open(path, flags));
}
static int try_environ(void) { return opens_of_victim("environ", O_RDONLY); }
static int try_memory(void) { return opens_of_victim("mem", O_RDWR); }
static int try_descriptors(void) { return opens_of_victim("fd", O_RDONLY | O_DIRECTORY); }

/* The input files: read-only descriptors of files that have a name. */

static int count_inputs(int attack(int))
{
    int count = 0;
    int error = 0;
    for (int number = 3; number < 64; number++) {
        struct stat status;
        if (fstat(number, &status) < 0 || !S_ISREG(status.st_mode) || status.st_nlink == 0)
            continue;
        if ((fcntl(number, F_GETFL) & O_ACCMODE) != O_RDONLY)
            continue;
        errno = 0;
        count += attack(number);
        error = errno;
    }
    errno = error;
    return count;
}
/* Counts an input. Moves its offset, which affects any other process that shares it. */
static int is_input(int input)
{
    lseek(input, 0, SEEK_END);
    return 1;
}
static int input_write(int input) { return SUCCEEDED(pwrite(input, "x", 1, 0)); }
static int input_reopen(int input)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", input);
    return got(open(path, O_RDWR));
}
static int input_fchmod(int input) { return SUCCEEDED(fchmod(input, 0)); }
static int input_futimens(int input)
{
    struct timespec times[2] = {{1, 0}, {1, 0}};
    return SUCCEEDED(futimens(input, times));
}
static int input_fsetxattr(int input)
{
    return SUCCEEDED(fsetxattr(input, "user.hostile", "x", 1, 0));
}
static int input_flock(int input) { return SUCCEEDED(flock(input, LOCK_EX | LOCK_NB)); }
static int input_lock(int input)
{
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    return SUCCEEDED(fcntl(input, F_OFD_SETLK, &lock));
}
static int input_lease(int input) { return SUCCEEDED(fcntl(input, F_SETLEASE, F_RDLCK)); }
static int input_truncate(int input) { return SUCCEEDED(ftruncate(input, 0)); }
static int input_linkat(int input)
{
    return SUCCEEDED(linkat(input, "", AT_FDCWD, FOLDER "/input", AT_EMPTY_PATH));
}
static int input_map(int input)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, input, 0);
    return page != MAP_FAILED;
}
#define INPUT(name) \
    static int try_input_##name(void) { return count_inputs(input_##name); }
INPUT(write) INPUT(reopen) INPUT(fchmod) INPUT(futimens) INPUT(fsetxattr) INPUT(flock)
INPUT(lock) INPUT(lease) INPUT(truncate) INPUT(linkat) INPUT(map)

/* Descriptors that leaked from the host: writable files that have a name. */
static int try_leaks(void)
{
    int count = 0;
    for (int number = 3; number < 1024; number++) {
        struct stat status;
        if (fstat(number, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink > 0)
            count += pwrite(number, "hostile", 7, 0) > 0;
    }
    errno = 0;
    return count;
}

/* Network and other inter-process communication. */

static int try_inet(void)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(0x7f000001)};
    int made = socket(AF_INET, SOCK_STREAM, 0);
    if (made >= 0)
        (void)connect(made, (struct sockaddr *)&address, sizeof address);
    return got(made);
}
static int try_unix(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path + 1, NAME, sizeof NAME - 1);
    int made = socket(AF_UNIX, SOCK_STREAM, 0);
    if (made >= 0)
        (void)connect(
            made, (struct sockaddr *)&address,
            offsetof(struct sockaddr_un, sun_path) + sizeof NAME);
    return got(made);
}
static int try_netlink(void) { return got(socket(AF_NETLINK, SOCK_RAW, 0)); }
static int try_udp(void)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(0x7f000001)};
    int made = socket(AF_INET, SOCK_DGRAM, 0);
    if (made >= 0)
        (void)sendto(made, "x", 1, 0, (struct sockaddr *)&address, sizeof address);
    return got(made);
}
static int try_socketpair(void)
{
    int ends[2];
    return SUCCEEDED(socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) && got(ends[0]) && got(ends[1]);
}
static int try_shmget(void)
{
    int made = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    if (made >= 0)
        shmctl(made, IPC_RMID, NULL);
    return made >= 0;
}

/* Processes. */

static int made_child(pid_t child)
{
    if (child == 0)
        _exit(0);
    if (child > 0)
        waitpid(child, NULL, 0);
    return child > 0;
}
static int try_fork(void) { return made_child(fork()); }
static int try_vfork(void) { return made_child(vfork()); }
static int try_forks(void)
{
    int count = 0;
    for (int turn = 0; turn < 50; turn++)
        count += made_child(fork());
    return count;
}
static int try_execve(void)
{
    char *arguments[] = {"true", NULL};
    return SUCCEEDED(execve("/bin/true", arguments, NULL));
}
static int try_spawn(void)
{
    char *arguments[] = {"true", NULL};
    pid_t child;
    int failed = posix_spawn(&child, "/bin/true", NULL, NULL, arguments, NULL);
    errno = failed;
    return !failed && made_child(child);
}
static int try_system(void) { return system("true") == 0; }
static int try_kill(void) { return SUCCEEDED(kill(VICTIM, 0)); }
static int try_tgkill(void) { return SUCCEEDED(syscall(SYS_tgkill, VICTIM, VICTIM, 0)); }
static int try_tkill(void) { return SUCCEEDED(syscall(SYS_tkill, VICTIM, 0)); }
static int try_pidfd(void) { return got((int)syscall(SYS_pidfd_open, VICTIM, 0)); }
static int try_ptrace(void) { return SUCCEEDED(ptrace(PTRACE_SEIZE, VICTIM, NULL, NULL)); }
static int try_vm_read(void)
{
    char byte;
    struct iovec here = {&byte, 1}, there = {&byte, 1};
    /* EFAULT: access was granted, but nothing is mapped at that address. */
    return process_vm_readv(VICTIM, &here, 1, &there, 1, 0) >= 0 || errno == EFAULT;
}
static int try_setown(void)
{
    int ends[2];
    if (pipe(ends) < 0)
        return 0;
    int done = SUCCEEDED(fcntl(ends[0], F_SETSIG, SIGKILL))
        || SUCCEEDED(fcntl(ends[0], F_SETOWN, VICTIM))
        || SUCCEEDED(fcntl(ends[0], F_SETFL, O_ASYNC));
    close(ends[0]);
    close(ends[1]);
    return done;
}
static int try_prlimit(void)
{
    struct rlimit limit = {64, 64};
    return SUCCEEDED(prlimit(VICTIM, RLIMIT_NOFILE, &limit, NULL));
}
static int try_see_limit(void)
{
    struct rlimit limit;
    return SUCCEEDED(prlimit(VICTIM, RLIMIT_NOFILE, NULL, &limit));
}
static int try_nice(void) { return SUCCEEDED(setpriority(PRIO_PROCESS, VICTIM, 19)); }
static int try_affinity(void)
{
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    return SUCCEEDED(sched_setaffinity(VICTIM, sizeof first, &first));
}
static int try_pdeathsig(void) { return SUCCEEDED(prctl(PR_SET_PDEATHSIG, 0)); }
static int try_dumpable(void) { return SUCCEEDED(prctl(PR_SET_DUMPABLE, 1)); }
static int try_raise_limit(void)
{
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    return SUCCEEDED(setrlimit(RLIMIT_AS, &limit));
}
static int try_io_uring(void)
{
    char parameters[256] = {0};
    return got((int)syscall(SYS_io_uring_setup, 1, parameters));
}
static int try_memfd(void) { return got(memfd_create("hostile", 0)); }
static int try_userfaultfd(void) { return got((int)syscall(SYS_userfaultfd, O_CLOEXEC)); }
static int try_inotify(void) { return got((int)syscall(SYS_inotify_init1, 0)); }
static int try_keyctl(void) { return SUCCEEDED(syscall(SYS_keyctl, 0, -3, 1, 0, 0)); }
static int try_unshare(void) { return SUCCEEDED(unshare(CLONE_NEWUSER)); }
static int try_chdir(void) { return SUCCEEDED(chdir("/tmp")); }
static int try_chroot(void) { return SUCCEEDED(chroot("/usr")); }

/* Information about the user that must be hidden: the host's working directory and environment, and the
 * machine. */

static int try_getcwd(void)
{
    char path[4096];
    return getcwd(path, sizeof path) && strcmp(path, "/") != 0;
}
static int try_cwd_link(void)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/cwd", path, sizeof path);
    return length > 0 && !(length == 1 && path[0] == '/');
}
static int try_variables(void)
{
    extern char **environ;
    static const char *const known[] = {
        "PATH=", "LC_ALL=", "HOME=/nonexistent", "TMPDIR=", "EDITHOST_RUNNER_FOLDER=", "VIPS_",
        "SWIFT_BACKTRACE=", "VIPSHOME="};
    int others = 0;
    for (char **variable = environ; *variable; variable++) {
        int is_known = 0;
        for (size_t index = 0; index < sizeof known / sizeof known[0]; index++)
            is_known |= strncmp(*variable, known[index], strlen(known[index])) == 0;
        others += !is_known;
    }
    errno = 0;
    return others;
}
static int try_cmdline(void) { return got(open("/proc/self/cmdline", O_RDONLY)); }
static int try_maps(void) { return got(open("/proc/self/maps", O_RDONLY)); }
static int try_mounts(void) { return got(open("/proc/self/mountinfo", O_RDONLY)); }
static int try_hostname(void)
{
    char name[256] = "";
    return gethostname(name, sizeof name - 1) == 0 && strcmp(name, "localhost") != 0;
}

typedef struct attack {
    const char *group;
    const char *name;
    int (*run)(void);
} attack;

#define ATTACK(group, name) {" " group " ", " " #name " ", try_##name}
static const attack attacks[] = {
    ATTACK("files", read), ATTACK("files", passwd), ATTACK("files", write),
    ATTACK("files", truncate), ATTACK("files", rename), ATTACK("files", chmod),
    ATTACK("files", chown), ATTACK("files", fchmodat2), ATTACK("files", utime),
    ATTACK("files", setxattr), ATTACK("files", mkfile), ATTACK("files", mktmp),
    ATTACK("files", unnamed), ATTACK("files", mkdir), ATTACK("files", link),
    ATTACK("files", symlink), ATTACK("files", mknod), ATTACK("files", listdir),
    ATTACK("files", listtmp), ATTACK("files", plugins), ATTACK("files", environ),
    ATTACK("files", memory), ATTACK("files", descriptors), ATTACK("files", unlink),
    ATTACK("input", input_write), ATTACK("input", input_reopen), ATTACK("input", input_fchmod),
    ATTACK("input", input_futimens), ATTACK("input", input_fsetxattr),
    ATTACK("input", input_flock), ATTACK("input", input_lock), ATTACK("input", input_lease),
    ATTACK("input", input_truncate), ATTACK("input", input_linkat), ATTACK("input", input_map),
    ATTACK("files", leaks), ATTACK("files", getcwd), ATTACK("files", cwd_link),
    ATTACK("files", variables), ATTACK("files", cmdline), ATTACK("files", maps),
    ATTACK("files", mounts), ATTACK("machine", hostname),
    ATTACK("network", inet), ATTACK("network", unix), ATTACK("network", netlink),
    ATTACK("network", udp), ATTACK("network", socketpair), ATTACK("network", shmget),
    ATTACK("process", fork), ATTACK("process", vfork), ATTACK("process", forks),
    ATTACK("process", execve), ATTACK("process", spawn), ATTACK("process", system),
    ATTACK("process", kill), ATTACK("process", tgkill), ATTACK("process", tkill),
    ATTACK("process", pidfd), ATTACK("process", ptrace), ATTACK("process", vm_read),
    ATTACK("process", setown), ATTACK("process", prlimit), ATTACK("process", see_limit),
    ATTACK("process", nice), ATTACK("process", affinity), ATTACK("process", pdeathsig),
    ATTACK("process", dumpable), ATTACK("process", raise_limit), ATTACK("process", io_uring),
    ATTACK("process", memfd), ATTACK("process", userfaultfd), ATTACK("process", inotify),
    ATTACK("process", keyctl), ATTACK("process", unshare), ATTACK("process", chdir),
    ATTACK("process", chroot),
};
