import Pipeline

/// Value of a tuning number with the unit it was written in.
public enum TuningValue: Sendable, Equatable {
    case time(nanoseconds: Int64)
    case degrees(Double)
    case lux(Double)
    case number(Double)
    case ease(Ease)
}

/// Refusal of a tuning number.
public enum TuningError: Error, Equatable, CustomStringConvertible {
    /// Unknown name; `known` lists every name, for a "did you mean".
    case unknownName(String, known: [String])
    /// Value in another unit than the number's.
    case wrongUnit(name: String, expected: FocusTuning.Unit)
    /// Value out of range.
    case outOfRange(name: String, allowed: String)

    /// Message that names the tuning number.
    public var description: String {
        switch self {
        case .unknownName(let name, _): "there is no tuning number `\(name)`"
        case .wrongUnit(let name, let expected): "`\(name)` is \(expected.description)"
        case .outOfRange(let name, let allowed): "`\(name)` must be \(allowed)"
        }
    }
}

extension FocusTuning {
    /// Unit of a tuning number.
    public enum Unit: Sendable, Equatable, CustomStringConvertible {
        case time, degrees, lux, disparity, number, ease

        /// Unit in words, with an example where it has a suffix.
        public var description: String {
            switch self {
            case .time: "a time, for example 500ms"
            case .degrees: "an angle, for example 50°"
            case .lux: "an amount of light, for example 20lx"
            case .disparity: "a plain number, in 1/m"
            case .number: "a plain number"
            case .ease: "a curve, one of \(Ease.allCases.map(\.rawValue).joined(separator: ", "))"
            }
        }
    }

    /// Names of all tuning numbers, in a fixed order; a dot is a level of nesting (`lowLight.enter`).
    public static var names: [String] { entries.map(\.name) }

    /// Unit of a tuning number; nil for an unknown name.
    public static func unit(of name: String) -> Unit? { entries.first { $0.name == name }?.unit }

    /// Sets one number by name; throws `TuningError`.
    public mutating func set(_ name: String, to value: TuningValue) throws(TuningError) {
        guard let entry = Self.entries.first(where: { $0.name == name }) else { throw .unknownName(name, known: Self.names) }
        switch (entry.slot, value) {
        case (.time(let paths), .time(let nanoseconds)):
            guard nanoseconds >= 0 else { throw .outOfRange(name: name, allowed: "≥ 0") }
            for path in paths { self[keyPath: path] = nanoseconds }
        case (.rack, .time(let nanoseconds)):
            guard nanoseconds > 0 else { throw .outOfRange(name: name, allowed: "> 0") }
            rack = nanoseconds
        case (.ease, .ease(let ease)): rackEase = ease
        case (.number(let path), .number(let number)): try set(path, entry, to: number)
        case (.number(let path), .degrees(let number)) where entry.unit == .degrees: try set(path, entry, to: number)
        case (.number(let path), .lux(let number)) where entry.unit == .lux: try set(path, entry, to: number)
        default: throw .wrongUnit(name: name, expected: entry.unit)
        }
    }

    private mutating func set(_ path: NumberPath, _ entry: Entry, to number: Double) throws(TuningError) {
        guard number.isFinite, number >= 0 else { throw .outOfRange(name: entry.name, allowed: "finite and ≥ 0") }
        guard !entry.isDivisor || number > 0 else { throw .outOfRange(name: entry.name, allowed: "> 0") }
        self[keyPath: path] = number
    }

    private typealias TimePath = any WritableKeyPath<FocusTuning, Int64> & Sendable
    private typealias NumberPath = any WritableKeyPath<FocusTuning, Double> & Sendable

    private enum Slot {
        case time([TimePath])
        case rack
        case ease
        case number(NumberPath)
    }

    private struct Entry {
        var name: String
        var unit: Unit
        var slot: Slot
        var isDivisor = false
    }

    private static func time(_ name: String, _ paths: TimePath...) -> Entry { Entry(name: name, unit: .time, slot: .time(paths)) }

