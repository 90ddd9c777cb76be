import AVFoundation
import Pipeline

@testable import RackfocusKit

/// Environments for clients that import Apple's names alone and write files.
enum ClientEnvironment {
    private struct Refused: Error {}

    /// The scripted take in front of a camera, its frames delivered on the caller's thread.
    static func stage() throws -> CaptureEnvironment {
        let scenario = try ScenarioFile.parse(CinematicTake.text, path: "take.yaml")
        var environment = try CaptureEnvironment.scenario(scenario, renderer: nil)
        environment.clock = .inline
        return environment
    }

    /// Files and a lens for an app that edits movies, without a camera.
    static func editing() throws -> CaptureEnvironment {
        let renderer = try VulkanBokehRenderer(options: BokehOptions(highlights: 8))
        return CaptureEnvironment(cameras: [], renderer: renderer) { _ in throw Refused() }.writingFiles()
    }

    /// Files alone, without a camera.
    static func files() -> CaptureEnvironment { CaptureEnvironment(cameras: [], renderer: nil) { _ in throw Refused() }.writingFiles() }
}
