internal import CV4L2
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Virtual camera: a V4L2 output device, as v4l2loopback makes one, into which `420v` pictures go; other programs see a camera.
///
/// A picture that finds no free buffer is left out: whoever watches is late. `close`, or the end of the sink, frees the device.
public final class VideoSink: PictureSink {
    /// Path of the node.
    public let path: String
    /// Width of its pictures in pixels.
    public let width: Int
    /// Height of its pictures in pixels.
    public let height: Int
    /// Pixel format of the device: NV12, else YUYV.
    public let pixelFormat: FourCC
    private let state: Mutex<State>

    private struct State: @unchecked Sendable {
        let node: any VideoNode
        var buffers: [UnsafeMutableRawBufferPointer] = []
        var free: [Int] = []
        var stride: Int
        var isClosed = false
        var frames = 0
        var dropped = 0
    }

    /// Opens an output device for pictures of a size; throws `VideoDeviceError` where it takes none of that size, or is a camera.
    public convenience init(_ path: String, width: Int, height: Int, frameDuration: CMTime) throws(VideoDeviceError) {
        try self.init(path, width: width, height: height, frameDuration: frameDuration, in: KernelVideo())
    }

    package init(_ path: String, width: Int, height: Int, frameDuration: CMTime, in system: any VideoSystem) throws(VideoDeviceError) {
        let node: any VideoNode
        do throws(VideoDeviceError) { node = try system.open(path) } catch {
            guard error.code == .missing else { throw error }
            throw VideoDeviceError(.missing, path, "there is no such device; \(Self.remedy)", errno: error.errorNumber)
        }
        do throws(VideoDeviceError) {
            let (format, stride) = try Self.setFormat(node, path, width, height)
            try Self.setRate(node, frameDuration)
            var state = State(node: node, stride: stride)
            try Self.map(&state, path)
            (self.path, self.width, self.height, pixelFormat) = (path, width, height, format)
            self.state = Mutex(state)
        } catch {
            node.close()
            throw error
        }
    }

    deinit { close() }

    private static let kind = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
    private static let remedy = "v4l2loopback makes one that takes pictures: `sudo modprobe v4l2loopback exclusive_caps=1`"

    private static func setFormat(
        _ node: any VideoNode, _ path: String, _ width: Int, _ height: Int
    ) throws(VideoDeviceError) -> (format: FourCC, stride: Int) {
        guard try VideoCapability(of: node, path).outputKind == kind else {
            throw VideoDeviceError(
                .wrongKind, path, "takes no pictures; \(remedy)")
        }
        var told = ""
        for wanted in [FourCC.nv12, .yuyv] {
            var format = v4l2_format()
            format.type = kind
            _ = node.control(RF_G_FMT, &format)
            rf_ask_format(&format, UInt32(width), UInt32(height), wanted.rawValue)
            rf_tag_bt709(&format)
            let failure = node.control(RF_S_FMT, &format)
            guard failure == 0 else {
                if failure == EBUSY { throw VideoDeviceError(errno: failure, path, "set the format") }
                continue
            }
            let got = rf_get_format(&format)
            if got.width == width, got.height == height, got.pixelformat == wanted.rawValue { return (wanted, Int(got.stride.0)) }
            told = "; it takes \(got.width)x\(got.height) \(FourCC(rawValue: got.pixelformat))"
        }
        throw VideoDeviceError(.unsupported, path, "takes no \(width)x\(height) in NV12 or YUYV\(told)")
    }

    private static func setRate(_ node: any VideoNode, _ frameDuration: CMTime) throws(VideoDeviceError) {
        var parameters = v4l2_streamparm()
        parameters.type = kind
        guard node.control(RF_G_PARM, &parameters) == 0, let numerator = UInt32(exactly: frameDuration.value) else { return }
        parameters.parm.output.timeperframe = v4l2_fract(numerator: numerator, denominator: UInt32(frameDuration.timescale))
        _ = node.control(RF_S_PARM, &parameters)
    }

