import AVFoundation
import CoreMedia
import Focus
import Foundation
import Pipeline
import Testing

@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioRun

@Suite("Decisions not taken, in what a run leaves")
struct WithheldTests {
    @Test("stand in the trace with their reason, and as a mark in the drawing")
    func traced() throws {
        let run = ScenarioObserver(try small("  - 0.1s: {mark: here}"))
        run.connect(Recorder().connections())
        let cat = Detection(
            objectID: 2, kind: .catBody, bounds: CGRect(x: 0.6, y: 0.2, width: 0.2, height: 0.2), disparity: 0.5, label: "cat")
        let withheld = WithheldDecision(time: 0, subject: 2, why: .moreProminent, because: .protected, disparity: 0.5)
        let frame = frame(0, truth: [cat], lux: 180)
        run.willProcess(frame)
        run.didDecide(
            FrameRecord(
                frame: frame, detections: [cat], state: FocusState(focusDisparity: 1), decisions: [], withheld: [withheld], fNumber: 2.8,
                notEnoughLight: false))
        _ = run.finish()
        func file(_ name: String) throws -> String { String(decoding: try #require(run.files().first { $0.name == name }).data, as: UTF8.self) }
        let line = #""withheld":[{"t":0,"why":"moreProminent","because":"protected","subject":2,"label":"cat","disparity":32768}],"objects""#
        #expect(try file("trace.jsonl").contains(line))
        #expect(try file("focus.svg").contains("<title>cat: moreProminent withheld, protected</title>"))
    }
}
