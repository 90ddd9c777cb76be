import CoreMedia
import Foundation

/// A camera or a microphone as data: what `AVCaptureDevice` and its formats answer.
public struct CameraProfile: Sendable, Codable, Equatable {
    public var uniqueID: String
    public var name: String
    public var modelID: String
    /// Apple's raw device type, for example `AVCaptureDeviceTypeBuiltInDualWideCamera`.
    public var deviceType: String
    /// Apple's raw position: 0 unspecified, 1 back, 2 front.
    public var position: Int
    /// Full-frame-equivalent focal length in mm, at zoom 1; 0 for a microphone.
    public var focalLength: Double
    public var formats: [Format]
    public var hardware = Hardware()

    /// What is around the sensor.
    public struct Hardware: Sendable, Codable, Equatable {
        /// Made of several cameras: no custom exposure, lens position or white balance.
        public var isVirtual = false
        /// `uniqueID` of the cameras a virtual one is made of, widest first.
        public var constituents: [String] = []
        /// Zoom factors at which the next constituent takes over.
        public var switchOverZoomFactors: [Double] = []
        public var isFixedFocus = false
        public var hasTorch = false
        /// The phone has a Camera Control button.
        public var hasCameraControl = false
        /// Raw values of the multichannel modes of a microphone: 1 stereo, 2 first-order ambisonics.
        public var audioModes: [Int] = []
        public init() {}
    }

    public struct Format: Sendable, Codable, Equatable {
        public var width: Int
        public var height: Int
        /// Four-character code, for example `420v`.
        public var pixelFormat: String
        public var minFrameRate: Double
        public var maxFrameRate: Double
        /// Horizontal degrees.
        public var fieldOfView: Double
        public var maxZoom: Double
        /// Widths of the depth maps that can be had beside the pictures, in the shape of the pictures; none without depth.
        public var depthWidths: [Int] = []
        /// Nil when the format has no cinematic capture.
        public var cinematic: Cinematic?
    }

    public struct Cinematic: Sendable, Codable, Equatable {
        public var minAperture: Double
        public var defaultAperture: Double
        public var maxAperture: Double
        public var minZoom: Double
        public var maxZoom: Double
        public var minFrameRate: Double
        public var maxFrameRate: Double
    }

    /// Apple's raw type of microphones.
    static let microphoneType = "AVCaptureDeviceTypeMicrophone"
    var isMicrophone: Bool { deviceType == Self.microphoneType }
}
