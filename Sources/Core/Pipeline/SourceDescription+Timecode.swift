import CoreMedia

extension SourceDescription {
    /// Timecode of the frame at a time, counted from that of the first; nil where that has none, or one that its rate cannot have.
    package func timecode(at time: CMTime) -> String? {
        timecode.flatMap(Timecode.init).flatMap { timecode(at: time, from: $0) }?.description
    }

    /// Timecode of the frame at a time, counted from `first`; nil where the rate has no such timecode.
    package func timecode(at time: CMTime, from first: Timecode) -> Timecode? {
        let rate = max(1, Int((1 / frameDuration.seconds).rounded()))
        let frames = Int((time.seconds / frameDuration.seconds).rounded())
        return first.frame(rate: rate).map { Timecode(frame: $0 + frames, rate: rate, dropsFrames: first.dropsFrames) }
    }
}
