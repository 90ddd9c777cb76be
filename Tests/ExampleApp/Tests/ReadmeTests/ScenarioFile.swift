import AVFoundation
import CaptureTesting
import ExampleApp

private let movieFile = FileManager.default.temporaryDirectory.appending(path: "take.mov")

/// Plays a scenario file before the app; it is compiled, and not run.
func playScenarioFile() async throws {
    try await withTestPhone(showing: TestStage(contentsOfScenario: "Scenarios/tap-on-ben.yaml")) { phone in
        let camera = CameraModel()
        try await camera.start()
        phone.touch(on: camera.preview, tap: { await camera.tap(at: $0) }, longPress: { await camera.longPress(at: $0) })
        phone.connect(startRecording: { await camera.record(to: movieFile) }, stopRecording: { await camera.stopRecording() })
        try await phone.play()
    }
}
