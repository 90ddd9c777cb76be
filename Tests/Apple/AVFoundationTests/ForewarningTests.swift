import AVFoundation
import Synchronization
import Testing

@Suite("Observers who want to know ahead")
struct ForewarningTests {
    private struct Call<Value: Sendable & Equatable>: Sendable {
        let isPrior: Bool
        /// The property as the observer reads it then.
        let read: Value
        let old: Value?
        let new: Value?
    }

    /// While `body` runs, each change of the property is told twice: ahead, when it still reads the old value, and after.
    private func expectForewarned<Root: _KeyValueObservable, Value: Sendable & Equatable>(
        _ object: Root, _ keyPath: KeyPath<Root, Value>, changes: Int = 1, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) rethrows {
        let calls = Mutex<[Call<Value>]>([])
        // Captures nothing.
        nonisolated(unsafe) let property = keyPath
        let token = object.observe(keyPath, options: [.old, .new, .prior]) { object, change in
            let call = Call(isPrior: change.isPrior, read: object[keyPath: property], old: change.oldValue, new: change.newValue)
            calls.withLock { $0.append(call) }
        }
        try body()
        token.invalidate()
        let all = calls.withLock { $0 }
        #expect(all.count == 2 * changes, "\(all)", sourceLocation: sourceLocation)
        for (ahead, after) in zip(all, all.dropFirst()) where ahead.isPrior {
            #expect(ahead.read == ahead.old && ahead.new == nil && !after.isPrior, sourceLocation: sourceLocation)
            #expect(after.read == after.new && after.old == ahead.old && after.new != after.old, sourceLocation: sourceLocation)
        }
    }

    @Test("of a session and what it runs are told before anything changes")
    func session() throws {
        let environment = fakeEnvironment(source: CountingSource(count: 10_000_000))
        try inEnvironment(environment) {
            let (session, output, metadata) = (AVCaptureSession(), AVCaptureVideoDataOutput(), AVCaptureMetadataOutput())
            let layer = AVCaptureVideoPreviewLayer(session: session)
            let device = try #require(AVCaptureDevice.default(for: .video))
            let input = try AVCaptureDeviceInput(device: device)
            session.addOutput(metadata)
            expectForewarned(metadata, \.availableMetadataObjectTypes) {
                expectForewarned(input, \.isCinematicVideoCaptureSupported) { session.addInput(input) }
            }
            expectForewarned(input, \.isCinematicVideoCaptureEnabled) { input.isCinematicVideoCaptureEnabled = true }
            expectForewarned(input, \.simulatedAperture) { input.simulatedAperture = 4 }
            expectForewarned(session, \.isMultitaskingCameraAccessEnabled) { session.isMultitaskingCameraAccessEnabled = true }
            metadata.metadataObjectTypes = metadata.requiredMetadataObjectTypesForCinematicVideoCapture
            expectForewarned(session, \.isRunning) { expectForewarned(layer, \.isPreviewing) { session.startRunning() } }
            expectForewarned(session, \.isRunning, changes: 2) {
                expectForewarned(session, \.isInterrupted, changes: 2) {
                    environment.conditions.interrupt(.videoDeviceInUseByAnotherClient)
                    environment.conditions.endInterruption()
                }
            }
            expectForewarned(session, \.isRunning) { session.stopRunning() }
            expectForewarned(session, \.isRunning, changes: 2) {
                session.startRunning()
                environment.conditions.fail(.mediaServicesWereReset)
            }
            session.addOutput(output)
            let connection = try #require(output.connection(with: .video))
            expectForewarned(connection, \.videoRotationAngle) { connection.videoRotationAngle = 90 }
            expectForewarned(connection, \.isVideoMirrored) { connection.isVideoMirrored = true }
            expectForewarned(connection, \.activeVideoStabilizationMode) { connection.preferredVideoStabilizationMode = .standard }
            expectForewarned(connection, \.isActive) { session.removeConnection(connection) }
            expectForewarned(metadata, \.availableMetadataObjectTypes) { session.removeOutput(metadata) }
            expectForewarned(input, \.isCinematicVideoCaptureEnabled) {
                expectForewarned(input, \.isCinematicVideoCaptureSupported) { session.removeInput(input) }
            }
        }
    }

    @Test("of what stands beside it, too")
    func others() throws {
        let environment = fakeEnvironment(source: CountingSource(count: 90, lux: { _ in 1 }))
        try inEnvironment(environment) {
            let search = AVCaptureDevice.DiscoverySession(deviceTypes: [.external], mediaType: .video, position: .unspecified)
            expectForewarned(search, \.devices) { environment.conditions.connect(CameraProfile.externalCamera[0]) }
            let renderer = AVSampleBufferVideoRenderer()
            let picture = CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_32BGRA)
            let timing = CMSampleTimingInfo(duration: .invalid, presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
            let sample = CMSampleBuffer(imageBuffer: picture, formatDescription: CMFormatDescription(of: picture), timing: timing)
            expectForewarned(renderer, \.status) { renderer.enqueue(sample) }
            let app = try CameraApp()
            try expectForewarned(app.device, \.cinematicVideoCaptureSceneMonitoringStatuses) { try app.run() }
        }
    }

    @Test("of the phone's turns, both angles")
    func rotation() async throws {
        let environment = phoneEnvironment()
        let coordinator = try inEnvironment(environment) {
            AVCaptureDevice.RotationCoordinator(device: try #require(AVCaptureDevice.default(for: .video)), previewLayer: CALayer())
        }
        let told = AsyncStream<[CGFloat]>.makeStream()
        let tokens = [
            coordinator.observe(\.videoRotationAngleForHorizonLevelPreview, options: .prior) { coordinator, change in
                told.continuation.yield([change.isPrior ? 1 : 0, coordinator.videoRotationAngleForHorizonLevelPreview])
            },
            coordinator.observe(\.videoRotationAngleForHorizonLevelCapture, options: .prior) { coordinator, change in
                told.continuation.yield([change.isPrior ? 1 : 0, coordinator.videoRotationAngleForHorizonLevelCapture])
            },
        ]
        environment.conditions.setHorizonAngle(90)
        var (calls, iterator) = ([[CGFloat]](), told.stream.makeAsyncIterator())
        while calls.count < 4, let call = await iterator.next() { calls.append(call) }
        #expect(calls == [[1, 0], [1, 0], [0, 90], [0, 90]])
        withExtendedLifetime(tokens) {}
    }
}
