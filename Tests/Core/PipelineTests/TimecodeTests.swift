import CoreMedia
import Pipeline
import Testing

@Suite("A timecode") struct TimecodeTests {
    @Test(
        "counts frames, and leaves numbers out where it drops them",
        arguments: [
            ("00:00:00:00", 24, 0), ("01:00:00:00", 24, 86_400), ("00:01:00;02", 30, 1800), ("00:00:59;29", 30, 1799),
            ("00:10:00;00", 30, 17_982), ("01:00:00;00", 30, 107_892), ("00:01:00;04", 60, 3600),
        ])
    func frames(text: String, rate: Int, frame: Int) throws {
        let timecode = try #require(Timecode(text))
        #expect(timecode.frame(rate: rate) == frame)
        #expect(Timecode(frame: frame, rate: rate, dropsFrames: timecode.dropsFrames).description == text)
    }

    @Test("is refused where it is none", arguments: ["", "1:2:3", "00:60:00:00", "00:00:61:00", "aa:00:00:00", "00:00:00:000"])
    func none(text: String) { #expect(Timecode(text) == nil) }

    @Test("that no second has is no frame") func beyond() { #expect(Timecode("00:00:00:24")?.frame(rate: 24) == nil) }

    @Test("is counted behind a movie's first, in that one's way, however it is written")
    func behind() throws {
        let (typed, drops) = (try #require(Timecode("01:00:02:00")), try #require(Timecode("01:00:00;00")))
        #expect(typed.frame(rate: 30, after: drops) == 60 && typed.frame(rate: 30, after: nil) == 108_060)
        #expect(drops.frame(rate: 30, after: typed) == -60)
    }

    @Test("or seconds, or a frame, is a point in footage")
    func points() {
        #expect(FootageSpan.Point("3.5s") == .time(CMTime(value: 3_500_000, timescale: 1_000_000)))
        #expect(FootageSpan.Point("2") == .time(CMTime(value: 2, timescale: 1)))
        #expect(FootageSpan.Point("84f") == .frame(84))
        #expect(FootageSpan.Point("01:00:00:12") == Timecode("01:00:00:12").map(FootageSpan.Point.timecode))
        for text in ["", "s", "f", "-1s", "-3f", "nan", "inf", "3x"] { #expect(FootageSpan.Point(text) == nil, "\(text)") }
    }
}
