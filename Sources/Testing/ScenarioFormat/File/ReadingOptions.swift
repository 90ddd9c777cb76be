import AVFoundation

/// Inputs that the caller gives beside a scenario file or in place of its own.
public struct ReadingOptions: Sendable {
    /// Footage given elsewhere (`--left L --right R`); the file then names none and may be taps only. Nil is the file's own.
    public var source: ClipSource?
    /// Phone that films in place of the file's (`--phone`); nil is the file's own.
    public var phone: CameraProfile.Phone?
    /// Folders, or single files, that it may name besides those in its own folder (`--allow`).
    public var folders: [String]

    /// Creates options; by default the file alone decides.
    public init(source: ClipSource? = nil, phone: CameraProfile.Phone? = nil, folders: [String] = []) {
        self.source = source
        self.phone = phone
        self.folders = folders
    }
}
