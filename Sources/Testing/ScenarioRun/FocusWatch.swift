import AVFCapture
import Foundation
import Pipeline
import RunReport
import ScenarioFormat

/// Focus of a capture by the names of its subjects, to be queried between two frames.
package struct FocusWatch: Sendable {
    private var history: FocusHistory
    private var labels = SubjectLabels()

    package init(isMetric: Bool = true) { history = FocusHistory(isMetric: isMetric) }

    package mutating func observe(_ record: FrameRecord) {
        let names = labels.labels(in: record)
        history.observe(record, labels: names, focused: labels.label(of: record.state.subject), app: AppState())
    }

    package func satisfies(_ expected: Expectation) -> Bool { history.satisfies(expected) }

    /// State found instead, its start and reason, in words.
    package var account: String { history.account }

    /// The object reported last for a subject, which may be gone by now.
    package func objectID(of name: String) -> Int? { labels.objectID(of: name) }
}
