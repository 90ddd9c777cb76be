/// System calls on one video node: the kernel's, or those of a driver that a test plays.
package protocol VideoNode: AnyObject, Sendable {
    /// Performs a request of `<linux/videodev2.h>` on its argument; 0, or the errno with which it failed.
    func control(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32
    /// Maps a buffer of the driver into memory; nil where it cannot be.
    func map(offset: Int, length: Int) -> UnsafeMutableRawPointer?
    /// Ends a mapping of `map`.
    func unmap(_ base: UnsafeMutableRawPointer, length: Int)
    /// Waits for a buffer that is ready, at most some milliseconds.
    func wait(milliseconds: Int32) -> VideoReadiness
    /// Closes the node; no call follows.
    func close()
}

/// Outcome of a wait for a buffer.
package enum VideoReadiness: Sendable, Equatable {
    /// A buffer can be dequeued, or an error be asked for.
    case ready
    /// Nothing happened within the time.
    case timedOut
}

/// Video nodes of a machine.
package protocol VideoSystem: Sendable {
    /// Paths of the nodes there are, in the order of their numbers.
    func paths() -> [String]
    /// Opens a node for reading and writing; throws `VideoDeviceError`.
    func open(_ path: String) throws(VideoDeviceError) -> any VideoNode
    /// Properties of the hardware behind a node that its driver does not tell.
    func place(of path: String) -> VideoPlace
    /// Monotonic time in nanoseconds, the clock of the drivers' timestamps.
    var now: Int64 { get }
}

/// Place of a node's hardware: its identity on USB, and which of the hardware's nodes it is.
package struct VideoPlace: Sendable, Equatable {
    /// Vendor and product of a USB device, like `046d-0825`; nil for others.
    package var product: String?
    /// Serial number of a USB device; nil where it has none.
    package var serial: String?
    /// Number of the node among those of its hardware.
    package var index = 0

    package init(product: String? = nil, serial: String? = nil, index: Int = 0) {
        (self.product, self.serial, self.index) = (product, serial, index)
    }
}
