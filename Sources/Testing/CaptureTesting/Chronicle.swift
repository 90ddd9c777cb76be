import AVFCapture
import Pipeline
import RunReport
import ScenarioRun

/// Focus of the last five seconds of virtual time: its state whenever that changes, and what the capture graph tells.
struct Chronicle: Sendable {
    private static let span: Int64 = 5_000_000_000
    private static let most = 40
    private var entries: [(time: Int64, text: String)] = []
    private var last: Key?
    private var time: Int64 = 0

    /// State of which every change is a line.
    private struct Key: Equatable {
        let subject: Int?
        let mode: FocusMode
        let isFixed: Bool
        let isRacking: Bool
        let notEnoughLight: Bool
    }

    /// Lines, the oldest first.
    var lines: [String] { entries.map(\.text) }

    mutating func observe(_ record: FrameRecord, _ watch: FocusWatch) {
        time = record.time
        entries.removeAll { $0.time < time - Self.span }
        let state = record.state
        let key = Key(
            subject: state.subject, mode: state.mode, isFixed: state.isFixed, isRacking: state.rack != nil, notEnoughLight: record.notEnoughLight)
        guard key != last || !record.decisions.isEmpty else { return }
        last = key
        append(watch.account)
    }

    mutating func note(_ text: String) { append(text) }

    private mutating func append(_ text: String) {
        entries.append((time, text))
        if entries.count > Self.most { entries.removeFirst() }
    }
}
