import CV4L2
import CoreMedia
import Foundation

@testable import VideoDevice

/// Driver of one camera that a test plays: it answers requests from its fields, and delivers the pictures and errors that are scripted, on a clock of its own.
final class PlayedDriver: VideoSystem, VideoNode, @unchecked Sendable {
    enum Sizes {
        case discrete([(Int, Int)])
        case stepwise(ClosedRange<Int>, ClosedRange<Int>, step: Int)
        case none
    }

    enum Intervals {
        case discrete([(Int, Int)])
        case continuous(shortest: (Int, Int), longest: (Int, Int))
        case none
    }

    /// Answer to VIDIOC_DQBUF.
    enum Event {
        case picture(sequence: UInt32, microseconds: Int64, isDamaged: Bool = false, planes: [[UInt8]])
        case failure(Int32)
        /// Nothing for two seconds.
        case silence
    }

    struct Control {
        var id: UInt32
        var name: String
        var range: ClosedRange<Int32>
        var standard: Int32
        var value: Int32
        var isVolatile = false
    }

    var nodes = ["/dev/video0"]
    var places: [String: VideoPlace] = [:]
    var refusals: [String: Int32] = [:]
    var card = "Played Camera"
    var bus = "usb-0000:00:14.0-1"
    var capabilities = V4L2_CAP_VIDEO_CAPTURE
    var formats: [FourCC] = [.yuyv]
    var sizes = Sizes.discrete([(16, 8)])
    var intervals = Intervals.discrete([(1, 30), (1, 15)])
    var planeSizes: [Int]?
    var colorspace = V4L2_COLORSPACE_SRGB.rawValue
    var controls: [Control] = []
    var inputStatus: UInt32 = 0
    var events: [Event] = []
    /// Size that S_FMT makes of every wish; nil for the wish itself.
    var onlySize: (UInt32, UInt32)?
    /// The one pixel format there is; nil for the wish itself.
    var onlyFormat: FourCC?
    var startFailure: Int32 = 0

    private(set) var format = v4l2_format()
    private(set) var interval = v4l2_fract(numerator: 1, denominator: 25)
    private(set) var isStreaming = false
    private(set) var openCount = 0
    private(set) var log: [String] = []
    private var queued: [UInt32] = []
    private var memory: [Int: UnsafeMutableRawPointer] = [:]
    private(set) var now: Int64 = 1_000_000_000

    var isOutput: Bool { capabilities & V4L2_CAP_VIDEO_OUTPUT != 0 }
    /// Pictures that an output device was given.
    private(set) var shown: [[UInt8]] = []
    var isMultiplanar: Bool { capabilities & V4L2_CAP_VIDEO_CAPTURE_MPLANE != 0 }
    var kind: UInt32 {
        isOutput ? V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue : (isMultiplanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE).rawValue
    }

    init() {
        format.type = kind
        rf_ask_format(&format, 640, 480, FourCC.nv12.rawValue)
    }

    deinit { for base in memory.values { base.deallocate() } }

    // MARK: system

    func paths() -> [String] { nodes }
    func place(of path: String) -> VideoPlace { places[path] ?? VideoPlace() }

    func open(_ path: String) throws(VideoDeviceError) -> any VideoNode {
        if let refusal = refusals[path] { throw VideoDeviceError.opening(path, errno: refusal, group: "video") }
        openCount += 1
        return self
    }

    // MARK: node

    func map(offset: Int, length: Int) -> UnsafeMutableRawPointer? { memory[offset] }
    func unmap(_ base: UnsafeMutableRawPointer, length: Int) { log.append("unmap") }
    func close() { openCount -= 1 }

    func wait(milliseconds: Int32) -> VideoReadiness {
        if case .silence = events.first ?? .silence {
            now += Int64(milliseconds) * 1_000_000
            if !events.isEmpty { events.removeFirst() }
            return .timedOut
        }
        return .ready
    }

    var current: rf_format { rf_get_format(&format) }

