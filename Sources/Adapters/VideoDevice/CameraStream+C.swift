internal import CV4L2
import CoreMedia
import Foundation
import Pipeline

/// Pictures as the driver delivers them in one mode.
struct StreamFormat: Equatable {
    var pixelFormat: FourCC
    var width: Int
    var height: Int
    /// Bytes from one row to the next, of each plane of memory.
    var strides: [Int]
    var matrix = YCbCrConversion.Matrix.bt601
    var isFullRange = false
}

/// Buffers between a driver and the program, memory-mapped, while it streams. Not for several threads.
///
///     open ──start──► streaming ──stop──► closed: format, rate and controls as they were before
///                        └──restart──┘
final class CameraStream {
    let path: String
    let node: any VideoNode
    let format: StreamFormat
    /// Duration of a frame as the driver has set it.
    let frameDuration: CMTime
    private let kind: UInt32
    private let system: any VideoSystem
    /// Format and parameters from before; nil where the driver told none.
    private let before: (format: v4l2_format, parameters: v4l2_streamparm?)?
    private let planeCount: Int
    /// Mapped buffers, a piece of memory for each plane.
    private var buffers: [[UnsafeMutableRawBufferPointer]] = []
    private var isStreaming = false
    private var isClosed = false

    /// Picture in a buffer that the program holds, until `release`.
    struct Captured {
        let buffer: Int
        let sequence: UInt32
        /// Monotonic nanoseconds.
        let timestamp: Int64
        /// Whether the driver flagged the data as damaged.
        let isDamaged: Bool
        let picture: PictureReader.Source
    }

    /// Number of buffers: one is filled, one waits, and the program may hold one while it is late by one.
    private static let bufferCount: UInt32 = 4

    /// Opens a camera in a mode; throws `VideoDeviceError` where it is gone, in use, or does not do as it said.
    init(_ camera: VideoCamera, mode: VideoCamera.Mode, frameDuration wanted: CMTime, system: any VideoSystem) throws(VideoDeviceError) {
        let (path, node) = (camera.path, try system.open(camera.path))
        var isOpen = false
        defer { if !isOpen { node.close() } }
        guard let kind = try VideoCapability(of: node, path).captureKind else { throw VideoDeviceError(.wrongKind, path, "delivers no pictures") }
        var old = v4l2_format()
        old.type = kind
        var parameters = v4l2_streamparm()
        parameters.type = kind
        let hasParameters = node.control(RF_G_PARM, &parameters) == 0
        let before = node.control(RF_G_FMT, &old) == 0 ? (old, hasParameters ? parameters : nil) : nil

        var new = old
        new.type = kind
        rf_ask_format(&new, UInt32(mode.width), UInt32(mode.height), mode.pixelFormat.rawValue)
        let failure = node.control(RF_S_FMT, &new)
        guard failure == 0 else { throw VideoDeviceError(errno: failure, path, "set the format \(mode.width)x\(mode.height) \(mode.pixelFormat)") }
        // A refusal below leaves the camera as it was; the rate is not set yet.
        defer { if !isOpen, var former = before?.0 { _ = node.control(RF_S_FMT, &former) } }
        let got = rf_get_format(&new)
        guard got.width == mode.width, got.height == mode.height, got.pixelformat == mode.pixelFormat.rawValue else {
            let name = FourCC(rawValue: got.pixelformat)
            throw VideoDeviceError(
                .unsupported, path, "gave \(got.width)x\(got.height) \(name) instead of \(mode.width)x\(mode.height) \(mode.pixelFormat)")
        }
        guard ![V4L2_FIELD_ALTERNATE, V4L2_FIELD_SEQ_TB, V4L2_FIELD_SEQ_BT].map(\.rawValue).contains(got.field) else {
            throw VideoDeviceError(.unsupported, path, "delivers fields one after the other, which are not woven here; choose progressive video")
        }
        let format = StreamFormat(
            pixelFormat: mode.pixelFormat, width: mode.width, height: mode.height, strides: [got.stride.0, got.stride.1, got.stride.2].map(Int.init),
            matrix: .init(encoding: got.ycbcr_enc), isFullRange: got.quantization == V4L2_QUANTIZATION_FULL_RANGE.rawValue)
        var frameDuration = mode.frameDuration(nearest: wanted)
        parameters.parm.capture.timeperframe = v4l2_fract(
            numerator: UInt32(frameDuration.value), denominator: UInt32(frameDuration.timescale))
        if hasParameters, parameters.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0, node.control(RF_S_PARM, &parameters) == 0,
            let told = CMTime(parameters.parm.capture.timeperframe)
        {
            frameDuration = told
        }
        isOpen = true
        (self.path, self.node, self.kind, self.system, self.before, planeCount) = (path, node, kind, system, before, Int(got.planes))
        (self.format, self.frameDuration) = (format, frameDuration)
    }

    /// Maps the buffers and lets the driver fill them.
    func start() throws(VideoDeviceError) {
        var request = v4l2_requestbuffers()
        (request.count, request.type, request.memory) = (Self.bufferCount, kind, V4L2_MEMORY_MMAP.rawValue)
        try check(node.control(RF_REQBUFS, &request), "get buffers")
        guard request.count >= 2 else { throw VideoDeviceError(.failed, path, "has no memory for two pictures") }
        for index in 0..<request.count { try map(index) }
        try stream()
    }

    private func stream() throws(VideoDeviceError) {
        for index in buffers.indices { try check(queue(index), "hand over a buffer") }
        var type = kind
        try check(node.control(RF_STREAMON, &type), "start streaming")
        isStreaming = true
    }

