import AVFoundation
import Optics
import Pipeline
import Stage
import Synchronization
import TestSupport
import Testing

@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioRun

@Suite("A scenario through the capture graph")
struct CaptureTests {
    private static let script = """
        scenario: Through the graph
        clip: {source: synthetic, size: 64x36, length: 5s}
        device: {camera: dualWide, aperture: f/2.8}
        view: {size: 844x390, gravity: fill}
        subjects:
          maya: {kind: face, box: [0.40, 0.20, 0.16, 0.26], depth: 1.4m}
          cat: {kind: catBody, box: [0.70, 0.62, 0.14, 0.18], depth: 2.6m}
        timeline:
          - 0.5s: {expect: {focus: maya, mode: weak, settled: true, aperture: f/2.8}}
          - 1s: {tap: cat}
          - +150ms: {expect: {focus: cat, mode: weak, racking: true}}
          - 2s: {tap: {on: cat, offset: [0.5, 0.6]}, set: {aperture: f/4}}
          - +150ms: {expect: {focus: cat, mode: strong, aperture: f/4}}
          - 2.5s: {move: {subject: maya, to: [0.2, 0.1, 0.6, 0.8], depth: 0.7m, over: 0.5s}}
          - 3.5s: {expect: {focus: cat, mode: strong}}
          - 4s: {press: {view: [0.48, 0.4], for: 290ms}}
          - end: {expect: {focus: maya, mode: weak}}
        """

    private func perform(_ script: String) throws -> (ScenarioObserver, [RunFailure]) {
        let scenario = try ScenarioFile.parse(script, path: "graph.yaml")
        let run = ScenarioObserver(scenario)
        let source = StageSource(world: try scenario.world(), rendersPixels: false)
        let environment = CaptureEnvironment(
            cameras: [scenario.camera(for: source.description)], renderer: Glass(), tuning: scenario.tuning, observer: run
        ) { _ in CameraFeed(source: source, detector: TruthDetector()) }
        try CaptureEnvironment.$scoped.withValue(environment) {
            let app = try TinyApp(scenario)
            run.connect(TouchConnections(target: app, layer: app.layer) { app.input.simulatedAperture = Float($0) })
            try app.run()
        }
        return (run, run.finish())
    }

    @Test("fingers reach the focus engine through layer, metadata and device")
    func recording() throws {
        let (run, failures) = try perform(Self.script)
        #expect(failures.isEmpty)
        #expect(run.lensFailure == nil)
        #expect(try perform(Self.script).0.files().map(\.data) == run.files().map(\.data))
    }

    @Test("what the engine does not do is a failure at its line")
    func failure() throws {
        let (_, failures) = try perform(Self.script.replacing("focus: cat, mode: weak, racking: true", with: "focus: maya, mode: strong"))
        #expect(failures.map(\.location.line) == [11])
        #expect(failures.first?.message.hasPrefix("expected focus maya, mode strong, but at 1.167 s focus was on cat, weak, since 1.1") == true)
    }
}

private final class Glass: BokehRenderer {
    func render(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> CVPixelBuffer { image }
}

/// An app of the mirror as small as one gets: a release on a box of the last frame focuses on it.
private final class TinyApp: NSObject, TouchTarget, AVCaptureMetadataOutputObjectsDelegate, @unchecked Sendable {
    let input: AVCaptureDeviceInput
    let layer: AVCaptureVideoPreviewLayer
    private let session = AVCaptureSession()
    private let output = AVCaptureMetadataOutput()
    private let objects = Mutex<[AVMetadataObject]>([])
    private let ended = DispatchSemaphore(value: 0)

    init(_ scenario: ScenarioFile) throws {
        let device = try #require(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
        input = try AVCaptureDeviceInput(device: device)
        session.addInput(input)
        layer = AVCaptureVideoPreviewLayer(session: session)
        scenario.view.configure(layer)
        super.init()
        input.isCinematicVideoCaptureEnabled = true
        input.simulatedAperture = Float(scenario.device.aperture ?? 2.8)
        session.addOutput(output)
        output.metadataObjectTypes = output.requiredMetadataObjectTypesForCinematicVideoCapture
        output.setMetadataObjectsDelegate(self, queue: DispatchQueue(label: "tiny app"))
    }

    func run() throws {
        let center = NotificationCenter.default
        let token = center.addObserver(forName: AVCaptureSession.didStopRunningNotification, object: session, queue: nil) { _ in
            self.ended.signal()
        }
        defer { center.removeObserver(token) }
        session.startRunning()
        try #require(ended.wait(timeout: .now() + patience) == .success)
    }

    func metadataOutput(_ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject], from connection: AVCaptureConnection) {
        objects.withLock { $0 = metadataObjects }
    }

    func touchDown(at point: CGPoint, time: Int64) {}
    func touchMoved(to point: CGPoint, time: Int64) {}
    func timePassed(to time: Int64) {}

    func touchUp(at point: CGPoint, time: Int64) {
        let device = input.device
        let place = layer.metadataOutputRectConverted(fromLayerRect: CGRect(origin: point, size: .zero)).origin
        guard let object = objects.withLock({ $0.first { $0.bounds.contains(place) } }) else { return }
        do { try device.lockForConfiguration() } catch { return _ = Issue.record(error) }
        let mode: AVCaptureDevice.CinematicVideoFocusMode = object.cinematicVideoFocusMode == .weak ? .strong : .weak
        device.setCinematicVideoTrackingFocus(detectedObjectID: object.objectID, focusMode: mode)
        device.unlockForConfiguration()
    }
}
