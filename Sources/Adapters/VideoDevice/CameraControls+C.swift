internal import CV4L2
import Foundation
import Pipeline

/// Settings of a camera by its V4L2 controls; what it sets is undone by `restore`. Not for several threads.
///
/// Gain has no unit in V4L2. An ISO speed is taken for it that rises from 100 at the least gain to 1600 at the greatest, evenly in stops; so a held
/// exposure is read and set alike, and the light judged from it is right but for a factor that stays the same for a camera.
final class CameraControls {
    private let camera: VideoCamera
    private let node: any VideoNode
    private var applied = CameraSettings()
    /// Values before the first change, in the order of the changes.
    private var before: [v4l2_control] = []
    /// Requests that the camera refused, a line for each.
    private(set) var remarks: [String] = []

    init(of camera: VideoCamera, node: any VideoNode) { (self.camera, self.node) = (camera, node) }

    /// Exposure in seconds and ISO speed as the hardware has them now; nil where it does not tell.
    ///
    /// Most cameras keep the last value set by hand while exposure is automatic; only a volatile control tells the truth then.
    var exposure: (duration: Double, iso: Double)? {
        guard let control = camera.control(RF_CID_EXPOSURE_ABSOLUTE) else { return nil }
        if case .automatic = applied.metering, !control.isVolatile { return nil }
        guard let steps = value(of: control), steps > 0 else { return nil }
        let gain = camera.control(RF_CID_GAIN)
        return (Double(steps) / 10_000, gain.flatMap { gain in value(of: gain).map { Self.iso(of: $0, gain) } } ?? 100)
    }

    /// Has the camera keep its rate in the dark, where it would lengthen exposures beyond a frame by itself.
    func steadyRate() { set(RF_CID_EXPOSURE_AUTO_PRIORITY, to: UInt32(0), isRequired: false) }

    /// Has the camera choose exposure times that lamps on the mains do not make flicker, where it can: by itself, else for the frequency of the region; one
    /// that was chosen by hand stays.
    func steadyLight(in region: String? = Locale.current.region?.identifier) {
        guard let control = camera.control(RF_CID_POWER_LINE_FREQUENCY), let now = value(of: control) else { return }
        let automatic = V4L2_CID_POWER_LINE_FREQUENCY_AUTO.rawValue
        if control.range.contains(Int(automatic)) {
            set(control.id, to: automatic, isRequired: false)
            return
        }
        guard now == Int(V4L2_CID_POWER_LINE_FREQUENCY_DISABLED.rawValue), let region, region.count == 2 else { return }
        let is60 = Self.regionsOf60Hertz.contains(region)
        set(control.id, to: (is60 ? V4L2_CID_POWER_LINE_FREQUENCY_60HZ : V4L2_CID_POWER_LINE_FREQUENCY_50HZ).rawValue, isRequired: false)
    }

    /// Regions whose mains have 60 Hz (IEC, World Plugs); Japan, which has both, is left out.
    private static let regionsOf60Hertz: Set<String> = [
        "AG", "AW", "BS", "BZ", "BM", "BR", "CA", "CO", "CR", "CU", "DO", "EC", "SV", "GU", "GT", "GY", "HT", "HN", "KR", "LR", "MX", "NI", "PA",
        "PE", "PH",
        "PR", "SA", "SR", "TW", "TT", "US", "VE", "VI",
    ]

    /// Sets what has changed since the last call.
    func apply(_ settings: CameraSettings) {
        if settings.metering != applied.metering { meter(settings.metering) }
        if settings.isWhiteBalanceHeld != applied.isWhiteBalanceHeld { set(RF_CID_AUTO_WHITE_BALANCE, to: settings.isWhiteBalanceHeld ? 0 : 1) }
        if settings.gains != applied.gains, settings.isWhiteBalanceHeld {
            balance(settings)
        }
        if settings.lensPosition != applied.lensPosition { focus(settings.lensPosition) }
        if settings.zoom != applied.zoom, let control = camera.control(RF_CID_ZOOM_ABSOLUTE) {
            set(control.id, to: Double(control.range.lowerBound) * settings.zoom)
        }
        if settings.light != applied.light { shine(settings.light) }
        // Gains that come while white balance follows the light are for when it is held.
        let gains = settings.isWhiteBalanceHeld ? settings.gains : applied.gains
        applied = settings
        applied.gains = gains
    }