    /// Stops and starts the stream, by which a driver recovers from an error; throws where it does not.
    func restart() throws(VideoDeviceError) {
        var type = kind
        try check(node.control(RF_STREAMOFF, &type), "stop streaming")
        isStreaming = false
        try stream()
    }

    private func map(_ index: UInt32) throws(VideoDeviceError) {
        var pieces: [(offset: Int, length: Int)] = []
        let failure = withBuffer(index) { buffer in
            let failure = node.control(RF_QUERYBUF, &buffer)
            guard failure == 0 else { return failure }
            pieces =
                isMultiplanar
                ? (0..<planeCount).map { (Int(buffer.m.planes[$0].m.mem_offset), Int(buffer.m.planes[$0].length)) }
                : [(Int(buffer.m.offset), Int(buffer.length))]
            return 0
        }
        try check(failure, "ask for a buffer")
        var mapped: [UnsafeMutableRawBufferPointer] = []
        buffers.append([])
        for piece in pieces {
            guard let base = node.map(offset: piece.offset, length: piece.length) else {
                throw VideoDeviceError(.failed, path, "cannot map a buffer", errno: errno)
            }
            mapped.append(UnsafeMutableRawBufferPointer(start: base, count: piece.length))
            buffers[buffers.count - 1] = mapped
        }
    }

    /// Waits for the next picture, at most some milliseconds; nil after that.
    func next(milliseconds: Int32) throws(VideoDeviceError) -> Captured? {
        let deadline = system.now + Int64(milliseconds) * 1_000_000
        while true {
            let left = (deadline - system.now) / 1_000_000
            guard left > 0, node.wait(milliseconds: Int32(left)) == .ready else { return nil }
            var captured: Captured?
            let failure = withBuffer(0) { buffer in
                let failure = node.control(RF_DQBUF, &buffer)
                if failure == 0 { captured = read(buffer) }
                return failure
            }
            if failure == 0 { return captured }
            // Ready, and then nothing there: a driver that wakes too many.
            if failure == EAGAIN { usleep(500) } else { try check(failure, "take a picture") }
        }
    }

    private func read(_ buffer: v4l2_buffer) -> Captured {
        let memory = buffers[Int(buffer.index)]
        let planes = memory.enumerated().map { number, plane in
            guard isMultiplanar else { return UnsafeRawBufferPointer(rebasing: plane.prefix(Int(buffer.bytesused))) }
            let used = buffer.m.planes[number]
            return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(plane).prefix(Int(used.bytesused)).dropFirst(Int(used.data_offset)))
        }
        let isMonotonic = buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        let timestamp = Int64(buffer.timestamp.tv_sec) * 1_000_000_000 + Int64(buffer.timestamp.tv_usec) * 1000
        return Captured(
            buffer: Int(buffer.index), sequence: buffer.sequence, timestamp: isMonotonic ? timestamp : system.now,
            isDamaged: buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0,
            picture: .init(
                pixelFormat: format.pixelFormat, width: format.width, height: format.height, strides: format.strides, planes: planes))
    }

    /// Hands a buffer back to the driver, whose picture must not be read any more.
    func release(_ captured: Captured) throws(VideoDeviceError) { try check(queue(captured.buffer), "hand over a buffer") }

    private func queue(_ index: Int) -> Int32 { withBuffer(UInt32(index)) { node.control(RF_QBUF, &$0) } }

    private var isMultiplanar: Bool { kind == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue }

    private func withBuffer(_ index: UInt32, _ body: (inout v4l2_buffer) -> Int32) -> Int32 {
        var buffer = v4l2_buffer()
        (buffer.index, buffer.type, buffer.memory) = (index, kind, V4L2_MEMORY_MMAP.rawValue)
        guard isMultiplanar else { return body(&buffer) }
        var planes = [v4l2_plane](repeating: v4l2_plane(), count: Int(VIDEO_MAX_PLANES))
        return planes.withUnsafeMutableBufferPointer { planes in
            (buffer.m.planes, buffer.length) = (planes.baseAddress, UInt32(planes.count))
            return body(&buffer)
        }
    }

    private func check(_ failure: Int32, _ action: String) throws(VideoDeviceError) {
        if failure != 0 { throw VideoDeviceError(errno: failure, path, action) }
    }

    /// Stops the stream, and leaves format and rate as they were before; does nothing the second time.
    func stop() {
        guard !isClosed else { return }
        isClosed = true
        var type = kind
        if isStreaming { _ = node.control(RF_STREAMOFF, &type) }
        for plane in buffers.joined() { node.unmap(plane.baseAddress!, length: plane.count) }
        if !buffers.isEmpty {
            var request = v4l2_requestbuffers()
            (request.type, request.memory) = (kind, V4L2_MEMORY_MMAP.rawValue)
            _ = node.control(RF_REQBUFS, &request)
        }
        if var before {
            _ = node.control(RF_S_FMT, &before.format)
            if var parameters = before.parameters { _ = node.control(RF_S_PARM, &parameters) }
        }
        node.close()
    }

    deinit { stop() }
}

extension YCbCrConversion.Matrix {
    /// Matrix of a V4L2 encoding.
    init(encoding: UInt32) {
        switch encoding {
        case V4L2_YCBCR_ENC_709.rawValue, V4L2_YCBCR_ENC_XV709.rawValue: self = .bt709
        case V4L2_YCBCR_ENC_BT2020.rawValue, V4L2_YCBCR_ENC_BT2020_CONST_LUM.rawValue: self = .bt2020
        default: self = .bt601
        }
    }
}
