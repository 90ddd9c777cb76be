internal import CV4L2

/// Parts of a camera that can be set by hand.
public struct CameraAbilities: OptionSet, Sendable {
    /// Bits, one for each part.
    public let rawValue: Int

    /// Makes a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Exposure time, and with it gain where there is one.
    public static let exposure = CameraAbilities(rawValue: 1)
    /// White balance can be held.
    public static let whiteBalance = CameraAbilities(rawValue: 2)
    /// Gains of red and blue, or the light's colour temperature.
    public static let whiteBalanceGains = CameraAbilities(rawValue: 4)
    /// Position of the lens.
    public static let focus = CameraAbilities(rawValue: 8)
    /// Torch.
    public static let torch = CameraAbilities(rawValue: 16)
    /// Zoom of the lens.
    public static let zoom = CameraAbilities(rawValue: 32)

    /// Parts in words.
    public static let names: [(ability: CameraAbilities, name: String)] = [
        (.exposure, "exposure"), (.whiteBalance, "white balance"), (.whiteBalanceGains, "white-balance gains"), (.focus, "focus"), (.zoom, "zoom"),
        (.torch, "torch"),
    ]
}

extension VideoCamera {
    /// Parts that its driver has controls for.
    public var abilities: CameraAbilities {
        func has(_ ids: UInt32...) -> Bool { ids.allSatisfy { id in control(id).map { !$0.isReadOnly } ?? false } }
        var abilities: CameraAbilities = []
        if has(RF_CID_EXPOSURE_AUTO, RF_CID_EXPOSURE_ABSOLUTE) { abilities.insert(.exposure) }
        if has(RF_CID_AUTO_WHITE_BALANCE) { abilities.insert(.whiteBalance) }
        if has(RF_CID_AUTO_WHITE_BALANCE, RF_CID_RED_BALANCE, RF_CID_BLUE_BALANCE) || has(RF_CID_AUTO_WHITE_BALANCE, RF_CID_WHITE_BALANCE_TEMPERATURE)
        {
            abilities.insert(.whiteBalanceGains)
        }
        if has(RF_CID_FOCUS_AUTO, RF_CID_FOCUS_ABSOLUTE) { abilities.insert(.focus) }
        if greatestZoom > 1 { abilities.insert(.zoom) }
        if has(RF_CID_FLASH_LED_MODE) { abilities.insert(.torch) }
        return abilities
    }

    /// Greatest factor by which its lens zooms; 1 without a control. The control's unit is the driver's, but it is a focal length: what it is at
    /// least is the factor 1.
    public var greatestZoom: Double {
        guard let control = control(RF_CID_ZOOM_ABSOLUTE), !control.isReadOnly, control.range.lowerBound > 0 else { return 1 }
        return Double(control.range.upperBound) / Double(control.range.lowerBound)
    }
}
