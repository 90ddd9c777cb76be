import Media
import Pipeline
import Synchronization

/// Notes of a render on what the pictures of its footage tell of shots, light and pairs, by the frames' times: whoever reads the footage again need not
/// look.
final class FrameNotes: Sendable {
    private struct Note {
        let shot: Int?
        let illuminance: Double?
    }

    /// Pairs that were matched; who follows reads them without their right pictures once nobody needs those.
    let pairs = PairNotes()
    private let state = Mutex((notes: [Int64: Note](), isWhole: false, isFollowed: false, needsRight: true))

    /// Whether a reader finds all frames noted that it comes to.
    fileprivate var isKnown: Bool { state.withLock { $0.isWhole || $0.isFollowed } }

    /// Lets whoever follows do without right pictures: disparity was measured.
    func dropRightPictures() { state.withLock { $0.needsRight = false } }

    /// From now on the footage is read behind whoever judges it.
    func follow() {
        let needsRight = state.withLock {
            $0.isFollowed = true
            return $0.needsRight
        }
        if !needsRight { pairs.follow() }
    }

    fileprivate func end() { state.withLock { $0.isWhole = true } }

    fileprivate func add(_ frame: Frame) {
        let note = Note(shot: frame.shot, illuminance: frame.meteredIlluminance)
        state.withLock { $0.notes[frame.presentationTime.nanoseconds] = note }
    }

    fileprivate func complete(_ frame: inout Frame) {
        guard let note = state.withLock({ $0.notes[frame.presentationTime.nanoseconds] }) else { return }
        (frame.shot, frame.meteredIlluminance) = (note.shot, note.illuminance)
    }
}

/// Footage whose shots and light are judged once: until `notes` has the frames by `judged`, the same footage with a judge, then by the notes.
final class NotedSource: FrameSource {
    private let source: any FrameSource
    private let judged: any FrameSource
    private let notes: FrameNotes
    private let isNoted = Mutex(Bool?.none)
    var description: SourceDescription { judged.description }
    var remarks: [String] { judged.remarks }

    init(_ source: any FrameSource, judged: any FrameSource, notes: FrameNotes) { (self.source, self.judged, self.notes) = (source, judged, notes) }

    func nextFrame() throws -> Frame? {
        let isNoted = isNoted.withLock { isNoted in
            isNoted = isNoted ?? notes.isKnown
            return isNoted!
        }
        guard var frame = try isNoted ? source.nextFrame() : judged.nextFrame() else {
            notes.end()
            return nil
        }
        if isNoted { notes.complete(&frame) } else { notes.add(frame) }
        return frame
    }
}
