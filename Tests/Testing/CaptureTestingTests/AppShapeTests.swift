import AVFoundation
import Accelerate
import CaptureTesting
import CoreMedia
import QuartzCore
import Synchronization
import Testing
import UIKit
import simd

@Suite("Symbols that app-shaped code met")
struct AppShapeTests {
    @Test("transforms of space turn and move as those of the plane, and layers take them")
    func space() {
        let turn = CATransform3DMakeRotation(.pi / 2, 0, 0, 2)
        let both = CATransform3DConcat(turn, CATransform3DMakeTranslation(3, 0, 0))
        let plane = CATransform3DGetAffineTransform(both)
        let point = CGPoint(x: 1, y: 0).applying(plane)
        #expect(abs(point.x - 3) < 1e-12 && abs(point.y - 1) < 1e-12)
        #expect(CATransform3DIsAffine(both) && !CATransform3DIsAffine(CATransform3DMakeRotation(1, 1, 0, 0)))
        #expect(CATransform3DEqualToTransform(CATransform3DTranslate(turn, 0, 0, 0), turn) && CATransform3DIsIdentity(CATransform3DIdentity))
        let layer = CALayer()
        layer.bounds = CGRect(x: 0, y: 0, width: 2, height: 2)
        layer.transform = CATransform3DMakeScale(2, 3, 1)
        #expect(layer.affineTransform() == CGAffineTransform(scaleX: 2, y: 3) && layer.frame == CGRect(x: -2, y: -3, width: 4, height: 6))
    }

    @Test("sums over arrays are those over pointers; vectors and colours are made")
    func values() {
        #expect(vDSP.rootMeanSquare([3, -3, 3]) == 3 && vDSP.maximumMagnitude([1, -4, 2]) == 4 && vDSP.mean([1, 2, 6][...]) == 3)
        #expect(simd_make_float3(simd_make_float4(1, 2, 3, 4)) == SIMD3(1, 2, 3))
        #expect(UIColor.systemYellow.cgColor.components?[1] == 0.8)
    }

    @Test("a phone's microphone has no others to choose from, and a posture for stereo is kept")
    func microphones() async throws {
        try await withTestPhone { _ in
            let session = AVAudioSession.sharedInstance()
            try session.setCategory(.record)
            let port = try #require(session.availableInputs?.first)
            #expect(port.dataSources?.first { $0.orientation == .front } == nil && port.selectedDataSource == nil)
            try session.setPreferredInputOrientation(.landscapeLeft)
            #expect(session.preferredInputOrientation == .landscapeLeft && session.inputOrientation == .none)
        }
    }

    @Test("a generator tells each of many times, or that it was cancelled; an export that has not begun is pending")
    func assets() async throws {
        let asset = AVURLAsset(url: URL(fileURLWithPath: "/nowhere.mov"))
        let outcomes = await withCheckedContinuation { continuation in
            let told = Mutex<[AVAssetImageGenerator.Result]>([])
            AVAssetImageGenerator(asset: asset).generateCGImagesAsynchronously(forTimes: [NSValue(time: .zero), NSValue(time: .zero)]) {
                _, image, _, result, error in
                #expect(image == nil && error != nil)
                let all = told.withLock { told in
                    told.append(result)
                    return told
                }
                if all.count == 2 { continuation.resume(returning: all) }
            }
        }
        #expect(outcomes == [.failed, .failed])
        let session = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
        for await state in session.states(updateInterval: 0.01) {
            guard case .pending = state else { continue }
            session.cancelExport()
        }
        #expect(session.status == .cancelled)
    }

    /// Compiles without a warning, as results of Core Media and of compositions may be left unused.
    private func unused(_ sample: CMSampleBuffer, _ list: UnsafeMutablePointer<AudioBufferList>) {
        CMSampleBufferCopyPCMDataIntoAudioBufferList(sample, at: 0, frameCount: 1, into: list)
        AVMutableComposition().addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
    }
}
