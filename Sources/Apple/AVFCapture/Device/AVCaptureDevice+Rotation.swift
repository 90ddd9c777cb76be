import Foundation
import QuartzCore
import Synchronization

extension AVCaptureDevice {
    /// Whether the camera turns with the phone.
    private var turns: Bool { deviceType != .external }

    /// Rotation that makes pictures upright as the phone is held now, in clockwise degrees.
    var horizonAngle: CGFloat { turns ? environment.conditions.horizonAngle : 0 }

    /// Angles that keep the horizon level as the phone turns. Both are observable, and their observers are called on the main queue.
    public final class RotationCoordinator: NSObject, _KeyValueObservable, @unchecked Sendable {
        /// Device that the angles are for; nil once it is gone.
        public weak let device: AVCaptureDevice?
        /// Layer whose preview is levelled; nil without one or once it is gone.
        public weak let previewLayer: CALayer?
        /// Observers of both angles; for `observe(_:options:changeHandler:)` only.
        public let _observers = _KeyValueObservers()
        private let state: Mutex<State>

        private struct State: Sendable {
            var angle: CGFloat
            let turns: Bool
            let hasLayer: Bool
        }

        /// Follows the way the phone is held; without a layer the preview angle stays 0, and so do both for an external camera.
        public init(device: AVCaptureDevice, previewLayer: CALayer?) {
            self.device = device
            self.previewLayer = previewLayer
            let conditions = device.environment.conditions
            state = Mutex(State(angle: device.horizonAngle, turns: device.turns, hasLayer: previewLayer != nil))
            super.init()
            conditions.state.withLock { state in
                state.coordinators.removeAll { $0.object == nil }
                state.coordinators.append(CaptureConditions.Weak(object: self))
            }
        }

        /// Rotation for a level preview, in clockwise degrees.
        public var videoRotationAngleForHorizonLevelPreview: CGFloat { state.withLock { $0.hasLayer ? $0.angle : 0 } }
        /// Rotation for level photos and movies, in clockwise degrees.
        public var videoRotationAngleForHorizonLevelCapture: CGFloat { state.withLock { $0.angle } }

        /// Rotation for pictures that are upright where the phone is held so, in clockwise degrees, however it is held now; 0 for an external camera.
        public func videoRotationAngleRelative(toDeviceOrientation deviceOrientation: AVCaptureVideoOrientation) -> CGFloat {
            state.withLock { $0.turns } ? deviceOrientation.rotationAngle : 0
        }

        func turn(to angle: CGFloat) {
            // Under `dispatchMain` the main queue is served by other threads than the main one.
            if Thread.isMainThread { turnNow(to: angle) } else { DispatchQueue.main.async { self.turnNow(to: angle) } }
        }

        private func turnNow(to angle: CGFloat) {
            let (old, hasLayer, turns) = state.withLock { ($0.angle, $0.hasLayer, $0.turns) }
            guard turns else { return }
            let preview: (old: CGFloat, new: CGFloat) = hasLayer ? (old, angle) : (0, 0)
            _observers.willChange(\RotationCoordinator.videoRotationAngleForHorizonLevelPreview, from: preview.old, to: preview.new)
            _observers.change(\RotationCoordinator.videoRotationAngleForHorizonLevelCapture, from: old, to: angle) {
                state.withLock { $0.angle = angle }
            }
            _observers.changed(
                \RotationCoordinator.videoRotationAngleForHorizonLevelPreview, from: preview.old, to: preview.new, wasAnnounced: true)
        }
    }
}
