import Foundation
import Support

extension CameraProfile {
    /// Phone, or another device with cameras, as its profile file describes it.
    ///
    ///     let phone = try CameraProfile.Phone(named: "iphone-17-pro")
    ///     let own = try CameraProfile.Phone(contentsOf: URL(fileURLWithPath: "my-phone.json"))
    public struct Phone: Sendable, Equatable {
        /// Name of the file without `.json`: `iphone-14`.
        public let name: String
        /// Name for people: `iPhone 14`.
        public let model: String
        /// Cameras in the order of the file, then microphones.
        public let devices: [CameraProfile]
        /// Text of the file as it was read.
        public let text: String

        /// Phones that come with the library, by name.
        public static let shipped = shippedPhoneFiles.map { file in
            do { return try Phone(Data(file.text.utf8), file: file.name + ".json") } catch {
                preconditionFailure("a shipped phone profile is broken: \(error)")
            }
        }

        /// Phone that is there when nobody asks for another: `iphone-14`.
        public static let standard = shipped("iphone-14")

        static func shipped(_ name: String) -> Phone {
            do { return try Phone(named: name) } catch { preconditionFailure("\(error)") }
        }

        /// Finds a shipped phone by its name.
        ///
        /// - Throws: `CameraProfileError`, which lists the names there are.
        public init(named name: String) throws {
            guard let phone = Self.shipped.first(where: { $0.name == name }) else {
                let names = Self.shipped.map(\.name).joined(separator: ", ")
                throw CameraProfileError(file: name, reason: "no phone of this name is shipped; there are \(names), or give the path of a .json file")
            }
            self = phone
        }

        /// Reads a phone from a JSON file.
        ///
        /// - Throws: `CameraProfileError` with the place in the file.
        public init(contentsOf url: URL) throws {
            let data: Data
            do throws(InputError) { data = try FileContents.read(url.path) } catch { throw CameraProfileError(file: url.path, reason: error.reason) }
            try self.init(data, file: url.path)
        }

        /// Cameras that film cinematic video, in the order of the file.
        public var cinematicCameras: [CameraProfile] { devices.filter { $0.formats.contains { $0.cinematic != nil } } }

        init(_ data: Data, file: String) throws {
            text = String(decoding: data, as: UTF8.self)
            name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
            do {
                let profile = try PhoneProfile(data)
                model = profile.model
                devices =
                    try profile.cameras.map { try CameraProfile($0, of: profile, file: file) }
                    + (profile.microphones ?? []).map { CameraProfile($0, of: profile.model) }
            } catch let error as CameraProfileError {
                throw error
            } catch {
                throw CameraProfileError(file: file, error)
            }
            let identifiers = devices.map(\.uniqueID).sorted()
            if let twice = zip(identifiers, identifiers.dropFirst()).first(where: { $0 == $1 }) {
                throw CameraProfileError(file: file, reason: "the uniqueID \(twice.0) is given twice")
            }
        }
    }

    /// Reads the cameras and microphones of a JSON file, or of all JSON files of a folder in the order of their names.
    /// Throws `CameraProfileError` for a path without a file, and with the place in a file that is wrong.
    public static func cameras(at url: URL) throws -> [CameraProfile] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw CameraProfileError(file: url.path, reason: "there is no such file or folder")
        }
        guard isFolder.boolValue else { return try Phone(contentsOf: url).devices }
        let files = try DirectoryListing(of: url.path).entries.filter { $0.name.hasSuffix(".json") }
        if let odd = files.first(where: { !$0.isUTF8 }) {
            throw CameraProfileError(file: "\(url.path)/\(odd.name)", reason: "its name is not UTF-8; rename it")
        }
        return try files.flatMap { try cameras(at: url.appending(path: $0.name)) }
    }

    /// Devices of the standard phone, whose cinematic cameras are Dual Wide at the back and TrueDepth at the front.
    public static let iPhone14 = Phone.standard.devices
    /// Devices of a phone whose front cinematic camera is an ultra-wide one.
    public static let iPhone17Pro = Phone.shipped("iphone-17-pro").devices
    /// USB camera with its microphone.
    public static let externalCamera = Phone.shipped("external").devices

    /// Back camera of a phone of the iPhone 14 class: ultra-wide and wide, cinematic at zoom 2.
    public static let dualWide = iPhone14[0]
    /// Front camera of the same phone, cinematic at zoom 1.
    public static let trueDepth = iPhone14[1]
    /// Plain wide camera at the back, which has no cinematic capture.
    public static let wideAngle = iPhone14[2]
    /// Microphone of the same phone: mono, stereo, first-order ambisonics.
    public static let microphone = iPhone14[iPhone14.count - 1]
}
