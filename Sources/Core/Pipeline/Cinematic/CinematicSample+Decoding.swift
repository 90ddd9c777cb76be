import Foundation
import Optics

extension CinematicSample {
    /// Ranges of the numbers in a sample, each checked once as it is read; those of `DetectionLog`'s files.
    private enum Limits {
        static let disparity = -1_000_000.0...1_000_000
        static let fraction = -1000.0...1000
        static let degrees = -360.0...360
        static let cue = 0.0...1.000_001
        static let lens = 0.001...100_000
        static let scale = 1e-12...1_000_000
        static let object: ClosedRange<Int64> = 0...Int64(Int32.max)
        static let group: ClosedRange<Int64> = -1...Int64(Int32.max)
        static let time: ClosedRange<Int64> = -(1 << 60)...(1 << 60)
        static let width: ClosedRange<Int64> = 1...Int64(Int32.max)
    }

    /// Reads the bytes of a sample. Throws for damage, and for a later major version, which it names.
    public init(_ data: Data) throws(CinematicSampleError) {
        let read = data.withUnsafeBytes { bytes in
            Result { () throws(CinematicSampleError) in try CinematicSample(bytes) }
        }
        self = try read.get()
    }

    /// Reads the bytes of a sample, as from data.
    package init(_ bytes: UnsafeRawBufferPointer) throws(CinematicSampleError) {
        var rest = bytes
        guard var version = try CinematicFieldReader.next(of: &rest), version.code == Field.version.rawValue else {
            throw CinematicSampleError("this is no sample of cinematic metadata: it does not begin with its version")
        }
        let (major, minor) = (try version.number() as UInt16, try version.number() as UInt16)
        guard major == Self.version.major else {
            throw CinematicSampleError(
                "its metadata is of version \(major).\(minor), but only version \(Self.version.major) is known; use a later rackfocus",
                isOfLaterVersion: true)
        }
        var (lens, disparity, focus): ((Lens, Int)?, DisparityCoding?, (FocusState, Double?)?)
        var (detections, decisions): ([Detection], [FocusDecision]) = ([], [])
        detections.reserveCapacity(CinematicFieldReader.count(of: .detection, in: rest))
        var (shot, isDark): (Int?, Bool) = (nil, false)
        while var field = try CinematicFieldReader.next(of: &rest) {
            switch Field(rawValue: field.code) {
            case .lens: lens = try Self.lens(&field)
            case .disparity: disparity = try Self.coding(&field)
            case .focus: focus = try Self.focus(&field)
            case .detection: detections.append(try Self.detection(&field))
            case .decision: decisions.append(try Self.decision(&field))
            case .shot: shot = Int(try field.integer(UInt32.self, in: 0...Int64(Int32.max), "the shot"))
            case .status:
                let bits = try field.number() as UInt32
                isDark = bits & 1 != 0
            case .version, nil: break
            }
        }
        guard let lens, let disparity, let focus else {
            throw CinematicSampleError("a sample of cinematic metadata has `lens`, `disp` and `focu`, of which one is missing")
        }
        self.init(
            lens: lens.0, sensorWidth: lens.1, disparity: disparity, focus: focus.0, ambientDisparity: focus.1, detections: detections,
            decisions: decisions, shot: shot, notEnoughLight: isDark)
    }

    private static func lens(_ field: inout CinematicFieldReader) throws(CinematicSampleError) -> (Lens, Int) {
        let fNumber = try field.number(in: Limits.lens, "the f-number")
        let focalLength = try field.number(in: Limits.lens, "the focal length")
        return (Lens(focalLength: focalLength, fNumber: fNumber), Int(try field.integer(UInt32.self, in: Limits.width, "the sensor's width")))
    }

    private static func coding(_ field: inout CinematicFieldReader) throws(CinematicSampleError) -> DisparityCoding {
        let scale = try field.number(in: Limits.scale, "the scale")
        let offset = try field.number(in: Limits.disparity, "the offset")
        let bits = try field.number() as UInt8
        return DisparityCoding(scale: scale, offset: offset, isMetric: bits & 1 != 0)
    }

    private static func mode(_ field: inout CinematicFieldReader) throws(CinematicSampleError) -> FocusMode {
        let code = try field.number() as UInt8
        guard let mode = FocusMode(rawValue: Int(code)) else { throw unknown("focus mode", code) }
        return mode
    }

    private static func unknown(_ name: String, _ code: UInt8) -> CinematicSampleError {
        CinematicSampleError("\(name) \(code) is not known; use a later rackfocus", isOfLaterVersion: true)
    }

