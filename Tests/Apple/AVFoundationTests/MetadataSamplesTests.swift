import AVFoundation
import Pipeline
import Testing

@Suite("Samples of timed metadata on their way to a file")
struct MetadataSamplesTests {
    private static func time(_ frame: Int64) -> CMTime { CMTime(value: frame, timescale: 30) }

    /// Sample of a text from one frame to another; to none: until the next.
    private static func sample(_ text: String, _ start: Int64, to end: Int64? = nil) -> MovieSample {
        let data = MetadataKeyTable.sample(of: [(1, Data(text.utf8))])
        return MovieSample(
            time: time(start), duration: end.map { time($0) - time(start) } ?? .invalid, content: .data(data, isSync: true))
    }

    /// Samples that a file took: the text of each and its frames.
    private static func taken(_ samples: inout MetadataSamples) -> [String] {
        samples.take().map { sample in
            guard case .data(let data, _) = sample.content else { return "?" }
            let text = MetadataKeyTable.values(in: data).map { String(decoding: $0.1, as: UTF8.self) }.joined()
            return "\(text)@\(frame(sample.time)) to \(frame(sample.end))"
        }
    }

    private static func frame(_ time: CMTime) -> Double { (time.seconds * 30_000).rounded() / 1000 }

    @Test("a file that is whole at its end takes each when its length is known")
    func whole() {
        var samples = MetadataSamples()
        samples.append(Self.sample("a", 3))
        #expect(Self.taken(&samples) == ["@0.0 to 3.0"])
        samples.append(Self.sample("b", 6, to: 9))
        #expect(Self.taken(&samples) == ["a@3.0 to 6.0"])
        samples.append(Self.sample("c", 12))
        #expect(Self.taken(&samples) == ["b@6.0 to 9.0", "@9.0 to 12.0"])
        samples.finish(at: Self.time(15))
        #expect(Self.taken(&samples) == ["c@12.0 to 15.0"])
    }

    @Test("a file in fragments takes each with the next frame, so that it survives a kill, and what ends it when that is past")
    func fragments() {
        var samples = MetadataSamples()
        func step(_ frame: Int64, _ new: MovieSample? = nil) -> [String] {
            if let new { samples.append(new) }
            samples.hold(until: Self.time(frame))
            return Self.taken(&samples)
        }
        samples.begin()
        #expect(step(0).count == 1)
        #expect(step(3) == [])
        #expect(step(4, Self.sample("a", 3)) == ["a@3.0 to 4.0"])
        #expect(step(5) == [])
        #expect(step(7, Self.sample("b", 6, to: 9)) == ["b@6.0 to 7.0"])
        #expect(step(8) == [] && step(9) == [])
        #expect(step(10) == ["@9.0 to 10.0"])
        // One that comes and goes between two frames, and one that goes before the next comes.
        #expect(step(20, Self.sample("c", 12, to: 14)) == ["c@12.0 to 14.0", "@14.0 to 20.0"])
        #expect(step(22, Self.sample("d", 21, to: 23)) == ["d@21.0 to 22.0"])
        #expect(step(31, Self.sample("e", 30)) == ["@23.0 to 30.0", "e@30.0 to 31.0"])
        samples.finish(at: Self.time(40))
        #expect(Self.taken(&samples) == [])
    }

    @Test("of the end of the movie are written once, and a file in fragments does not begin again")
    func end() {
        var samples = MetadataSamples()
        samples.begin()
        samples.append(Self.sample("a", 30))
        samples.hold(until: Self.time(30))
        #expect(Self.taken(&samples).count == 1)
        samples.finish(at: Self.time(30))
        samples.begin()
        samples.hold(until: Self.time(30))
        #expect(Self.taken(&samples) == ["a@30.0 to 31.0"])
    }

    @Test("of a time that was written already come a tick later")
    func late() {
        var samples = MetadataSamples()
        samples.append(Self.sample("a", 3))
        samples.hold(until: Self.time(4))
        samples.append(Self.sample("b", 3))
        samples.hold(until: Self.time(4))
        let times = samples.take().map(\.time)
        #expect(times.suffix(2) == [Self.time(3), Self.time(3) + CMTime(value: 1, timescale: MetadataSamples.timescale)])
    }
}
