import Foundation

/// Maker of command queues.
public protocol MTLDevice: AnyObject, Sendable {
    /// Name of the device.
    var name: String { get }
    /// Makes a queue; never nil.
    func makeCommandQueue() -> (any MTLCommandQueue)?
}

/// Returns the device of this system, which only orders work; never nil.
public func MTLCreateSystemDefaultDevice() -> (any MTLDevice)? { HostDevice.shared }

/// Order in which command buffers run.
public protocol MTLCommandQueue: AnyObject, Sendable {
    /// Name for debugging; nil for none.
    var label: String? { get set }
    /// Device that made the queue.
    var device: any MTLDevice { get }
    /// Makes a buffer that runs when it is committed, after those committed before it; never nil.
    func makeCommandBuffer() -> (any MTLCommandBuffer)?
}

final class HostDevice: MTLDevice {
    static let shared = HostDevice()
    let name = "Host"

    func makeCommandQueue() -> (any MTLCommandQueue)? { HostCommandQueue(device: self) }
}
