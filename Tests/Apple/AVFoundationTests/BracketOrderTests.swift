import AVFoundation
import Foundation
import Pipeline
import Testing

@testable import AVFCapture

@Suite("Frames of a bracket on their way")
struct BracketOrderTests {
    private func bracket() -> AVCapturePhotoOutput.Bracket {
        let steps = [-1.0, 0, 1].map { bias in
            AVCapturePhotoOutput.Bracket.Step(
                settings: AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: Float(bias)),
                metering: .automatic(bias: bias, longest: nil))
        }
        return AVCapturePhotoOutput.Bracket(steps: steps)
    }

    private func bias(_ step: AVCapturePhotoOutput.Bracket.Step?) -> Double? {
        if case .automatic(let bias, _) = step?.metering { bias } else { nil }
    }

    @Test("are asked for one by one, until each step has one")
    func order() {
        var bracket = bracket()
        for (index, wanted) in [-1.0, 0, 1].enumerated() {
            #expect(bias(bracket.due) == wanted)
            bracket.coming.append(10 + index)
        }
        #expect(bracket.due == nil)
        bracket.meet(9, isUsable: false)
        bracket.meet(10, isUsable: true)
        #expect(bracket.coming == [10, 11, 12], "nothing is lost")
    }

    @Test("are asked for again from the first that was lost, or could not be used", arguments: [(11, true), (10, false)])
    func lost(arrival: Int, isUsable: Bool) {
        var bracket = bracket()
        bracket.coming = [10, 11]
        bracket.meet(arrival, isUsable: isUsable)
        #expect(bracket.coming.isEmpty && bias(bracket.due) == -1)
    }
}
