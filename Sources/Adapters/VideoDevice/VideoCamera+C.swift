internal import CV4L2
import CoreMedia
import Foundation

extension VideoCamera {
    /// Cameras of this machine, also those that cannot be used, in the order of their nodes.
    public static func all() -> [VideoCamera] { all(in: KernelVideo()) }

    /// Cameras of a system. Of two with the same serial number both go by their place on the bus.
    package static func all(in system: any VideoSystem) -> [VideoCamera] {
        var cameras = system.paths().compactMap { path -> VideoCamera? in
            do throws(VideoDeviceError) { return try VideoCamera(path, in: system) } catch {
                guard error.code != .wrongKind, error.code != .missing else { return nil }
                var camera = VideoCamera(uniqueID: path, name: path, driver: "", bus: "", path: path)
                camera.problem = error
                return camera
            }
        }
        let ids = cameras.map(\.uniqueID)
        for index in cameras.indices where ids.count(where: { $0 == ids[index] }) > 1 { cameras[index].uniqueID = cameras[index].busID(ids[index]) }
        return cameras
    }

    /// Finds a camera by its identifier, its path, or a part of its name; throws `VideoDeviceError`, which lists the cameras there are.
    public static func find(_ text: String) throws(VideoDeviceError) -> VideoCamera { try find(text, in: KernelVideo()) }

    package static func find(_ text: String, in system: any VideoSystem) throws(VideoDeviceError) -> VideoCamera {
        let cameras = all(in: system)
        if text.hasPrefix("/") {
            if let camera = cameras.first(where: { $0.path == text }) { return try camera.usable }
            return try VideoCamera(text, in: system).usable
        }
        let exact = cameras.filter { $0.uniqueID == text || $0.name == text }
        let found = exact.isEmpty ? cameras.filter { $0.name.localizedCaseInsensitiveContains(text) } : exact
        if found.count == 1 { return try found[0].usable }
        if found.count > 1 {
            let list = found.map { "\($0.uniqueID) (\($0.name))" }.joined(separator: ", ")
            throw VideoDeviceError(.missing, text, "\(found.count) cameras match: \(list); give the identifier of one")
        }
        let list = cameras.isEmpty ? "no camera is plugged in" : "there are \(cameras.map { "\($0.uniqueID) (\($0.name))" }.joined(separator: ", "))"
        throw VideoDeviceError(.missing, text, "there is no such camera: \(list)")
    }

    /// The same camera as it is now, maybe under another node; throws `VideoDeviceError` where it is gone.
    package func located(in system: any VideoSystem = KernelVideo()) throws(VideoDeviceError) -> VideoCamera {
        if let found = Self.all(in: system).first(where: { $0.uniqueID == uniqueID }) { return try found.usable }
        if let found = try? VideoCamera(path, in: system), found.uniqueID == uniqueID { return try found.usable }
        throw VideoDeviceError(.missing, name, "is not plugged in")
    }

    private var usable: VideoCamera {
        get throws(VideoDeviceError) {
            if let problem { throw problem }
            return self
        }
    }

