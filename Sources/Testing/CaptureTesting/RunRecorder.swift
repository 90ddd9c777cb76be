import AVFCapture
import Foundation
import Pipeline
import RunReport
import ScenarioFormat

/// Trace, decisions and drawing of a test without a scenario, kept for the case that it fails.
struct RunRecorder: Sendable {
    private var labels = SubjectLabels()
    private var trace = TraceWriter(Self.scenario)
    private var decisions = DecisionFile()
    private var plot = FocusPlot(title: "test", isMetric: true)
    private var time: Int64 = 0

    /// Scenario that the trace's header names.
    private static let scenario: ScenarioFile = {
        do { return try ScenarioFile.parse("scenario: test\nclip: {source: synthetic, length: 3600s}", path: "test.yaml") } catch {
            preconditionFailure("\(error)")
        }
    }()

    mutating func observe(_ record: FrameRecord) {
        time = record.time
        let names = labels.labels(in: record)
        trace.append(record, labels: names, known: labels)
        plot.append(record, labels: names, known: labels)
        decisions.append(record, labels: names, known: labels)
    }

    mutating func note(_ remark: RunRemark) {
        trace.append(remark, at: time)
        plot.append(remark, at: time)
    }

    /// `trace.jsonl`, `decisions.json` and `focus.svg`.
    var files: [(name: String, data: Data)] {
        [("trace.jsonl", Data(trace.bytes)), ("decisions.json", decisions.data), ("focus.svg", Data(plot.svg().utf8))]
    }
}
