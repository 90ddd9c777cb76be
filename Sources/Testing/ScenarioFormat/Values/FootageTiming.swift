import CoreMedia
import Pipeline

/// Counting of a clip's frames: their rate, and the timecode at which the clip begins.
public struct FootageTiming: Sendable {
    /// Duration of a frame, > 0.
    public let frameDuration: CMTime
    /// Number of the first frame, as its timecode counts; 0 without a timecode.
    private let first: Int
    private let dropsFrames: Bool
    private var rate: Int { Self.rate(frameDuration) }

    /// Counts footage from its `timecode` (nil: 00:00:00:00), and from the point at which the clip begins in it.
    public init(frameDuration: CMTime, timecode: String? = nil, from: FootageSpan.Point? = nil) {
        self.frameDuration = frameDuration
        let rate = Self.rate(frameDuration)
        let own = timecode.flatMap(Timecode.init)
        let start = own?.frame(rate: rate) ?? 0
        dropsFrames = own?.dropsFrames ?? false
        switch from {
        case nil: first = start
        case .frame(let number): first = start + number
        case .timecode(let timecode): first = timecode.frame(rate: rate) ?? start
        case .time(let time): first = start + Int((time.seconds / frameDuration.seconds - 1e-6).rounded(.up))
        }
    }

    /// Frames of a timecode's second, at least one.
    private static func rate(_ frameDuration: CMTime) -> Int { max(1, Int((1 / frameDuration.seconds).rounded())) }

    /// Timecode of the clip's first frame.
    var begin: Timecode { Timecode(frame: first, rate: rate, dropsFrames: dropsFrames) }

    /// Number of the clip's frame with a timecode, 0 for its first; nil before that, and where there is no such frame in a second.
    func frame(of timecode: Timecode) -> Int? { timecode.frame(rate: rate).flatMap { $0 >= first ? $0 - first : nil } }
}
