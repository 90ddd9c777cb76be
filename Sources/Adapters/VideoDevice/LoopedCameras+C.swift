internal import CV4L2
import Foundation
import Synchronization

/// Cameras in memory at true speed: drivers that deliver the same pictures over and over by the monotonic clock, for measurements on a machine without a
/// camera. A frame that finds no free buffer is lost, as a driver loses it.
package final class LoopedCameras: VideoSystem {
    /// One such camera.
    package struct Camera: Sendable {
        /// Path of its node.
        package var path = "/dev/video0"
        /// Name of the hardware.
        package var name = "Looped Camera"
        /// Place on the bus, the same for nodes of one piece of hardware; nil for one of its own.
        package var bus: String?
        /// Pixel format of its pictures.
        package var pixelFormat = FourCC.nv12
        /// Width in pixels, even.
        package var width: Int
        /// Height in pixels, even.
        package var height: Int
        /// Frames per second.
        package var rate: Int
        /// Pictures as the driver delivers them, at least one.
        package var pictures: [[UInt8]]
        /// Settings that the hardware has, by their V4L2 numbers; a value that is set has no effect on the pictures.
        package var controls: [UInt32: (name: String, range: ClosedRange<Int32>, standard: Int32)] = [:]

        /// Makes a camera of NV12 pictures.
        package init(width: Int, height: Int, rate: Int, pictures: [[UInt8]]) {
            (self.width, self.height, self.rate, self.pictures) = (width, height, rate, pictures)
        }
    }

    private let cameras: [Camera]
    private let settings: [String: LoopedSettings]

    /// Makes cameras, each with a path of its own.
    package init(_ cameras: [Camera]) {
        self.cameras = cameras
        settings = Dictionary(uniqueKeysWithValues: cameras.map { ($0.path, LoopedSettings($0)) })
    }

    /// Value of a control of the camera at a path; nil where it has none.
    package func value(of control: UInt32, at path: String) -> Int32? { settings[path]?.values.withLock { $0[control] } }

    /// Pulls a camera out, or plugs it in again.
    package func setPlugged(_ isPlugged: Bool, _ path: String) { settings[path]?.isGone.withLock { $0 = !isPlugged } }

    package func paths() -> [String] { cameras.map(\.path).filter { settings[$0]?.isGone.withLock { $0 } == false } }
    package func place(of path: String) -> VideoPlace { VideoPlace(index: cameras.firstIndex { $0.path == path } ?? 0) }
    package var now: Int64 { KernelVideo().now }

    package func open(_ path: String) throws(VideoDeviceError) -> any VideoNode {
        guard let camera = cameras.first(where: { $0.path == path }), let settings = settings[path], !settings.isGone.withLock({ $0 })
        else {
            throw .opening(path, errno: ENOENT, group: nil)
        }
        return LoopedNode(camera, settings)
    }
}

/// State of a camera that outlives its nodes: values of its controls, and whether it is pulled out.
private final class LoopedSettings: Sendable {
    let values: Mutex<[UInt32: Int32]>
    let isGone = Mutex(false)

    init(_ camera: LoopedCameras.Camera) { values = Mutex(camera.controls.mapValues(\.standard)) }
}

/// Open node of a camera in memory.
private final class LoopedNode: VideoNode {
    private struct State: ~Copyable, @unchecked Sendable {
        var memory: [UnsafeMutableRawPointer] = []
        var queued: [UInt32] = []
        var filled: [(buffer: UInt32, sequence: UInt32)] = []
        var sequence: UInt32 = 0
        /// Time of the stream's start; nil while it stands.
        var start: Int64?

        deinit { for base in memory { base.deallocate() } }
    }

    private let camera: LoopedCameras.Camera
    private let settings: LoopedSettings
    private let size: Int
    private let state = Mutex(State())

    init(_ camera: LoopedCameras.Camera, _ settings: LoopedSettings) {
        (self.camera, self.settings, size) = (camera, settings, camera.pictures[0].count)
    }

    func map(offset: Int, length: Int) -> UnsafeMutableRawPointer? { state.withLock { $0.memory[offset] } }
    func unmap(_ base: UnsafeMutableRawPointer, length: Int) {}
    func close() {}

    func wait(milliseconds: Int32) -> VideoReadiness {
        let deadline = KernelVideo().now + Int64(milliseconds) * 1_000_000
        while true {
            let (isReady, next) = state.withLock { state in
                fill(&state)
                return (!state.filled.isEmpty, due(state.sequence, state.start ?? deadline))
            }
            let now = KernelVideo().now
            if isReady || settings.isGone.withLock({ $0 }) { return .ready }
            guard now < deadline else { return .timedOut }
            let rest = max(min(next, deadline) - now, 0)
            var pause = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
            nanosleep(&pause, nil)
        }
    }

    private func due(_ sequence: UInt32, _ start: Int64) -> Int64 { start + Int64(sequence + 1) * 1_000_000_000 / Int64(camera.rate) }

    /// Fills free buffers with the frames whose time has come; those that find none are lost.
    private func fill(_ state: inout State) {
        guard let start = state.start else { return }
        while due(state.sequence, start) <= KernelVideo().now {
            if !state.queued.isEmpty { state.filled.append((state.queued.removeFirst(), state.sequence)) }
            state.sequence += 1
        }
    }

