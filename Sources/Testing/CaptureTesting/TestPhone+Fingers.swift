import AVFCapture
import CameraApp
import Foundation
import Pipeline
import Synchronization

/// Gesture handlers of the app under test.
struct Fingers: Sendable {
    let layer: AVCaptureVideoPreviewLayer?
    let pressTime: Int64
    let tap: @Sendable (CGPoint) async throws -> Void
    let longPress: (@Sendable (CGPoint) async throws -> Void)?

    /// Converts 0…1 of the unrotated picture to the space in which the app is touched.
    func place(_ point: CGPoint) -> CGPoint { layer?.layerPointConverted(fromCaptureDevicePoint: point) ?? point }
}

/// Touches of one finger, with exact times; gestures are recognised as on the phone and delivered to the app between frames.
extension TestPhone {
    /// Connects touches with the app's gesture handlers.
    ///
    /// - Parameters:
    ///   - layer: the app's preview layer, with its bounds set: gestures come in its points. Nil: in 0…1 of the unrotated picture.
    ///   - pressTime: time of rest from which on a touch is a long press.
    public func touch(
        on layer: AVCaptureVideoPreviewLayer? = nil, pressTime: Duration = .milliseconds(300),
        tap: @escaping @Sendable (CGPoint) async throws -> Void, longPress: (@Sendable (CGPoint) async throws -> Void)? = nil
    ) {
        let fingers = Fingers(layer: layer, pressTime: pressTime.nanoseconds, tap: tap, longPress: longPress)
        state.withLock { $0.fingers = fingers }
        connectScenario(fingers)
    }

    /// Taps the middle of a subject as the app shows it; returns when the app has had the frame after it.
    public func tap(_ name: String, for duration: Duration = .milliseconds(80), file: StaticString = #filePath, line: UInt = #line) async throws {
        try await touch(await middle(of: name, file, line), for: duration, file, line)
    }

    /// Taps a point (0…1 of the unrotated picture, origin top left).
    public func tap(
        at point: CGPoint, for duration: Duration = .milliseconds(80), file: StaticString = #filePath, line: UInt = #line
    ) async throws { try await touch(point, for: duration, file, line) }

    /// Touches a subject for exactly `duration`: from `pressTime` on it is a long press, else a tap.
    public func press(_ name: String, for duration: Duration, file: StaticString = #filePath, line: UInt = #line) async throws {
        try await touch(await middle(of: name, file, line), for: duration, file, line)
    }

    /// Touches a point (0…1 of the unrotated picture, origin top left) for exactly `duration`.
    public func press(at point: CGPoint, for duration: Duration, file: StaticString = #filePath, line: UInt = #line) async throws {
        try await touch(point, for: duration, file, line)
    }

    /// Box of a subject in the newest frame, 0…1 of the unrotated picture; nil when it was not visible.
    public func box(of name: String) -> CGRect? { witness.box(of: name) }

    private func middle(of name: String, _ file: StaticString, _ line: UInt) async throws -> CGPoint {
        _ = try index(of: name, file, line)
        // Nobody is to be seen ahead of the first frame.
        if frameCount == 0, stepper.isRunning { await step() }
        guard let box = box(of: name) else {
            throw TestFailure("\(name) is not to be seen at \(time), so nobody can touch it\(sessionRemark)", file, line)
        }
        return CGPoint(x: box.midX, y: box.midY)
    }

    private func touch(_ point: CGPoint, for duration: Duration, _ file: StaticString, _ line: UInt) async throws {
        let (fingers, start) = state.withLock { ($0.fingers, $0.time) }
        guard let fingers else { throw TestFailure("no gesture is connected: call `touch(on:tap:longPress:)` first", file, line) }
        let (place, end) = (fingers.place(point), start + duration.nanoseconds)
        if let layer = fingers.layer, !layer.bounds.contains(place) {
            let isOfPicture = (0...1).contains(point.x) && (0...1).contains(point.y)
            let hint = isOfPicture ? "" : "; `at` is a point of the unrotated picture, 0…1 from its top left"
            throw TestFailure("the touch falls beside the preview layer, at \(place) of \(layer.bounds)\(hint)", file, line)
        }
        var recogniser = TapOrPress(pressTime: fingers.pressTime)
        recogniser.down(at: place, time: start)
        while case let frame = frameTime(nextFrame), frame <= end {
            try await fingers.take(recogniser.timePassed(to: frame))
            await step()
        }
        try await fingers.take(recogniser.up(time: end))
        state.withLock { $0.time = max($0.time, end) }
        await step()
    }
}

extension Fingers {
    func take(_ gesture: TapOrPress.Gesture?) async throws {
        switch gesture {
        case .tap(let point): try await tap(point)
        case .longPress(let point): try await longPress?(point)
        case nil: break
        }
    }
}
