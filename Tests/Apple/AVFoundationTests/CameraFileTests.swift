import AVFoundation
import Foundation
import TestSupport
import Testing

@Suite("Cameras as files")
struct CameraFileTests {
    private func cinematic(_ cameras: [CameraProfile]) -> [String] {
        cameras.filter { $0.formats.contains { $0.cinematic != nil } }.map { "\($0.deviceType.dropFirst(19)) \($0.position)" }
    }

    @Test("the shipped phones carry cinematic capture on the cameras that have it")
    func layouts() throws {
        #expect(cinematic(CameraProfile.iPhone14) == ["BuiltInDualWideCamera 1", "BuiltInTrueDepthCamera 2"])
        #expect(cinematic(CameraProfile.iPhone17Pro) == ["BuiltInDualWideCamera 1", "BuiltInUltraWideCamera 2"])
        #expect(cinematic(CameraProfile.externalCamera).isEmpty)
        #expect(try cinematic(CameraProfile.Phone(named: "iphone-se").devices).isEmpty)
        let front = CameraProfile.iPhone17Pro[1].formats.first?.cinematic
        #expect(front == .init(aperture: 1.4...16, defaultAperture: 4.5, zoom: 1...1, frameRates: 24...30))
    }

    @Test("cinematic formats are 1080p and 4K, each as 420v, 420f and x420")
    func cinematicFormats() {
        for camera in [CameraProfile.dualWide, .trueDepth] {
            let formats = camera.formats.filter { $0.cinematic != nil }.map { "\($0.height) \($0.pixelFormat)" }
            #expect(formats == ["1080 420v", "1080 420f", "1080 x420", "2160 420v", "2160 420f", "2160 x420"])
        }
    }

    @Test("a phone of the first generation films cinematic video at 1080p and 30 frames per second alone")
    func firstGeneration() throws {
        let phone = try CameraProfile.Phone(named: "iphone-13")
        #expect(cinematic(phone.devices) == cinematic(CameraProfile.iPhone14))
        let formats = phone.devices.flatMap(\.formats).filter { $0.cinematic != nil }
        #expect(formats.allSatisfy { $0.height == 1080 && $0.cinematic?.minFrameRate == 30 && $0.cinematic?.maxFrameRate == 30 })
        #expect(phone.devices.allSatisfy { device in device.formats.isEmpty || device.formats.contains { $0.height == 2160 } })
    }

    @Test("no two devices of all files share an identity")
    func identities() {
        let all = CameraProfile.Phone.shipped.flatMap(\.devices)
        #expect(Set(all.map(\.uniqueID)).count == all.count)
    }

    @Test("a phone that is only a file is found as a device, cinematic capture included")
    func newPhone() throws {
        let scratch = try Scratch()
        let file = scratch.url.appending(path: "new.json")
        try scratch.write(
            """
            { "model": "New", "cameras": [ { "uniqueID": "new.wide", "name": "New Camera", "type": "builtInWideAngleCamera", "position": "back",
              "focalLength": 24, "formats": [ { "sizes": ["1920x1080"], "pixelFormats": ["420v"], "frameRates": [1, 30], "fieldOfView": 70,
              "maxZoom": 8, "cinematic": { "aperture": [1.2, 11], "defaultAperture": 2, "zoom": [1, 3], "frameRates": [24, 30] } } ] } ] }
            """, to: "new.json")
        let environment = CaptureEnvironment(cameras: try CameraProfile.cameras(at: file), renderer: GlassRenderer()) { _ in
            throw FakeFailure(what: "")
        }
        try inEnvironment(environment) {
            let device = try #require(AVCaptureDevice(uniqueID: "new.wide"))
            #expect(device === AVCaptureDevice.default(for: .video))
            #expect(device.activeFormat.minSimulatedAperture == 1.2)
            #expect(device.activeFormat.videoMaxZoomFactorForCinematicVideo == 3)
            #expect(device.modelID == "New")
        }
    }

    @Test(
        "a broken file is refused by name, with the place of the fault",
        arguments: [
            ("{", "JSON"),
            (#"{ "model": "X" }"#, #""cameras" is missing"#),
            (
                #"{ "model": "X", "cameras": [ { "uniqueID": "a", "name": "A", "type": "t", "position": "top", "focalLength": 1, "formats": [] } ] }"#,
                "cameras[0].position"
            ),
            (
                #"{ "model": "X", "cameras": [ { "uniqueID": "a", "name": "A", "type": "t", "position": "back", "focalLength": 1, "formats": [] } ] }"#,
                "has no format"
            ),
        ])
    func brokenFile(text: String, fault: String) throws {
        let scratch = try Scratch()
        let file = URL(fileURLWithPath: try scratch.write(text, to: "broken.json"))
        let error = try #require(throws: CameraProfileError.self) { try CameraProfile.cameras(at: file) }
        #expect(error.file == file.path)
        #expect(error.description.contains(fault), "\(error)")
    }

    @Test("a name that is not shipped is answered with those that are")
    func unknownName() throws {
        let error = try #require(throws: CameraProfileError.self) { try CameraProfile.Phone(named: "iphone-3") }
        #expect(error.description.hasPrefix("iphone-3: no phone of this name is shipped; there are external, iphone-13, iphone-14, "))
    }

    @Test("a file that is not there is named")
    func missingFile() throws {
        let error = try #require(throws: CameraProfileError.self) { try CameraProfile.cameras(at: URL(fileURLWithPath: "/nowhere/phone.json")) }
        #expect(error.file == "/nowhere/phone.json")
    }
}
