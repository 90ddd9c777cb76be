import AVFoundation
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CaptureTesting

@Suite("A played scenario")
struct ScenarioPlayTests {
    private func text(_ timeline: String, matrix: String = "") -> String {
        """
        scenario: Played
        \(matrix)
        subjects: {maya: {kind: face, box: [0.30, 0.25, 0.13, 0.30], depth: 1.5m}}
        clip: {source: synthetic, size: 64x36, fps: 30, length: 1s}
        timeline:
        \(timeline)
        """
    }

    @Test("loses the frames that it drops, and no other")
    func droppedFrames() async throws {
        let text = text("  - 0.2s: {fault: {dropFrames: 3}}\n  - 0.5s: {expect: {droppedFrames: 3, focus: maya}}")
        try await withCamera(showing: TestStage(scenario: text)) { phone, camera in
            try await phone.play()
            let lost = (6...8).map { CMTime(value: $0, timescale: 30) }
            #expect(phone.frameCount == 27 && camera.times.count == 27 && !camera.times.contains { lost.contains($0) })
            #expect(camera.times.last == CMTime(value: 29, timescale: 30))
        }
    }

    @Test("knows the session of a recorder from the app's, and so do the app's observers")
    func recorder() async throws {
        let scratch = try Scratch()
        let url = scratch.url.appending(path: "played.wav")
        try await withTestPhone { phone in
            try AVAudioSession.sharedInstance().setCategory(.record)
            let told = Mutex(0)
            let tokens = [AVCaptureSession.didStartRunningNotification, AVCaptureSession.wasInterruptedNotification].map { name in
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [conditions = phone.conditions] note in
                    if conditions.concerns(note.object) { told.withLock { $0 += 1 } }
                }
            }
            defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
            let recorder = try AVAudioRecorder(url: url, settings: [:])
            #expect(recorder.record() && phone.session == nil)
            let session = AVCaptureSession()
            #expect(phone.session === session)
            phone.conditions.interrupt(.audioDeviceInUseByAnotherClient)
            #expect(!recorder.isRecording && told.withLock { $0 } == 0)
            phone.conditions.endInterruption()
            recorder.stop()
        }
    }

    private struct Weak: Sendable {
        weak var phone: TestPhone?
        weak var witness: Witness?
        weak var camera: Camera?
    }

    @Test("that is never played to its end holds neither its phone nor the app", arguments: [true, false])
    func lifetimes(isConnected: Bool) async throws {
        let stage = try TestStage(scenario: text("  - 0.5s: {tap: maya}"))
        let gone = try await withTestPhone(showing: stage) { phone in
            let camera = try Camera()
            if isConnected { phone.touch(on: AVCaptureVideoPreviewLayer(session: camera.session), tap: { [camera] _ in _ = camera.times }) }
            await phone.step(frames: 3)
            return Weak(phone: phone, witness: phone.witness, camera: camera)
        }
        #expect(eventually { gone.phone == nil && gone.witness == nil && gone.camera == nil })
    }

    @Test("misses detections as it says")
    func missedDetections() async throws {
        let text = text(
            """
              - 0.2s: {expect: {objects: [maya]}}
              - 0.3s: {fault: {missDetection: {subject: maya, for: 200ms}}}
              - 0.4s: {expect: {objects: 0}}
              - 0.6s: {expect: {objects: [maya]}}
            """)
        try await withCamera(showing: TestStage(scenario: text)) { phone, _ in try await phone.play() }
    }

    @Test("of a file with a matrix is one stage for each point", arguments: [0, 1])
    func matrix(index: Int) async throws {
        let text = text("  - \"${when}\": {expect: {objects: [maya]}}", matrix: "matrix: {when: [0.2s, 0.4s]}")
        let stages = try TestStage.all(scenario: text)
        #expect(stages.count == 2 && stages[index].variant?.contains(["0.2s", "0.4s"][index]) == true)
        try await withCamera(showing: stages[index]) { phone, _ in try await phone.play() }
        #expect(try TestStage.all(scenario: self.text("  - end: {expect: {objects: [maya]}}")).map(\.variant) == [nil])
    }

    @Test("of a file with a matrix where one stage is wanted says how to take each cell or one")
    func oneOfMatrix() throws {
        let text = text("  - \"${when}\": {expect: {objects: [maya]}}", matrix: "matrix: {when: [0.2s, 0.4s]}")
        do {
            _ = try TestStage(scenario: text)
            Issue.record("a matrix is many stages")
        } catch {
            let words = "\(error)"
            #expect(words.contains("TestStage.all(scenario:") && words.contains("variant") && !words.contains("rackfocus test"), "\(words)")
        }
        let stages = try TestStage.all(scenario: text)
        #expect("\(stages[1])" == "Played (\(stages[1].variant ?? ""))")
        #expect("\(TestStage(.face("maya", box: .zero, depth: 1)))" == "a stage of maya" && "\(TestStage())" == "an empty stage")
    }

    @Test("that fails shows the last seconds of focus")
    func lastSeconds() async throws {
        let stage = TestStage(.face("maya", box: CGRect(x: 0.2, y: 0.2, width: 0.2, height: 0.4), depth: 1.5))
        let failure = await thrownFailure {
            try await withCamera(showing: stage) { phone, _ in
                await phone.step(frames: 3)
                try phone.leave("maya")
                try await phone.expect(focus: "maya", mode: .strong, within: .seconds(2))
            }
        }
        let lines = try #require(failure?.chronicle)
        #expect(lines.first?.hasPrefix("at 0.000 s focus was on maya, weak") == true, "\(lines)")
        #expect(lines.last?.contains("nothing was in focus") == true, "\(lines)")
        #expect(failure?.description.contains("\nthe last seconds:\n  at 0.000 s focus was on maya") == true)
    }
}
