import AVFoundation
import Pipeline
import Synchronization
import Testing

/// Keeps what depth, synchronizer and drops tell.
final class DepthApp: NSObject, AVCaptureDepthDataOutputDelegate, AVCaptureDataOutputSynchronizerDelegate, @unchecked Sendable {
    let output = AVCaptureDepthDataOutput()
    let queue = DispatchQueue(label: "depth app")
    let maps = Mutex<[AVDepthData]>([])
    let drops = Mutex<[AVCaptureOutput.DataDroppedReason]>([])
    let collections = Mutex<[AVCaptureSynchronizedDataCollection]>([])

    func depthDataOutput(
        _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime, connection: AVCaptureConnection
    ) { maps.withLock { $0.append(depthData) } }

    func depthDataOutput(
        _ output: AVCaptureDepthDataOutput, didDrop depthData: AVDepthData, timestamp: CMTime, connection: AVCaptureConnection,
        reason: AVCaptureOutput.DataDroppedReason
    ) { drops.withLock { $0.append(reason) } }

    func dataOutputSynchronizer(
        _ synchronizer: AVCaptureDataOutputSynchronizer, didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
    ) { collections.withLock { $0.append(synchronizedDataCollection) } }
}

@Suite("Depth")
struct DepthTests {
    private func values(_ data: AVDepthData, row: Int = 0) -> [Float] {
        let map = data.converting(toDepthDataType: kCVPixelFormatType_DisparityFloat32).depthDataMap
        // The rows live as long as the map.
        return withExtendedLifetime(map) { (0..<map.plane(0).width).map { map.plane(0).row(row, as: Float.self)[$0] } }
    }