    private func busID(_ id: String) -> String { bus.isEmpty ? id : "\(bus)#\(id.split(separator: "#").last.map(String.init) ?? "0")" }

    /// Asks a node for all it says of itself; throws `VideoDeviceError`, of code `wrongKind` for a node that delivers no pictures.
    package init(_ path: String, in system: any VideoSystem) throws(VideoDeviceError) {
        let node = try system.open(path)
        defer { node.close() }
        let capability = try VideoCapability(of: node, path)
        guard let kind = capability.captureKind else {
            throw VideoDeviceError(.wrongKind, path, "\(capability.name) delivers no pictures")
        }
        let place = system.place(of: path)
        let identity = place.product.flatMap { product in place.serial.map { "usb-\(product)-\($0)" } } ?? capability.bus
        self.init(
            uniqueID: "\(identity.replacing(" ", with: "_"))#\(place.index)", name: capability.name, driver: capability.driver, bus: capability.bus,
            path: path)
        controls = Self.controls(of: node)
        modes = Self.modes(of: node, kind)
        if modes.isEmpty { problem = VideoDeviceError(.unsupported, path, "has no pixel format that can be converted to colour pictures") }
        if let signal = Self.missingSignal(of: node) { problem = VideoDeviceError(.noFrames, path, "its input has no \(signal): check the cable") }
    }

    private static func missingSignal(of node: any VideoNode) -> String? {
        var (number, input) = (Int32(0), v4l2_input())
        guard node.control(RF_G_INPUT, &number) == 0 else { return nil }
        input.index = UInt32(number)
        guard node.control(RF_ENUMINPUT, &input) == 0 else { return nil }
        if input.status & UInt32(V4L2_IN_ST_NO_POWER) != 0 { return "power" }
        return input.status & UInt32(V4L2_IN_ST_NO_SIGNAL) != 0 ? "signal" : nil
    }

    private static func controls(of node: any VideoNode) -> [Control] {
        var controls: [Control] = []
        var query = v4l2_queryctrl()
        query.id = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
        while controls.count < 512, node.control(RF_QUERYCTRL, &query) == 0 {
            let isValue = [V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_TYPE_BOOLEAN, V4L2_CTRL_TYPE_MENU].contains(v4l2_ctrl_type(query.type))
            if isValue, query.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0, query.minimum <= query.maximum {
                controls.append(
                    Control(
                        id: query.id, name: string(of: query.name), range: Int(query.minimum)...Int(query.maximum), step: max(Int(query.step), 1),
                        standard: Int(query.default_value), isReadOnly: query.flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0,
                        isVolatile: query.flags & UInt32(V4L2_CTRL_FLAG_VOLATILE) != 0))
            }
            query.id |= UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
        }
        return controls
    }

    private static func modes(of node: any VideoNode, _ kind: UInt32) -> [Mode] {
        var modes: [Mode] = []
        var description = v4l2_fmtdesc()
        description.type = kind
        while description.index < 256, node.control(RF_ENUM_FMT, &description) == 0 {
            let format = FourCC(rawValue: description.pixelformat)
            if PictureReader.canRead(format) || format == .z16 {
                for (width, height) in sizes(of: node, format, kind) where width % 2 == 0 && height % 2 == 0 {
                    let (durations, isRange) = frameDurations(of: node, format, width, height, kind)
                    modes.append(Mode(pixelFormat: format, width: width, height: height, frameDurations: durations, isRange: isRange))
                }
            }
            description.index += 1
        }
        let pictures = modes.filter { $0.pixelFormat != .z16 }
        return pictures.isEmpty ? modes : pictures
    }

    /// Sizes to choose from where any within limits can be had.
    private static let usualSizes = [
        (3840, 2160), (2560, 1440), (1920, 1080), (1280, 720), (960, 540), (848, 480), (640, 480), (640, 360), (320, 240), (320, 180),
    ]

    private static func sizes(of node: any VideoNode, _ format: FourCC, _ kind: UInt32) -> [(Int, Int)] {
        var sizes: [(Int, Int)] = []
        var size = v4l2_frmsizeenum()
        size.pixel_format = format.rawValue
        while size.index < 256, node.control(RF_ENUM_FRAMESIZES, &size) == 0 {
            guard size.type != V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
                sizes.append((Int(size.discrete.width), Int(size.discrete.height)))
                size.index += 1
                continue
            }
            let limits = size.stepwise
            func fits(_ value: Int, _ low: UInt32, _ high: UInt32, _ step: UInt32) -> Bool {
                value >= Int(low) && value <= Int(high) && (value - Int(low)) % max(Int(step), 1) == 0
            }
            let current = self.current(of: node, kind)
            return (usualSizes + [current].compactMap { $0 }).reduce(into: [(Int, Int)]()) { list, size in
                guard fits(size.0, limits.min_width, limits.max_width, limits.step_width),
                    fits(size.1, limits.min_height, limits.max_height, limits.step_height), !list.contains(where: { $0 == size })
                else { return }
                list.append(size)
            }
        }
        // A driver that lists none, as of an HDMI input, has the one that is set.
        return sizes.isEmpty ? [current(of: node, kind)].compactMap { $0 } : sizes
    }

