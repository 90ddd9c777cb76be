import CoreMedia

/// A stretch of sound: interleaved 32-bit floats, full scale ±1.
public struct Sound: Sendable, Equatable {
    /// What the channels are.
    public enum Layout: String, Sendable, CaseIterable {
        case mono
        case stereo
        /// First-order ambisonics, ACN channel order (W Y Z X), SN3D normalised.
        case firstOrderAmbisonics

        public var channelCount: Int {
            switch self {
            case .mono: 1
            case .stereo: 2
            case .firstOrderAmbisonics: 4
            }
        }
    }

    /// When the first sample was heard, on the clock of the frames.
    public var presentationTime: CMTime
    /// Samples per second and channel.
    public var sampleRate: Int
    public var layout: Layout
    /// `sampleCount` times the layout's channels.
    public var samples: [Float]

    public init(presentationTime: CMTime, sampleRate: Int, layout: Layout, samples: [Float]) {
        precondition(samples.count % layout.channelCount == 0, "every channel of a sound has as many samples")
        self.presentationTime = presentationTime
        self.sampleRate = sampleRate
        self.layout = layout
        self.samples = samples
    }

    /// Samples of each channel.
    public var sampleCount: Int { samples.count / layout.channelCount }
}
