import AVFoundation
import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// Number of a subject, the same over the whole movie; from 1.
public struct CNDetectionID: RawRepresentable, Hashable, Sendable {
    /// The number.
    public var rawValue: Int64
    /// Makes an ID of a number; not checked.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// Makes an ID of a number; not checked.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// Number of a group of subjects that belong together, as the face and the body of a person; from 1.
public struct CNDetectionGroupID: RawRepresentable, Hashable, Sendable {
    /// The number.
    public var rawValue: Int64
    /// Makes an ID of a number; not checked.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// Makes an ID of a number; not checked.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// Kind of a subject.
public enum CNDetectionType: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// Face of a person.
    case humanFace = 1
    /// Head of a person.
    case humanHead = 2
    /// Body of a person.
    case humanTorso = 3
    /// Body of a cat.
    case catBody = 4
    /// Body of a dog.
    case dogBody = 5
    /// Head of a cat.
    case catHead = 9
    /// Head of a dog.
    case dogHead = 10
    /// Ball; no detector here finds one.
    case sportsBall = 11
    /// Nobody: focus rests on what is nearest in the middle.
    case autoFocus = 100
    /// A distance that is held.
    case fixedFocus = 101
    /// A thing that was tracked.
    case custom = 102
}

/// Subject in one frame.
public struct CNDetection: Sendable {
    /// Presentation time of the frame.
    public let time: CMTime
    /// Kind of the subject.
    public let detectionType: CNDetectionType
    /// Bounds, 0…1 of the stored picture, origin top left.
    public let normalizedRect: CGRect
    /// Disparity at which the subject is sharp, larger is nearer.
    public let focusDisparity: Float
    /// Number of the subject; nil until it is in a script.
    public var detectionID: CNDetectionID? { id }
    /// Number of its group; nil without one, and until it is in a script.
    public var detectionGroupID: CNDetectionGroupID? { group }
    var id: CNDetectionID?
    var group: CNDetectionGroupID?

    /// Makes a detection for a track of one's own.
    public init(time: CMTime, detectionType: CNDetectionType, normalizedRect: CGRect, focusDisparity: Float) {
        (self.time, self.detectionType, self.normalizedRect, self.focusDisparity) = (time, detectionType, normalizedRect, focusDisparity)
    }

    /// Disparity of what lies in a part (0…1) of a disparity buffer (`hdis` or `fdis`): the median; NaN where it holds none. Of two surfaces the one nearer to
    /// a prior is taken, where the median is far from it.
    public static func disparity(
        in rect: CGRect, sourceDisparity: CVPixelBuffer, detectionType: CNDetectionType, priorDisparity: Float?
    ) -> Float {
        guard let map = DisparityMap(buffer: sourceDisparity) else { return .nan }
        // A face fills the middle of its box; a body's box has corners that are not its own.
        let median = map.median(in: rect.innerHalf).map { Float($0) } ?? .nan
        guard let prior = priorDisparity, prior.isFinite, abs(median - prior) > 0.25 * max(prior, median) else { return median }
        let cells = (0..<9).compactMap { cell -> Float? in
            let (width, height) = (rect.width / 3, rect.height / 3)
            let part = CGRect(x: rect.minX + width * Double(cell % 3), y: rect.minY + height * Double(cell / 3), width: width, height: height)
            return map.median(in: part).map { Float($0) }
        }
        return cells.min { abs($0 - prior) < abs($1 - prior) } ?? median
    }

    /// Word for a kind of subject, in English: person, pet, ball or object.
    public static func accessibilityLabel(for detectionType: CNDetectionType) -> String {
        switch detectionType {
        case .humanFace, .humanHead, .humanTorso: "Person"
        case .catBody, .catHead, .dogBody, .dogHead: "Pet"
        case .sportsBall: "Ball"
        case .unknown, .autoFocus, .fixedFocus, .custom: "Object"
        }
    }
}

extension CNDetection {
    /// A subject as it was recorded; without a disparity of its own it has that of the frame.
    init(_ detection: Detection, at time: CMTime, frameDisparity: Double) {
        self.init(
            time: time, detectionType: CNDetectionType(detection.kind), normalizedRect: detection.bounds,
            focusDisparity: Float(detection.disparity ?? frameDisparity))
        id = CNDetectionID(Int64(detection.objectID))
        group = detection.groupID >= 1 ? CNDetectionGroupID(Int64(detection.groupID)) : nil
    }
}

extension CNDetectionType {
    init(_ kind: Detection.Kind) {
        self =
            switch kind {
            case .face: .humanFace
            case .humanHead: .humanHead
            case .humanBody: .humanTorso
            case .catHead: .catHead
            case .catBody: .catBody
            case .dogHead: .dogHead
            case .dogBody: .dogBody
            case .salientObject: .custom
            }
    }

    /// Kind of the pipeline; things for all that it has no word for.
    var kind: Detection.Kind {
        switch self {
        case .humanFace: .face
        case .humanHead: .humanHead
        case .humanTorso: .humanBody
        case .catHead: .catHead
        case .catBody: .catBody
        case .dogHead: .dogHead
        case .dogBody: .dogBody
        case .unknown, .sportsBall, .autoFocus, .fixedFocus, .custom: .salientObject
        }
    }
}

extension DisparityMap {
    /// Map of a buffer of 16-bit or 32-bit disparity; nil for another.
    init?(buffer: CVPixelBuffer) {
        switch buffer.format {
        case kCVPixelFormatType_DisparityFloat16, kCVPixelFormatType_DisparityFloat32:
            self.init(buffer: DepthConverter.convert(buffer, to: kCVPixelFormatType_DisparityFloat32), isMetric: true)
        default: return nil
        }
    }
}
