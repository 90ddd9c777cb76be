import AVFoundation
import CoreMedia
import Foundation
import Pipeline
import Testing

@testable import RunReport

@Suite("The drawing of a long run")
struct FocusPlotTests {
    private let decision = FocusDecision(
        time: 13 * 33_333_333, subject: 1, mode: .weak, isUserDecision: false, isFixed: false, why: .entered, disparity: 1)

    /// Plot of frames in which a subject comes nearer, with a decision in frame 13 and a new beginning of the session at frame 21.
    private func plot(of frames: Int, most: Int?) throws -> FocusPlot {
        var (plot, labels) = (FocusPlot(try small("  - 0.1s: {mark: here}"), most: most), SubjectLabels())
        for index in 0..<frames {
            if index == 21 { plot.restart() }
            let maya = subject("maya", 1, x: 0.2, disparity: 1 + Double(index) / 100)
            let frame = frame(index, truth: [maya], lux: 100 + Double(index))
            let record = FrameRecord(
                frame: frame, detections: [maya], state: FocusState(focusDisparity: 1 + Double(index) / 50, subject: 1, mode: .weak),
                decisions: index == 13 ? [decision] : [], fNumber: 2.8, notEnoughLight: false)
            plot.append(record, labels: labels.labels(in: record), known: labels)
        }
        return plot
    }

    @Test(
        "keeps as many samples as it may, as far apart from each other, with the numbers of their frames", arguments: [7, 8, 9, 23, 50, 200], [7, 8])
    func thinned(_ frames: Int, _ most: Int) throws {
        let (whole, few) = (try plot(of: frames, most: nil), try plot(of: frames, most: most))
        #expect(whole.samples.count == frames)
        #expect(few.samples.count < most && few.samples.count >= min(frames, most) / 2)
        let kept = few.samples.map { sample in whole.samples.firstIndex { $0.time == sample.time } ?? -1 }
        let stride = kept[1] - kept[0]
        #expect(kept == Array(Swift.stride(from: 0, to: frames, by: stride)))
        let (rows, all) = (few.csv().split(separator: "\n"), whole.csv().split(separator: "\n"))
        #expect(rows[0] == all[0] && Array(rows.dropFirst()) == kept.map { all[$0 + 1] })
    }

    @Test("keeps every decision, and the gap where the session began again")
    func kept() throws {
        let few = try plot(of: 200, most: 8)
        #expect(few.choices.map(\.time) == [decision.time])
        let first = few.samples.filter(\.isFirst).map(\.time)
        let next = few.samples.map(\.time).filter { $0 >= 700_000_000 }.min()
        #expect(first.map(Optional.some) == [0, next])
        // The decision's mark and both parts of the line.
        let svg = few.svg()
        #expect(svg.contains("entered"))
    }
}
