import AVFoundation
import CaptureTesting
import Synchronization
import TestSupport
import Testing

/// App with everything that a scenario's file can ask for: it films, records, photographs, changes cameras, and starts again after a reset.
private final class FilmApp: NSObject, AVCaptureFileOutputRecordingDelegate, AVCapturePhotoCaptureDelegate, AVCaptureMetadataOutputObjectsDelegate,
    Sendable
{
    let session = AVCaptureSession()
    let layer: AVCaptureVideoPreviewLayer
    private let (movie, photo, metadata) = (AVCaptureMovieFileOutput(), AVCapturePhotoOutput(), AVCaptureMetadataOutput())
    private let queue = DispatchQueue(label: "film app")
    private let state = Mutex(State())
    private let scratch = try! Scratch()

    private struct State: Sendable {
        var objects: [AVMetadataObject] = []
        var events: [String] = []
        var waiting: CheckedContinuation<Void, Never>?
    }

    override init() {
        layer = AVCaptureVideoPreviewLayer(session: session)
        super.init()
        guard let device = AVCaptureDevice.default(for: .video) else { return }
        do { try use(device) } catch { return }
        [metadata, movie, photo].forEach(session.addOutput)
        metadata.metadataObjectTypes = metadata.requiredMetadataObjectTypesForCinematicVideoCapture
        metadata.setMetadataObjectsDelegate(self, queue: queue)
        session.startRunning()
    }

    var device: AVCaptureDevice { session.inputs.compactMap { $0 as? AVCaptureDeviceInput }.first!.device }
    var events: [String] { state.withLock { $0.events } }

    private func use(_ device: AVCaptureDevice) throws {
        let input = try AVCaptureDeviceInput(device: device)
        session.beginConfiguration()
        session.inputs.forEach(session.removeInput)
        session.addInput(input)
        session.commitConfiguration()
        input.isCinematicVideoCaptureEnabled = true
    }

    func connect(_ phone: TestPhone) {
        phone.touch(on: layer, tap: { self.tap($0) }, longPress: { self.press($0) })
        phone.connect(
            startRecording: { [self] in
                movie.startRecording(to: scratch.url.appending(path: "\(UUID().uuidString).mov"), recordingDelegate: self)
            },
            stopRecording: { self.movie.stopRecording() }, pauseRecording: { self.movie.pauseRecording() },
            resumeRecording: { self.movie.resumeRecording() },
            // As apps do: it comes back with the photo.
            takePhoto: { [self] in
                await withCheckedContinuation { continuation in
                    state.withLock { $0.waiting = continuation }
                    photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: self)
                }
            },
            switchCamera: { [self] type in
                guard let device = AVCaptureDevice.default(type, for: .video, position: .unspecified) else { throw AVError(.deviceNotConnected) }
                // The camera before films on.
                try? use(device)
            })
    }

    private func tap(_ point: CGPoint) {
        let place = layer.captureDevicePointConverted(fromLayerPoint: point)
        let bodies: [AVMetadataObject.ObjectType] = [.humanBody, .catBody, .dogBody]
        let object = state.withLock { $0.objects.first { $0.bounds.contains(place) && !bodies.contains($0.type) } }
        configure { device in
            if let object {
                device.setCinematicVideoTrackingFocus(
                    detectedObjectID: object.objectID, focusMode: object.cinematicVideoFocusMode == .weak ? .strong : .weak)
            } else {
                device.setCinematicVideoTrackingFocus(at: place, focusMode: .weak)
            }
        }
    }

    private func press(_ point: CGPoint) {
        configure { $0.setCinematicVideoFixedFocus(at: layer.captureDevicePointConverted(fromLayerPoint: point), focusMode: .strong) }
    }

    private func configure(_ change: (AVCaptureDevice) -> Void) {
        guard (try? device.lockForConfiguration()) != nil else { return }
        change(device)
        device.unlockForConfiguration()
    }

    private func note(_ event: String) { state.withLock { $0.events.append(event) } }

    func metadataOutput(_ output: AVCaptureMetadataOutput, didOutput objects: [AVMetadataObject], from connection: AVCaptureConnection) {
        state.withLock { $0.objects = objects }
    }
    func fileOutput(_ output: AVCaptureFileOutput, didStartRecordingTo url: URL, from connections: [AVCaptureConnection]) { note("recording") }
    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo url: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        note("recorded")
        try? FileManager.default.removeItem(at: url)
    }
    func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        note("photo")
        state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }?.resume()
    }
}