    private static func map(_ state: inout State, _ path: String) throws(VideoDeviceError) {
        var isStreaming = false
        defer { if !isStreaming { unmap(state) } }
        var request = v4l2_requestbuffers()
        (request.count, request.type, request.memory) = (4, kind, V4L2_MEMORY_MMAP.rawValue)
        let failure = state.node.control(RF_REQBUFS, &request)
        guard failure == 0 else { throw VideoDeviceError(errno: failure, path, "get buffers") }
        for index in 0..<request.count {
            var buffer = v4l2_buffer()
            (buffer.index, buffer.type, buffer.memory) = (index, kind, V4L2_MEMORY_MMAP.rawValue)
            let failure = state.node.control(RF_QUERYBUF, &buffer)
            guard failure == 0, let base = state.node.map(offset: Int(buffer.m.offset), length: Int(buffer.length)) else {
                throw VideoDeviceError(errno: failure == 0 ? ENOMEM : failure, path, "map a buffer")
            }
            state.buffers.append(UnsafeMutableRawBufferPointer(start: base, count: Int(buffer.length)))
            state.free.append(Int(index))
        }
        var type = kind
        let refusal = state.node.control(RF_STREAMON, &type)
        guard refusal == 0 else { throw VideoDeviceError(errno: refusal, path, "start streaming") }
        isStreaming = true
    }

    private static func unmap(_ state: State) {
        for buffer in state.buffers { state.node.unmap(buffer.baseAddress!, length: buffer.count) }
    }

    /// Pictures handed over, and those left out.
    public var figures: (frames: Int, dropped: Int) { state.withLock { ($0.frames, $0.dropped) } }

    /// Nil: the kernel does not tell.
    public var isWatched: Bool? { nil }
    /// Returns at once.
    public func waitForWatcher(milliseconds: Int) {}

    /// Hands over a `420v` picture; false for one that is left out. Throws `VideoDeviceError` for one of another size, or when the device fails.
    @discardableResult
    public func write(_ picture: CVPixelBuffer, at time: CMTime) throws(VideoDeviceError) -> Bool {
        try state.withLock { state throws(VideoDeviceError) -> Bool in
            guard !state.isClosed else { return false }
            guard picture.size == (width, height) else {
                throw VideoDeviceError(
                    .unsupported, path, "takes pictures of \(width)x\(height), not of \(picture.size.width)x\(picture.size.height)")
            }
            try reclaim(&state)
            guard let index = state.free.popLast() else {
                state.dropped += 1
                return false
            }
            let length = PictureFilling.length(pixelFormat, width: width, height: height, stride: state.stride)
            guard let length, state.buffers[index].count >= length else {
                throw VideoDeviceError(
                    .failed, path,
                    "has buffers of \(state.buffers[index].count) bytes with rows of \(state.stride), too small for \(width)x\(height) \(pixelFormat)"
                )
            }
            PictureFilling.fill(
                state.buffers[index].baseAddress!.assumingMemoryBound(to: UInt8.self), stride: state.stride, pixelFormat, from: picture)
            var buffer = v4l2_buffer()
            (buffer.index, buffer.type, buffer.memory) = (UInt32(index), Self.kind, V4L2_MEMORY_MMAP.rawValue)
            buffer.bytesused = UInt32(length)
            buffer.field = V4L2_FIELD_NONE.rawValue
            let microseconds = Int64(time.seconds * 1e6)
            buffer.timestamp = timeval(tv_sec: Int(microseconds / 1_000_000), tv_usec: Int(microseconds % 1_000_000))
            let failure = state.node.control(RF_QBUF, &buffer)
            guard failure == 0 else { throw VideoDeviceError(errno: failure, path, "take a picture") }
            state.frames += 1
            return true
        }
    }

    /// Takes back the buffers that the device is done with.
    private func reclaim(_ state: inout State) throws(VideoDeviceError) {
        while state.free.count < state.buffers.count {
            var buffer = v4l2_buffer()
            (buffer.type, buffer.memory) = (Self.kind, V4L2_MEMORY_MMAP.rawValue)
            let failure = state.node.control(RF_DQBUF, &buffer)
            if failure == EAGAIN { return }
            guard failure == 0 else { throw VideoDeviceError(errno: failure, path, "give a buffer back") }
            state.free.append(Int(buffer.index))
        }
    }

    /// Stops the stream and frees the device.
    public func close() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            var type = Self.kind
            _ = state.node.control(RF_STREAMOFF, &type)
            Self.unmap(state)
            var request = v4l2_requestbuffers()
            (request.type, request.memory) = (Self.kind, V4L2_MEMORY_MMAP.rawValue)
            _ = state.node.control(RF_REQBUFS, &request)
            state.node.close()
        }
    }
}
