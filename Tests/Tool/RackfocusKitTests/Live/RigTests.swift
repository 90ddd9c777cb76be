import AVFoundation
import Foundation
import Pipeline
import ScenarioFormat
import Stage
import Synchronization
import TestSupport
import Testing
import VideoDevice

@testable import RackfocusKit
@testable import rackfocus

/// Cameras in memory, seen by an app.
@Suite("Two cameras that are one device to an app", .serialized)
struct RigTests {
    private let scratch = try! Scratch()

    /// Receiver of depth maps.
    private final class DepthTaker: NSObject, AVCaptureDepthDataOutputDelegate, Sendable {
        let maps = Mutex<[AVDepthData]>([])
        let enough = DispatchSemaphore(value: 0)

        func depthDataOutput(
            _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime, connection: AVCaptureConnection
        ) {
            let count = maps.withLock { maps in
                maps.append(depthData)
                return maps.count
            }
            if count == 5 { enough.signal() }
        }
    }

    /// Somebody who stands 2 m away, as two eyes 65 mm apart see it, 320 × 180 in NV12.
    private func eyes() throws -> [[UInt8]] {
        let scenario = """
            scenario: people
            clip: {source: synthetic, size: 320x180, length: 0.1s}
            subjects:
              maya: {kind: face, box: [0.42, 0.2, 0.16, 0.36], depth: 2m}
            """
        var world = try ScenarioFile.parse(scenario, path: "people.yaml").world()
        world.camera.focalLength = 26
        world.stereoBaseline = 0.065
        let frame = try #require(try StageSource(world: world).nextFrame())
        return try [frame.image, #require(frame.rightImage)].map { image in
            [(0, 180), (1, 90)].flatMap { plane, rows in
                (0..<rows).flatMap { Array(UnsafeBufferPointer(start: image.plane(plane).row($0, as: UInt8.self), count: 320)) }
            }
        }
    }

    private func camera(_ path: String, _ picture: [UInt8], _ format: FourCC? = nil, bus: String? = nil) -> LoopedCameras.Camera {
        var camera = LoopedCameras.Camera(width: 320, height: 180, rate: 30, pictures: [picture])
        (camera.path, camera.name, camera.bus) = (path, "Eye \(path.last!)", bus)
        if let format { camera.pixelFormat = format }
        return camera
    }

    /// Calibration of both eyes, which names the cameras in memory.
    private func rig(naming right: String = "memory:/dev/video1#1", width: Int = 320) throws -> RigFile {
        let focal = 26.0 / 36 * 320
        let lens = "{\"focalLength\":[\(focal),\(focal)],\"principalPoint\":[159.5,89.5],\"distortion\":[0,0,0,0,0]}"
        return RigFile(
            try scratch.write(
                """
                {"width":\(width),"height":180,"left":\(lens),"right":\(lens),"rotation":[1,0,0,0,1,0,0,0,1],"translation":[-0.065,0,0],
                "reprojectionError":0.1,"views":20,"leftCamera":"memory:/dev/video0#0","rightCamera":"\(right)"}
                """, to: "rig.json"))
    }

    /// Depth in metres in the middle of the fifth map that an app gets of a device, and how the maps are.
    private func depth(
        of type: AVCaptureDevice.DeviceType, of system: LoopedCameras, _ rigs: [LiveRig]
    ) throws -> (metres: Float, accuracy: AVDepthData.Accuracy, device: AVCaptureDevice, constituents: [AVCaptureDevice]) {
        let environment = CaptureEnvironment.cameras(rigs, in: system, renderer: nil, detector: TruthDetector())
        return try CaptureEnvironment.$scoped.withValue(environment) {
            let device = try #require(AVCaptureDevice.default(type, for: .video, position: .back))
            let (session, output, taker) = (AVCaptureSession(), AVCaptureDepthDataOutput(), DepthTaker())
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(output)
            output.setDelegate(taker, callbackQueue: DispatchQueue(label: "depth"))
            session.startRunning()
            defer { session.stopRunning() }
            #expect(taker.enough.wait(timeout: .now() + patience) == .success)
            let data = try #require(taker.maps.withLock { $0.last }).converting(toDepthDataType: kCVPixelFormatType_DepthFloat32)
            let map = data.depthDataMap
            let (width, height) = (CVPixelBufferGetWidth(map), CVPixelBufferGetHeight(map))
            CVPixelBufferLockBaseAddress(map, .readOnly)
            defer { CVPixelBufferUnlockBaseAddress(map, .readOnly) }
            let row = CVPixelBufferGetBaseAddress(map)! + height * 2 / 5 * CVPixelBufferGetBytesPerRow(map)
            return (row.assumingMemoryBound(to: Float.self)[width / 2], data.depthDataAccuracy, device, device.constituentDevices)
        }
    }

