import Foundation
import RackfocusKit

/// The cameras of this machine in words: formats, what each can do for cinematic capture, and what it lacks.
enum CameraList {
    static var text: String {
        let microphones = MicrophoneSource.names
        let sound = microphones.isEmpty ? "Microphones: none" : "Microphones (--microphone of record): " + microphones.joined(separator: ", ")
        return text(of: VideoCamera.all(), pairs: RigFile.all()) + "\n" + sound
    }

    static func text(of cameras: [VideoCamera], pairs: [RigFile]) -> String {
        guard !cameras.isEmpty || !pairs.isEmpty else { return "Cameras: none is plugged in" }
        let rigs = LiveRig.all(of: cameras)
        let single = cameras.flatMap { camera in lines(camera, rigs.first { $0.main == camera }) }
        let head = cameras.isEmpty ? "Cameras: none is plugged in" : "Cameras (--camera IDENTIFIER of record; a part of the name will do):"
        return ([head] + single + (pairs.isEmpty ? [] : ["Pairs of cameras (--calibration FILE of record):"]) + pairs.flatMap { lines($0, cameras) })
            .joined(separator: "\n")
    }

    private static func lines(_ pair: RigFile, _ cameras: [VideoCamera]) -> [String] {
        do {
            let rig = try pair.rig(among: cameras)
            let words = String(format: "%.0f mm apart", (rig.baseline ?? 0) * 1000)
            let formats = rig.formatList
            return ["  \(pair.path)  \(rig.main.name) and \(rig.second?.name ?? ""), \(words)"]
                + (formats.isEmpty
                    ? ["    cannot be used: the cameras have no size and rate in common that has the shape of the calibration"]
                    : ["    \(formats.joined(separator: ", "))", "    cinematic: yes, as a Dual Wide camera; distances in metres"])
        } catch { return ["  \(pair.path)", "    cannot be used: \(error)"] }
    }

    private static func lines(_ camera: VideoCamera, _ rig: LiveRig?) -> [String] {
        let head = camera.driver.isEmpty ? "  \(camera.path)" : "  \(camera.uniqueID)  \(camera.name) (\(camera.path), \(camera.driver))"
        if let problem = camera.problem { return [head, "    cannot be used: \(problem)"] }
        let names = CameraAbilities.names
        let (has, lacks) = (names.filter { camera.abilities.contains($0.ability) }, names.filter { !camera.abilities.contains($0.ability) })
        func list(_ parts: [(ability: CameraAbilities, name: String)]) -> String { parts.map(\.name).joined(separator: ", ") }
        let absent = (rig?.second == nil ? ["measured depth"] : []) + (lacks.isEmpty ? [] : ["\(list(lacks)) by hand"])
        if camera.isDepth { return [head] + camera.formatList.map { "    \($0)" } + ["    depth in 16 bits: --depth-camera of record"] }
        return [head] + camera.formatList.map { "    \($0)" }
            + [cinematic(rig)]
            + (has.isEmpty ? [] : ["    set by hand: \(list(has))"])
            + (absent.isEmpty ? [] : ["    lacks: \(absent.joined(separator: ", "))"])
    }

    private static func cinematic(_ rig: LiveRig?) -> String {
        guard let rig, let depth = rig.second else { return "    cinematic: yes, in every format; distances are guessed from one picture" }
        return "    cinematic: yes, as a LiDAR camera; distances are those of \(depth.path), in \(rig.formatList.joined(separator: ", "))"
    }
}
