import CoreMedia

/// Buffer of sound: interleaved 32-bit floats, full scale ±1.
public struct Sound: Sendable, Equatable {
    /// Channel layout.
    public enum Layout: String, Sendable, CaseIterable {
        case mono
        case stereo
        /// First-order ambisonics (AmbiX): ACN channel order (W Y Z X), SN3D normalised.
        case firstOrderAmbisonics

        /// Number of interleaved channels, 1, 2 or 4.
        public var channelCount: Int {
            switch self {
            case .mono: 1
            case .stereo: 2
            case .firstOrderAmbisonics: 4
            }
        }
    }

    /// Presentation time of the first sample, on the clock of the frames.
    public var presentationTime: CMTime
    /// Samples per second and channel.
    public var sampleRate: Int
    /// Channels, in the order in which they are interleaved.
    public var layout: Layout
    /// Interleaved samples, `sampleCount` times the layout's channels of them.
    public var samples: [Float]

    /// Creates a buffer; traps unless all channels have as many samples.
    public init(presentationTime: CMTime, sampleRate: Int, layout: Layout, samples: [Float]) {
        precondition(samples.count % layout.channelCount == 0, "every channel of a sound has as many samples")
        self.presentationTime = presentationTime
        self.sampleRate = sampleRate
        self.layout = layout
        self.samples = samples
    }

    /// Samples per channel.
    public var sampleCount: Int { samples.count / layout.channelCount }
}