    @Test("goes into the dictionary of a file's auxiliary picture and back")
    func dictionary() throws {
        let map = CVPixelBuffer(width: 3, height: 2, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        for y in 0..<2 { for x in 0..<3 { map.plane(0).row(y, as: Float.self)[x] = Float(10 * y + x) } }
        let data = AVDepthData(map: map, accuracy: .absolute, isFiltered: true)
        var kind: NSString?
        var stored = try #require(data.dictionaryRepresentation(forAuxiliaryDataType: &kind))
        #expect(kind == "kCGImageAuxiliaryDataTypeDisparity" && (stored["kCGImageAuxiliaryDataInfoData"] as? Data)?.count == 24)
        let read = try AVDepthData(fromDictionaryRepresentation: stored)
        #expect(values(read, row: 1) == [10, 11, 12] && read.depthDataAccuracy == .relative && read.depthDataType == data.depthDataType)
        let depth = data.converting(toDepthDataType: kCVPixelFormatType_DepthFloat16)
        let stored16 = try #require(depth.dictionaryRepresentation(forAuxiliaryDataType: &kind))
        let halves = try AVDepthData(fromDictionaryRepresentation: stored16)
        #expect(kind == "kCGImageAuxiliaryDataTypeDepth" && halves.depthDataType == kCVPixelFormatType_DepthFloat16)
        stored["kCGImageAuxiliaryDataInfoData"] = Data(count: 23)
        #expect(throws: AVError.self) { try AVDepthData(fromDictionaryRepresentation: stored) }
        #expect(throws: AVError.self) { try AVDepthData(fromDictionaryRepresentation: [:]) }
    }

    @Test("comes with every frame, exact, in the active format's size and kind")
    func exact() throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 3))) {
            let (app, depth) = (try CameraApp(isCinematic: false), DepthApp())
            app.session.addOutput(depth.output)
            depth.output.setDelegate(depth, callbackQueue: depth.queue)
            app.configure { device in
                device.activeDepthDataFormat = device.activeFormat.supportedDepthDataFormats.first {
                    $0.formatDescription.mediaSubType.rawValue == kCVPixelFormatType_DepthFloat32
                }
            }
            try app.run()
            let maps = depth.maps.withLock { $0 }
            #expect(maps.count == 3)
            let data = try #require(maps.first)
            #expect(data.depthDataType == kCVPixelFormatType_DepthFloat32 && data.depthDataMap.size == (64, 36))
            #expect(data.depthDataAccuracy == .absolute && data.isDepthDataFiltered)
            #expect(data.cameraCalibrationData?.intrinsicMatrix.columns.0.x == Float(50.0 / 36 * 64))
            let meters = data.depthDataMap.plane(0).row(7, as: Float.self)
            #expect((0..<64).allSatisfy { meters[$0] == 1 / ((Float($0) + 0.5) / 64) })
        }
    }

    @Test("turns and mirrors with its connection")
    func turned() throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 1))) {
            let (app, depth) = (try CameraApp(isCinematic: false), DepthApp())
            app.session.addOutput(depth.output)
            depth.output.setDelegate(depth, callbackQueue: depth.queue)
            let connection = try #require(depth.output.connection(with: .depthData))
            #expect(!connection.isVideoStabilizationSupported)
            connection.videoRotationAngle = 90
            connection.isVideoMirrored = true
            try app.run()
            let data = try #require(depth.maps.withLock { $0.first })
            #expect(data.depthDataMap.size == (36, 64))
            for row in [0, 20, 63] { #expect(values(data, row: row).allSatisfy { abs($0 - (Float(row) + 0.5) / 64) < 1e-3 }) }
        }
    }

    @Test("converts between disparity and depth, 16 and 32 bit, to the precision of the type")
    func conversions() {
        let map = CountingSource.frame(index: 0).disparity!.buffer
        let data = AVDepthData(map: map, accuracy: .relative, isFiltered: false)
        let exact = values(data)
        for type in data.availableDepthDataTypes {
            let there = data.converting(toDepthDataType: type)
            #expect(there.depthDataType == type && there.depthDataAccuracy == .relative && !there.isDepthDataFiltered)
            for (back, value) in zip(values(there), exact) { #expect(abs(back - value) <= value * 0x1p-10) }
        }
        inEnvironment(phoneEnvironment()) {
            let raised = CaptureEnvironment.violations { _ = data.converting(toDepthDataType: kCVPixelFormatType_32BGRA) }
            #expect(raised.map(\.name) == [.invalidArgument])
        }
        #expect(throws: AVError.self) { try data.replacingDepthDataMap(with: CountingSource.frame(index: 0).image) }
    }

    @Test("is there on virtual cameras alone, and its format keeps the device's rules")
    func formats() throws {
        try inEnvironment(phoneEnvironment()) {
            let dualWide = try #require(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
            let wide = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            let formats = dualWide.activeFormat.supportedDepthDataFormats
            #expect(formats.map(\.mediaType) == Array(repeating: .depthData, count: 4))
            #expect(formats[0].formatDescription.dimensions.width == 320 && formats[0].formatDescription.dimensions.height == 180)
            #expect(dualWide.activeDepthDataFormat === formats[0] && wide.activeDepthDataFormat == nil)
            let seen = Mutex(0)
            let observation = dualWide.observe(\.activeDepthDataFormat) { _, _ in seen.withLock { $0 += 1 } }
            let unlocked = CaptureEnvironment.violations { dualWide.activeDepthDataFormat = formats[1] }
            #expect(unlocked.map(\.name) == [.generic])
            try dualWide.lockForConfiguration()
            dualWide.activeDepthDataFormat = formats[1]
            let foreign = CaptureEnvironment.violations { dualWide.activeDepthDataFormat = dualWide.activeFormat }
            #expect(foreign.map(\.name) == [.invalidArgument] && dualWide.activeDepthDataFormat === formats[1])
            dualWide.activeFormat = dualWide.formats[1]
            #expect(dualWide.activeDepthDataFormat === dualWide.formats[1].supportedDepthDataFormats[0] && seen.withLock { $0 } == 2)
            observation.invalidate()
            let (session, depth) = (AVCaptureSession(), AVCaptureDepthDataOutput())
            session.addInput(try AVCaptureDeviceInput(device: wide))
            session.addOutput(depth)
            #expect(depth.connection(with: .depthData) == nil)
        }
    }

    @Test("never runs beside cinematic capture: the start raises, and so does a commit while running")
    func exclusion() throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 1_000_000))) {
            let (app, depth) = (try CameraApp(), DepthApp())
            let adding = CaptureEnvironment.violations { app.session.addOutput(depth.output) }
            #expect(adding.isEmpty)
            let starting = CaptureEnvironment.violations { app.session.startRunning() }
            #expect(starting.map(\.name) == [.invalidArgument] && starting[0].selector == "-[AVCaptureSession startRunning]")
            #expect(!app.session.isRunning)
            app.session.removeOutput(depth.output)
            app.session.startRunning()
            let running = CaptureEnvironment.violations { app.session.addOutput(depth.output) }
            #expect(running.map(\.name) == [.invalidArgument])
            app.session.stopRunning()
        }
    }

    @Test("drops maps that find the delegate busy, and says why")
    func drops() throws {
        var environment = fakeEnvironment(source: CountingSource(count: 6))
        environment.videoClientTime = { _ in CMTime(value: 2, timescale: 30) }
        try inEnvironment(environment) {
            let (app, depth) = (try CameraApp(isCinematic: false), DepthApp())
            app.session.addOutput(depth.output)
            depth.output.setDelegate(depth, callbackQueue: depth.queue)
            try app.run()
            #expect(depth.maps.withLock { $0.count } == 3)
            #expect(depth.drops.withLock { $0 } == [.lateData, .lateData, .lateData])
        }
    }
}