    func control(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        switch request {
        case RF_QUERYCAP: return edit(argument, as: v4l2_capability.self, capability)
        case RF_ENUM_FMT: return edit(argument, as: v4l2_fmtdesc.self, formatDescription)
        case RF_ENUM_FRAMESIZES: return edit(argument, as: v4l2_frmsizeenum.self, size)
        case RF_ENUM_FRAMEINTERVALS: return edit(argument, as: v4l2_frmivalenum.self, interval)
        case RF_G_INPUT:
            return edit(argument, as: Int32.self) {
                $0 = 0; return 0
            }
        case RF_ENUMINPUT:
            return edit(argument, as: v4l2_input.self) {
                $0.status = self.inputStatus; return 0
            }
        case RF_G_FMT: return edit(argument, as: v4l2_format.self, tellFormat)
        case RF_S_FMT: return edit(argument, as: v4l2_format.self, setFormat)
        case RF_G_PARM, RF_S_PARM: return edit(argument, as: v4l2_streamparm.self) { self.parameters(&$0, isSet: request == RF_S_PARM) }
        case RF_QUERYCTRL: return edit(argument, as: v4l2_queryctrl.self, describe)
        case RF_G_CTRL, RF_S_CTRL: return edit(argument, as: v4l2_control.self) { self.value(&$0, isSet: request == RF_S_CTRL) }
        case RF_REQBUFS:
            return edit(argument, as: v4l2_requestbuffers.self) {
                self.log.append("buffers \($0.count)"); return 0
            }
        case RF_QUERYBUF: return edit(argument, as: v4l2_buffer.self, describe)
        case RF_QBUF: return edit(argument, as: v4l2_buffer.self, queue)
        case RF_DQBUF: return edit(argument, as: v4l2_buffer.self, deliver)
        case RF_STREAMON:
            log.append("on")
            isStreaming = startFailure == 0
            return startFailure
        case RF_STREAMOFF:
            log.append("off")
            (isStreaming, queued) = (false, [])
            return 0
        default: return ENOTTY
        }
    }

    private func edit<Value>(_ argument: UnsafeMutableRawPointer, as type: Value.Type, _ body: (inout Value) -> Int32) -> Int32 {
        body(&argument.assumingMemoryBound(to: type).pointee)
    }

    private func capability(_ answer: inout v4l2_capability) -> Int32 {
        write(card, to: &answer.card)
        write("played", to: &answer.driver)
        write(bus, to: &answer.bus_info)
        answer.device_caps = UInt32(capabilities) | UInt32(V4L2_CAP_STREAMING)
        answer.capabilities = answer.device_caps | UInt32(V4L2_CAP_DEVICE_CAPS)
        return 0
    }

    private func formatDescription(_ answer: inout v4l2_fmtdesc) -> Int32 {
        guard answer.type == kind, Int(answer.index) < formats.count else { return EINVAL }
        answer.pixelformat = formats[Int(answer.index)].rawValue
        return 0
    }

    private func size(_ answer: inout v4l2_frmsizeenum) -> Int32 {
        switch sizes {
        case .none: return ENOTTY
        case .discrete(let sizes):
            guard Int(answer.index) < sizes.count else { return EINVAL }
            answer.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
            answer.discrete = .init(width: UInt32(sizes[Int(answer.index)].0), height: UInt32(sizes[Int(answer.index)].1))
        case .stepwise(let widths, let heights, let step):
            guard answer.index == 0 else { return EINVAL }
            answer.type = V4L2_FRMSIZE_TYPE_STEPWISE.rawValue
            answer.stepwise = .init(
                min_width: UInt32(widths.lowerBound), max_width: UInt32(widths.upperBound), step_width: UInt32(step),
                min_height: UInt32(heights.lowerBound), max_height: UInt32(heights.upperBound), step_height: UInt32(step))
        }
        return 0
    }

    private func interval(_ answer: inout v4l2_frmivalenum) -> Int32 {
        func fraction(_ value: (Int, Int)) -> v4l2_fract { v4l2_fract(numerator: UInt32(value.0), denominator: UInt32(value.1)) }
        switch intervals {
        case .none: return ENOTTY
        case .discrete(let all):
            guard Int(answer.index) < all.count else { return EINVAL }
            answer.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
            answer.discrete = fraction(all[Int(answer.index)])
        case .continuous(let shortest, let longest):
            guard answer.index == 0 else { return EINVAL }
            answer.type = V4L2_FRMIVAL_TYPE_CONTINUOUS.rawValue
            answer.stepwise = .init(min: fraction(shortest), max: fraction(longest), step: fraction((1, 1)))
        }
        return 0
    }

    private func tellFormat(_ answer: inout v4l2_format) -> Int32 {
        let type = answer.type
        answer = format
        answer.type = type
        return 0
    }

