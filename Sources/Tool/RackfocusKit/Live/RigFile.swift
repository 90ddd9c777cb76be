import Foundation
import VideoDevice
import Vision

/// Calibration of two cameras that names them: what `rackfocus calibrate --left-camera ID --right-camera ID` writes.
///
/// `RACKFOCUS_RIGS` lists files and folders of them, with colons between; by default it is the folder `rackfocus/rigs` in `$XDG_CONFIG_HOME`
/// (`~/.config`).
public struct RigFile: Sendable {
    /// Path of the file.
    public let path: String

    /// Names a file, which need not be there.
    public init(_ path: String) { self.path = path }

    /// Folder of the files for help texts.
    public static let folderName = "~/.config/rackfocus/rigs"

    /// Files that an environment of variables leads to, in the order of their names within each folder.
    public static func all(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> [RigFile] {
        let home = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory() + "/.config"
        let places = environment["RACKFOCUS_RIGS"].map { $0.split(separator: ":").map(String.init) } ?? [home + "/rackfocus/rigs"]
        return places.flatMap { place -> [RigFile] in
            if place.hasSuffix(".json") { return [RigFile(place)] }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            return names.filter { $0.hasSuffix(".json") }.sorted().map { RigFile("\(place)/\($0)") }
        }
    }

    /// The two cameras as one device; throws `VisionError` for a file that is no calibration, `VideoDeviceError` where it names no cameras, or one is not
    /// there or cannot be used.
    package func rig(among cameras: [VideoCamera]) throws -> LiveRig {
        let calibration = try StereoCalibration(contentsOf: path)
        guard let left = calibration.leftCamera, let right = calibration.rightCamera else { throw VideoDeviceError.unnamed(path) }
        let eyes = try [left, right].map { id in
            guard let camera = cameras.first(where: { $0.uniqueID == id }) else {
                throw VideoDeviceError(.missing, id, "is not plugged in, and \(path) names it")
            }
            if let problem = camera.problem { throw problem }
            return camera
        }
        return LiveRig(eyes[0], partner: .right(eyes[1], calibration))
    }
}

extension VideoDeviceError {
    /// A calibration that says nothing of its cameras.
    static func unnamed(_ path: String) -> VideoDeviceError {
        let advice = "give --left and --right, or have `rackfocus calibrate` name them by --left-camera and --right-camera"
        return VideoDeviceError(.unsupported, path, "names no cameras: \(advice)")
    }
}
