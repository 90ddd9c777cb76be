import CoreMedia
import Pipeline
import ScenarioFormat

/// Scenario that a live take plays: the script, or one without any events.
enum LiveScenario {
    /// Name of the script's copy in the run directory.
    static let fileName = "script.yaml"

    /// Scenario of a take, at the camera's rate.
    static func scenario(_ options: RecordOptions, at frameDuration: CMTime) throws(ScenarioError) -> ScenarioFile {
        try scenario(try options.script.map(ScenarioFile.text), path: options.script ?? options.main ?? "webcam", at: frameDuration)
    }

    /// Scenario of a text, nil for one without any events; a script without a name bears that of its file.
    static func scenario(_ text: String?, path: String, at frameDuration: CMTime) throws(ScenarioError) -> ScenarioFile {
        var reading = ReadingOptions(source: .plain("camera"))
        reading.timing = { _ in FootageTiming(frameDuration: frameDuration) }
        var scenario = try ScenarioFile.parse(text ?? "{}", path: path, reading)
        if text == nil { scenario.texts = [] }
        return scenario.inMode(.live)
    }
}
