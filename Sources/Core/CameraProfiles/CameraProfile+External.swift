extension CameraProfile {
    /// Full-frame-equivalent focal length in mm, and f-number, of the lens that plain video, which tells no distance, is taken for.
    public static let (plainFocalLength, plainAperture) = (50.0, 4.0)

    /// Camera outside of a phone, such as one on USB, whose distances are guessed: like plain video it is taken for one of 50 mm.
    public static func external(uniqueID: String, name: String, modelID: String, formats: [Format], hardware: Hardware) -> CameraProfile {
        var profile = CameraProfile(
            uniqueID: uniqueID, name: name, modelID: modelID, deviceType: "AVCaptureDeviceTypeExternal", position: 0, focalLength: plainFocalLength,
            formats: formats)
        profile.hardware = hardware
        return profile
    }

    /// Microphone outside of a phone; raw multichannel modes as in `Hardware.audioModes`.
    public static func microphone(uniqueID: String, name: String, audioModes: [Int]) -> CameraProfile {
        var profile = CameraProfile(
            uniqueID: uniqueID, name: name, modelID: name, deviceType: microphoneType, position: 0, focalLength: 0, formats: [])
        profile.hardware.audioModes = audioModes
        return profile
    }
}
