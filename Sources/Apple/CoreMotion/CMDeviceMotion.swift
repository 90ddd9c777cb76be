import Foundation

/// Measurement with its time.
open class CMLogItem: NSObject, @unchecked Sendable {
    /// Seconds since the phone was started, as `ProcessInfo.systemUptime` has them.
    public let timestamp: TimeInterval

    init(timestamp: TimeInterval) { self.timestamp = timestamp }
}

/// Measurement of the accelerometer.
open class CMAccelerometerData: CMLogItem, @unchecked Sendable {
    /// Gravity and the user's acceleration together, as the sensor feels them. Of a phone held upright and still (0, -1, 0).
    public let acceleration: CMAcceleration

    init(_ sample: MotionConditions.Sample) {
        acceleration = sample.acceleration
        super.init(timestamp: sample.timestamp)
    }
}

/// Measurement of the gyroscope.
open class CMGyroData: CMLogItem, @unchecked Sendable {
    /// Turning of the phone.
    public let rotationRate: CMRotationRate

    init(_ sample: MotionConditions.Sample) {
        rotationRate = sample.rotationRate
        super.init(timestamp: sample.timestamp)
    }
}

/// Turn of the phone against a reference: by yaw about z, then pitch about x, then roll about y. Lying on its back, all are 0.
open class CMAttitude: NSObject, NSCopying, @unchecked Sendable {
    /// The turn from the phone's axes to the reference's.
    open var quaternion: CMQuaternion { turn }
    private var turn: CMQuaternion

    init(_ quaternion: CMQuaternion) { turn = quaternion }

    /// Attitude of a phone that feels gravity so, with a yaw of 0.
    convenience init(gravity: CMAcceleration) {
        // Upright or upside down the roll is any; it is 0 then.
        let roll = abs(gravity.x) + abs(gravity.z) < 1e-9 ? 0 : atan2(gravity.x, -gravity.z)
        let pitch = asin(max(-1, min(1, -gravity.y)))
        self.init(CMQuaternion.about(0, by: pitch) * CMQuaternion.about(1, by: roll))
    }

    /// Turn about the axis to the top of the screen, radians, -π…π: of a phone on its left side -π/2.
    open var roll: Double { atan2(-matrix.m13, matrix.m33) }
    /// Turn about the axis to the right of the screen, radians, -π/2…π/2: of a phone held upright π/2.
    open var pitch: Double { asin(max(-1, min(1, matrix.m23))) }
    /// Turn about the reference's z axis, radians, -π…π.
    open var yaw: Double { atan2(-matrix.m21, matrix.m22) }
    /// The turn from the reference's axes to the phone's.
    open var rotationMatrix: CMRotationMatrix { matrix }

    private var matrix: CMRotationMatrix {
        let q = turn
        var matrix = CMRotationMatrix()
        matrix.m11 = 1 - 2 * (q.y * q.y + q.z * q.z)
        matrix.m12 = 2 * (q.x * q.y + q.z * q.w)
        matrix.m13 = 2 * (q.x * q.z - q.y * q.w)
        matrix.m21 = 2 * (q.x * q.y - q.z * q.w)
        matrix.m22 = 1 - 2 * (q.x * q.x + q.z * q.z)
        matrix.m23 = 2 * (q.y * q.z + q.x * q.w)
        matrix.m31 = 2 * (q.x * q.z + q.y * q.w)
        matrix.m32 = 2 * (q.y * q.z - q.x * q.w)
        matrix.m33 = 1 - 2 * (q.x * q.x + q.y * q.y)
        return matrix
    }

    /// Makes the attitude one against another instead of against the reference.
    open func multiply(byInverseOf attitude: CMAttitude) { turn = attitude.turn.inverse * turn }

    /// The same attitude again, to be changed by itself.
    open func copy(with zone: NSZone? = nil) -> Any { CMAttitude(turn) }
}

/// Attitude and motion of the phone, from all its sensors.
open class CMDeviceMotion: CMLogItem, @unchecked Sendable {
    /// Place in headphones where a sensor is.
    public enum SensorLocation: Int, Sendable {
        /// The phone's own.
        case `default` = 0
        /// In the left one.
        case headphoneLeft = 1
        /// In the right one.
        case headphoneRight = 2
    }

    /// Turn of the phone against the reference.
    public let attitude: CMAttitude
    /// Turning of the phone.
    public let rotationRate: CMRotationRate
    /// Gravity along the phone's axes, of length 1.
    public let gravity: CMAcceleration
    /// Acceleration that the user adds to gravity.
    public let userAcceleration: CMAcceleration
    /// Direction of the phone's x axis from north, degrees; -1, as there is no compass.
    open var heading: Double { -1 }
    /// Place of the sensors: the phone.
    open var sensorLocation: SensorLocation { .default }

    init(_ sample: MotionConditions.Sample) {
        attitude = CMAttitude(gravity: sample.gravity)
        rotationRate = sample.rotationRate
        gravity = sample.gravity
        userAcceleration = sample.userAcceleration
        super.init(timestamp: sample.timestamp)
    }
}
