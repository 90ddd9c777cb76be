import AVFoundation
import CoreMedia
import Foundation
import Pipeline
import Testing

@testable import ScenarioFormat
import ScenarioRun

@Suite("The phone of a scenario")
struct PhoneTests {
    private static let picture = SourceDescription(width: 320, height: 180, frameDuration: CMTime(value: 1, timescale: 30))

    private func scenario(_ device: String, path: String = "phone.yaml", phone: CameraProfile.Phone? = nil) throws -> ScenarioFile {
        let text = "scenario: A phone\nclip: {source: synthetic, length: 1s}\ndevice: \(device)\n"
        return try ScenarioFile.parse(text, path: path, ReadingOptions(phone: phone))
    }

    @Test(
        "the named camera of the named phone films, else the phone's first cinematic one",
        arguments: [
            ("{aperture: f/4}", "com.rackfocus.camera.dualWide"), ("{phone: iphone-17-pro}", "com.rackfocus.camera.pro.dualWide"),
            ("{phone: iphone-17-pro, camera: ultraWide}", "com.rackfocus.camera.pro.frontUltraWide"),
            ("{phone: iphone-14, camera: trueDepth}", "com.rackfocus.camera.trueDepth"),
        ])
    func choice(device: String, uniqueID: String) throws {
        #expect(try scenario(device).camera(for: Self.picture).uniqueID == uniqueID)
    }

    @Test("a profile file beside the scenario is a phone, with its own apertures, and its text is part of the scenario's inputs")
    func ownPhone() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "phone-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func write(_ apertures: String) throws {
            let text = """
                { "model": "Mine", "cameras": [ { "uniqueID": "mine.wide", "name": "Mine", "type": "builtInDualWideCamera", "position": "back",
                  "focalLength": 24, "formats": [ { "sizes": ["1920x1080"], "pixelFormats": ["420v"], "frameRates": [1, 30], "fieldOfView": 70,
                  "maxZoom": 8, "cinematic": { "aperture": \(apertures), "defaultAperture": 2, "zoom": [1, 3], "frameRates": [24, 30] } } ] } ] }
                """
            try Data(text.utf8).write(to: folder.appending(path: "mine.json"))
        }
        try write("[1.2, 11]")
        let path = folder.appending(path: "phone.yaml").path
        let before = try scenario("{phone: mine.json, aperture: f/1.2}", path: path)
        #expect(before.camera(for: Self.picture).uniqueID == "mine.wide")
        try write("[1.8, 11]")
        let error = #expect(throws: ScenarioError.self) { try scenario("{phone: mine.json, aperture: f/1.2}", path: path) }
        #expect(error?.description.contains("this camera's aperture goes from f/1.8 to f/11") == true)
        #expect(try scenario("{phone: mine.json, aperture: f/2}", path: path).digest != before.digest)
        try FileManager.default.removeItem(at: folder)
    }

    @Test("a phone given from outside stands for the file's, and what it cannot do is refused where the file asks for it")
    func givenPhone() throws {
        let phone = try CameraProfile.Phone(named: "iphone-17-pro")
        #expect(try scenario("{phone: iphone-14}", phone: phone).camera(for: Self.picture).uniqueID == "com.rackfocus.camera.pro.dualWide")
        let error = #expect(throws: ScenarioError.self) { try scenario("{camera: trueDepth}", phone: phone) }
        #expect(error?.description.hasPrefix("phone.yaml:3:18: iPhone 17 Pro films no cinematic video with a camera `trueDepth`") == true)
    }
}
