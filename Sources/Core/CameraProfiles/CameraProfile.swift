/// Camera or microphone as data: the properties of `AVCaptureDevice` and its formats.
public struct CameraProfile: Sendable, Equatable {
    /// Identifier that stays the same over launches; unique among devices.
    public var uniqueID: String
    /// Name to show to people.
    public var name: String
    /// Identifier of the model.
    public var modelID: String
    /// Apple's raw device type, for example `AVCaptureDeviceTypeBuiltInDualWideCamera`.
    public var deviceType: String
    /// Apple's raw position: 0 unspecified, 1 back, 2 front.
    public var position: Int
    /// Full-frame-equivalent focal length in mm, at zoom 1; 0 for a microphone.
    public var focalLength: Double
    /// Formats in the order of `AVCaptureDevice.formats`; empty for a microphone.
    public var formats: [Format]
    /// Properties of the device beside its sensor.
    public var hardware = Hardware()

    /// Properties of a device beside its sensor.
    public struct Hardware: Sendable, Equatable {
        /// Whether it is made of several cameras: no custom exposure, lens position or white balance.
        public var isVirtual = false
        /// `uniqueID` of the cameras a virtual one is made of, widest first.
        public var constituents: [String] = []
        /// Zoom factors at which the next constituent takes over.
        public var switchOverZoomFactors: [Double] = []
        /// F-number of the physical lens; 0 where nobody says. Of the shipped phones only the iPhone 13's and the back lenses of the iPhone 14 have a
        /// source (`Differences.md`).
        public var lensAperture: Double = 0
        /// Whether the lens cannot be focused.
        public var isFixedFocus = false
        /// Whether the source moves its lens to a position set by hand; else what is out of its focus is blurred.
        public var movesLens = false
        /// Whether the source zooms by its own lens; else pictures are cropped.
        public var zoomsLens = false
        /// Whether automatic exposure can be made brighter or darker.
        public var biasesExposure = true
        /// Whether exposure can be held and set by hand.
        public var holdsExposure = true
        /// Whether white balance can be held.
        public var holdsWhiteBalance = true
        /// Whether white-balance gains can be set by hand.
        public var setsWhiteBalanceGains = true
        /// Whether it has a torch, and a flash with it.
        public var hasTorch = false
        /// Whether it can run at once with another camera of the phone.
        public var hasMultiCam = false
        /// Whether the phone has a Camera Control button.
        public var hasCameraControl = false
        /// Raw values of the multichannel modes of a microphone: 1 stereo, 2 first-order ambisonics.
        public var audioModes: [Int] = []
        /// Makes the properties of a plain camera that focuses, without a torch.
        public init() {}
    }

    /// Picture format of a camera.
    public struct Format: Sendable, Equatable {
        /// Pixels per row.
        public var width: Int
        /// Rows of pixels.
        public var height: Int
        /// Four-character code of the pixel format, for example `420v`.
        public var pixelFormat: String
        /// Slowest rate in frames per second.
        public var minFrameRate: Double
        /// Fastest rate in frames per second.
        public var maxFrameRate: Double
        /// Horizontal field of view in degrees.
        public var fieldOfView: Double
        /// Greatest zoom factor without cinematic capture.
        public var maxZoom: Double
        /// Widths in pixels of the depth maps beside the pictures, in the shape of the pictures; empty without depth.
        public var depthWidths: [Int] = []
        /// Limits of cinematic capture; nil when the format has none.
        public var cinematic: Cinematic?
    }

    /// Limits of cinematic capture in one format.
    public struct Cinematic: Sendable, Equatable {
        /// Widest aperture: the smallest f-number.
        public var minAperture: Double
        /// Aperture at first, as an f-number.
        public var defaultAperture: Double
        /// Narrowest aperture: the largest f-number.
        public var maxAperture: Double
        /// Least zoom factor.
        public var minZoom: Double
        /// Greatest zoom factor.
        public var maxZoom: Double
        /// Slowest rate in frames per second.
        public var minFrameRate: Double
        /// Fastest rate in frames per second.
        public var maxFrameRate: Double
    }

    package init(
        uniqueID: String, name: String, modelID: String, deviceType: String, position: Int, focalLength: Double, formats: [Format]
    ) {
        self.uniqueID = uniqueID
        self.name = name
        self.modelID = modelID
        self.deviceType = deviceType
        self.position = position
        self.focalLength = focalLength
        self.formats = formats
    }

    /// Apple's raw type of microphones.
    static let microphoneType = "AVCaptureDeviceTypeMicrophone"
    /// Whether it is a microphone.
    package var isMicrophone: Bool { deviceType == Self.microphoneType }
}

extension CameraProfile.Format {
    /// Makes a format; sizes in pixels, rates in frames per second, the field of view in horizontal degrees.
    public init(
        width: Int, height: Int, pixelFormat: String, frameRates: ClosedRange<Double>, fieldOfView: Double, maxZoom: Double,
        depthWidths: [Int] = [], cinematic: CameraProfile.Cinematic?
    ) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        minFrameRate = frameRates.lowerBound
        maxFrameRate = frameRates.upperBound
        self.fieldOfView = fieldOfView
        self.maxZoom = maxZoom
        self.depthWidths = depthWidths
        self.cinematic = cinematic
    }
}

extension CameraProfile.Cinematic {
    /// Makes cinematic limits: f-numbers, zoom factors and frames per second.
    public init(aperture: ClosedRange<Double>, defaultAperture: Double, zoom: ClosedRange<Double>, frameRates: ClosedRange<Double>) {
        minAperture = aperture.lowerBound
        maxAperture = aperture.upperBound
        self.defaultAperture = defaultAperture
        minZoom = zoom.lowerBound
        maxZoom = zoom.upperBound
        minFrameRate = frameRates.lowerBound
        maxFrameRate = frameRates.upperBound
    }
}
