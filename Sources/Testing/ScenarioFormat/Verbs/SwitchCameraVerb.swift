/// `{switchCamera: trueDepth}`.
struct SwitchCameraVerb: PlayedVerb, ReadableVerb {
    static let name = "switchCamera"
    static let about = "The app films with the other camera."
    static let shape = FormatShape.words(ScenarioFile.Device.Camera.self)

    let camera: ScenarioFile.Device.Camera
    var object: String { camera.rawValue }

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        guard reader.isWorld else { throw entry.key.error("footage comes from one camera") }
        camera = try reader.scenario.device.camera(entry.value)
    }

    var command: AppCommand { .act(.switchCamera(camera)) }
}
