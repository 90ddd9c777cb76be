import AVFCapture
import Foundation

/// Part of a press of a button.
public enum AVCaptureEventPhase: UInt, Sendable {
    /// The button goes down.
    case began = 0
    /// The user lets it go.
    case ended = 1
    /// The system takes the press away.
    case cancelled = 2
}

/// Sound that an app may play for an event through AirPods.
public final class AVCaptureEventSound: NSObject, Sendable {
    private override init() {}
    /// That of a shutter.
    public static let cameraShutter = AVCaptureEventSound()
    /// That of a recording that begins.
    public static let beginVideoRecording = AVCaptureEventSound()
    /// That of a recording that ends.
    public static let endVideoRecording = AVCaptureEventSound()
}

/// Press of a button that the system gives to an app that uses a camera.
open class AVCaptureEvent: NSObject {
    /// Part of the press.
    public let phase: AVCaptureEventPhase
    init(_ phase: AVCaptureEventPhase) { self.phase = phase }

    /// Whether the app has to play a sound itself: no, the press comes from the phone.
    open var shouldPlaySound: Bool { false }
    /// Plays a sound: never, as nothing is heard. Returns false.
    @discardableResult
    open func play(_ sound: AVCaptureEventSound) -> Bool { false }
}

/// Handlers of presses of the phone's buttons. There are no views to add it to: it is asked for as long as it lives and is enabled.
///
/// A test presses by `phone.press(.volumeDown)`, or part by part by `phone.conditions.press(.volumeDown, .began)`. Volume up is secondary, the other
/// buttons are primary.
@preconcurrency @MainActor
open class AVCaptureEventInteraction: NSObject {
    private let primary: (AVCaptureEvent) -> Void
    private let secondary: (AVCaptureEvent) -> Void
    /// Whether it is asked; default true.
    open var isEnabled = true
    /// Whether the system plays no sound of its own; kept without effect.
    open class var defaultCaptureSoundDisabled: Bool {
        get { isSoundDisabled }
        set { isSoundDisabled = newValue }
    }
    private static var isSoundDisabled = false

    /// Makes handlers of primary and of secondary events.
    public init(primary primaryHandler: @escaping (AVCaptureEvent) -> Void, secondary secondaryHandler: @escaping (AVCaptureEvent) -> Void) {
        primary = primaryHandler
        secondary = secondaryHandler
        super.init()
        ButtonListeners.add(self) { [weak self] button, phase in self?.take(button, phase) ?? false }
    }

    /// Makes a handler of all events.
    public convenience init(handler: @escaping (AVCaptureEvent) -> Void) { self.init(primary: handler, secondary: handler) }

    private func take(_ button: CaptureConditions.Button, _ phase: CaptureConditions.ButtonPhase) -> Bool {
        guard isEnabled else { return false }
        (button == .volumeUp ? secondary : primary)(AVCaptureEvent(phase == .began ? .began : phase == .ended ? .ended : .cancelled))
        return true
    }
}
