import Focus
import Testing

@Suite("Light monitor")
struct LightMonitorTests {
    private let frame: Int64 = 33_333_333

    /// Frames in which there is not enough light, for a light per frame.
    private func dark(_ light: [Double?], tuning: FocusTuning = FocusTuning()) -> [Int] {
        var monitor = LightMonitor(tuning: tuning)
        return light.indices.filter { monitor.step(at: Int64($0) * frame, illuminance: light[$0]) }
    }

    @Test("E18: enters below 20 lx after half a second, leaves above 40 lx after a second")
    func hysteresis() {
        let light: [Double?] = Array(repeating: 180, count: 10) + Array(repeating: 5, count: 40) + Array(repeating: 60, count: 60)
        let frames = dark(light)
        #expect(frames.first == 10 + 16)
        #expect(frames.last == 50 + 30)
        #expect(frames.count == 80 - 26 + 1)
    }

    @Test("between the levels nothing changes")
    func between() {
        #expect(dark(Array(repeating: 30, count: 100)).isEmpty)
        #expect(dark(Array(repeating: 5, count: 20) + Array(repeating: 30, count: 100)).last == 119)
    }

    @Test("a flicker shorter than the hold changes nothing")
    func flicker() {
        #expect(dark((0..<200).map { $0 % 12 == 0 ? 60 : 5 }).isEmpty)
        #expect(dark(Array(repeating: 5, count: 20) + (0..<200).map { $0 % 25 == 0 ? 5 : 60 }).last == 219)
    }

    @Test("unknown light keeps the state")
    func unknown() {
        #expect(dark(Array(repeating: nil, count: 50)).isEmpty)
        #expect(dark(Array(repeating: 5, count: 20) + Array(repeating: nil, count: 50)).last == 69)
    }

    @Test("levels and holds come from the tuning")
    func tuned() throws {
        var tuning = FocusTuning()
        try tuning.set("lowLight.enter", to: .lux(12))
        try tuning.set("lowLight.leave", to: .lux(20))
        try tuning.set("lowLight.hold", to: .time(nanoseconds: 100_000_000))
        #expect(dark(Array(repeating: 15, count: 50), tuning: tuning).isEmpty)
        let frames = dark(Array(repeating: 11, count: 10) + Array(repeating: 21, count: 10), tuning: tuning)
        #expect(frames == Array(4...13))
    }
}
