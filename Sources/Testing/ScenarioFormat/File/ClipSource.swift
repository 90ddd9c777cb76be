import Foundation

/// Source of a clip's pictures; paths are as the tool opens them (relative ones already joined to the scenario's folder).
public enum ClipSource: Sendable, Equatable {
    case synthetic
    /// A video and its recorded disparity; `range` is the disparity (1/m) at 0 and at full scale of grey codes, floats are 1/m as they are.
    case video(String, disparity: String, range: ClosedRange<Double>?)
    /// A rectified pair. `baseline` in metres and `focalLength` in pixels make its disparity metric: both or none.
    case stereo(left: String, right: String, baseline: Double?, focalLength: Double?)

    /// Two cameras as they took it, and the file `rackfocus calibrate` wrote for them.
    case calibrated(left: String, right: String, calibration: String)
    /// A rectified pair in one file.
    case packed(String, PackedLayout)
    /// A video and its 16-bit depth in millimetres, or in floats of metres, 0 where none was measured.
    case depth(String, depth: String)
    /// Video without depth, which is estimated from single pictures.
    case plain(String)

    /// Half of a frame that holds the left picture of a pair.
    public enum PackedLayout: Sendable, Equatable {
        case leftHalf
        case topHalf
    }

    /// Whether the stage renders the pictures.
    public var isSynthetic: Bool { self == .synthetic }

    /// Whether it is video without depth.
    public var isPlain: Bool { if case .plain = self { true } else { false } }

    /// Whether pictures hold floating-point numbers, by their names; those of a folder where it is one.
    static func holdsFloats(_ path: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [path]
        return names.contains { name in [".exr", ".pfm"].contains { name.lowercased().hasSuffix($0) } }
    }

    /// Paths or patterns of the footage.
    var files: [String] {
        switch self {
        case .synthetic: []
        case .video(let video, let disparity, _): [video, disparity]
        case .stereo(let left, let right, _, _): [left, right]
        case .calibrated(let left, let right, let calibration): [left, right, calibration]
        case .packed(let path, _), .plain(let path): [path]
        case .depth(let video, let depth): [video, depth]
        }
    }
}