    private func meter(_ metering: CameraSettings.Metering) {
        switch metering {
        case .automatic:
            // Webcams have aperture priority where others have full automatics.
            if !set(RF_CID_EXPOSURE_AUTO, to: V4L2_EXPOSURE_AUTO.rawValue, isRequired: false) {
                set(RF_CID_EXPOSURE_AUTO, to: V4L2_EXPOSURE_APERTURE_PRIORITY.rawValue)
            }
        case .manual(let duration, let iso):
            set(RF_CID_EXPOSURE_AUTO, to: V4L2_EXPOSURE_MANUAL.rawValue)
            set(RF_CID_EXPOSURE_ABSOLUTE, to: max(1, (duration * 10_000).rounded()))
            if let gain = camera.control(RF_CID_GAIN) { set(gain.id, to: Self.gain(of: iso, gain)) }
        }
    }

    private func balance(_ settings: CameraSettings) {
        let gains = settings.gains
        if camera.control(RF_CID_RED_BALANCE) != nil {
            balance(RF_CID_RED_BALANCE, gains.x / gains.y)
            balance(RF_CID_BLUE_BALANCE, gains.z / gains.y)
        } else if let temperature = settings.temperature {
            set(RF_CID_WHITE_BALANCE_TEMPERATURE, to: temperature)
        }
    }

    private func shine(_ level: Double) {
        if level > 0, let control = camera.control(RF_CID_FLASH_TORCH_INTENSITY) {
            set(control.id, to: Double(control.range.lowerBound) + level * Double(control.range.count - 1))
        }
        set(RF_CID_FLASH_LED_MODE, to: (level > 0 ? V4L2_FLASH_LED_MODE_TORCH : V4L2_FLASH_LED_MODE_NONE).rawValue)
    }

    private func balance(_ id: UInt32, _ factor: Double) {
        guard let control = camera.control(id) else { return }
        set(id, to: Double(control.standard == 0 ? 1 : control.standard) * factor)
    }

    private func focus(_ position: Double?) {
        set(RF_CID_FOCUS_AUTO, to: position == nil ? 1 : 0)
        // V4L2 counts from far to near.
        guard let position, let control = camera.control(RF_CID_FOCUS_ABSOLUTE) else { return }
        set(control.id, to: Double(control.range.lowerBound) + (1 - position) * Double(control.range.count - 1))
    }

    private static let stops = 4.0

    private static func iso(of value: Int, _ gain: VideoCamera.Control) -> Double {
        100 * exp2(stops * Double(value - gain.range.lowerBound) / Double(max(gain.range.count - 1, 1)))
    }

    private static func gain(of iso: Double, _ gain: VideoCamera.Control) -> Double {
        Double(gain.range.lowerBound) + (log2(max(iso, 100) / 100) / stops * Double(gain.range.count - 1)).rounded()
    }

    private func value(of control: VideoCamera.Control) -> Int? {
        var value = v4l2_control(id: control.id, value: 0)
        return node.control(RF_G_CTRL, &value) == 0 ? Int(value.value) : nil
    }

    private func set(_ id: UInt32, to value: UInt32) { set(id, to: Double(value)) }

    @discardableResult
    private func set(_ id: UInt32, to value: UInt32, isRequired: Bool) -> Bool { set(id, to: Double(value), isRequired: isRequired) }

    /// Sets a control to the nearest value that it has; false where it cannot be, which is a remark unless it is only tried.
    @discardableResult
    private func set(_ id: UInt32, to wanted: Double, isRequired: Bool = true) -> Bool {
        guard let control = camera.control(id), !control.isReadOnly else { return false }
        let (lowest, highest) = (control.range.lowerBound, control.range.upperBound)
        let steps = (Int(wanted.rounded()) - lowest + control.step / 2) / control.step
        var new = v4l2_control(id: id, value: Int32(lowest + min(max(steps, 0), (highest - lowest) / control.step) * control.step))
        var old = v4l2_control(id: id, value: 0)
        if !before.contains(where: { $0.id == id }), node.control(RF_G_CTRL, &old) == 0 { before.append(old) }
        let failure = node.control(RF_S_CTRL, &new)
        if failure != 0, isRequired { remarks.append("\(control.name) could not be set to \(new.value): \(String(cString: strerror(failure)))") }
        return failure == 0
    }

    /// Sets every control that was changed to its value from before: the last first, since values can be set while their automatics are off.
    func restore() {
        for var control in before.reversed() { _ = node.control(RF_S_CTRL, &control) }
        before = []
    }
}

extension CameraSettings {
    /// Level of the light that is to shine: the torch, or the flash at its brightest.
    fileprivate var light: Double { firesFlash ? 1 : torch }
}
