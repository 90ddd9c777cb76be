import Foundation

/// What a photo's file says beside its pixels.
public struct PhotoDescription: Sendable, Equatable {
    public enum FileType: String, Sendable, CaseIterable { case jpeg, png }

    public var fileType: FileType
    /// How to turn the pixels, 1…8 as in EXIF; 1 is upright.
    public var orientation: Int
    /// What the sensor was set to; nil when the source cannot tell.
    public var exposure: Exposure?
    /// The simulated f-number, or the lens's own where nothing is simulated; nil when unknown.
    public var fNumber: Double?
    /// Full-frame-equivalent focal length in mm; nil when unknown.
    public var focalLength: Double?
    public var date: Date
    /// The camera's name.
    public var camera: String

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

    /// The EXIF number of a clockwise turn by quarters, with left and right exchanged after it where mirrored.
    public static func orientation(rotation: Int, isMirrored: Bool) -> Int {
        switch rotation {
        case 90: isMirrored ? 5 : 6
        case 180: isMirrored ? 4 : 3
        case 270: isMirrored ? 7 : 8
        default: isMirrored ? 2 : 1
        }
    }
}
