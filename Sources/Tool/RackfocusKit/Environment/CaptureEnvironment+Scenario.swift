import AVFoundation
import CoreMedia
import Media
import Pipeline
import ScenarioFormat
import Stage

extension CaptureEnvironment {
    /// Environment of an app that films a scenario: its world or footage is the camera, its sound the microphone.
    ///
    /// Recordings and photos become files. Every start of a session begins with the first frame. Under the wall clock no frame waits for a search.
    public static func scenario(
        _ scenario: ScenarioFile, renderer: (any BokehRenderer)?, models: VisionModels = VisionModels(), clock: Clock = .virtual
    ) throws -> CaptureEnvironment {
        let pace: VisionDetector.Pace = if case .wall = clock { .free } else { .lockStep }
        let description = try CameraFeed.open(scenario, models: models).source.description
        var environment = CaptureEnvironment(
            cameras: [scenario.camera(for: description), .microphone], renderer: renderer, tuning: scenario.tuning
        ) { _ in try CameraFeed.open(scenario, models: models, pace: pace) }
        environment.clock = clock
        environment.openMicrophone = { _ in try scenario.openMicrophone() }
        return environment.writingFiles()
    }
}

extension ScenarioFile {
    /// Opens the microphone beside the scenario's camera: the voices on the stage, or the sound of the footage, silence where it has none.
    package func openMicrophone() throws -> any SoundSource {
        guard let path = clip.source.soundPath else { return StageSound(world: try world()) }
        return try SoundFileSource.open(path) ?? Silence()
    }
}

extension ClipSource {
    /// File whose sound goes with the pictures: the left picture's, or the colour picture's; nil on a stage.
    var soundPath: String? {
        switch self {
        case .synthetic: nil
        case .video(let path, _, _), .depth(let path, _), .plain(let path), .packed(let path, _): path
        case .stereo(let left, _, _, _), .calibrated(let left, _, _): left
        }
    }
}