    private static func focus(_ field: inout CinematicFieldReader) throws(CinematicSampleError) -> (FocusState, Double?) {
        var state = FocusState(focusDisparity: try field.number(in: Limits.disparity, "the focus disparity"))
        state.subject = try objectID(&field)
        state.mode = try mode(&field)
        let parts = try field.number() as UInt8
        if parts & FocusPart.fixedPoint != 0 {
            let x = try field.number(in: Limits.fraction, "the point")
            state.fixedPoint = CGPoint(x: x, y: try field.number(in: Limits.fraction, "the point"))
        }
        if parts & FocusPart.rack != 0 {
            let start = try field.integer(Int64.self, in: Limits.time, "the start of a rack")
            let duration = try field.integer(Int64.self, in: 1...Limits.time.upperBound, "the length of a rack")
            let from = try field.number(in: Limits.disparity, "a disparity")
            state.rack = Rack(start: start, duration: duration, from: from, to: try field.number(in: Limits.disparity, "a disparity"))
        }
        return (state, parts & FocusPart.ambient != 0 ? try field.number(in: Limits.disparity, "the ambient disparity") : nil)
    }

    /// Nil for none.
    private static func objectID(_ field: inout CinematicFieldReader) throws(CinematicSampleError) -> Int? {
        let number = Int(try field.integer(Int64.self, in: Limits.object, "an object's number"))
        return number == 0 ? nil : number
    }

    private static func detection(_ field: inout CinematicFieldReader) throws(CinematicSampleError) -> Detection {
        guard let objectID = try objectID(&field) else { throw CinematicSampleError("a detection has an object's number from 1") }
        let group = Int(try field.integer(Int64.self, in: Limits.group, "a group"))
        let code = try field.number() as UInt8
        guard let kind = Detection.Kind.allCases.first(where: { $0.code == code }) else { throw unknown("kind of detection", code) }
        let parts = try field.number() as UInt16
        var sides: [Double] = []
        for _ in 0..<2 { sides.append(try field.number(in: Limits.fraction, "a place")) }
        for _ in 0..<2 { sides.append(try field.number(in: 0...Limits.fraction.upperBound, "a side")) }
        var detection = Detection(
            objectID: objectID, groupID: group, kind: kind, bounds: CGRect(x: sides[0], y: sides[1], width: sides[2], height: sides[3]),
            confidence: try field.number(in: Limits.cue, "the confidence"))
        func part(_ bit: UInt16, _ range: ClosedRange<Double>, _ name: String) throws(CinematicSampleError) -> Double? {
            parts & bit == 0 ? nil : try field.number(in: range, name)
        }
        detection.yaw = try part(DetectionPart.yaw, Limits.degrees, "yaw")
        detection.roll = try part(DetectionPart.roll, Limits.degrees, "roll")
        detection.disparity = try part(DetectionPart.disparity, Limits.disparity, "a disparity")
        detection.sharpness = try part(DetectionPart.sharpness, Limits.cue, "sharpness")
        detection.brightness = try part(DetectionPart.brightness, Limits.cue, "brightness")
        detection.salience = try part(DetectionPart.salience, Limits.cue, "salience")
        if parts & DetectionPart.label != 0 { detection.label = try field.text() }
        detection.isExtrapolated = parts & DetectionPart.isExtrapolated != 0
        return detection
    }

    private static func decision(_ field: inout CinematicFieldReader) throws(CinematicSampleError) -> FocusDecision {
        let time = try field.integer(Int64.self, in: Limits.time, "the time of a decision")
        let subject = try objectID(&field)
        let mode = try mode(&field)
        let bits = try field.number() as UInt8
        let code = try field.number() as UInt8
        guard let why = FocusDecision.Why.allCases.first(where: { $0.code == code }) else { throw unknown("reason of a decision", code) }
        var decision = FocusDecision(
            time: time, subject: subject, mode: mode, isUserDecision: bits & DecisionBit.isUserDecision != 0,
            isFixed: bits & DecisionBit.isFixed != 0, why: why, disparity: try field.number(in: Limits.disparity, "a disparity"))
        if field.hasMore { decision.course = try course(&field) }
        return decision
    }

    private static func course(_ field: inout CinematicFieldReader) throws(CinematicSampleError) -> RackCourse {
        var course = RackCourse(begin: try field.integer(Int64.self, in: Limits.time, "the begin of a course"))
        let parts = try field.number() as UInt8
        if parts & CoursePart.over != 0 { course.over = try field.integer(Int64.self, in: 0...Limits.time.upperBound, "the length of a course") }
        if parts & CoursePart.landing != 0 { course.landing = try field.integer(Int64.self, in: Limits.time, "the end of a course") }
        if parts & CoursePart.ease != 0 {
            let code = try field.number() as UInt8
            guard let ease = Ease.allCases.first(where: { $0.code == code }) else { throw unknown("curve of a rack", code) }
            course.ease = ease
        }
        return course
    }
}
