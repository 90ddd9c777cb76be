internal import CV4L2
import Foundation
import Support

/// Video node of the kernel.
final class KernelNode: VideoNode {
    private let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    func control(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        SystemCall.repeated { rf_ioctl(descriptor, request, argument) } == 0 ? 0 : errno
    }

    func map(offset: Int, length: Int) -> UnsafeMutableRawPointer? {
        let base = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(offset))
        return base == MAP_FAILED ? nil : base
    }

    func unmap(_ base: UnsafeMutableRawPointer, length: Int) { munmap(base, length) }

    /// An error of the node counts as readiness: the next request says which it is.
    func wait(milliseconds: Int32) -> VideoReadiness {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN | POLLOUT), revents: 0)
        return SystemCall.repeated { poll(&wanted, 1, milliseconds) } == 0 ? .timedOut : .ready
    }

    func close() { Foundation.close(descriptor) }
}

/// Video nodes of the kernel, `/dev/video*`.
package struct KernelVideo: VideoSystem {
    private static let tree = "/sys/class/video4linux"

    package init() {}

    package func paths() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
        return names.compactMap { name in name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil }.sorted().map { "/dev/video\($0)" }
    }

    package func open(_ path: String) throws(VideoDeviceError) -> any VideoNode {
        let descriptor = SystemCall.repeated { Foundation.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else {
            let number = errno
            throw .opening(path, errno: number, group: Self.group(of: path))
        }
        return KernelNode(descriptor: descriptor)
    }

    package func place(of path: String) -> VideoPlace {
        let node = "\(Self.tree)/\(URL(fileURLWithPath: path).lastPathComponent)"
        func text(_ name: String) -> String? {
            let text = try? String(contentsOfFile: "\(node)/\(name)", encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
            return text.flatMap { $0.isEmpty ? nil : $0 }
        }
        // The node hangs on an interface of the USB device.
        let product = text("device/../idVendor").flatMap { vendor in text("device/../idProduct").map { "\(vendor)-\($0)" } }
        return VideoPlace(product: product, serial: product == nil ? nil : text("device/../serial"), index: text("index").flatMap { Int($0) } ?? 0)
    }

    package var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func group(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, let group = getgrgid(status.st_gid) else { return nil }
        return String(cString: group.pointee.gr_name)
    }
}
