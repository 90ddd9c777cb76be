import CoreVideo
import Foundation
import Synchronization

/// Sensors of the phone, for a test to play; ours, without a counterpart of Apple's.
///
///     let motion = MotionConditions()
///     MotionConditions.$scoped.withValue(motion) {
///         let level = LevelModel()
///         motion.hold(gravity: CMAcceleration(x: -1, y: 0, z: 0))
///     }
///
/// Every step is one measurement, at whatever interval the app asked for: managers that update hand it to their queues, and keep it.
public final class MotionConditions: Sendable {
    /// Conditions of this task and its children; nil for none.
    @TaskLocal public static var scoped: MotionConditions?

    struct Sample: Sendable {
        var gravity = CMAcceleration(x: 0, y: -1, z: 0)
        var userAcceleration = CMAcceleration()
        var rotationRate = CMRotationRate()
        var timestamp = ProcessInfo.processInfo.systemUptime

        var acceleration: CMAcceleration {
            CMAcceleration(x: gravity.x + userAcceleration.x, y: gravity.y + userAcceleration.y, z: gravity.z + userAcceleration.z)
        }
    }

    private struct Held: Sendable {
        weak var manager: CMMotionManager?
    }

    private let state = Mutex((sample: Sample(), managers: [Held]()))

    /// Makes the sensors of a phone held upright and still.
    public init() { Self.followsCaptures }

    /// Lets bound conditions go where captures go: to the app's own queues and to the delegates of its outputs.
    private static let followsCaptures: Void = CompanionScopes.add {
        guard let conditions = scoped else { return nil }
        return { body in $scoped.withValue(conditions, operation: body) }
    }

    var sample: Sample { state.withLock { $0.sample } }
    func add(_ manager: CMMotionManager) { state.withLock { $0.managers = $0.managers.filter { $0.manager != nil } + [Held(manager: manager)] } }

    /// Holds the phone another way: gravity along its axes, in any length but 0, such as (0, -1, 0) upright, (-1, 0, 0) on its left side, (0, 0, -1)
    /// on its back. The rest is what the user adds; the time is seconds since the phone was started, nil for now.
    public func hold(
        gravity: CMAcceleration, userAcceleration: CMAcceleration = CMAcceleration(), rotationRate: CMRotationRate = CMRotationRate(),
        at timestamp: TimeInterval? = nil
    ) {
        let length = (gravity.x * gravity.x + gravity.y * gravity.y + gravity.z * gravity.z).squareRoot()
        precondition(length > 0 && length.isFinite, "gravity must have a direction, found (\(gravity.x), \(gravity.y), \(gravity.z))")
        let sample = Sample(
            gravity: CMAcceleration(x: gravity.x / length, y: gravity.y / length, z: gravity.z / length), userAcceleration: userAcceleration,
            rotationRate: rotationRate, timestamp: timestamp ?? ProcessInfo.processInfo.systemUptime)
        let managers = state.withLock { state in
            state.sample = sample
            return state.managers.compactMap(\.manager)
        }
        for manager in managers { manager.measured(sample) }
    }
}
