/// `{switchCamera: trueDepth}`.
struct SwitchCameraVerb: PlayedVerb, ReadableVerb {
    static let name = "switchCamera"
    static let about = "The app films with the other camera."
    static let shape = FormatShape.words(ScenarioFile.Device.Camera.self)

    let camera: ScenarioFile.Device.Camera
    var object: String { camera.rawValue }

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        guard reader.isWorld else { throw entry.key.error("footage comes from one camera") }
        if let line = reader.configurations.first {
            throw entry.key.error(
                "the session is being configured since line \(line), and no other camera is known to be cinematic before that is in force",
                suggestion: "write {session: commit} ahead of it")
        }
        camera = try reader.scenario.device.camera(entry.value)
    }

    var command: AppCommand { .act(.switchCamera(camera)) }
}