    private static func current(of node: any VideoNode, _ kind: UInt32) -> (Int, Int)? {
        var format = v4l2_format()
        format.type = kind
        guard node.control(RF_G_FMT, &format) == 0 else { return nil }
        let picture = rf_get_format(&format)
        // A driver without a signal may tell 0 x 0.
        return picture.width > 0 && picture.height > 0 ? (Int(picture.width), Int(picture.height)) : nil
    }

    /// Durations of a frame, shortest first; where the driver lists none, that of the signal, else 1/30 s.
    private static func frameDurations(
        of node: any VideoNode, _ format: FourCC, _ width: Int, _ height: Int, _ kind: UInt32
    ) -> (durations: [CMTime], isRange: Bool) {
        var durations: [CMTime] = []
        var interval = v4l2_frmivalenum()
        (interval.pixel_format, interval.width, interval.height) = (format.rawValue, UInt32(width), UInt32(height))
        while interval.index < 256, node.control(RF_ENUM_FRAMEINTERVALS, &interval) == 0 {
            guard interval.type != V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
                if let duration = CMTime(interval.discrete) { durations.append(duration) }
                interval.index += 1
                continue
            }
            guard let shortest = CMTime(interval.stepwise.min), let longest = CMTime(interval.stepwise.max), shortest <= longest else { break }
            return ([shortest, longest], true)
        }
        if !durations.isEmpty { return (durations.sorted(), false) }
        var timings = v4l2_dv_timings()
        var (pixels, clock) = (UInt64(0), UInt64(0))
        if node.control(RF_G_DV_TIMINGS, &timings) == 0, rf_timing(&timings, &pixels, &clock) != 0 {
            return ([CMTime(value: Int64(pixels), timescale: Int32(clamping: clock)).inLowestTerms], false)
        }
        var parameters = v4l2_streamparm()
        parameters.type = kind
        let told = node.control(RF_G_PARM, &parameters) == 0 ? CMTime(parameters.parm.capture.timeperframe) : nil
        return ([told ?? CMTime(value: 1, timescale: 30)], false)
    }
}

/// Answer of a node to VIDIOC_QUERYCAP.
struct VideoCapability {
    let name: String
    let driver: String
    let bus: String
    private let flags: UInt32

    init(of node: any VideoNode, _ path: String) throws(VideoDeviceError) {
        var capability = v4l2_capability()
        let failure = node.control(RF_QUERYCAP, &capability)
        guard failure != ENOTTY, failure != EINVAL else { throw VideoDeviceError(.wrongKind, path, "is no video device") }
        guard failure == 0 else { throw VideoDeviceError(errno: failure, path, "be asked what it can do") }
        (name, driver, bus) = (string(of: capability.card), string(of: capability.driver), string(of: capability.bus_info))
        flags = capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0 ? capability.device_caps : capability.capabilities
    }

    /// Buffer type of captured pictures; nil for a node that streams none.
    var captureKind: UInt32? {
        kind(V4L2_CAP_VIDEO_CAPTURE, V4L2_BUF_TYPE_VIDEO_CAPTURE) ?? kind(V4L2_CAP_VIDEO_CAPTURE_MPLANE, V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE)
    }

    /// Buffer type of pictures that the node takes; nil for a node that takes none.
    var outputKind: UInt32? {
        kind(V4L2_CAP_VIDEO_OUTPUT, V4L2_BUF_TYPE_VIDEO_OUTPUT) ?? kind(V4L2_CAP_VIDEO_OUTPUT_MPLANE, V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE)
    }

    private func kind(_ capability: Int32, _ type: v4l2_buf_type) -> UInt32? {
        flags & UInt32(V4L2_CAP_STREAMING) != 0 && flags & UInt32(capability) != 0 ? type.rawValue : nil
    }
}

extension CMTime {
    /// Duration of a V4L2 fraction of a second; nil for none.
    init?(_ fraction: v4l2_fract) {
        guard fraction.numerator > 0, fraction.denominator > 0, fraction.denominator <= UInt32(Int32.max) else { return nil }
        self = CMTime(value: Int64(fraction.numerator), timescale: Int32(fraction.denominator)).inLowestTerms
    }
}

/// String of a C array of bytes, up to its zero.
func string<Bytes>(of bytes: Bytes) -> String {
    withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