    private func setFormat(_ wish: inout v4l2_format) -> Int32 {
        guard wish.type == kind else { return EINVAL }
        let asked = rf_get_format(&wish)
        let (width, height) = onlySize ?? (asked.width, asked.height)
        let code = onlyFormat?.rawValue ?? asked.pixelformat
        rf_ask_format(&wish, width, height, code)
        let isYUYV = code == FourCC.yuyv.rawValue
        if !isMultiplanar { wish.fmt.pix.bytesperline = isYUYV ? 2 * width : code == FourCC.nv12.rawValue ? width : 0 }
        let pixels = Int(width * height)
        let sizes = planeSizes ?? [isYUYV ? pixels * 2 : pixels * 3 / 2]
        if isMultiplanar {
            wish.fmt.pix_mp.num_planes = UInt8(sizes.count)
            wish.fmt.pix_mp.colorspace = colorspace
        } else {
            wish.fmt.pix.sizeimage = UInt32(sizes[0])
            wish.fmt.pix.colorspace = colorspace
        }
        log.append("format \(width)x\(height) \(FourCC(rawValue: asked.pixelformat))")
        format = wish
        for (plane, size) in sizes.enumerated() {
            for buffer in 0..<4 where memory[buffer * 16 + plane] == nil {
                memory[buffer * 16 + plane] = .allocate(byteCount: max(size, 4096), alignment: 16)
            }
        }
        self.sizesInUse = sizes
        return 0
    }

    private var sizesInUse: [Int] = []

    private func parameters(_ answer: inout v4l2_streamparm, isSet: Bool) -> Int32 {
        if isSet {
            interval = answer.parm.capture.timeperframe
            log.append("rate \(interval.denominator)/\(interval.numerator)")
        }
        answer.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
        answer.parm.capture.timeperframe = interval
        return 0
    }

    private func describe(_ query: inout v4l2_queryctrl) -> Int32 {
        let after = query.id & ~UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
        guard let control = controls.sorted(by: { $0.id < $1.id }).first(where: { $0.id > after }) else { return EINVAL }
        query = v4l2_queryctrl()
        (query.id, query.type, query.minimum, query.maximum) = (
            control.id, V4L2_CTRL_TYPE_INTEGER.rawValue, control.range.lowerBound, control.range.upperBound
        )
        (query.step, query.default_value, query.flags) = (1, control.standard, control.isVolatile ? UInt32(V4L2_CTRL_FLAG_VOLATILE) : 0)
        write(control.name, to: &query.name)
        return 0
    }

    private func value(_ control: inout v4l2_control, isSet: Bool) -> Int32 {
        guard let index = controls.firstIndex(where: { $0.id == control.id }) else { return EINVAL }
        guard isSet else {
            control.value = controls[index].value
            return 0
        }
        guard controls[index].range.contains(control.value) else { return ERANGE }
        controls[index].value = control.value
        log.append("\(controls[index].name) \(control.value)")
        return 0
    }

    private func describe(_ buffer: inout v4l2_buffer) -> Int32 {
        if isMultiplanar {
            for (plane, size) in sizesInUse.enumerated() {
                buffer.m.planes[plane].length = UInt32(size)
                buffer.m.planes[plane].m.mem_offset = buffer.index * 16 + UInt32(plane)
            }
        } else {
            (buffer.length, buffer.m.offset) = (UInt32(sizesInUse[0]), buffer.index * 16)
        }
        return 0
    }

    private func queue(_ buffer: inout v4l2_buffer) -> Int32 {
        queued.append(buffer.index)
        guard isOutput, let memory = memory[Int(buffer.index) * 16] else { return 0 }
        shown.append([UInt8](UnsafeRawBufferPointer(start: memory, count: Int(buffer.bytesused))))
        return 0
    }

    private func deliver(_ buffer: inout v4l2_buffer) -> Int32 {
        guard let event = events.first, !queued.isEmpty else { return EAGAIN }
        events.removeFirst()
        guard case .picture(let sequence, let microseconds, let isDamaged, let planes) = event else {
            if case .failure(let number) = event { return number }
            return EAGAIN
        }
        buffer.index = queued.removeFirst()
        buffer.sequence = sequence
        buffer.timestamp = timeval(tv_sec: Int(microseconds / 1_000_000), tv_usec: Int(microseconds % 1_000_000))
        buffer.flags = UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) | (isDamaged ? UInt32(V4L2_BUF_FLAG_ERROR) : 0)
        now = microseconds * 1000
        for (number, bytes) in planes.enumerated() {
            memory[Int(buffer.index) * 16 + number]?.copyMemory(from: bytes, byteCount: bytes.count)
            if isMultiplanar {
                (buffer.m.planes[number].bytesused, buffer.m.planes[number].data_offset) = (UInt32(bytes.count), 0)
            } else {
                buffer.bytesused = UInt32(bytes.count)
            }
        }
        return 0
    }

    private func write<Bytes>(_ text: String, to bytes: inout Bytes) {
        withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: text.utf8.prefix($0.count - 1)) }
    }
}
