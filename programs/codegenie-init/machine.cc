#include "machine.h"

#include <fcntl.h>
#include <linux/if.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "jail/sandbox/places.h"

namespace cg::init {

namespace {

constexpr unsigned long kPlain = MS_NOSUID | MS_NOEXEC;

struct Device {
  const char* path;
  unsigned major;
  unsigned minor;
};

/// A kernel that has no terminals leaves steps without.
void make_terminals() {
  if (mkdir("/dev/pts", 0755) != 0) return;
  const std::string options = "mode=600,ptmxmode=666,max=" + std::to_string(sandbox::kMaxTerminals);
  static_cast<void>(mount("devpts", "/dev/pts", "devpts", kPlain, options.c_str()));
}

bool make_devices() {
  if (mount("dev", "/dev", "tmpfs", kPlain, "mode=755,size=64m") != 0) return false;
  for (const Device& device :
       {Device{"/dev/null", 1, 3}, Device{"/dev/zero", 1, 5}, Device{"/dev/full", 1, 7},
        Device{"/dev/random", 1, 8}, Device{"/dev/urandom", 1, 9}, Device{"/dev/tty", 5, 0}}) {
    if (mknod(device.path, S_IFCHR, makedev(device.major, device.minor)) != 0) return false;
    if (chmod(device.path, 0666) != 0) return false;
  }
  make_terminals();
  bool good = symlink("/proc/self/fd", "/dev/fd") == 0;
  good = good && symlink("pts/ptmx", "/dev/ptmx") == 0;
  good = good && symlink("/proc/self/fd/0", "/dev/stdin") == 0;
  good = good && symlink("/proc/self/fd/1", "/dev/stdout") == 0;
  good = good && symlink("/proc/self/fd/2", "/dev/stderr") == 0;
  return good && mkdir("/dev/shm", 0700) == 0 && chmod("/dev/shm", 01777) == 0;
}

/// A kernel without them leaves the limits of single processes and of the machine.
void start_groups() {
  if (mkdir("/sys/fs", 0755) != 0 || mkdir("/sys/fs/cgroup", 0755) != 0) return;
  if (mount("cgroup", "/sys/fs/cgroup", "cgroup2", kPlain | MS_NODEV, nullptr) != 0) return;
  const os::Fd file(open("/sys/fs/cgroup/cgroup.subtree_control", O_WRONLY | O_CLOEXEC));
  constexpr const char* kBoth = "+memory +pids";
  if (file.is_open()) static_cast<void>(!write(file.get(), kBoth, std::strlen(kBoth)));
}

}  // namespace

os::Fd open_line() {
  // Where the kernel lists all devices: seen for a moment, by nobody else.
  if (mount("dev", "/dev", "devtmpfs", kPlain, nullptr) != 0) return {};
  os::Fd line;
  for (const char* name : {"/dev/ttyS0", "/dev/ttyAMA0"}) {
    line = os::Fd(open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (line.is_open()) break;
  }
  umount2("/dev", MNT_DETACH);
  if (!line.is_open()) return {};
  termios settings{};
  if (tcgetattr(line.get(), &settings) != 0) return {};
  cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  cfsetspeed(&settings, B115200);
  if (tcsetattr(line.get(), TCSANOW, &settings) != 0) return {};
  if (fcntl(line.get(), F_SETFL, 0) != 0) return {};
  return line;
}

bool make_ready() {
  umask(0);
  if (mount("proc", "/proc", "proc", kPlain | MS_NODEV, nullptr) != 0) return false;
  start_groups();
  return make_devices();
}

void limit_files(std::uint64_t bytes) {
  struct statfs now {};
  if (statfs("/", &now) != 0) return;
  const std::uint64_t used = (now.f_blocks - now.f_bfree) * static_cast<std::uint64_t>(now.f_bsize);
  const std::string size = "size=" + std::to_string(used + bytes);
  // A kernel that unpacks into something that cannot be limited still has its memory.
  static_cast<void>(mount("rootfs", "/", nullptr, MS_REMOUNT, size.c_str()));
}

bool start_loopback() {
  const os::Fd any(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!any.is_open()) return false;
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  if (ioctl(any.get(), SIOCGIFFLAGS, &request) != 0) return false;
  request.ifr_flags = static_cast<short>(request.ifr_flags | IFF_UP);
  return ioctl(any.get(), SIOCSIFFLAGS, &request) == 0;
}

void power_off() {
  // The emulator is told not to boot again, so this is the end; it needs no ACPI.
  reboot(RB_AUTOBOOT);
  for (;;) pause();
}

}  // namespace cg::init
