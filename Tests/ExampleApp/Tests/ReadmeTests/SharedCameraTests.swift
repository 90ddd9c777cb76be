import AVFoundation
import CaptureTesting
import ExampleApp
import Testing

private let stage = TestStage(.face("maya", box: CGRect(x: 0.4, y: 0.2, width: 0.2, height: 0.4), depth: 1.2))
private let phone = try! TestPhone(showing: stage)

@Suite("The shared camera", .serialized)
struct SharedCameraTests {
    @Test("starts anew in each test, set up once", arguments: 1...2)
    func starts(use: Int) async throws {
        try await withTestPhone(reusing: phone) { phone in
            try await CameraModel.shared.start()
            try await phone.expect(focus: "maya", within: .seconds(1))
        }
    }
}
