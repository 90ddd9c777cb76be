import Foundation

/// Watch on a folder of device nodes, from its making on.
package final class DeviceWatch: Sendable {
    /// Inotify instance; negative where there is none.
    private let descriptor: Int32

    package init(_ folder: String = "/dev") {
        let instance = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        let isWatching = instance >= 0 && inotify_add_watch(instance, folder, UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB)) >= 0
        if instance >= 0, !isWatching { close(instance) }
        descriptor = isWatching ? instance : -1
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Waits until a node has appeared, changed or gone since the last wait, at most some milliseconds; false where none did. Where the system does not
    /// tell, true after that time. A signal ends the wait.
    @discardableResult
    package func wait(milliseconds: Int32) -> Bool {
        guard descriptor >= 0 else {
            usleep(UInt32(milliseconds) * 1000)
            return true
        }
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wanted, 1, milliseconds) > 0 else { return false }
        var events = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &events, events.count) > 0 {}
        return true
    }
}
