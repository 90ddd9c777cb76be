import Foundation
import Pipeline
import RackfocusKit
import TestSupport
import Testing

/// Detections in real footage, and whom a person would put in focus, kept in the repository as numbers: the pictures are not needed.
///
/// `NAME.jsonl` comes from `rackfocus detect`, with Debian's detectors alone or (`net`) with YuNet and YOLO-Fastest, its numbers rounded to four places;
/// `NAME.who.txt` was judged by eye on a grid of frames.
@Suite("Focus on what was detected in real footage")
struct RecordedFootageTests {
    struct Clip: CustomTestStringConvertible, Sendable {
        let name: String
        let who: String
        /// Least share of time with the right subject, and longest wait of a shot for it, seconds.
        let (share, opening): (Double, Double)
        /// Most changes of subject.
        let changes: Int

        var testDescription: String { name }
    }

    /// A little below, and above, what was measured. Clips of other people's packages had no part in any tuning.
    static let clips = [
        Clip(name: "hamilton", who: "hamilton", share: 0.97, opening: 0.3, changes: 0),
        Clip(name: "hamilton-net", who: "hamilton", share: 0.97, opening: 0.3, changes: 0),
        Clip(name: "dog-net", who: "dog", share: 0.97, opening: 0.3, changes: 1),
        Clip(name: "walking", who: "walking", share: 0.99, opening: 0, changes: 0),
        Clip(name: "klahaag", who: "klahaag", share: 0.97, opening: 0.05, changes: 0),
        Clip(name: "coffee", who: "coffee", share: 0.97, opening: 0.05, changes: 0),
        Clip(name: "megamind", who: "megamind", share: 0.97, opening: 0.3, changes: 0),
        Clip(name: "bikes", who: "bikes", share: 0.9, opening: 0.3, changes: 1),
    ]

    private static let folder = Checkout.root.appending(path: "Tests/Corpus/footage")

    @Test("the right subject is in focus, soon after a cut, and seldom changes", arguments: clips)
    func subjects(clip: Clip) throws {
        let log = try DetectionLog(path: Self.folder.appending(path: "\(clip.name).jsonl").path)
        let truth = try SubjectTruth(path: Self.folder.appending(path: "\(clip.who).who.txt").path)
        let score = SubjectEvaluation(of: log, against: truth)
        #expect(score.share >= clip.share && score.latestOpening <= clip.opening, "\(score.table)")
        #expect(score.changes <= clip.changes, "\(score.table)")
    }

    @Test("every head has a number of its own in every frame", arguments: clips)
    func numbers(clip: Clip) throws {
        for entry in try DetectionLog(path: Self.folder.appending(path: "\(clip.name).jsonl").path).entries {
            #expect(Set(entry.detections.map(\.objectID)).count == entry.detections.count, "frame \(entry.frame)")
        }
    }
}