    func control(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        guard !settings.isGone.withLock({ $0 }) else { return ENODEV }
        return state.withLock { state in
            switch request {
            case RF_QUERYCAP: return edit(argument, as: v4l2_capability.self, describe)
            case RF_ENUM_FMT:
                return edit(argument, as: v4l2_fmtdesc.self) { answer in
                    guard answer.index == 0, answer.type == V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue else { return EINVAL }
                    answer.pixelformat = camera.pixelFormat.rawValue
                    return 0
                }
            case RF_ENUM_FRAMESIZES:
                return edit(argument, as: v4l2_frmsizeenum.self) { answer in
                    guard answer.index == 0 else { return EINVAL }
                    answer.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
                    answer.discrete = .init(width: UInt32(camera.width), height: UInt32(camera.height))
                    return 0
                }
            case RF_ENUM_FRAMEINTERVALS:
                return edit(argument, as: v4l2_frmivalenum.self) { answer in
                    guard answer.index == 0 else { return EINVAL }
                    answer.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
                    answer.discrete = .init(numerator: 1, denominator: UInt32(camera.rate))
                    return 0
                }
            case RF_G_FMT, RF_S_FMT: return edit(argument, as: v4l2_format.self, describe)
            case RF_QUERYCTRL: return edit(argument, as: v4l2_queryctrl.self, describe)
            case RF_G_CTRL, RF_S_CTRL:
                return edit(argument, as: v4l2_control.self) { control in
                    guard let range = camera.controls[control.id]?.range else { return EINVAL }
                    if request == RF_S_CTRL { control.value = min(max(control.value, range.lowerBound), range.upperBound) }
                    return settings.values.withLock { values in
                        if request == RF_S_CTRL { values[control.id] = control.value } else { control.value = values[control.id] ?? 0 }
                        return 0
                    }
                }
            case RF_REQBUFS: return edit(argument, as: v4l2_requestbuffers.self) { allocate($0.count, &state) }
            case RF_QUERYBUF:
                return edit(argument, as: v4l2_buffer.self) { buffer in
                    (buffer.length, buffer.m.offset) = (UInt32(size), buffer.index)
                    return 0
                }
            case RF_QBUF:
                return edit(argument, as: v4l2_buffer.self) { buffer in
                    fill(&state)
                    state.queued.append(buffer.index)
                    return 0
                }
            case RF_DQBUF: return edit(argument, as: v4l2_buffer.self) { deliver(&$0, &state) }
            case RF_STREAMON:
                (state.start, state.sequence) = (KernelVideo().now, 0)
                return 0
            case RF_STREAMOFF:
                (state.start, state.queued, state.filled) = (nil, [], [])
                return 0
            default: return ENOTTY
            }
        }
    }

    private func edit<Value>(_ argument: UnsafeMutableRawPointer, as type: Value.Type, _ body: (inout Value) -> Int32) -> Int32 {
        body(&argument.assumingMemoryBound(to: type).pointee)
    }

    private func allocate(_ count: UInt32, _ state: inout State) -> Int32 {
        for base in state.memory { base.deallocate() }
        state.memory = (0..<count).map { _ in .allocate(byteCount: size, alignment: 4096) }
        return 0
    }

    private func deliver(_ buffer: inout v4l2_buffer, _ state: inout State) -> Int32 {
        guard !state.filled.isEmpty, let start = state.start else { return EAGAIN }
        let (index, sequence) = state.filled.removeFirst()
        let picture = camera.pictures[Int(sequence) % camera.pictures.count]
        state.memory[Int(index)].copyMemory(from: picture, byteCount: min(picture.count, size))
        let time = due(sequence, start)
        (buffer.index, buffer.sequence, buffer.bytesused) = (index, sequence, UInt32(size))
        buffer.timestamp = timeval(tv_sec: Int(time / 1_000_000_000), tv_usec: Int(time % 1_000_000_000 / 1000))
        buffer.flags = UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        return 0
    }

    private func describe(_ query: inout v4l2_queryctrl) -> Int32 {
        let last = query.id & ~UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
        guard let id = camera.controls.keys.sorted().first(where: { $0 > last }), let control = camera.controls[id] else { return EINVAL }
        query = v4l2_queryctrl()
        (query.id, query.type, query.step) = (id, V4L2_CTRL_TYPE_INTEGER.rawValue, 1)
        (query.minimum, query.maximum, query.default_value) = (control.range.lowerBound, control.range.upperBound, control.standard)
        write(control.name, to: &query.name)
        return 0
    }

    private func describe(_ answer: inout v4l2_capability) -> Int32 {
        write(camera.name, to: &answer.card)
        write("looped", to: &answer.driver)
        write(camera.bus ?? "memory:\(camera.path)", to: &answer.bus_info)
        answer.device_caps = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
        answer.capabilities = answer.device_caps | UInt32(V4L2_CAP_DEVICE_CAPS)
        return 0
    }

    private func describe(_ answer: inout v4l2_format) -> Int32 {
        rf_ask_format(&answer, UInt32(camera.width), UInt32(camera.height), camera.pixelFormat.rawValue)
        answer.fmt.pix.colorspace = V4L2_COLORSPACE_REC709.rawValue
        answer.fmt.pix.bytesperline = UInt32(camera.pixelFormat == .nv12 ? camera.width : 2 * camera.width)
        answer.fmt.pix.sizeimage = UInt32(size)
        return 0
    }

    private func write<Bytes>(_ text: String, to bytes: inout Bytes) {
        withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: text.utf8.prefix($0.count - 1)) }
    }
}
