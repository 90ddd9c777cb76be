/// Endless silence, mono at 48 kHz: a microphone in a silent room.
public final class Silence: SoundSource {
    /// 48 000 samples per second.
    public let sampleRate = 48_000
    /// Nil: it has no end.
    public var sampleCount: Int64? { nil }

    /// Creates a silent source.
    public init() {}

    /// Zeros for the whole range.
    public func sound(of samples: Range<Int64>) -> Sound { .silence(samples, sampleRate: sampleRate, layout: .mono) }
}
