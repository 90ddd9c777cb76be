import Foundation

/// Watch on the device nodes of this machine.
package enum DeviceWatch {
    /// Waits until a node appears, changes or goes, at most some milliseconds; false where none did, or nobody knows.
    @discardableResult
    package static func wait(milliseconds: Int32) -> Bool {
        let watch = inotify_init1(Int32(IN_CLOEXEC))
        defer { if watch >= 0 { close(watch) } }
        guard watch >= 0, inotify_add_watch(watch, "/dev", UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB)) >= 0 else {
            usleep(UInt32(milliseconds) * 1000)
            return false
        }
        var wanted = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, milliseconds) > 0
    }
}