    @Test("with the calibration that names them: a Dual Wide camera of both, whose depth is in metres")
    func pair() throws {
        let eyes = try eyes()
        let system = LoopedCameras([camera("/dev/video0", eyes[0]), camera("/dev/video1", eyes[1])])
        let cameras = VideoCamera.all(in: system)
        let rigs = LiveRig.all(of: cameras, pairs: [try rig()])
        #expect(rigs.count == 3)
        let found = try depth(of: .builtInDualWideCamera, of: system, rigs)
        #expect(abs(found.metres - 2) < 0.1 && found.accuracy == .absolute, "\(found)")
        #expect(found.device.localizedName == "Eye 0 and Eye 1" && found.device.isVirtualDevice)
        #expect(found.constituents.map(\.localizedName) == ["Eye 0", "Eye 1"])
        #expect(rigs[0].profile(only: nil).formats.map { $0.cinematic?.maxZoom } == [1] && found.device.maxAvailableVideoZoomFactor == 1)
        #expect(found.constituents.allSatisfy { $0.deviceType == .external })
    }

    @Test("are found by the calibration alone in a recording, whose frames are pairs")
    func recorded() throws {
        let eyes = try eyes()
        let system = LoopedCameras([camera("/dev/video0", eyes[0]), camera("/dev/video1", eyes[1])])
        var options = RecordOptions()
        (options.calibration, options.take, options.duration) = (try rig().path, scratch("take.mov"), CMTime(value: 3, timescale: 1))
        let result = try RecordJob(options, in: system).run()
        #expect(result.frames > 1 && result.remarks.contains { $0.contains("pairs of frames: the second camera") }, "\(result)")
    }

    @Test("of one piece of hardware, one of which delivers depth: a LiDAR camera with its depth")
    func depthCamera() throws {
        let two = [UInt8](Data((0..<320 * 180).flatMap { _ in [UInt8(2000 & 255), UInt8(2000 >> 8)] }))
        let z16 = FourCC(rawValue: 0x2036_315A)
        let system = LoopedCameras([
            camera("/dev/video0", try eyes()[0], bus: "memory:hand"), camera("/dev/video1", two, z16, bus: "memory:hand"),
        ])
        let rigs = LiveRig.all(of: VideoCamera.all(in: system))
        #expect(rigs.count == 1)
        let found = try depth(of: .builtInLiDARDepthCamera, of: system, rigs)
        #expect(abs(found.metres - 2) < 0.001 && found.accuracy == .absolute, "\(found)")
        let list = CameraList.text(of: VideoCamera.all(in: system), pairs: [])
        #expect(list.contains("cinematic: yes, as a LiDAR camera; distances are those of /dev/video1, in 320x180 at 30 fps"), "\(list)")
        #expect(!list.contains("measured depth"), "\(list)")
    }

    @Test("are listed with their file, and with the reason why they cannot be used")
    func list() throws {
        let system = LoopedCameras([camera("/dev/video0", [0]), camera("/dev/video1", [0])])
        let cameras = VideoCamera.all(in: system)
        func text(_ file: RigFile) -> String { CameraList.text(of: cameras, pairs: [file]) }
        let whole = text(try rig())
        #expect(
            whole.contains("rig.json  Eye 0 and Eye 1, 65 mm apart\n    320x180 at 30 fps\n    cinematic: yes, as a Dual Wide camera"), "\(whole)")
        let missing = text(try rig(naming: "usb-1-2#0"))
        #expect(missing.contains("cannot be used: usb-1-2#0: is not plugged in, and \(scratch("rig.json")) names it"), "\(missing)")
        let other = text(try rig(width: 240))
        #expect(other.contains("cannot be used: the cameras have no size and rate in common"), "\(other)")
        let nameless = RigFile(
            try scratch.write(
                String(contentsOfFile: rig().path, encoding: .utf8).replacing(#/"leftCamera":"[^"]*",/#, with: ""), to: "nameless.json"))
        #expect(text(nameless).contains("nameless.json: names no cameras: give --left and --right, or have"), "\(text(nameless))")
        #expect(LiveRig.all(of: cameras, pairs: [nameless]).count == 2)
    }

    @Test("are looked for where a variable says, else in the folder of one's own")
    func places() throws {
        try FileManager.default.createDirectory(atPath: scratch("rackfocus/rigs"), withIntermediateDirectories: true)
        for name in ["b.json", "a.json", "notes.txt"] { _ = try scratch.write("{}", to: "rackfocus/rigs/\(name)") }
        let folder = scratch("rackfocus/rigs")
        #expect(RigFile.all(["XDG_CONFIG_HOME": scratch.url.path]).map(\.path) == ["\(folder)/a.json", "\(folder)/b.json"])
        #expect(RigFile.all(["RACKFOCUS_RIGS": "/x/c.json:\(folder)"]).map(\.path) == ["/x/c.json", "\(folder)/a.json", "\(folder)/b.json"])
        #expect(RigFile.all(["RACKFOCUS_RIGS": "", "XDG_CONFIG_HOME": scratch.url.path]).isEmpty)
    }

    /// Names of notifications of devices, and of the devices, in their order.
    private final class Events: @unchecked Sendable {
        let events = Mutex<[String]>([])
        /// Set by `init` alone.
        private var observers: [any NSObjectProtocol] = []

        init() {
            for (name, word) in [(AVCaptureDevice.wasConnectedNotification, "+"), (AVCaptureDevice.wasDisconnectedNotification, "-")] {
                let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] note in
                    guard let device = note.object as? AVCaptureDevice, device.modelID == "looped" else { return }
                    let name = device.localizedName
                    self?.events.withLock { $0.append(word + name) }
                }
                observers.append(observer)
            }
        }

        deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
    }

