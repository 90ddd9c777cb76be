/// A microphone in a room where nothing sounds, for ever.
public final class Silence: SoundSource {
    public let sampleRate = 48_000
    public var sampleCount: Int64? { nil }

    public init() {}

    public func sound(of samples: Range<Int64>) -> Sound { .silence(samples, sampleRate: sampleRate, layout: .mono) }
}
