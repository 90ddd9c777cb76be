import RackfocusKit

/// The cameras of this machine in words: formats, what each can do for cinematic capture, and what it lacks.
enum CameraList {
    static var text: String {
        let microphones = MicrophoneSource.names
        let sound = microphones.isEmpty ? "Microphones: none" : "Microphones (--microphone of record): " + microphones.joined(separator: ", ")
        return text(of: VideoCamera.all()) + "\n" + sound
    }

    static func text(of cameras: [VideoCamera]) -> String {
        guard !cameras.isEmpty else { return "Cameras: none is plugged in" }
        return (["Cameras (--camera IDENTIFIER of record; a part of the name will do):"] + cameras.flatMap(lines)).joined(separator: "\n")
    }

    private static func lines(_ camera: VideoCamera) -> [String] {
        let head = camera.driver.isEmpty ? "  \(camera.path)" : "  \(camera.uniqueID)  \(camera.name) (\(camera.path), \(camera.driver))"
        if let problem = camera.problem { return [head, "    cannot be used: \(problem)"] }
        let names = CameraAbilities.names
        let (has, lacks) = (names.filter { camera.abilities.contains($0.ability) }, names.filter { !camera.abilities.contains($0.ability) })
        func list(_ parts: [(ability: CameraAbilities, name: String)]) -> String { parts.map(\.name).joined(separator: ", ") }
        if camera.isDepth { return [head] + camera.formatList.map { "    \($0)" } + ["    depth in 16 bits: --depth-camera of record"] }
        return [head] + camera.formatList.map { "    \($0)" }
            + ["    cinematic: yes, in every format; distances are guessed from one picture"]
            + (has.isEmpty ? [] : ["    set by hand: \(list(has))"])
            + (lacks.isEmpty ? [] : ["    lacks: measured depth, \(list(lacks)) by hand"])
    }
}