    @Test("come and go with their cameras, while the app runs, and a session ends whose camera is pulled out")
    func plugs() throws {
        let eyes = try eyes()
        let system = LoopedCameras([camera("/dev/video0", eyes[0]), camera("/dev/video1", eyes[1])])
        let plugs = LivePlugs(pairs: [try rig()], in: system)
        let environment = CaptureEnvironment.cameras(plugs, in: system, renderer: nil, detector: TruthDetector())
        let events = CaptureEnvironment.$scoped.withValue(environment) { Events() }
        try CaptureEnvironment.$scoped.withValue(environment) {
            let discovery = AVCaptureDevice.DiscoverySession(
                deviceTypes: [.builtInDualWideCamera, .external], mediaType: .video, position: .unspecified)
            var names: [String] { discovery.devices.map(\.localizedName).sorted() }
            #expect(names == ["Eye 0", "Eye 0 and Eye 1", "Eye 1"])
            let session = AVCaptureSession()
            let device = try #require(discovery.devices.first { $0.localizedName == "Eye 1" })
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.startRunning()
            #expect(session.isRunning)
            system.setPlugged(false, "/dev/video1")
            plugs.look(telling: environment.conditions)
            #expect(names == ["Eye 0"] && !device.isConnected && !session.isRunning)
            system.setPlugged(true, "/dev/video1")
            plugs.look(telling: environment.conditions)
            #expect(names == ["Eye 0", "Eye 0 and Eye 1", "Eye 1"])
            // The object that was pulled out does not come back to life.
            #expect(!device.isConnected && discovery.devices.allSatisfy { $0 !== device })
        }
        #expect(events.events.withLock { $0.sorted() } == ["+Eye 0 and Eye 1", "+Eye 1", "-Eye 0 and Eye 1", "-Eye 1"])
    }

    @Test("come and go as the nodes' folder changes, seen from a thread of its own")
    func watched() throws {
        let eyes = try eyes()
        let system = LoopedCameras([camera("/dev/video0", eyes[0]), camera("/dev/video1", eyes[1])])
        let watch = DeviceWatch(scratch.url.path)
        let plugs = LivePlugs(pairs: [try rig()], in: system)
        let environment = CaptureEnvironment.cameras(plugs, in: system, renderer: nil, detector: TruthDetector())
        plugs.watch(watch, telling: environment.conditions)
        try CaptureEnvironment.$scoped.withValue(environment) {
            let discovery = AVCaptureDevice.DiscoverySession(deviceTypes: [.external], mediaType: .video, position: .unspecified)
            func names() -> [String] { discovery.devices.map(\.localizedName).sorted() }
            #expect(names() == ["Eye 0", "Eye 1"])
            let node = try scratch.write("", to: "video1")
            for isPlugged in [false, true] {
                system.setPlugged(isPlugged, "/dev/video1")
                // As udev does once a node is there.
                try #require(chmod(node, isPlugged ? 0o660 : 0o600) == 0)
                #expect(eventually { names() == (isPlugged ? ["Eye 0", "Eye 1"] : ["Eye 0"]) })
            }
            system.setPlugged(false, "/dev/video0")
            try FileManager.default.removeItem(atPath: node)
            #expect(eventually { names() == ["Eye 1"] })
        }
    }
}
