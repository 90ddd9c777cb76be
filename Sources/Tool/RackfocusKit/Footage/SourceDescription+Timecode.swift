import CoreMedia
import Pipeline

extension SourceDescription {
    /// Timecode of the frame at a time, counted from that of the first; nil where that has none, or one that its rate cannot have.
    func timecode(at time: CMTime) -> String? {
        let rate = max(1, Int((1 / frameDuration.seconds).rounded()))
        guard let first = timecode.flatMap(Timecode.init), let number = first.frame(rate: rate) else { return nil }
        let frames = Int((time.seconds / frameDuration.seconds).rounded())
        return Timecode(frame: number + frames, rate: rate, dropsFrames: first.dropsFrames).description
    }
}
