import Foundation
import Optics

extension CinematicSample {
    /// Type of a field: four characters, those of the format.
    enum Field: UInt32 {
        /// `vers`
        case version = 0x7665_7273
        /// `lens`
        case lens = 0x6C65_6E73
        /// `disp`
        case disparity = 0x6469_7370
        /// `focu`
        case focus = 0x666F_6375
        /// `detn`
        case detection = 0x6465_746E
        /// `decn`
        case decision = 0x6465_636E
        /// `shot`
        case shot = 0x7368_6F74
        /// `stat`
        case status = 0x7374_6174
    }

    /// Version of the format. Readers skip fields, and ends of fields, of later minor versions, and refuse later major ones.
    public static let version: (major: Int, minor: Int) = (1, 1)

    /// Least minor version that holds all of the sample, which it is written as: 1 where a decision has a course.
    private var minorVersion: Int { decisions.contains { $0.course != nil } ? 1 : 0 }

    /// Bits of `focu`, in the order of their parts.
    enum FocusPart {
        static let fixedPoint: UInt8 = 1
        static let rack: UInt8 = 2
        static let ambient: UInt8 = 4
    }

    /// Bits of `detn`, in the order of their parts.
    enum DetectionPart {
        static let yaw: UInt16 = 1
        static let roll: UInt16 = 2
        static let disparity: UInt16 = 4
        static let sharpness: UInt16 = 8
        static let brightness: UInt16 = 16
        static let salience: UInt16 = 32
        static let label: UInt16 = 64
        /// Without a part.
        static let isExtrapolated: UInt16 = 128
    }

    /// Bits of a course in `decn`, in the order of their parts.
    enum CoursePart {
        static let over: UInt8 = 1
        static let landing: UInt8 = 2
        static let ease: UInt8 = 4
    }

    /// Bits of `decn`.
    enum DecisionBit {
        static let isUserDecision: UInt8 = 1
        static let isFixed: UInt8 = 2
    }

    /// Bytes of the sample as the file holds them.
    public var data: Data {
        var writer = CinematicFieldWriter()
        writer.field(.version) {
            $0.number(UInt16(Self.version.major))
            $0.number(UInt16(minorVersion))
        }
        writer.field(.lens) {
            $0.number(lens.fNumber)
            $0.number(lens.focalLength)
            $0.number(UInt32(clamping: sensorWidth))
        }
        writer.field(.disparity) {
            $0.number(disparity.scale)
            $0.number(disparity.offset)
            $0.number(UInt8(disparity.isMetric ? 1 : 0))
        }
        writer.field(.focus) { $0.write(focus, ambientDisparity: ambientDisparity) }
        for detection in detections { writer.field(.detection) { $0.write(detection) } }
        for decision in decisions { writer.field(.decision) { $0.write(decision) } }
        if let shot { writer.field(.shot) { $0.number(UInt32(clamping: shot)) } }
        writer.field(.status) { $0.number(UInt32(notEnoughLight ? 1 : 0)) }
        return Data(writer.bytes)
    }
}

extension CinematicFieldWriter {
    fileprivate mutating func write(_ focus: FocusState, ambientDisparity: Double?) {
        typealias Part = CinematicSample.FocusPart
        number(focus.focusDisparity)
        number(Int64(focus.subject ?? 0))
        number(UInt8(focus.mode.rawValue))
        number((focus.fixedPoint == nil ? 0 : Part.fixedPoint) | (focus.rack == nil ? 0 : Part.rack) | (ambientDisparity == nil ? 0 : Part.ambient))
        if let point = focus.fixedPoint {
            number(Double(point.x))
            number(Double(point.y))
        }
        if let rack = focus.rack {
            number(rack.start)
            number(rack.duration)
            number(rack.from)
            number(rack.to)
        }
        number(ambientDisparity)
    }

    fileprivate mutating func write(_ detection: Detection) {
        typealias Part = CinematicSample.DetectionPart
        let parts: [(UInt16, Double?)] = [
            (Part.yaw, detection.yaw), (Part.roll, detection.roll), (Part.disparity, detection.disparity), (Part.sharpness, detection.sharpness),
            (Part.brightness, detection.brightness), (Part.salience, detection.salience),
        ]
        var flags = parts.reduce(0) { $1.1 == nil ? $0 : $0 | $1.0 }
        if detection.label != nil { flags |= Part.label }
        if detection.isExtrapolated { flags |= Part.isExtrapolated }
        number(Int64(detection.objectID))
        number(Int64(detection.groupID))
        number(detection.kind.code)
        number(flags)
        for side in [detection.bounds.minX, detection.bounds.minY, detection.bounds.width, detection.bounds.height] { number(Double(side)) }
        number(detection.confidence)
        for (_, value) in parts { number(value) }
        if let label = detection.label { text(label) }
    }

    fileprivate mutating func write(_ decision: FocusDecision) {
        typealias Bit = CinematicSample.DecisionBit
        number(decision.time)
        number(Int64(decision.subject ?? 0))
        number(UInt8(decision.mode.rawValue))
        number((decision.isUserDecision ? Bit.isUserDecision : 0) | (decision.isFixed ? Bit.isFixed : 0))
        number(decision.why.code)
        number(decision.disparity)
        if let course = decision.course { write(course) }
    }

    private mutating func write(_ course: RackCourse) {
        typealias Part = CinematicSample.CoursePart
        number(course.begin)
        number((course.over == nil ? 0 : Part.over) | (course.landing == nil ? 0 : Part.landing) | (course.ease == nil ? 0 : Part.ease))
        if let over = course.over { number(over) }
        if let landing = course.landing { number(landing) }
        if let ease = course.ease { number(ease.code) }
    }
}

extension Detection.Kind {
    /// Number in files: that of Apple's `CNDetectionType`.
    var code: UInt8 {
        switch self {
        case .face: 1
        case .humanHead: 2
        case .humanBody: 3
        case .catBody: 4
        case .dogBody: 5
        case .catHead: 9
        case .dogHead: 10
        case .salientObject: 102
        }
    }
}

extension FocusDecision.Why {
    /// Number in files, the user's reasons first; none is ever given to another reason.
    var code: UInt8 {
        switch self {
        case .tapUnfocused: 1
        case .tapWeakAgain: 2
        case .fixedByPress: 3
        case .api: 4
        case .ordered: 5
        case .entered: 16
        case .moreProminent: 17
        case .facedAway: 18
        case .facedBack: 19
        case .exited: 20
        case .lost: 21
        case .groupMember: 22
        case .nothingLeft: 23
        }
    }
}

extension Ease {
    /// Number in files.
    var code: UInt8 {
        switch self {
        case .linear: 1
        case .in: 2
        case .out: 3
        case .inOut: 4
        case .smooth: 5
        }
    }
}
