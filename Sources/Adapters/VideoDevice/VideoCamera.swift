import CoreMedia
import Foundation

/// Camera as its driver describes it.
public struct VideoCamera: Sendable, Equatable {
    /// Identifier that stays the same over restarts and ports: USB product and serial number, else the place on the bus.
    public internal(set) var uniqueID: String
    /// Name of the hardware, to show to people.
    public internal(set) var name: String
    /// Name of the kernel's driver.
    public internal(set) var driver: String
    /// Place on the bus, like `usb-0000:00:14.0-1`.
    public internal(set) var bus: String
    /// Path of the node now; another one after the next plug.
    public internal(set) var path: String
    /// Modes that can be filmed with, as the driver lists them.
    public internal(set) var modes: [Mode] = []
    /// Settings of the hardware, as the driver lists them.
    public internal(set) var controls: [Control] = []
    /// Reason for which it cannot be used; nil for a camera that can.
    public internal(set) var problem: VideoDeviceError?

    /// Pixel format, size and rates.
    public struct Mode: Sendable, Equatable {
        /// Pixel format of the driver.
        public var pixelFormat: FourCC
        /// Width in pixels, even.
        public var width: Int
        /// Height in pixels, even.
        public var height: Int
        /// Durations of a frame: all that there are, shortest first, or the shortest and the longest of a range.
        public var frameDurations: [CMTime]
        /// Whether every duration between the first and the last can be had.
        public var isRange = false

        /// Rates in frames per second, from the slowest to the fastest.
        public var frameRates: ClosedRange<Double> { 1 / frameDurations[frameDurations.count - 1].seconds...1 / frameDurations[0].seconds }

        /// Duration of a frame that comes nearest to one, and is not longer where that can be.
        public func frameDuration(nearest wanted: CMTime) -> CMTime {
            if isRange { return min(max(wanted, frameDurations[0]), frameDurations[frameDurations.count - 1]) }
            // A driver that says 333333/10000000 means 1/30.
            return frameDurations.last { $0.seconds <= wanted.seconds * 1.001 } ?? frameDurations[0]
        }
    }

    /// Setting of the hardware, by its V4L2 number.
    public struct Control: Sendable, Equatable {
        /// V4L2's number of it, `V4L2_CID_…`.
        public var id: UInt32
        /// Name as the driver has it.
        public var name: String
        /// Least and greatest value, in V4L2's unit of it.
        public var range: ClosedRange<Int>
        /// Distance of values.
        public var step: Int
        /// Value of an untouched camera.
        public var standard: Int
        /// Whether it can be set at all.
        public var isReadOnly: Bool
        /// Whether the hardware changes it by itself, so that reading it tells the state of the sensor.
        public var isVolatile: Bool
    }

    /// Sizes that it can be filmed in, each with its fastest mode first; largest size first.
    public var sizes: [(width: Int, height: Int, modes: [Mode])] {
        let sorted = modes.sorted { ($0.width * $0.height, $0.width) > ($1.width * $1.height, $1.width) }
        var sizes: [(width: Int, height: Int, modes: [Mode])] = []
        for mode in sorted {
            if let last = sizes.last, (last.width, last.height) == (mode.width, mode.height) {
                sizes[sizes.count - 1].modes.append(mode)
            } else {
                sizes.append((mode.width, mode.height, [mode]))
            }
        }
        return sizes
    }

    /// Mode for a size and a duration of frames: that which needs the least work of those that are fast enough, else the fastest; nil for a size that
    /// it has not.
    public func mode(width: Int, height: Int, frameDuration: CMTime) -> Mode? {
        let fitting = modes.filter { ($0.width, $0.height) == (width, height) }
        let fastEnough = fitting.filter { $0.frameDurations[0].seconds <= frameDuration.seconds * 1.001 }
        let byWork = { (a: Mode, b: Mode) in a.pixelFormat.work < b.pixelFormat.work }
        return fastEnough.min(by: byWork) ?? fitting.min { ($0.frameDurations[0], $0.pixelFormat.work) < ($1.frameDurations[0], $1.pixelFormat.work) }
    }

    /// Whether it delivers depth (Z16, millimetres), and no pictures.
    public var isDepth: Bool { !modes.isEmpty && modes.allSatisfy { $0.pixelFormat == .z16 } }

    /// Whether two nodes belong to one piece of hardware: they differ in nothing but their number.
    package func isPart(of other: VideoCamera) -> Bool {
        uniqueID != other.uniqueID && bus == other.bus && uniqueID.split(separator: "#").first == other.uniqueID.split(separator: "#").first
    }

    /// Control of a number; nil where the camera has none.
    public func control(_ id: UInt32) -> Control? { controls.first { $0.id == id } }
}

/// Four-character code of a pixel format, as V4L2 numbers them.
public struct FourCC: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// Number: the first character in the lowest byte.
    public let rawValue: UInt32

    /// Makes a code from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Makes a code from its four characters.
    init(_ text: StaticString) {
        rawValue = text.withUTF8Buffer { $0.enumerated().reduce(0) { $0 | UInt32($1.element) << (8 * UInt32($1.offset)) } }
    }

    /// The four characters; what cannot be printed is a dot.
    public var description: String {
        let characters = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (8 * $0)) }.map { (33...126).contains($0) ? $0 : UInt8(ascii: ".") }
        return String(decoding: rawValue >> 31 == 0 ? characters : characters.dropLast(1) + [UInt8(ascii: "+")], as: UTF8.self)
    }

    static let nv12 = FourCC("NV12")
    static let nv12Planes = FourCC("NM12")
    static let nv21 = FourCC("NV21")
    static let yuv420 = FourCC("YU12")
    static let yvu420 = FourCC("YV12")
    static let yuyv = FourCC("YUYV")
    static let uyvy = FourCC("UYVY")
    static let mjpeg = FourCC("MJPG")
    static let jpeg = FourCC("JPEG")
    static let z16 = FourCC("Z16 ")

    /// Rank by the work that a picture costs: the pipeline's own format, others that are read as they are, JPEG, what libv4lconvert knows.
    var work: Int {
        switch self {
        case .nv12, .nv12Planes: 0
        case .nv21, .yuv420, .yvu420: 1
        case .yuyv, .uyvy: 2
        case .mjpeg, .jpeg: 3
        default: 4
        }
    }
}
