import Foundation

/// Metadata of a photo's file, written as EXIF 2.32.
public struct PhotoDescription: Sendable, Equatable {
    /// Container of the photo: JPEG (JFIF), or PNG, which is lossless.
    public enum FileType: String, Sendable, CaseIterable { case jpeg, png }

    /// Container to write.
    public var fileType: FileType
    /// EXIF orientation, 1…8; 1 is upright.
    public var orientation: Int
    /// Exposure of the sensor; nil when the source does not report it.
    public var exposure: Exposure?
    /// The simulated f-number, or the lens's own where nothing is simulated; nil when unknown.
    public var fNumber: Double?
    /// Full-frame-equivalent focal length in mm; nil when unknown.
    public var focalLength: Double?
    /// Time of capture, written in UTC.
    public var date: Date
    /// Model name of the camera.
    public var camera: String
    /// EXIF data in place of those of the properties above, empty for none; nil for these.
    public var replacement: Data?

    /// Creates a description; what is nil is left out of the EXIF data.
    public init(
        fileType: FileType, orientation: Int = 1, exposure: Exposure? = nil, fNumber: Double? = nil, focalLength: Double? = nil, date: Date,
        camera: String
    ) {
        self.fileType = fileType
        self.orientation = orientation
        self.exposure = exposure
        self.fNumber = fNumber
        self.focalLength = focalLength
        self.date = date
        self.camera = camera
    }

    /// EXIF orientation of a clockwise rotation in degrees (0, 90, 180, 270), mirrored left to right after it where `isMirrored`.
    public static func orientation(rotation: Int, isMirrored: Bool) -> Int {
        switch rotation {
        case 90: isMirrored ? 5 : 6
        case 180: isMirrored ? 4 : 3
        case 270: isMirrored ? 7 : 8
        default: isMirrored ? 2 : 1
        }
    }
}
