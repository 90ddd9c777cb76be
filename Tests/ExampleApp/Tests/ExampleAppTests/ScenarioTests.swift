import AVFoundation
import CaptureTesting
import ExampleApp
import Testing

@Suite("A scenario from a file")
struct ScenarioTests {
    private static let scenario = """
        scenario: A tap brings focus to Ben
        clip: {source: synthetic, size: 640x360, fps: 30, length: 4s}
        subjects:
          maya: {kind: face, box: [0.15, 0.2, 0.2, 0.4], depth: 1.2m}
          ben:  {kind: face, box: [0.7, 0.3, 0.1, 0.2], depth: 3m}
        timeline:
          - 1s:   {expect: {focus: maya, mode: weak}}
          - 1.5s: {tap: ben}
          - 2s:   {expect: {focus: ben, mode: weak, within: 1s}}
          - 3s:   {press: {on: maya, for: 500ms}}
          - end:  {expect: {fixed: true, mode: strong}}
        """

    @Test("the app does what the scenario says")
    func plays() async throws {
        try await withTestPhone(showing: TestStage(scenario: Self.scenario)) { phone in
            let camera = CameraModel()
            try await camera.start()
            phone.touch(on: camera.preview, tap: { await camera.tap(at: $0) }, longPress: { await camera.longPress(at: $0) })
            try await phone.play()
            #expect(await camera.isFocusLocked)
        }
    }
}
