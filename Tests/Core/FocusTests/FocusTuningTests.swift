import Focus
import Pipeline
import Testing

@Suite("Tuning by name")
struct FocusTuningTests {
    @Test("every name can be set, and changes something", arguments: FocusTuning.names)
    func names(_ name: String) throws {
        var tuning = FocusTuning()
        let value: TuningValue =
            switch FocusTuning.unit(of: name) {
            case .time: .time(nanoseconds: 123)
            case .ease: .ease(.linear)
            default: .number(0.123)
            }
        try tuning.set(name, to: value)
        #expect(tuning != FocusTuning())
    }

    @Test("names are unique, and as many as there are numbers")
    func complete() {
        #expect(Set(FocusTuning.names).count == FocusTuning.names.count)
        // One name, `lowLight.hold`, sets two numbers that have names of their own.
        #expect(FocusTuning.names.count == Mirror(reflecting: FocusTuning()).children.count + 1)
    }

    @Test("the names of the scenario format mean what they say")
    func scenario() throws {
        var tuning = FocusTuning()
        try tuning.set("longPress", to: .time(nanoseconds: 310_000_000))
        try tuning.set("rack", to: .time(nanoseconds: 600_000_000))
        try tuning.set("faceAway", to: .time(nanoseconds: 400_000_000))
        try tuning.set("faceAwayYaw", to: .degrees(60))
        #expect(tuning.longPress == 310_000_000)
        #expect(tuning.rack == 600_000_000)
        #expect(tuning.faceAway == 400_000_000)
        #expect(tuning.faceAwayYaw == 60)
    }

    @Test("what is wrong is refused, and named")
    func refusals() {
        var tuning = FocusTuning()
        #expect(throws: TuningError.unknownName("longPres", known: FocusTuning.names)) { try tuning.set("longPres", to: .number(1)) }
        #expect(throws: TuningError.wrongUnit(name: "longPress", expected: .time)) { try tuning.set("longPress", to: .number(300)) }
        #expect(throws: TuningError.wrongUnit(name: "faceAwayYaw", expected: .degrees)) { try tuning.set("faceAwayYaw", to: .lux(3)) }
        #expect(throws: TuningError.outOfRange(name: "rack", allowed: "> 0")) { try tuning.set("rack", to: .time(nanoseconds: 0)) }
        #expect(throws: TuningError.outOfRange(name: "fullSize", allowed: "> 0")) { try tuning.set("fullSize", to: .number(0)) }
        #expect(throws: TuningError.outOfRange(name: "dwell", allowed: "≥ 0")) { try tuning.set("dwell", to: .time(nanoseconds: -1)) }
        #expect(throws: TuningError.outOfRange(name: "hysteresis", allowed: "finite and ≥ 0")) {
            try tuning.set("hysteresis", to: .number(.nan))
        }
        #expect(tuning == FocusTuning())
        #expect("\(TuningError.wrongUnit(name: "rack", expected: .time))" == "`rack` is a time, for example 500ms")
    }
}