@Suite("The data synchronizer")
struct SynchronizerTests {
    private static let face = Detection(
        objectID: 7, groupID: 3, kind: .face, bounds: CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.4), yaw: 0, disparity: 0.5)

    @Test("brings picture, objects and depth of one time together, in place of their delegates, and gives those back")
    func together() throws {
        let source = CountingSource(count: 8)
        try inEnvironment(fakeEnvironment(source: source, detector: ScriptedDetector { $0 % 2 == 0 ? [Self.face] : [] })) {
            let (app, depth) = (try CameraApp(isCinematic: false), DepthApp())
            app.session.addOutput(depth.output)
            depth.output.setDelegate(depth, callbackQueue: depth.queue)
            let outputs = [app.videoOutput, app.metadataOutput, depth.output]
            let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: outputs)
            #expect(synchronizer.dataOutputs == outputs)
            synchronizer.setDelegate(depth, queue: depth.queue)
            try app.run()
            let collections = depth.collections.withLock { $0 }
            #expect(collections.count == 8 && app.samples.isEmpty && app.metadata.isEmpty && depth.maps.withLock { $0.isEmpty })
            for (index, collection) in collections.enumerated() {
                let time = CMTime(value: Int64(index), timescale: 30)
                #expect(collection.count == 3 && collection.allSatisfy { $0.timestamp == time })
                let sample = try #require(collection[app.videoOutput] as? AVCaptureSynchronizedSampleBufferData)
                #expect(!sample.sampleBufferWasDropped && sample.sampleBuffer.imageBuffer != nil)
                let objects = try #require(collection.synchronizedData(for: app.metadataOutput) as? AVCaptureSynchronizedMetadataObjectData)
                #expect(objects.metadataObjects.count == (index % 2 == 0 ? 1 : 0))
                let data = try #require(collection[depth.output] as? AVCaptureSynchronizedDepthData)
                #expect(!data.depthDataWasDropped && data.depthData.depthDataMap.size == (64, 36))
            }
            #expect(synchronizer.delegate === depth && synchronizer.delegateCallbackQueue === depth.queue)
        }
    }

    @Test("without a delegate leaves the outputs to theirs")
    func restored() throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 3))) {
            let (app, other) = (try CameraApp(isCinematic: false), DepthApp())
            let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [app.videoOutput, app.metadataOutput])
            synchronizer.setDelegate(other, queue: other.queue)
            synchronizer.setDelegate(nil, queue: nil)
            try app.run()
            #expect(app.samples.count == 3 && app.metadata.count == 3 && other.collections.withLock { $0.isEmpty })
        }
    }

    @Test("tells of drops, and leaves out what has nothing")
    func drops() throws {
        var environment = fakeEnvironment(source: CountingSource(count: 4))
        environment.videoClientTime = { _ in CMTime(value: 2, timescale: 30) }
        try inEnvironment(environment) {
            let (app, depth) = (try CameraApp(isCinematic: false), DepthApp())
            app.metadataOutput.metadataObjectTypes = []
            let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [app.videoOutput, app.metadataOutput])
            synchronizer.setDelegate(depth, queue: depth.queue)
            try app.run()
            let seen = depth.collections.withLock { $0 }.compactMap { $0[app.videoOutput] as? AVCaptureSynchronizedSampleBufferData }
            #expect(seen.map(\.droppedReason) == [AVCaptureOutput.DataDroppedReason.none, .lateData, .none, .lateData])
            #expect(depth.collections.withLock { $0.allSatisfy { $0.count == 1 } })
        }
    }

    @Test("keeps its rules: data outputs, each once, and a queue with a delegate")
    func rules() {
        inEnvironment(phoneEnvironment()) {
            let video = AVCaptureVideoDataOutput()
            let raised = CaptureEnvironment.violations {
                _ = AVCaptureDataOutputSynchronizer(dataOutputs: [])
                _ = AVCaptureDataOutputSynchronizer(dataOutputs: [video, AVCapturePhotoOutput()])
                _ = AVCaptureDataOutputSynchronizer(dataOutputs: [video, video])
                AVCaptureDataOutputSynchronizer(dataOutputs: [video]).setDelegate(DepthApp(), queue: nil)
            }
            #expect(raised.map(\.name) == Array(repeating: .invalidArgument, count: 4))
        }
    }
}