@Suite("A scenario that lets the app act")
struct ScenarioActTests {
    private static let all = ((try? FileManager.default.contentsOfDirectory(atPath: Checkout.root.appending(path: "Scenarios").path)) ?? [])
        // An app does not see a plan made ahead.
        .filter { $0.hasSuffix(".yaml") && !$0.hasPrefix("_") && !["look-ahead.yaml", "glance.yaml"].contains($0) }.sorted()

    @Test("plays whole on an app that is connected with it", arguments: all)
    func plays(name: String) async throws {
        for stage in try TestStage.all(contentsOfScenario: Checkout.root.appending(path: "Scenarios/\(name)").path) {
            try await withTestPhone(showing: stage) { phone in
                let app = FilmApp()
                let token = NotificationCenter.default.addObserver(
                    forName: AVCaptureSession.runtimeErrorNotification, object: app.session, queue: nil
                ) { note in
                    guard (note.userInfo?[AVCaptureSessionErrorKey] as? AVError)?.code == .mediaServicesWereReset else { return }
                    app.session.startRunning()
                }
                defer { NotificationCenter.default.removeObserver(token) }
                app.connect(phone)
                try await phone.play()
            }
        }
    }

    private func stage(_ timeline: String) throws -> TestStage {
        try TestStage(
            scenario: """
                scenario: Acts
                subjects: {maya: {kind: face, box: [0.30, 0.25, 0.13, 0.30], depth: 1.5m}}
                clip: {source: synthetic, size: 64x36, fps: 30, length: 1s}
                timeline:
                \(timeline)
                """)
    }

    @Test("has a recording of the frames between its lines, and a photo that the app waits for")
    func recording() async throws {
        let stage = try stage("  - 0.2s: {record: start}\n  - 0.4s: {photo: take}\n  - 0.6s: {record: stop}\n  - 0.7s: {expect: {recording: false}}")
        try await withTestPhone(showing: stage) { phone in
            let app = FilmApp()
            app.connect(phone)
            try await phone.play()
            #expect(phone.movies.map { $0.times.map { Int(($0.seconds * 30).rounded()) } } == [Array(0...11)])
            // The end of a recording is told on a queue of its own.
            try await phone.until(within: .zero) { app.events.sorted() == ["photo", "recorded", "recording"] }
        }
    }

    @Test("and is not connected says at every line how to connect it")
    func notConnected() async throws {
        let stage = try stage("  - 0.1s: {record: start}\n  - 0.2s: {switchCamera: trueDepth}\n  - 0.3s: {tap: maya}\n  - 0.5s: {tap: maya}")
        let failure = await thrownFailure {
            try await withTestPhone(showing: stage) { phone in
                let app = FilmApp()
                try await phone.play()
                app.session.stopRunning()
            }
        }
        let text = try #require(failure?.message)
        #expect(text.contains("record start: the app is not connected with it: call `phone.connect(startRecording: { … })` before `play`"), "\(text)")
        #expect(text.contains("call `phone.connect(switchCamera: { type in … })` before `play`"), "\(text)")
        #expect(text.components(separatedBy: "call `phone.touch(on:").count == 2, "\(text)")
    }

    @Test("tells what the app throws, and what it never finishes")
    func failures() async throws {
        let stage = try stage("  - 0.1s: {record: start}\n  - 0.2s: {photo: take}")
        let failure = await thrownFailure {
            try await withTestPhone(showing: stage) { phone in
                let app = FilmApp()
                phone.connect(startRecording: { throw AVError(.diskFull) }, takePhoto: { try await Task.sleep(for: .seconds(3600)) })
                try await phone.play()
                app.session.stopRunning()
            }
        }
        let text = try #require(failure?.message)
        #expect(text.contains("record start: the app failed: AVError"), "\(text)")
        #expect(text.contains("photo take: the app has not done it by the end of the clip"), "\(text)")
    }

    @Test("is refused where it plans focus ahead")
    func lookAhead() async throws {
        let stage = try TestStage(contentsOfScenario: Checkout.root.appending(path: "Scenarios/look-ahead.yaml").path)
        let failure = await thrownFailure { try await withTestPhone(showing: stage) { try await $0.play() } }
        #expect(failure?.message.contains("play this file with `rackfocus test`") == true)
    }
}