    private static func number(_ name: String, _ path: NumberPath, _ unit: Unit = .number, isDivisor: Bool = false) -> Entry {
        Entry(name: name, unit: unit, slot: .number(path), isDivisor: isDivisor)
    }

    private static var entries: [Entry] {
        [
            time("longPress", \.longPress),
            number("faceAwayYaw", \.faceAwayYaw, .degrees), number("faceBackYaw", \.faceBackYaw, .degrees),
            time("faceAway", \.faceAway), time("faceBack", \.faceBack),
            number("weight.size", \.weightSize), number("weight.nearness", \.weightNearness), number("weight.kind", \.weightKind),
            number("weight.facing", \.weightFacing), number("weight.centrality", \.weightCentrality),
            number("weight.confidence", \.weightConfidence), number("weight.recency", \.weightRecency), number("weight.motion", \.weightMotion),
            number("fullSize", \.fullSize, isDivisor: true), number("headSize", \.headSize), number("bodySize", \.bodySize),
            number("petHeadSize", \.petHeadSize),
            number("fullNearness", \.fullNearness, .disparity, isDivisor: true),
            number("fullSpeed", \.fullSpeed, isDivisor: true), time("motionSmoothing", \.motionSmoothing), time("anticipation", \.anticipation),
            time("recency", \.recency), number("awayFactor", \.awayFactor), number("fixedProminence", \.fixedProminence),
            number("hysteresis", \.hysteresis), number("enterRatio", \.enterRatio), number("backRatio", \.backRatio),
            number("awayRatio", \.awayRatio), number("petRatio", \.petRatio, isDivisor: true),
            time("newcomer", \.newcomer), time("dwell", \.dwell), time("switchInterval", \.switchInterval),
            time("confirm", \.confirm), time("weakHold", \.weakHold),
            time("opening", \.opening), time("openingKnown", \.openingKnown), number("openingSure", \.openingSure),
            number("footageSize", \.footageSize), number("footageKind", \.footageKind), number("footageFacing", \.footageFacing),
            number("footageCentrality", \.footageCentrality), number("footageSharpness", \.footageSharpness),
            number("footageBrightness", \.footageBrightness), number("footageAway", \.footageAway),
            number("footageForeground", \.footageForeground), number("footageThing", \.footageThing),
            number("footageBody", \.footageBody), number("footagePet", \.footagePet),
            time("footageFaceMemory", \.footageFaceMemory), time("footageSmoothing", \.footageSmoothing),
            time("footageDwell", \.footageDwell), time("footageInterval", \.footageInterval),
            time("footageLost", \.footageLost),
            time("coast", \.coast), time("weakLost", \.weakLost), time("strongLost", \.strongLost), number("edge", \.edge),
            Entry(name: "rack", unit: .time, slot: .rack), Entry(name: "rackEase", unit: .ease, slot: .ease),
            time("rackShortest", \.rackShortest), time("rackLongest", \.rackLongest), number("rackPerDisparity", \.rackPerDisparity),
            time("brake", \.brake),
            time("stillSmoothing", \.stillSmoothing), time("movingSmoothing", \.movingSmoothing),
            number("movingDeparture", \.movingDeparture, .disparity, isDivisor: true),
            number("movingSpeed", \.movingSpeed, .disparity, isDivisor: true),
            number("outlier", \.outlier, .disparity), time("outlierConfirm", \.outlierConfirm),
            number("restDisparity", \.restDisparity, .disparity),
            number("fixedWidth", \.fixedWidth), number("fixedHeight", \.fixedHeight),
            number("lowLight.enter", \.lowLightEnter, .lux), number("lowLight.leave", \.lowLightLeave, .lux),
            time("lowLight.hold", \.lowLightEnterHold, \.lowLightLeaveHold),
            time("lowLight.enterHold", \.lowLightEnterHold), time("lowLight.leaveHold", \.lowLightLeaveHold),
        ]
    }
}
