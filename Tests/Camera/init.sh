#!/bin/busybox sh
# First process of the virtual machine of vm.sh: loads the cameras, mounts the files of the outer machine and runs its command.
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sysfs /sys
$b mount -t devtmpfs dev /dev
for module in $($b cat /modules/first); do $b insmod /modules/$module; done
$b mount -t 9p -o trans=virtio,version=9p2000.L,cache=none job /job || $b poweroff -f
[ ! -s /job/more ] || for module in $($b cat /modules/more); do $b insmod /modules/$module; done
$b insmod /modules/vivid.ko $($b cat /job/vivid)
$b mount -t 9p -o trans=virtio,version=9p2000.L,msize=524288,cache=loose,ro hostroot /lower
$b mount -t tmpfs upper /upper
$b mkdir /upper/files /upper/work
$b mount -t overlay -o lowerdir=/lower,upperdir=/upper/files,workdir=/upper/work overlay /new
for folder in proc sys dev; do
    $b mkdir -p /new/$folder
    $b mount --move /$folder /new/$folder
done
$b mount -t tmpfs run /new/run
$b mkdir -p /new/dev/shm /new/run/job
$b mount -t tmpfs shm /new/dev/shm
shared=$($b cat /job/shared)
$b mkdir -p "/new$shared"
$b mount -t 9p -o trans=virtio,version=9p2000.L,msize=524288,cache=mmap shared "/new$shared"
$b ip link set lo up
$b mount --move /job /new/run/job
$b chroot /new /bin/bash /run/job/run </new/dev/null >/new/run/job/out 2>/new/run/job/err
code=$?
cd /
$b sync
$b umount "/new$shared" || $b umount -l "/new$shared"
echo $code >/new/run/job/code
$b sync
$b poweroff -f
