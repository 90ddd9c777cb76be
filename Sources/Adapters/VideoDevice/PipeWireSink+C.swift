internal import CPipeWire
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Virtual camera as a PipeWire node of class `Video/Source`, in NV12 or YUY2 as the other program likes. `close`, or the end of the sink, removes it.
public final class PipeWireSink: PictureSink {
    /// Name by which `webcam --to` and errors speak of it.
    public static let name = "pipewire"
    /// Whether this program was built with libpipewire.
    public static var isBuilt: Bool { rf_node_is_built() != 0 }

    private struct State: ~Copyable, @unchecked Sendable {
        var node: OpaquePointer?
    }

    private let width: Int
    private let height: Int
    private let state: Mutex<State>

    /// Makes a node for pictures of a size. Throws `VideoDeviceError` where this program knows no PipeWire, and where no daemon answers.
    ///
    /// - Parameter description: name for people, as other programs list it.
    public init(description: String, width: Int, height: Int, frameDuration: CMTime) throws(VideoDeviceError) {
        guard Self.isBuilt else {
            throw VideoDeviceError(
                .unsupported, Self.name, "this rackfocus was built without it: `apt-get install libpipewire-0.3-dev`, then build it again")
        }
        var failure: Int32 = 0
        let rate = frameDuration.inLowestTerms
        let node = rf_node_open(
            "rackfocus", description, UInt32(width), UInt32(height), UInt32(rate.timescale), UInt32(clamping: rate.value), &failure)
        guard let node else { throw VideoDeviceError(.missing, Self.name, "no PipeWire daemon of this user answers; start one", errno: failure) }
        (self.width, self.height) = (width, height)
        state = Mutex(State(node: node))
    }

    deinit { close() }

    /// Whether the node runs: a program is linked to it.
    public var isWatched: Bool? { state.withLock { $0.node.map { rf_node_wait($0, RF_NODE_FAILED, 0) == RF_NODE_WATCHED } ?? false } }

    /// Waits until the node runs, at most some milliseconds. Throws `VideoDeviceError` where the daemon has ended.
    public func waitForWatcher(milliseconds: Int) throws(VideoDeviceError) {
        let state = state.withLock { state in state.node.map { rf_node_wait($0, RF_NODE_UNWATCHED, Int32(milliseconds)) } }
        if state == RF_NODE_FAILED { throw Self.gone }
    }

    private static var gone: VideoDeviceError { VideoDeviceError(.disconnected, name, "the PipeWire daemon has ended") }

    /// Hands over a `420v` picture; false where nobody watches, or every buffer is in use. Throws `VideoDeviceError` for one of another size, and where the
    /// daemon has ended.
    @discardableResult
    public func write(_ picture: CVPixelBuffer, at time: CMTime) throws(VideoDeviceError) -> Bool {
        guard picture.size == (width, height) else {
            throw VideoDeviceError(
                .unsupported, Self.name, "takes pictures of \(width)x\(height), not of \(picture.size.width)x\(picture.size.height)")
        }
        return try state.withLock { state throws(VideoDeviceError) -> Bool in
            guard let node = state.node else { return false }
            guard rf_node_wait(node, RF_NODE_FAILED, 0) != RF_NODE_FAILED else { throw Self.gone }
            var memory = rf_memory()
            guard rf_node_begin(node, &memory) != 0 else { return false }
            PictureFilling.fill(memory.base, stride: memory.stride, memory.format == RF_NV12 ? .nv12 : .yuyv, from: picture)
            rf_node_commit(node, KernelVideo().now)
            return true
        }
    }

    /// Removes the node.
    public func close() {
        state.withLock { state in
            if let node = state.node { rf_node_close(node) }
            state.node = nil
        }
    }
}
