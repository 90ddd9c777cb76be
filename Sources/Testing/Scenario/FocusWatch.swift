import AVFoundation
import Foundation
import Pipeline

/// Focus of a capture by the names of its subjects, to be queried between two frames.
package struct FocusWatch: Sendable {
    private var story: FocusStory
    private var labels = SubjectLabels()

    package init(isMetric: Bool = true) { story = FocusStory(isMetric: isMetric) }

    package mutating func observe(_ record: FrameRecord) {
        let names = labels.labels(in: record)
        story.observe(record, labels: names, focused: labels.label(of: record.state.subject), app: AppState())
    }

    package func satisfies(_ expected: Expectation) -> Bool { story.satisfies(expected) }

    /// State found instead, its start and reason, in words.
    package var account: String { story.account }

    /// The object reported last for a subject, which may be gone by now.
    package func objectID(of name: String) -> Int? { labels.objectID(of: name) }
}

extension Expectation {
    package init(_ set: (inout Expectation) -> Void) {
        self.init()
        set(&self)
    }

    /// The fields in words, for messages.
    package var words: String { summary }
}
